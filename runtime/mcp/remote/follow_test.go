package remote_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// waitForTools waits until a registry has tools with these names.
func waitForTools(t testing.TB, r *tool.Registry, want ...string) {
	t.Helper()
	for {
		changed := r.Changed()
		if slices.Equal(r.Names(), want) {
			return
		}
		select {
		case <-changed:
		case <-t.Context().Done():
			t.Fatalf("there are %s, not %s", r.Names(), want)
		}
	}
}

// newOwnTool returns a tool of the program itself.
func newOwnTool(t testing.TB, name string) tool.Tool {
	t.Helper()
	made, err := schema.Dynamic(tool.Definition{Name: name, Description: "Mine."}, func(context.Context, json.RawMessage) (json.RawMessage, error) {
		return json.RawMessage(`"mine"`), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// lines is a writer that sends the lines of a log to a channel.
type lines chan string

func (l lines) Write(p []byte) (int, error) {
	l <- string(p)
	return len(p), nil
}

// TestFollow checks that a registry has the tools of a server, with the given prefix, during the
// session, and keeps its own tools.
func TestFollow(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		server := newServer(version)
		offer := func(name, text string) {
			addTool(server, &sdk.Tool{Name: name, Description: text}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) { return textResult(text), nil })
		}
		offer("a", "first")
		offer("b", "second")
		said := make(lines, 100)
		far := connectClient(t, server, &sdk.ClientOptions{Logger: slog.New(slog.NewTextHandler(said, nil))})
		registry := tool.NewRegistry()
		if err := registry.Register(newOwnTool(t, "far_z"), newOwnTool(t, "a")); err != nil {
			t.Fatal(err)
		}
		if err := far.Follow(t.Context(), registry.With(tool.Prefix("far_"))); err != nil {
			t.Fatal(err)
		}
		waitForTools(t, registry, "a", "far_a", "far_b", "far_z")
		call := func(name, want string) {
			t.Helper()
			if call := registry.Call(t.Context(), newRequest(name, "{}")); string(call.Output) != want {
				t.Errorf("%s: %s, %v, want %s", name, call.Output, call.Err, want)
			}
		}
		call("far_a", `"first"`)
		call("a", `"mine"`)

		offer("c", "third")
		waitForTools(t, registry, "a", "far_a", "far_b", "far_c", "far_z")
		server.RemoveTools("b")
		waitForTools(t, registry, "a", "far_a", "far_c", "far_z")
		changed := registry.Changed()
		offer("a", "other")
		<-changed
		if line := <-said; !strings.Contains(line, "changed the definition") || !strings.Contains(line, "first") || !strings.Contains(line, "other") {
			t.Error(line)
		}
		waitForTools(t, registry, "a", "far_a", "far_c", "far_z")
		call("far_a", `"other"`)

		// The program's own tools are unchanged.
		offer("z", "between")
		if line := <-said; !strings.Contains(line, "far_z") {
			t.Error(line)
		}
		call("far_z", `"mine"`)
		registry.Unregister("far_c")
		if err := registry.Replace(newOwnTool(t, "far_a")); err != nil {
			t.Fatal(err)
		}
		offer("a", "again")
		offer("d", "fourth")
		waitForTools(t, registry, "a", "far_a", "far_d", "far_z")
		call("far_a", `"mine"`)

		if err := far.Close(); err != nil {
			t.Error(err)
		}
		if got := registry.Names(); !slices.Equal(got, []string{"a", "far_a", "far_z"}) {
			t.Errorf("left are %s", got)
		}
	})
}

// TestFollowUntil checks that the tools are removed when following ends.
func TestFollowUntil(t *testing.T) {
	server := newServer(stateless)
	addTool(server, &sdk.Tool{Name: "a"}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) { return textResult("a"), nil })
	far := connectClient(t, server, nil)
	registry := tool.NewRegistry()
	ctx, cancel := context.WithCancel(t.Context())
	if err := far.Follow(ctx, registry); err != nil {
		t.Fatal(err)
	}
	var taken *tool.DuplicateError
	if err := far.Follow(ctx, registry); !errors.As(err, &taken) || taken.Name != "a" {
		t.Error(err)
	}
	other := newRegistry(t, far)
	cancel()
	waitForTools(t, registry)
	if got := other.Names(); !slices.Equal(got, []string{"a"}) {
		t.Errorf("there are %s", got)
	}
}

// TestFollowGone checks that the tools of a server that ends are removed.
func TestFollowGone(t *testing.T) {
	far := connectFake(t, nil, func(f *fake, method string, _ map[string]any) any {
		if method == "tools/list" {
			return toolList(`{"name":"a"}`)
		}
		if method == "ping" {
			f.out.(io.Closer).Close()
		}
		return nil
	})
	registry := newRegistry(t, far)
	go far.Session().Ping(t.Context(), nil)
	waitForTools(t, registry)
}

// TestFollowHostile checks that servers which constantly report changes, or whose lists fail or are
// invalid, are logged and do no harm.
func TestFollowHostile(t *testing.T) {
	said := make(lines, 1000)
	lists := make(chan any, 10)
	servers := make(chan *fake, 1)
	lists <- toolList(`{"name":"a"}`, `{"name":"bad","inputSchema":[]}`)
	far := connectFake(t, &sdk.ClientOptions{Logger: slog.New(slog.NewTextHandler(said, nil))}, func(f *fake, method string, _ map[string]any) any {
		if method != "tools/list" {
			return nil
		}
		select {
		case servers <- f:
		default: // the change is known
		}
		return <-lists
	})
	registry := newRegistry(t, far)
	if line := <-said; !strings.Contains(line, `left out tools of a server`) || !strings.Contains(line, `tool \"bad\"`) {
		t.Error(line)
	}
	server := <-servers
	for range 100 {
		server.notifyChanged()
	}
	lists <- errors.New("not now")
	if line := <-said; !strings.Contains(line, "the registered tools stay") || !strings.Contains(line, "not now") {
		t.Error(line)
	}
	waitForTools(t, registry, "a")
	server.notifyChanged()
	go func() {
		for {
			select {
			case lists <- toolList(`{"name":"a","inputSchema":{"type":"string"}}`, `{"name":"b"}`):
			case <-t.Context().Done():
				return
			}
		}
	}()
	waitForTools(t, registry, "b")
}

// TestFollowRests checks that a server which constantly reports changes is asked for its tools at most
// ten times a second, and that the latest tools are used.
func TestFollowRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var lists atomic.Int32
		server := newServer(withSessions)
		server.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
			return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
				if method == "tools/list" {
					lists.Add(1)
				}
				return next(ctx, method, r)
			}
		})
		registry := tool.NewRegistry()
		if err := connectClient(t, server, nil).Follow(t.Context(), registry); err != nil {
			t.Fatal(err)
		}
		before := lists.Load()
		for i := range 50 {
			server.RemoveTools(fmt.Sprintf("a%d", i-1))
			addTool(server, &sdk.Tool{Name: fmt.Sprintf("a%d", i)}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) { return textResult(""), nil })
			time.Sleep(20 * time.Millisecond)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if n := lists.Load() - before; n < 2 || n > 11 {
			t.Errorf("listed %d times in a second", n)
		}
		if names := registry.Names(); !slices.Equal(names, []string{"a49"}) {
			t.Errorf("there are %s", names)
		}
	})
}
