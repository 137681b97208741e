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
	server.AddResource(&sdk.Resource{URI: "file:///notes", Name: "notes"}, readNotes)
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

func readNotes(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	return &sdk.ReadResourceResult{}, nil
}

// TestAddTo checks that the tools of a registry are added to those of a server, with the checks of the
// registry, and follow the registry until the context is done.
func TestAddTo(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		r := tool.NewRegistry()
		r.Replace(textTool("b", echoText))
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
		session := openSDKSession(t, here, version, &sdk.ClientOptions{
			ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { told <- true },
		})
		if got := toolNames(t, session); got != "b own" {
			t.Errorf("offered are %s", got)
		}
		checkListens(t, r, told)
		r.Replace(textTool("a", echoText))
		<-told // also for a client that sends no requests
		if got := toolNames(t, session); got != "a b own" {
			t.Errorf("offered are %s", got)
		}
		if text, _, isError := callTool(t, session, "own", `{}`); text != "mine" || isError {
			t.Error(text)
		}
		if text, _, isError := callTool(t, session, "a", `{"txet":1}`); !isError || !strings.Contains(text, "/txet: expected the key text") || !strings.Contains(text, "/text: expected a value") {
			t.Error(text)
		}
		isQuiet(told)
		cancel()
		for <-told; toolNames(t, session) != "own"; <-told {
		}
		r.Replace(textTool("late", echoText))
		if got := toolNames(t, session); got != "own" {
			t.Errorf("offered are %s", got)
		}
	})
}

// TestAddToUnfit checks that a tool that cannot be offered is an error and nothing is added. If it is
// registered later, it is logged.
func TestAddToUnfit(t *testing.T) {
	unfit := tool.NewTypedTool(&tool.Definition{Name: "unfit", Input: json.RawMessage("true")}, readText, echoText, (*wire.Encoder).Str).Tool
	server := sdk.NewServer(&sdk.Implementation{Name: "mine", Version: "v1"}, nil)
	here, there := sdk.NewInMemoryTransports()
	go func() { _ = server.Run(t.Context(), there) }()
	session := openSDKSession(t, here, stateless, nil)
	r := tool.NewRegistry()
	r.Replace(textTool("a", echoText), unfit)
	if err := mcp.AddTo(t.Context(), server, r); err == nil || !strings.Contains(err.Error(), "unfit") {
		t.Error(err)
	}
	if got := toolNames(t, session); got != "" {
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
	if got := toolNames(t, session); got != "a" {
		t.Errorf("offered are %s", got)
	}
	if err := mcp.AddTo(t.Context(), server, r, mcp.StateKey([]byte("short"))); err == nil {
		t.Error("there is no error")
	}
}

// lines is a writer that sends the lines of a log to a channel.
type lines chan string

func (l lines) Write(p []byte) (int, error) {
	l <- string(p)
	return len(p), nil
}
