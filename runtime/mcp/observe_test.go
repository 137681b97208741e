package mcp_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/mcp"
	"github.com/aiongen/aiongen/runtime/mcp/observe"
	"github.com/aiongen/aiongen/runtime/tool"
)

// observer notes what it observes, in the order of the ends.
type observer struct {
	mu   sync.Mutex
	seen []string
}

// observerKey is the context key under which the observer stores the method.
type observerKey struct{}

func (o *observer) observe(ctx context.Context, r *observe.Request) (context.Context, func(observe.Outcome)) {
	ctx = context.WithValue(ctx, observerKey{}, r.Method+" of "+r.Meta["traceparent"])
	return ctx, func(out observe.Outcome) {
		o.mu.Lock()
		defer o.mu.Unlock()
		line := strings.Join([]string{r.Method, r.Tool + r.Prompt + r.Resource, r.Meta["traceparent"], r.Version}, " ")
		switch {
		case out.ToolFailed:
			line += " tool failed"
		case out.Code != 0:
			line += " code"
		case out.Err != nil:
			line += " error"
		}
		o.seen = append(o.seen, line)
	}
}

func (o *observer) ofMethod(prefix string) (lines []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(o.seen), func(line string) bool { return !strings.HasPrefix(line, prefix) })
}

// TestObserve checks over all transports that requests are observed once, and that functions run in the
// context of their observer: of a tool, of one that reaches its client during the call, of a prompt and
// of a resource.
func TestObserve(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		for name, connect := range map[string]func(*testing.T, *mcp.Server) *sdk.ClientSession{
			"HTTP": func(t *testing.T, s *mcp.Server) *sdk.ClientSession {
				web := httptest.NewServer(s.Handler())
				t.Cleanup(web.Close)
				session := openSDKSession(t, &sdk.StreamableClientTransport{Endpoint: web.URL}, version, nil)
				t.Cleanup(func() { _ = session.Close() })
				return session
			},
			"in memory": func(t *testing.T, s *mcp.Server) *sdk.ClientSession { return connectClient(t, s, version, nil) },
		} {
			t.Run(name, func(t *testing.T) { checkObserved(t, version, connect) })
		}
	})
}

func checkObserved(t *testing.T, version string, connect func(*testing.T, *mcp.Server) *sdk.ClientSession) {
	observed := func(ctx context.Context) string { text, _ := ctx.Value(observerKey{}).(string); return text }
	r := tool.NewRegistry()
	r.Replace(
		textTool("who", func(ctx context.Context, _ string) (string, error) { return observed(ctx), nil }),
		textTool("busy", func(ctx context.Context, _ string) (string, error) {
			tool.ExchangeFrom(ctx).Progress(1, 2, "half")
			return observed(ctx), nil
		}),
		textTool("fail", func(context.Context, string) (string, error) { return "", errors.New("failed") }),
	)
	o := new(observer)
	s := newServer(t, r, mcp.Observe(o.observe))
	write := func(ctx context.Context, _ map[string]string) ([]content.Part, error) {
		return []content.Part{content.Text(observed(ctx))}, nil
	}
	read := func(ctx context.Context, _ map[string]string) (content.Part, error) {
		return content.Text(observed(ctx)), nil
	}
	if err := errors.Join(s.AddPrompt(mcp.Prompt{Name: "greet", Write: write}), s.AddResource(mcp.Resource{URI: "note://1", Name: "one", Read: read})); err != nil {
		t.Fatal(err)
	}
	session := connect(t, s)
	meta := sdk.Meta{"traceparent": "00-1", "progressToken": "p"}
	for _, name := range []string{"who", "busy"} {
		result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: map[string]string{"text": ""}, Meta: meta})
		if err != nil {
			t.Fatal(err)
		}
		if text := result.Content[0].(*sdk.TextContent).Text; text != "tools/call of 00-1" {
			t.Errorf("%s runs in the context of %q", name, text)
		}
	}
	callTool(t, session, "fail", `{"text":""}`)
	if _, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "none"}); err == nil {
		t.Error("there is a tool none")
	}
	prompt, err := session.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "greet", Meta: meta})
	if err != nil || prompt.Messages[0].Content.(*sdk.TextContent).Text != "prompts/get of 00-1" {
		t.Errorf("the prompt is %+v, %v", prompt, err)
	}
	note, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "note://1", Meta: meta})
	if err != nil || note.Contents[0].Text != "resources/read of 00-1" {
		t.Errorf("the resource is %+v, %v", note, err)
	}
	want := []string{"tools/call who 00-1 ", "tools/call busy 00-1 ", "tools/call fail  ", "tools/call none  ", "prompts/get greet 00-1 ", "resources/read note://1 00-1 "}
	for i, end := range []string{"", "", " tool failed", " code", "", ""} {
		want[i] += version + end
	}
	got := slices.Concat(o.ofMethod("tools/call"), o.ofMethod("prompts/"), o.ofMethod("resources/read"))
	if !slices.Equal(got, want) {
		t.Errorf("observed\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// echoRegistry returns a registry with a tool that returns its argument.
func echoRegistry() *tool.Registry {
	r := tool.NewRegistry()
	r.Replace(textTool("echo", func(_ context.Context, text string) (string, error) { return text, nil }))
	return r
}

// TestObserveConnection checks what observers learn about the ID and the connection of a request: of a call
// that is answered without the SDK, and of a request that the SDK answers.
func TestObserveConnection(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		var mu sync.Mutex
		got := map[string]observe.Request{}
		s := newServer(t, echoRegistry(), mcp.Observe(func(ctx context.Context, r *observe.Request) (context.Context, func(observe.Outcome)) {
			mu.Lock()
			defer mu.Unlock()
			got[r.Method] = *r
			return ctx, func(observe.Outcome) {}
		}))
		web := httptest.NewServer(s.Handler())
		defer web.Close()
		session := openSDKSession(t, &sdk.StreamableClientTransport{Endpoint: web.URL}, version, nil)
		callTool(t, session, "echo", `{"text":"x"}`)
		if _, err := session.ListTools(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		if err := session.Close(); err != nil {
			t.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		for _, method := range []string{"tools/call", "tools/list"} {
			r := got[method]
			c := r.Connection
			if id, err := strconv.Atoi(r.ID); err != nil || id < 1 || c.Transport != "tcp" || c.Protocol != "http" || c.HTTPVersion != "1.1" || c.Address != "127.0.0.1" || c.Port == 0 {
				t.Errorf("%s has the ID %q and the connection %+v", method, r.ID, c)
			}
		}
	})
}

// TestObservePipe checks that a request over standard input has a pipe and no headers.
func TestObservePipe(t *testing.T) {
	seen := make(chan observe.Request, 1)
	line := newLineClient(t, newServer(t, echoRegistry(), mcp.Observe(func(ctx context.Context, r *observe.Request) (context.Context, func(observe.Outcome)) {
		if r.Method == "initialize" {
			seen <- *r
		}
		return ctx, func(observe.Outcome) {}
	})))
	line(initialize)
	if got := <-seen; got.Connection != (observe.Connection{Transport: "pipe"}) || got.Header != nil {
		t.Errorf("observed %+v", got)
	}
}

// TestObserveSessions checks that each session is observed from its opening to its end.
func TestObserveSessions(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		begun, ended := make(chan observe.Session, 1), make(chan observe.Session, 1)
		s := newServer(t, echoRegistry(), mcp.ObserveSessions(func(session *observe.Session) func(error) {
			begun <- *session
			return func(err error) {
				if err != nil {
					t.Errorf("the session ended with %v", err)
				}
				ended <- *session
			}
		}))
		web := httptest.NewServer(s.Handler())
		defer web.Close()
		session := openSDKSession(t, &sdk.StreamableClientTransport{Endpoint: web.URL}, version, nil)
		id := session.ID()
		if len(begun) == 1 != (version <= withSessions) || len(ended) > 0 {
			t.Errorf("%d sessions have begun, %d have ended", len(begun), len(ended))
		}
		if err := session.Close(); err != nil {
			t.Error(err)
		}
		if version > withSessions {
			return
		}
		if got := <-ended; got.ID != id || got.Version != version || got.Connection.Transport != "tcp" {
			t.Errorf("observed %+v, want the session %s", got, id)
		}
	})
}

// TestServeEndsSession checks that the end of a session is observed before Serve returns, after which a program may end.
func TestServeEndsSession(t *testing.T) {
	ended := false
	s := newServer(t, echoRegistry(), mcp.ObserveSessions(func(*observe.Session) func(error) {
		return func(error) {
			for range 1000 {
				runtime.Gosched()
			}
			ended = true
		}
	}))
	here, there := sdk.NewInMemoryTransports()
	served := make(chan error)
	go func() { served <- s.Serve(context.WithoutCancel(t.Context()), there) }()
	if err := openSDKSession(t, here, withSessions, nil).Close(); err != nil {
		t.Error(err)
	}
	if err := <-served; err != nil || !ended {
		t.Errorf("Serve returns %v, the session has ended: %v", err, ended)
	}
}
