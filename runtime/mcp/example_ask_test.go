package mcp_test

import (
	"context"
	"fmt"
	"log"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/mcp"
	"github.com/aiongen/aiongen/runtime/tool"
)

// A prompt and a resource template. The prompt asks the person a question before it is written.
func ExampleServer_AddPrompt() {
	server, err := mcp.New(tool.NewRegistry())
	if err != nil {
		log.Fatal(err)
	}
	err = server.AddPrompt(mcp.Prompt{
		Name: "summary", Description: "Sums a ticket up.",
		Arguments: []mcp.Argument{{Name: "ticket", Required: true, Values: []string{"17", "18"}}},
		Write: func(ctx context.Context, arguments map[string]string) ([]content.Part, error) {
			answers, err := tool.ExchangeFrom(ctx).Ask(ctx, tool.AskPerson("With the names of people?", nil))
			if err != nil {
				return nil, err
			}
			text := "Sum ticket " + arguments["ticket"] + " up."
			if !answers[0].Accepted() {
				text += " Leave out names."
			}
			return []content.Part{content.Text(text)}, nil
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	err = server.AddResource(mcp.Resource{
		URI: "ticket://{number}", Name: "ticket",
		Read: func(_ context.Context, variables map[string]string) (content.Part, error) {
			return content.Text("Ticket " + variables["number"] + " is closed."), nil
		},
	})
	if err != nil {
		log.Fatal(err)
	}

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	here, there := sdk.NewInMemoryTransports()
	go func() { _ = server.Serve(ctx, there) }()
	client, err := sdk.NewClient(&sdk.Implementation{Name: "example"}, &sdk.ClientOptions{
		ElicitationHandler: func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			fmt.Println("asked:", r.Params.Message)
			return &sdk.ElicitResult{Action: "decline"}, nil
		},
	}).Connect(ctx, here, nil)
	if err != nil {
		log.Fatal(err)
	}
	prompt, err := client.GetPrompt(ctx, &sdk.GetPromptParams{Name: "summary", Arguments: map[string]string{"ticket": "17"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(prompt.Messages[0].Content.(*sdk.TextContent).Text)
	ticket, err := client.ReadResource(ctx, &sdk.ReadResourceParams{URI: "ticket://17"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ticket.Contents[0].Text)
	// Output:
	// asked: With the names of people?
	// Sum ticket 17 up. Leave out names.
	// Ticket 17 is closed.
}
