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

// until waits until a registry has tools of these names.
func until(t testing.TB, r *tool.Registry, want ...string) {
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

// mine is a tool of the program itself.
func mine(t testing.TB, name string) tool.Tool {
	t.Helper()
	made, err := schema.Dynamic(tool.Definition{Name: name, Description: "Mine."}, func(context.Context, json.RawMessage) (json.RawMessage, error) {
		return json.RawMessage(`"mine"`), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// lines takes what is written to a log.
type lines chan string

func (l lines) Write(p []byte) (int, error) {
	l <- string(p)
	return len(p), nil
}

// TestFollow: a registry has what a server has, under the names that it gives, as long as
// there is a session; and of its own what it had.
func TestFollow(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		server := newServer(version)
		offer := func(name, text string) {
			add(server, &sdk.Tool{Name: name, Description: text}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) { return say(text), nil })
		}
		offer("a", "first")
		offer("b", "second")
		said := make(lines, 100)
		far := connect(t, server, &sdk.ClientOptions{Logger: slog.New(slog.NewTextHandler(said, nil))})
		registry := tool.NewRegistry()
		if err := registry.Register(mine(t, "far_z"), mine(t, "a")); err != nil {
			t.Fatal(err)
		}
		if err := far.Follow(t.Context(), registry.With(tool.Prefix("far_"))); err != nil {
			t.Fatal(err)
		}
		until(t, registry, "a", "far_a", "far_b", "far_z")
		call := func(name, want string) {
			t.Helper()
			if call := registry.Call(t.Context(), request(name, "{}")); string(call.Output) != want {
				t.Errorf("%s: %s, %v, want %s", name, call.Output, call.Err, want)
			}
		}
		call("far_a", `"first"`)
		call("a", `"mine"`)

		offer("c", "third")
		until(t, registry, "a", "far_a", "far_b", "far_c", "far_z")
		server.RemoveTools("b")
		until(t, registry, "a", "far_a", "far_c", "far_z")
		changed := registry.Changed()
		offer("a", "other")
		<-changed
		if line := <-said; !strings.Contains(line, "changed the definition") || !strings.Contains(line, "first") || !strings.Contains(line, "other") {
			t.Error(line)
		}
		until(t, registry, "a", "far_a", "far_c", "far_z")
		call("far_a", `"other"`)

		// What is the program's own stays so.
		offer("z", "between")
		if line := <-said; !strings.Contains(line, "far_z") {
			t.Error(line)
		}
		call("far_z", `"mine"`)
		registry.Unregister("far_c")
		if err := registry.Replace(mine(t, "far_a")); err != nil {
			t.Fatal(err)
		}
		offer("a", "again")
		offer("d", "fourth")
		until(t, registry, "a", "far_a", "far_d", "far_z")
		call("far_a", `"mine"`)

		if err := far.Close(); err != nil {
			t.Error(err)
		}
		if got := registry.Names(); !slices.Equal(got, []string{"a", "far_a", "far_z"}) {
			t.Errorf("left are %s", got)
		}
	})
}

// TestFollowUntil: tools go when there is nothing to follow any more.
func TestFollowUntil(t *testing.T) {
	server := newServer(stateless)
	add(server, &sdk.Tool{Name: "a"}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) { return say("a"), nil })
	far := connect(t, server, nil)
	registry := tool.NewRegistry()
	ctx, cancel := context.WithCancel(t.Context())
	if err := far.Follow(ctx, registry); err != nil {
		t.Fatal(err)
	}
	var taken *tool.DuplicateError
	if err := far.Follow(ctx, registry); !errors.As(err, &taken) || taken.Name != "a" {
		t.Error(err)
	}
	other := registered(t, far)
	cancel()
	until(t, registry)
	if got := other.Names(); !slices.Equal(got, []string{"a"}) {
		t.Errorf("there are %s", got)
	}
}

// TestFollowGone: the tools of a server that ends are gone, too.
func TestFollowGone(t *testing.T) {
	far := connectFake(t, nil, func(f *fake, method string, _ map[string]any) any {
		if method == "tools/list" {
			return listed(`{"name":"a"}`)
		}
		if method == "ping" {
			f.out.(io.Closer).Close()
		}
		return nil
	})
	registry := registered(t, far)
	go far.Session().Ping(t.Context(), nil)
	until(t, registry)
}

// TestFollowHostile: a server that says all the time that its tools are others, whose
// lists fail or have what is none, is told of, and does no harm.
func TestFollowHostile(t *testing.T) {
	said := make(lines, 1000)
	lists := make(chan any, 10)
	servers := make(chan *fake, 1)
	lists <- listed(`{"name":"a"}`, `{"name":"bad","inputSchema":[]}`)
	far := connectFake(t, &sdk.ClientOptions{Logger: slog.New(slog.NewTextHandler(said, nil))}, func(f *fake, method string, _ map[string]any) any {
		if method != "tools/list" {
			return nil
		}
		select {
		case servers <- f:
		default: // it is known
		}
		return <-lists
	})
	registry := registered(t, far)
	if line := <-said; !strings.Contains(line, `left out tools of a server`) || !strings.Contains(line, `tool \"bad\"`) {
		t.Error(line)
	}
	server := <-servers
	for range 100 {
		server.changed()
	}
	lists <- errors.New("not now")
	if line := <-said; !strings.Contains(line, "those known before stay") || !strings.Contains(line, "not now") {
		t.Error(line)
	}
	until(t, registry, "a")
	server.changed()
	go func() {
		for {
			select {
			case lists <- listed(`{"name":"a","inputSchema":{"type":"string"}}`, `{"name":"b"}`):
			case <-t.Context().Done():
				return
			}
		}
	}()
	until(t, registry, "b")
}

// TestFollowRests: a server that says all the time that its tools are others is asked for
// them ten times a second at most, and for the last ones.
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
		if err := connect(t, server, nil).Follow(t.Context(), registry); err != nil {
			t.Fatal(err)
		}
		before := lists.Load()
		for i := range 50 {
			server.RemoveTools(fmt.Sprintf("a%d", i-1))
			add(server, &sdk.Tool{Name: fmt.Sprintf("a%d", i)}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) { return say(""), nil })
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
