package anthropic_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/aiongen/aiongen/adapters/anthropic"
	"github.com/aiongen/aiongen/runtime/llm"
)

func Example() {
	server := httptest.NewServer(http.HandlerFunc(answerContent("end_turn", `{"type":"text","text":"Hello, Ada."}`))) // in place of Anthropic
	defer server.Close()

	client := sdk.NewClient(option.WithBaseURL(server.URL), option.WithAPIKey("my-key"))
	model := anthropic.New(client, "claude-sonnet-5-5")
	response, err := model.Generate(context.Background(), llm.Request{System: "Be kind.", Prompt: "Greet Ada."})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(response.Text)
	// Output: Hello, Ada.
}
