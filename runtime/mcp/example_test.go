package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp"
	"github.com/aiongen/aiongen/runtime/tool"
)

func Example() {
	registry := tool.NewRegistry()
	if err := registry.Register(textTool("greet", func(_ context.Context, name string) (string, error) { return "Hello, " + name, nil })); err != nil {
		log.Fatal(err)
	}
	server, err := mcp.New(registry)
	if err != nil {
		log.Fatal(err)
	}

	// A program calls ServeStdio or ListenAndServe. Here, the client is in the same
	// process.
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	here, there := sdk.NewInMemoryTransports()
	go func() { _ = server.Serve(ctx, there) }()

	client, err := sdk.NewClient(&sdk.Implementation{Name: "example"}, nil).Connect(ctx, here, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, arguments := range []string{`{"text":"Ada"}`, `{}`} {
		result, err := client.CallTool(ctx, &sdk.CallToolParams{Name: "greet", Arguments: json.RawMessage(arguments)})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(result.IsError, result.Content[0].(*sdk.TextContent).Text)
	}
	// Output:
	// false Hello, Ada
	// true The arguments of greet were wrong, and it did not run. Send the call again with all arguments, and these mended:
	// - /text: expected a value, found nothing
}
