package httpserver_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/internal/httpserver"
	"github.com/aiongen/aiongen/runtime/mcp/internal/peer"
)

func ExampleDirectCalls() {
	echo := func(_ context.Context, from *peer.Request) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: string(from.Arguments)}}}, nil
	}
	calls := httpserver.DirectCalls{
		Server: &sdk.Implementation{Name: "test", Version: "1"},
		Find:   func(string) func(context.Context, *peer.Request) (*sdk.CallToolResult, error) { return echo },
		Log:    slog.Default(),
	}
	r := callRequest()
	w := httptest.NewRecorder()
	theSDK := http.NotFoundHandler()
	fmt.Println(calls.AnswerCall(w, r, []byte(message), nil, theSDK), w.Body)
	fmt.Println(calls.AnswerCall(w, r, []byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}`), nil, theSDK))
	// Output:
	// true {"jsonrpc":"2.0","id":1,"result":{"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"test","version":"1"}},"content":[{"type":"text","text":"{\"x\":1}"}],"resultType":"complete"}}
	// false
}
