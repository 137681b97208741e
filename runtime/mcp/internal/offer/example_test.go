package offer_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/internal/offer"
	"github.com/aiongen/aiongen/runtime/mcp/internal/peer"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

func Example() {
	registry := tool.NewRegistry()
	server := sdk.NewServer(&sdk.Implementation{Name: "example"}, nil)
	offers := offer.New(offer.Settings{Registry: registry, Server: server, Log: slog.Default(), Key: peer.NewKey(nil, ""), MaxResult: 1 << 20})
	greet, err := schema.Dynamic(tool.Definition{Name: "greet", Description: "Greets."}, func(context.Context, json.RawMessage) (json.RawMessage, error) {
		return json.RawMessage(`"Hello"`), nil
	})
	if err != nil {
		fmt.Println(err)
	}
	if err := registry.Register(greet); err != nil {
		fmt.Println(err)
	}
	if _, err := offers.Refresh(); err != nil {
		fmt.Println(err)
	}

	ctx := context.Background()
	here, there := sdk.NewInMemoryTransports()
	go func() { _ = server.Run(ctx, there) }()
	client, err := sdk.NewClient(&sdk.Implementation{Name: "client"}, nil).Connect(ctx, here, nil)
	if err != nil {
		fmt.Println(err)
	}
	defer client.Close()
	result, err := client.CallTool(ctx, &sdk.CallToolParams{Name: "greet"})
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(result.Content[0].(*sdk.TextContent).Text)
	// Output: Hello
}
