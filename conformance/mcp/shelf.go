package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/mcp"
	"github.com/aiongen/aiongen/runtime/tool"
)

// prompts are the prompts that clients may get.
var prompts = []mcp.Prompt{
	{Name: "test_simple_prompt", Description: "Says the same, always.", Write: fixedPrompt(content.Text("This is a simple prompt for testing."))},
	{
		Name: "test_prompt_with_arguments", Description: "Says what it is given.",
		Arguments: []mcp.Argument{
			{Name: "arg1", Required: true, Values: []string{"testing", "tested", "other"}},
			{Name: "arg2", Required: true},
		},
		Write: func(_ context.Context, a map[string]string) ([]content.Part, error) {
			return []content.Part{content.Text(fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", a["arg1"], a["arg2"]))}, nil
		},
	},
	{
		Name: "test_prompt_with_embedded_resource", Description: "Hands out a file.",
		Arguments: []mcp.Argument{{Name: "resourceUri", Required: true}},
		Write: func(_ context.Context, a map[string]string) ([]content.Part, error) {
			return []content.Part{textResource(a["resourceUri"]), content.Text("Please process the embedded resource above.")}, nil
		},
	},
	{Name: "test_prompt_with_image", Description: "Shows an image.", Write: fixedPrompt(pixelImage, content.Text("Please analyze the image above."))},
	{Name: "test_input_required_result_prompt", Description: "Asks what it is about.", Write: writeAboutPrompt},
}

// fixedPrompt returns a Write function that always returns parts.
func fixedPrompt(parts ...content.Part) func(context.Context, map[string]string) ([]content.Part, error) {
	return func(context.Context, map[string]string) ([]content.Part, error) { return parts, nil }
}

// writeAboutPrompt asks a person for the context of the prompt.
func writeAboutPrompt(ctx context.Context, _ map[string]string) ([]content.Part, error) {
	q := tool.AskPerson("What context should the prompt use?", json.RawMessage(`{"type":"object","properties":{"context":{"type":"string"}},"required":["context"]}`))
	answers, err := tool.ExchangeFrom(ctx).Ask(ctx, q.WithName("user_context"))
	if err != nil {
		return nil, err
	}
	var reply struct{ Context string }
	err = answers[0].Into(&reply)
	return []content.Part{content.Text("It is about: " + reply.Context)}, err
}

// resources are the resources that clients may read.
var resources = []mcp.Resource{
	{URI: "test://static-text", Name: "text", Description: "A text.", Media: "text/plain", Read: fixedResource(content.Text("This is the content of the static text resource."))},
	{URI: "test://static-binary", Name: "binary", Description: "An image.", Media: "image/png", Read: fixedResource(pixelImage)},
	{URI: "test://watched-resource", Name: "watched", Description: "What may change.", Media: "text/plain", Read: fixedResource(content.Text("It did not change."))},
	{
		URI: "test://template/{id}/data", Name: "data", Description: "What is known by an ID.", Media: "application/json",
		Read: func(_ context.Context, v map[string]string) (content.Part, error) {
			text, err := json.Marshal(map[string]any{"id": v["id"], "templateTest": true, "data": "Data for ID: " + v["id"]})
			return content.Text(string(text)), err
		},
	},
}

// fixedResource returns a Read function that always returns part.
func fixedResource(part content.Part) func(context.Context, map[string]string) (content.Part, error) {
	return func(context.Context, map[string]string) (content.Part, error) { return part, nil }
}

// addResources adds the prompts and resources to a server.
func addResources(s *mcp.Server) error {
	var failed []error
	for _, p := range prompts {
		failed = append(failed, s.AddPrompt(p))
	}
	for _, r := range resources {
		failed = append(failed, s.AddResource(r))
	}
	return errors.Join(failed...)
}
