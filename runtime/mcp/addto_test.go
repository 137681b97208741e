package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"log/slog"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

func ExampleAddTo() {
	registry := tool.NewRegistry()
	if err := registry.Register(textTool("greet", func(_ context.Context, name string) (string, error) { return "Hello, " + name, nil })); err != nil {
		log.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()

	server := sdk.NewServer(&sdk.Implementation{Name: "mine", Version: "v1"}, nil)
	server.AddResource(&sdk.Resource{URI: "file:///notes", Name: "notes"}, notes)
	if err := mcp.AddTo(ctx, server, registry); err != nil {
		log.Fatal(err)
	}

	here, there := sdk.NewInMemoryTransports()
	go func() { _ = server.Run(ctx, there) }()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "example"}, nil).Connect(ctx, here, nil)
	if err != nil {
		log.Fatal(err)
	}
	for t, err := range session.Tools(ctx, nil) {
		fmt.Println(t.Name, err)
	}
	for r, err := range session.Resources(ctx, nil) {
		fmt.Println(r.URI, err)
	}
	// Output:
	// greet <nil>
	// file:///notes <nil>
}

func notes(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	return &sdk.ReadResourceResult{}, nil
}

// TestAddTo: the tools of a registry are beside those that a server has, and follow the
// registry until the context is done. The checks are those of the registry.
func TestAddTo(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		r := tool.NewRegistry()
		r.Replace(textTool("b", echo))
		server := sdk.NewServer(&sdk.Implementation{Name: "mine", Version: "v1"}, nil)
		sdk.AddTool(server, &sdk.Tool{Name: "own"}, func(context.Context, *sdk.CallToolRequest, struct{}) (*sdk.CallToolResult, any, error) {
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "mine"}}}, nil, nil
		})
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if err := mcp.AddTo(ctx, server, r); err != nil {
			t.Fatal(err)
		}
		here, there := sdk.NewInMemoryTransports()
		go func() { _ = server.Run(t.Context(), there) }()
		told := make(chan bool, 1000)
		session := open(t, here, version, &sdk.ClientOptions{
			ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { told <- true },
		})
		if got := names(t, session); got != "b own" {
			t.Errorf("offered are %s", got)
		}
		listens(t, r, told)
		r.Replace(textTool("a", echo))
		<-told // also a client that asks nothing
		if got := names(t, session); got != "a b own" {
			t.Errorf("offered are %s", got)
		}
		if text, _, isError := call(t, session, "own", `{}`); text != "mine" || isError {
			t.Error(text)
		}
		if text, _, isError := call(t, session, "a", `{"txet":1}`); !isError || !strings.Contains(text, "/txet: expected the key text") || !strings.Contains(text, "/text: expected a value") {
			t.Error(text)
		}
		quiet(told)
		cancel()
		for <-told; names(t, session) != "own"; <-told {
		}
		r.Replace(textTool("late", echo))
		if got := names(t, session); got != "own" {
			t.Errorf("offered are %s", got)
		}
	})
}

// TestAddToUnfit: what cannot be offered is an error, and nothing is added; what comes
// later is told by the log.
func TestAddToUnfit(t *testing.T) {
	unfit := tool.NewOf(&tool.Definition{Name: "unfit", Input: json.RawMessage("true")}, readText, echo, (*wire.Encoder).Str).Tool
	server := sdk.NewServer(&sdk.Implementation{Name: "mine", Version: "v1"}, nil)
	here, there := sdk.NewInMemoryTransports()
	go func() { _ = server.Run(t.Context(), there) }()
	session := open(t, here, stateless, nil)
	r := tool.NewRegistry()
	r.Replace(textTool("a", echo), unfit)
	if err := mcp.AddTo(t.Context(), server, r); err == nil || !strings.Contains(err.Error(), "unfit") {
		t.Error(err)
	}
	if got := names(t, session); got != "" {
		t.Errorf("offered are %s", got)
	}
	r.Unregister("unfit")
	said := make(lines, 10)
	if err := mcp.AddTo(t.Context(), server, r, mcp.Logger(slog.New(slog.NewTextHandler(said, nil)))); err != nil {
		t.Fatal(err)
	}
	r.Replace(unfit)
	if line := <-said; !strings.Contains(line, "unfit") {
		t.Errorf("the log is %s", line)
	}
	if got := names(t, session); got != "a" {
		t.Errorf("offered are %s", got)
	}
	if err := mcp.AddTo(t.Context(), server, r, mcp.StateKey([]byte("short"))); err == nil {
		t.Error("there is no error")
	}
}

// lines takes what is written to a log.
type lines chan string

func (l lines) Write(p []byte) (int, error) {
	l <- string(p)
	return len(p), nil
}
