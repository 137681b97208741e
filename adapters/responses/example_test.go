package responses_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/aiongen/aiongen/adapters/responses"
	"github.com/aiongen/aiongen/runtime/llm"
)

func Example() {
	// In a program, leave out the URL, and set OPENAI_API_KEY.
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"status":"completed","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Hello, Ada."}]}]}`)
	}))
	defer server.Close()
	client := openai.NewClient(option.WithBaseURL(server.URL), option.WithAPIKey("key"))

	model := responses.New(client, "gpt-5", responses.Extra("prompt_cache_key", "help-desk"))
	response, err := model.Generate(context.Background(), llm.Request{Prompt: "Greet Ada."})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(response.Text)
	// Output: Hello, Ada.
}
