package direct_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/internal/direct"
	"github.com/aiongen/aiongen/runtime/mcp/internal/peer"
)

func Example() {
	echo := func(_ context.Context, from *peer.Request) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: string(from.Arguments)}}}, nil
	}
	calls := direct.Calls{
		Server: &sdk.Implementation{Name: "test", Version: "1"},
		Find:   func(string) func(context.Context, *peer.Request) (*sdk.CallToolResult, error) { return echo },
		Log:    slog.Default(),
	}
	r := httptest.NewRequest(http.MethodPost, "/mcp", nil)
	r.Header = http.Header{
		"Content-Type": {"application/json"}, "Accept": {"*/*"},
		"Mcp-Protocol-Version": {direct.Version}, "Mcp-Method": {"tools/call"}, "Mcp-Name": {"echo"},
	}
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"x":1},"_meta":{
		"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	w := httptest.NewRecorder()
	fmt.Println(calls.Answer(w, r, []byte(body)), w.Body)
	fmt.Println(calls.Answer(w, r, []byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)))
	// Output:
	// true {"jsonrpc":"2.0","id":1,"result":{"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"test","version":"1"}},"content":[{"type":"text","text":"{\"x\":1}"}],"resultType":"complete"}}
	// false
}
