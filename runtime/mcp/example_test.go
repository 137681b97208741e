package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"testing/fstest"

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

	// A program calls ServeStdio or ListenAndServe. In this example, the client is in the same process.
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
	// true The arguments of greet were wrong, and it did not run. Send the call again with all arguments, and fix these:
	// - /text: expected a value, found nothing
}

// Clients read the files in a folder, and nothing else.
func ExampleServeFS() {
	server, err := mcp.New(tool.NewRegistry())
	if err != nil {
		log.Fatal(err)
	}
	files := fstest.MapFS{"guide.md": {Data: []byte("# Guide")}} // or os.DirFS("docs")
	if err := server.AddResource(mcp.ServeFS("docs", "docs:///", files)); err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	here, there := sdk.NewInMemoryTransports()
	go func() { _ = server.Serve(ctx, there) }()
	client, err := sdk.NewClient(&sdk.Implementation{Name: "client"}, nil).Connect(ctx, here, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	for _, uri := range []string{"docs:///guide.md", "docs:///../secret"} {
		result, err := client.ReadResource(ctx, &sdk.ReadResourceParams{URI: uri})
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(result.Contents[0].Text)
	}
	// Output:
	// # Guide
	// calling "resources/read": docs:///../secret does not exist
}
