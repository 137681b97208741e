package telemetry_test

import (
	"context"
	"encoding/json"
	"runtime"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/propagation"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/aiongen/aiongen/adapters/telemetry"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/scripted"
	"github.com/aiongen/aiongen/runtime/tool"
)

// codedError is an error with a text and a code of its own.
type codedError struct{ text, code func() string }

func (e codedError) Error() string { return e.text() }
func (e codedError) Code() string  { return e.code() }

// addTools adds tools whose functions do not return what they should.
func (w *world) addTools(functions map[string]func(context.Context) error) {
	w.Helper()
	for name, f := range functions {
		made, err := dynamic(name, tool.Annotations{}, func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
			return json.RawMessage(`"ok"`), f(ctx)
		})
		if err == nil {
			err = w.tools.Register(made)
		}
		if err != nil {
			w.Fatal(err)
		}
	}
}

// callApart calls a function in a goroutine that the function may end, and recovers from its panic.
func callApart(f func()) {
	var running sync.WaitGroup
	running.Go(func() {
		defer func() { _ = recover() }()
		f()
	})
	running.Wait()
}

// TestHostileErrors checks that errors which panic, are nil pointers or have long codes do not break calls,
// and that each call has a span with the type of its error.
func TestHostileErrors(t *testing.T) {
	panics, long := func() string { panic("boom") }, func() string { return strings.Repeat("\xff", 1<<20) }
	fixed := func() string { return "fixed" }
	for name, options := range map[string][]telemetry.Option{"without content": nil, "with content": {telemetry.Content(nil)}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, options...)
			w.addTools(map[string]func(context.Context) error{
				"text": func(context.Context) error { return codedError{panics, fixed} },
				"code": func(context.Context) error { return codedError{fixed, panics} },
				"nil":  func(context.Context) error { return (*llm.Error)(nil) },
				"exit": func(context.Context) error { runtime.Goexit(); return nil },
				"long": func(context.Context) error { return codedError{long, long} },
			})
			for name, want := range map[string]string{"text": "panic", "code": "panic", "nil": "panic", "exit": "panic", "long": "\ufffd"} {
				callApart(func() { w.tools.Call(t.Context(), tool.Request{Name: name}) })
				s := w.findSpan("execute_tool " + name)
				if got := attributeOf(s, "error.type"); !strings.HasPrefix(got, want) || len(got) > 128 || len(s.Status.Description) > 1<<10 {
					t.Errorf("%s has the error %.200q and the text %.200q", name, got, s.Status.Description)
				}
			}
		})
	}
}

// TestHostileModelError checks that the span of a model ends if the text of its error panics.
func TestHostileModelError(t *testing.T) {
	w := newWorld(t, telemetry.Content(nil))
	broken := codedError{func() string { panic("boom") }, func() string { return "broken" }}
	model := w.Model("openai", llm.Func(func(context.Context, llm.Request) (llm.Response, error) { return llm.Response{}, broken }))
	callApart(func() { _, _ = model.Generate(t.Context(), llm.Request{Prompt: "x"}) })
	if s := w.findSpan("chat"); attributeOf(s, "error.type") != "panic" {
		t.Errorf("the span has the error %q", attributeOf(s, "error.type"))
	}
}

// TestServedSpansEnd checks that the span of a request ends whatever its tool does: ends its goroutine,
// panics, or is canceled because the client has left.
func TestServedSpansEnd(t *testing.T) {
	ended := tracetest.NewSpanRecorder()
	w := newWorld(t)
	w.Recorder = newRecorder(t, telemetry.Traces(sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(ended))))
	w.tools = newTools(t, w.Recorder)
	started, stopped := make(chan struct{}), make(chan struct{})
	w.addTools(map[string]func(context.Context) error{
		"exit": func(context.Context) error { runtime.Goexit(); return nil },
		"wait": func(ctx context.Context) error {
			close(started)
			<-ctx.Done()
			close(stopped)
			return ctx.Err()
		},
	})
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: w.serve()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"exit", "panic"} {
		_, _ = session.CallTool(t.Context(), &sdk.CallToolParams{Name: name})
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-started
		cancel()
	}()
	_, _ = session.CallTool(ctx, &sdk.CallToolParams{Name: "wait"})
	<-stopped
	_ = session.Close()
	w.closeServers()
	for _, s := range ended.Started() {
		if s.EndTime().IsZero() {
			t.Errorf("the span %s has not ended", s.Name())
		}
	}
	if n := len(ended.Ended()); n < 4 {
		t.Errorf("only %d spans have ended", n)
	}
}

// TestBrokenStream checks that the span of a stream ends if its reader panics or ends its goroutine.
func TestBrokenStream(t *testing.T) {
	w := newWorld(t)
	model := w.Model("openai", scripted.New(scripted.Text("one two"), scripted.Text("one two")))
	for _, breakOff := range []func(){func() { panic("boom") }, runtime.Goexit} {
		callApart(func() {
			for range llm.Stream(t.Context(), model, llm.Request{Prompt: "x"}) {
				breakOff()
			}
		})
	}
	if spans := w.spans.GetSpans(); len(spans) != 2 || attributeOf(spans[0], "error.type") != "panic" {
		t.Error(w.traceText())
	}
}

// TestHostileTraceContext checks that a malformed or long trace context of a client is ignored, and that
// baggage is read only on request.
func TestHostileTraceContext(t *testing.T) {
	const parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	all := propagation.NewCompositeTextMapPropagator(propagation.TraceContext{}, propagation.Baggage{})
	for name, test := range map[string]struct {
		meta               map[string]string
		hasParent, hasBags bool
		hasState           bool
	}{
		"valid":           {map[string]string{"traceparent": parent, "tracestate": "a=b", "baggage": "tenant=7"}, true, true, true},
		"long parent":     {map[string]string{"traceparent": parent + strings.Repeat("-00", 1<<20)}, false, false, false},
		"zero trace":      {map[string]string{"traceparent": "00-00000000000000000000000000000000-b7ad6b7169203331-01"}, false, false, false},
		"invalid version": {map[string]string{"traceparent": "ff" + parent[2:]}, false, false, false},
		"long state":      {map[string]string{"traceparent": parent, "tracestate": strings.Repeat(",", 4<<20)}, true, false, false},
		"invalid state":   {map[string]string{"traceparent": parent, "tracestate": "a=\xff"}, true, false, false},
		"long baggage":    {map[string]string{"traceparent": parent, "baggage": "tenant=7," + strings.Repeat("k=v,", 1<<20)}, true, false, false},
		"invalid baggage": {map[string]string{"traceparent": parent, "baggage": "=;\x00"}, true, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, telemetry.Propagator(all))
			ctx, end := w.ServeMCP(t.Context(), observeRequest("tools/list", test.meta))
			end(noOutcome)
			s := w.findSpan("tools/list")
			if s.Parent.IsValid() != test.hasParent || (s.Parent.TraceState().Len() > 0) != test.hasState || (baggage.FromContext(ctx).Len() > 0) != test.hasBags {
				t.Errorf("the parent is %v with the state %q, and the baggage is %.100q", s.Parent.TraceID(), s.Parent.TraceState(), baggage.FromContext(ctx))
			}
			ctx, end = newWorld(t).ServeMCP(t.Context(), observeRequest("tools/list", test.meta))
			end(noOutcome)
			if n := baggage.FromContext(ctx).Len(); n > 0 {
				t.Errorf("baggage with %d members is read without a propagator for it", n)
			}
		})
	}
}
