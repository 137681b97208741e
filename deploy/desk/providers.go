package main

import (
	"context"
	"os"

	anthropicsdk "github.com/anthropics/anthropic-sdk-go"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/option"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"google.golang.org/genai"

	"github.com/aiongen/aiongen/adapters/anthropic"
	"github.com/aiongen/aiongen/adapters/gemini"
	"github.com/aiongen/aiongen/adapters/responses"
	"github.com/aiongen/aiongen/example/desk"
	"github.com/aiongen/aiongen/runtime/llm"
)

// onAnthropic provides models of Anthropic's Messages API.
var onAnthropic = desk.Provider{Name: "anthropic", Key: "ANTHROPIC_API_KEY", Open: func(baseURL, model string) (llm.Model, error) {
	options := []anthropicoption.RequestOption{anthropicoption.WithAPIKey(os.Getenv("ANTHROPIC_API_KEY"))}
	if baseURL != "" {
		options = append(options, anthropicoption.WithBaseURL(baseURL))
	}
	return anthropic.New(anthropicsdk.NewClient(options...), model), nil
}}

// onGemini provides models of the Gemini API.
var onGemini = desk.Provider{Name: "gemini", Key: "GEMINI_API_KEY", Open: func(baseURL, model string) (llm.Model, error) {
	client, err := genai.NewClient(context.Background(), &genai.ClientConfig{
		Backend: genai.BackendGeminiAPI, APIKey: os.Getenv("GEMINI_API_KEY"), HTTPOptions: genai.HTTPOptions{BaseURL: baseURL},
	})
	if err != nil {
		return nil, err
	}
	return gemini.New(client, model), nil
}}

// onResponses provides models of OpenAI's Responses API.
var onResponses = desk.Provider{Name: "responses", Key: "OPENAI_API_KEY", Open: func(baseURL, model string) (llm.Model, error) {
	options := []option.RequestOption{option.WithAPIKey(os.Getenv("OPENAI_API_KEY"))}
	if baseURL != "" {
		options = append(options, option.WithBaseURL(baseURL))
	}
	return responses.New(openai.NewClient(options...), model, responses.Extra("prompt_cache_key", "aiongen-desk")), nil
}}
