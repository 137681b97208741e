package middleware_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/aiongen/aiongen/runtime/middleware"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// logTextTool returns a tool without arguments whose result is text.
func logTextTool(name string, run func(context.Context, struct{}) (string, error)) *tool.TypedTool[struct{}, string] {
	return tool.NewTypedTool(&tool.Definition{Name: name}, wire.NoArguments, run, (*wire.Encoder).Str)
}

func TestCalls(t *testing.T) {
	stopped, stop := context.WithCancel(t.Context())
	stop()
	run := func(l func(*slog.Logger) tool.Middleware) string {
		var b bytes.Buffer
		logger := slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			switch {
			case a.Key == slog.TimeKey:
				return slog.Attr{}
			case a.Key == "duration" && a.Value.Duration() > 0:
				return slog.String("duration", "some")
			}
			return a
		}}))
		r := tool.NewRegistry(tool.Use(l(logger)))
		r.Replace(logTextTool("search", func(context.Context, struct{}) (string, error) { return "found", nil }).Tool,
			logTextTool("fails", func(context.Context, struct{}) (string, error) { return "", errors.New("secret 1") }).Tool,
			logTextTool("panics", func(context.Context, struct{}) (string, error) { panic("secret 2") }).Tool,
			logTextTool("exits", func(context.Context, struct{}) (string, error) { runtime.Goexit(); return "", nil }).Tool,
			logTextTool("long", func(context.Context, struct{}) (string, error) { return strings.Repeat("é", 1000), nil }).Tool,
		)
		r.Call(t.Context(), tool.Request{ID: "1", Name: "search", Arguments: []byte(`{}`), Meta: map[string]string{"user": "secret 3"}})
		r.Call(t.Context(), tool.Request{ID: "2", Name: "fails"})
		r.Call(t.Context(), tool.Request{ID: "3", Name: "panics"})
		var wg sync.WaitGroup
		wg.Go(func() { r.Call(context.Background(), tool.Request{ID: "4", Name: "exits"}) })
		wg.Wait()
		r.Call(t.Context(), tool.Request{ID: "5", Name: "search", Arguments: []byte(`{"secret":4}`)})
		r.Call(stopped, tool.Request{ID: "6", Name: "search", Arguments: []byte("secret 5")})
		r.Call(t.Context(), tool.Request{ID: "7", Name: strings.Repeat("x", 2000)})
		r.Call(t.Context(), tool.Request{ID: "8", Name: "long"})
		return b.String()
	}

	plain := run(middleware.LogCalls)
	if want := strings.Join([]string{
		`level=INFO msg="tool call" tool=search id=1 status=completed duration=some`,
		`level=WARN msg="tool call" tool=fails id=2 status=failed duration=some error=tool_failed`,
		`level=WARN msg="tool call" tool=panics id=3 status=failed duration=some error=panic`,
		`level=WARN msg="tool call" tool=exits id=4 status=failed duration=some error=panic`,
		`level=WARN msg="tool call" tool=search id=5 status=failed duration=some error=invalid_arguments`,
		`level=INFO msg="tool call" tool=search id=6 status=cancelled duration=some error=cancelled`,
		`level=WARN msg="tool call" tool=` + strings.Repeat("x", 1000) + `… id=7 status=failed duration=some error=unknown_tool`,
		`level=INFO msg="tool call" tool=long id=8 status=completed duration=some`,
		"",
	}, "\n"); plain != want {
		t.Errorf("got\n%s", plain)
	}
	values := run(middleware.LogValues)
	for _, part := range []string{
		`error=tool_failed arguments={} text="fails: secret 1"`, `text="panics: panic: secret 2"`, `arguments="{\"secret\":4}" text="search: wrong arguments: `,
		`error=cancelled arguments="secret 5" text="context canceled"`, `output="\"found\""`,
		`output="\"` + strings.Repeat("é", 499) + `…"`,
	} {
		if !strings.Contains(values, part) {
			t.Errorf("there is no %s in\n%s", part, values)
		}
	}
	if strings.Contains(values, "secret 3") {
		t.Errorf("what comes with a request is in\n%s", values)
	}
}

// TestRedacted checks what a rule leaves of a call, all of which it sees.
func TestRedacted(t *testing.T) {
	var b bytes.Buffer
	r := tool.NewRegistry(tool.Use(middleware.LogRedacted(slog.New(slog.NewTextHandler(&b, nil)), func(_ context.Context, c *tool.Call, d tool.Definition) *tool.Call {
		told := &tool.Call{Request: tool.Request{Name: "shown"}, Arguments: []byte(d.Name + string(c.Status) + string(c.Request.Arguments)), Output: []byte("hidden")}
		if c.Err != nil {
			told.Err = errors.New("hidden, too")
		}
		return told
	})))
	r.Replace(logTextTool("search", func(context.Context, struct{}) (string, error) { return "secret 1", nil }).Tool,
		logTextTool("fails", func(context.Context, struct{}) (string, error) { return "", errors.New("secret 2") }).Tool)
	r.Call(t.Context(), tool.Request{ID: "1", Name: "search", Arguments: []byte(`{}`)})
	r.Call(t.Context(), tool.Request{ID: "2", Name: "fails"})
	r.Call(t.Context(), tool.Request{ID: "3", Name: "fials"})
	log := b.String()
	for _, part := range []string{"tool=shown id=1 status=completed", "arguments=searchcompleted{} output=hidden", `arguments=failsfailed text="hidden, too"`, `arguments=failed text="hidden, too"`} {
		if !strings.Contains(log, part) {
			t.Errorf("there is no %s in\n%s", part, log)
		}
	}
	if strings.Contains(log, "secret") {
		t.Error(log)
	}
}

// TestBrokenRule checks that a failing log rule does not make a successful call fail.
func TestBrokenRule(t *testing.T) {
	for want, rule := range map[string]func(context.Context, *tool.Call, tool.Definition) *tool.Call{
		`unshown="the redaction panicked"`:         func(_ context.Context, c *tool.Call, _ tool.Definition) *tool.Call { panic(string(c.Output)) },
		`unshown="the redaction returned nothing"`: func(context.Context, *tool.Call, tool.Definition) *tool.Call { return nil },
	} {
		var b bytes.Buffer
		r := tool.NewRegistry(tool.Use(middleware.LogRedacted(slog.New(slog.NewTextHandler(&b, nil)), rule)))
		r.Replace(logTextTool("pay", func(context.Context, struct{}) (string, error) { return "secret", nil }).Tool)
		c := r.Call(t.Context(), tool.Request{ID: "1", Name: "pay", Arguments: []byte(`{}`)})
		if string(c.Output) != `"secret"` || c.Err != nil {
			t.Errorf("it comes to %s, %v", c.Output, c.Err)
		}
		if log := b.String(); !strings.Contains(log, "status=completed") || !strings.Contains(log, want) || strings.Contains(log, "secret") {
			t.Error(log)
		}
	}
}

func TestSupplied(t *testing.T) {
	var log strings.Builder
	greet := logTextTool("greet", func(ctx context.Context, _ struct{}) (string, error) {
		l, err := middleware.SuppliedLogger(ctx)
		if err == nil {
			l.InfoContext(ctx, "hello")
		}
		return "", err
	})
	r := tool.NewRegistry(tool.Use(middleware.WithLogger(slog.New(slog.NewTextHandler(&log, nil)))))
	r.Replace(greet.Tool)
	if c := r.Call(t.Context(), tool.Request{Name: "greet"}); c.Err != nil || !strings.Contains(log.String(), "msg=hello tool=greet") {
		t.Errorf("%v, %s", c.Err, &log)
	}
	if _, err := greet.Call(t.Context(), struct{}{}); err == nil || !strings.Contains(err.Error(), "middleware.WithLogger") {
		t.Error(err)
	}
}

func ExampleLogCalls() {
	logger := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey || a.Key == "duration" {
			return slog.Attr{} // they differ from run to run
		}
		return a
	}}))
	r := tool.NewRegistry(tool.Use(middleware.LogCalls(logger)))
	r.Replace(logTextTool("greet", func(context.Context, struct{}) (string, error) { return "hello", nil }).Tool)
	r.Call(context.Background(), tool.Request{ID: "1", Name: "greet"})
	r.Call(context.Background(), tool.Request{ID: "2", Name: "great"})
	// Output:
	// level=INFO msg="tool call" tool=greet id=1 status=completed
	// level=WARN msg="tool call" tool=great id=2 status=failed error=unknown_tool
}
