package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/example/gen"
	"github.com/aiongen/aiongen/example/tools"
	"github.com/aiongen/aiongen/runtime/mcp"
	"github.com/aiongen/aiongen/runtime/middleware"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

const (
	withSessions = "2025-11-25" // the last version of the protocol with sessions
	stateless    = "2026-07-28"
)

var versions = []string{withSessions, stateless}

const oneText = `{"type":"object","properties":{"text":{"type":"string"}},"required":["text"],"additionalProperties":false}`

// textTool returns a tool that takes and returns a text.
func textTool(name string, run func(ctx context.Context, text string) (string, error)) tool.Tool {
	return tool.NewTypedTool(&tool.Definition{
		Name: name, Title: strings.ToUpper(name), Description: "Does " + name + ".",
		Input: json.RawMessage(oneText), Output: json.RawMessage(`{"type":"string"}`),
	}, readText, run, (*wire.Encoder).Str).Tool
}

func readText(v wire.Value) string {
	o := v.Object()
	text := o.Str("text")
	o.Done()
	return text
}

func echoText(_ context.Context, text string) (string, error) { return text, nil }

// newDesk returns a registry with the tools of the example and a few more.
func newDesk(t testing.TB, options ...tool.Option) *tool.Registry {
	t.Helper()
	r := tool.NewRegistry(options...)
	now := func() time.Time { return time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC) }
	if err := gen.Register(r, gen.Deps{Desk: tools.NewDesk(now)}); err != nil {
		t.Fatal(err)
	}
	err := r.Register(
		textTool("fail", func(_ context.Context, text string) (string, error) { return "", errors.New(text) }),
		textTool("panic", func(_ context.Context, text string) (string, error) { panic(text) }),
		textTool("repeat", func(_ context.Context, text string) (string, error) { return strings.Repeat(text, 1<<20), nil }),
	)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func newServer(t testing.TB, r *tool.Registry, options ...mcp.Option) *mcp.Server {
	t.Helper()
	s, err := mcp.New(r, options...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// connectClient connects a client to a new server.
func connectClient(t testing.TB, s *mcp.Server, version string, options *sdk.ClientOptions) *sdk.ClientSession {
	t.Helper()
	here, there := sdk.NewInMemoryTransports()
	ended := make(chan error)
	go func() { ended <- s.Serve(context.WithoutCancel(t.Context()), there) }()
	session := openSDKSession(t, here, version, options)
	t.Cleanup(func() {
		_ = session.Close() // or it was already closed
		if err := <-ended; err != nil {
			t.Errorf("the server ended by %v", err)
		}
	})
	return session
}

func openSDKSession(t testing.TB, transport sdk.Transport, version string, options *sdk.ClientOptions) *sdk.ClientSession {
	t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, options)
	session, err := client.Connect(t.Context(), transport, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	if got := session.InitializeResult().ProtocolVersion; got != version {
		t.Fatalf("the server speaks %s, not %s", got, version)
	}
	return session
}

// callTool calls a tool, and returns its result as text and as JSON.
func callTool(t testing.TB, session *sdk.ClientSession, name, arguments string) (text, structured string, isError bool) {
	t.Helper()
	params := &sdk.CallToolParams{Name: name}
	if arguments != "" {
		params.Arguments = json.RawMessage(arguments)
	}
	result, err := session.CallTool(t.Context(), params)
	if err != nil {
		t.Fatal(name, err)
	}
	if result.StructuredContent != nil {
		raw, err := json.Marshal(result.StructuredContent)
		if err != nil {
			t.Fatal(err)
		}
		structured = string(raw)
	}
	if len(result.Content) != 1 {
		t.Fatalf("%s: %d contents", name, len(result.Content))
	}
	return result.Content[0].(*sdk.TextContent).Text, structured, result.IsError
}

// eachVersion runs a test with every version of the protocol.
func eachVersion(t *testing.T, test func(t *testing.T, version string)) {
	for _, version := range versions {
		t.Run(version, func(t *testing.T) { test(t, version) })
	}
}

func TestTools(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		r := newDesk(t)
		session := connectClient(t, newServer(t, r, mcp.Name("desk", "v1.2.3")), version, nil)
		if info := session.InitializeResult().ServerInfo; version == withSessions && (info.Name != "desk" || info.Version != "v1.2.3") {
			t.Errorf("the server is %+v", info)
		}
		list, err := session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		definitions := r.All()
		if len(list.Tools) != len(definitions) {
			t.Fatalf("%d tools, want %d", len(list.Tools), len(definitions))
		}
		for i, d := range definitions { // the names are sorted
			got := list.Tools[i]
			if got.Name != d.Name || got.Title != d.Title || got.Description != d.Description {
				t.Errorf("got %+v, want %+v", got, d)
			}
			if !equalJSON(t, got.InputSchema, d.Input) {
				t.Errorf("%s takes %v, not %s", d.Name, got.InputSchema, d.Input)
			}
			a := got.Annotations
			reads := a.ReadOnlyHint // the other annotations about writing are omitted
			hints := []bool{reads, reads || !*a.DestructiveHint, reads || a.IdempotentHint, !*a.OpenWorldHint}
			for j, claim := range []tool.Annotation{tool.ReadOnly, tool.Additive, tool.Idempotent, tool.ClosedWorld} {
				if hints[j] != d.Annotations.Is(claim) {
					t.Errorf("%s: %v, not %+v", d.Name, hints, d.Annotations)
				}
			}
		}
	})
}

// equalJSON reports whether a value is equal to that of a JSON text.
func equalJSON(t *testing.T, value any, text json.RawMessage) bool {
	t.Helper()
	var want any
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	return reflect.DeepEqual(value, want)
}

func TestOutputSchema(t *testing.T) {
	for _, test := range []struct{ output, want string }{
		{`{"type":"object","properties":{"n":{"type":"integer"}}}`, `{"type":"object","properties":{"n":{"type":"integer"}}}`},
		{`{"type":"string"}`, `{"type":"object","properties":{"result":{"type":"string"}},"required":["result"],"x-fastmcp-wrap-result":true}`},
		{`{"type":"null"}`, `{"type":"object","properties":{"result":{"type":"null"}},"required":["result"],"x-fastmcp-wrap-result":true}`},
		{`{"anyOf":[{"type":"object"},{"type":"null"}]}`, `{"type":"object","properties":{"result":{"anyOf":[{"type":"object"},{"type":"null"}]}},"required":["result"],"x-fastmcp-wrap-result":true}`},
		{`{"$ref":"#/$defs/T","$defs":{"T":{"type":"array","items":{"$ref":"#/$defs/T"}}}}`,
			`{"type":"object","properties":{"result":{"$ref":"#/$defs/T"}},"required":["result"],"$defs":{"T":{"type":"array","items":{"$ref":"#/$defs/T"}}},"x-fastmcp-wrap-result":true}`},
	} {
		r := tool.NewRegistry()
		r.Replace(tool.NewTypedTool(&tool.Definition{Name: "x", Input: json.RawMessage(oneText), Output: json.RawMessage(test.output)}, readText, echoText, (*wire.Encoder).Str).Tool)
		list, err := connectClient(t, newServer(t, r), stateless, nil).ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := list.Tools[0].OutputSchema; !equalJSON(t, got, json.RawMessage(test.want)) {
			t.Errorf("%s:\n got %v\nwant %s", test.output, got, test.want)
		}
	}
}

func TestCall(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		session := connectClient(t, newServer(t, newDesk(t)), version, nil)
		for _, test := range []struct{ name, arguments, text, structured string }{
			{"echo", `{"text":"<é>"}`, `<é>`, `{"result":"\u003cé\u003e"}`},
			{"calculator", `{"operation":"divide","a":1,"b":4}`, `0.25`, `{"result":0.25}`},
			{"ticket_statistics", `{}`, `{"counts":{},"longest_waiting":0}`, `{"counts":{},"longest_waiting":0}`},
			{"ticket_statistics", ``, `{"counts":{},"longest_waiting":0}`, `{"counts":{},"longest_waiting":0}`},
			{"ticket_statistics", `null`, `{"counts":{},"longest_waiting":0}`, `{"counts":{},"longest_waiting":0}`},
			{"find_tickets", `{"words":"","limit":0}`, `[]`, `{"result":[]}`},
		} {
			text, structured, isError := callTool(t, session, test.name, test.arguments)
			if text != test.text || structured != test.structured || isError {
				t.Errorf("%s %s: %q, %q, %v", test.name, test.arguments, text, structured, isError)
			}
		}
		for _, test := range []struct{ name, arguments, text string }{
			{"echo", `{"text":7,"more":1}`, "The arguments of echo were wrong"},
			{"echo", `[]`, "The arguments of echo were wrong"},
			{"calculator", `{"operation":"divide","a":1,"b":0}`, "calculator failed: division by zero"},
			{"fail", `{"text":"no paper"}`, "fail failed: no paper"},
			{"panic", `{"text":"secret"}`, "panic failed because of an error in its code"},
		} {
			text, structured, isError := callTool(t, session, test.name, test.arguments)
			if !strings.HasPrefix(text, test.text) || strings.Contains(text, "secret") || structured != "" || !isError {
				t.Errorf("%s %s: %q, %q, %v", test.name, test.arguments, text, structured, isError)
			}
		}
	})
}

// TestExact checks numbers exactly. The SDK's client reads them as float64, other clients do not.
func TestExact(t *testing.T) {
	r := tool.NewRegistry()
	r.Replace(tool.NewTypedTool(&tool.Definition{Name: "most", Input: json.RawMessage(`{"type":"object"}`), Output: json.RawMessage(`{"type":"integer"}`)},
		func(v wire.Value) int { return 0 }, func(context.Context, int) (uint64, error) { return math.MaxUint64, nil },
		(*wire.Encoder).Uint).Tool)
	text, _, _ := callTool(t, connectClient(t, newServer(t, r), stateless, nil), "most", `{}`)
	if text != "18446744073709551615" {
		t.Error(text)
	}
}

func TestWithoutOutputSchema(t *testing.T) {
	r := tool.NewRegistry()
	r.Replace(tool.NewTypedTool(&tool.Definition{Name: "x", Input: json.RawMessage(oneText)}, readText, echoText, (*wire.Encoder).Str).Tool)
	text, structured, isError := callTool(t, connectClient(t, newServer(t, r), stateless, nil), "x", `{"text":"y"}`)
	if text != "y" || structured != "" || isError {
		t.Errorf("%q, %q, %v", text, structured, isError)
	}
}

// TestWrapped checks that a result which is wrapped in an object only because it must be an object is
// marked for clients that unwrap it.
func TestWrapped(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		session := connectClient(t, newServer(t, newDesk(t)), version, nil)
		for _, test := range []struct{ name, arguments, want string }{
			{"echo", `{"text":"x"}`, `{"wrap_result":true}`},
			{"ticket_statistics", `{}`, `null`},
		} {
			result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: test.name, Arguments: json.RawMessage(test.arguments)})
			if err != nil {
				t.Fatal(err)
			}
			if got, _ := json.Marshal(result.Meta["fastmcp"]); string(got) != test.want {
				t.Errorf("%s: %s, want %s", test.name, got, test.want)
			}
		}
	})
}

func TestUnknownTool(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		session := connectClient(t, newServer(t, newDesk(t)), version, nil)
		_, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "find_ticket"})
		var rpc *jsonrpc.Error
		if !errors.As(err, &rpc) || rpc.Code != jsonrpc.CodeInvalidParams || !strings.Contains(rpc.Message, `"find_ticket"`) {
			t.Errorf("%v", err)
		}
	})
}

// TestGoexit checks that a function that ends its goroutine fails its call, which is answered.
func TestGoexit(t *testing.T) {
	r := tool.NewRegistry()
	r.Replace(textTool("exit", func(context.Context, string) (string, error) { runtime.Goexit(); return "", nil }))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	result, err := connectClient(t, newServer(t, r), stateless, nil).CallTool(ctx, &sdk.CallToolParams{Name: "exit", Arguments: map[string]string{"text": "x"}})
	if err != nil || !result.IsError {
		t.Errorf("%+v %v", result, err)
	}
}

func TestGate(t *testing.T) {
	r := newDesk(t, tool.Use(middleware.Gate(middleware.RequireApproval(middleware.NameMatches("echo")), middleware.Deny())))
	session := connectClient(t, newServer(t, r), stateless, nil)
	for name, want := range map[string]string{"echo": "needs the approval of a person", "fail": "You may not call fail"} {
		text, _, isError := callTool(t, session, name, `{"text":"x"}`)
		if !isError || !strings.Contains(text, want) {
			t.Errorf("%s: %q", name, text)
		}
	}
}

// TestReferences checks that tools that need a scope are not offered and cannot be called.
func TestReferences(t *testing.T) {
	r := tool.NewRegistry()
	r.Replace(textTool("yields", echoText).StoreResult("reader"), textTool("needs", echoText).RequireVariables(func(any) bool { return true }), textTool("plain", echoText))
	session := connectClient(t, newServer(t, r), stateless, nil)
	if got := toolNames(t, session); got != "plain" {
		t.Errorf("offered are %s", got)
	}
	_, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "yields"})
	var rpc *jsonrpc.Error
	if !errors.As(err, &rpc) || rpc.Code != jsonrpc.CodeInvalidParams {
		t.Errorf("%v", err)
	}
}

func toolNames(t testing.TB, session *sdk.ClientSession) string {
	t.Helper()
	var all []string
	for d, err := range session.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, d.Name)
	}
	return strings.Join(all, " ")
}

func TestChanges(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		r := tool.NewRegistry()
		r.Replace(textTool("b", echoText))
		told := make(chan bool, 1000)
		session := connectClient(t, newServer(t, r), version, &sdk.ClientOptions{
			ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { told <- true },
		})
		wait := func(want string) {
			t.Helper()
			select {
			case <-told:
			case <-time.After(10 * time.Second):
				t.Fatal("the client was not told")
			}
			if got := toolNames(t, session); got != want {
				t.Errorf("offered are %s, want %s", got, want)
			}
			isQuiet(told) // the SDK may notify twice of one change
		}
		checkListens(t, r, told)
		r.Replace(textTool("c", echoText), textTool("a", echoText))
		wait("a b c")
		r.Unregister("b")
		wait("a c")

		// The definition is the same, so no notification is needed. An occasional notification may be a
		// late one of an earlier change.
		for i := 0; ; i++ {
			r.Replace(textTool("a", func(context.Context, string) (string, error) { return "other", nil }))
			if text, _, _ := callTool(t, session, "a", `{"text":"x"}`); text != "other" {
				t.Error(text)
			}
			if !isQuiet(told) {
				break
			}
			if i == 10 {
				t.Fatal("told of changes that were none")
			}
		}
	})
}

// checkListens waits until a client is notified of changes, because it starts listening in the
// background.
func checkListens(t *testing.T, r *tool.Registry, told <-chan bool) {
	t.Helper()
	for i := 0; !isQuiet(told); i++ {
		switch {
		case i == 100:
			t.Fatal("the client does not listen")
		case i%2 == 0:
			r.Replace(textTool("probe", echoText))
		default:
			r.Unregister("probe")
		}
	}
	r.Unregister("probe")
	isQuiet(told)
}

// isQuiet waits until there are no more notifications, and reports whether there were any.
func isQuiet(told <-chan bool) (any bool) {
	for {
		select {
		case <-told:
			any = true
		case <-time.After(100 * time.Millisecond): // the SDK notifies after 10 ms
			return any
		}
	}
}

// TestUnfit checks that a tool that the protocol does not support is an error at first. If it is
// registered later, it is left out and logged.
func TestUnfit(t *testing.T) {
	unfit := func(input, output string) tool.Tool {
		return tool.NewTypedTool(&tool.Definition{Name: "unfit", Input: json.RawMessage(input), Output: json.RawMessage(output)}, readText, echoText, (*wire.Encoder).Str).Tool
	}
	const header = `{"type":"object","properties":{"text":{"type":"number","x-mcp-header":"Text"}}}` // not for numbers
	for _, test := range []struct{ input, output string }{
		{`true`, ``}, {header, ``}, {oneText, `true`},
	} {
		r := tool.NewRegistry()
		if err := r.Replace(unfit(test.input, test.output)); err != nil {
			t.Fatal(err)
		}
		if _, err := mcp.New(r); err == nil || !strings.Contains(err.Error(), "unfit") {
			t.Errorf("%+v: %v", test, err)
		}
	}
	var log lockedBuilder
	r := tool.NewRegistry()
	r.Replace(textTool("fit", echoText))
	session := connectClient(t, newServer(t, r, mcp.Logger(slog.New(slog.NewTextHandler(&log, nil)))), stateless, nil)
	r.Replace(unfit(`true`, ``))
	for end := time.Now().Add(10 * time.Second); !strings.Contains(log.String(), "unfit") && time.Now().Before(end); {
		time.Sleep(time.Millisecond) // the server notices it by itself
	}
	if got := toolNames(t, session); got != "fit" || !strings.Contains(log.String(), "unfit") {
		t.Errorf("offered are %s, the log is %s", got, log.String())
	}
	r.Replace(textTool("unfit", echoText))
	if got := toolNames(t, session); got != "fit unfit" {
		t.Errorf("offered are %s", got)
	}
	r.Replace(unfit(`true`, ``))
	if got := toolNames(t, session); got != "fit" {
		t.Errorf("offered are %s", got)
	}
}

// TestLowered checks that names and schemas that the protocol does not support are converted, and that
// calls have the same effect.
func TestLowered(t *testing.T) {
	text := func(name, input string, read func(wire.Value) string) tool.Tool {
		return tool.NewTypedTool(&tool.Definition{Name: name, Input: json.RawMessage(input)}, read, echoText, (*wire.Encoder).Str).Tool
	}
	r := tool.NewRegistry()
	r.Replace(text("say/it", oneText, readText), text("plain", `{"type":"string"}`, wire.Value.Str))
	session := connectClient(t, newServer(t, r), stateless, nil)
	const lowered = "say_it_2a3e5178"
	if got := toolNames(t, session); got != "plain "+lowered {
		t.Errorf("offered are %s", got)
	}
	if got, _, isError := callTool(t, session, lowered, `{"text":"x"}`); got != "x" || isError {
		t.Error(got)
	}
	if got, _, isError := callTool(t, session, "plain", `{"arguments":"x"}`); got != "x" || isError {
		t.Error(got)
	}
}

// TestSameName checks that of two tools with the same name for clients, the one whose own name is
// first is offered.
func TestSameName(t *testing.T) {
	say := func(text string) func(context.Context, string) (string, error) {
		return func(context.Context, string) (string, error) { return text, nil }
	}
	const lowered = "say_it_2a3e5178"
	r := tool.NewRegistry()
	r.Replace(textTool(lowered, say("second")))
	session := connectClient(t, newServer(t, r, mcp.Logger(slog.New(slog.DiscardHandler))), stateless, nil)
	expect := func(want string) {
		t.Helper()
		if got := toolNames(t, session); got != lowered {
			t.Errorf("offered are %s", got)
		}
		if got, _, _ := callTool(t, session, lowered, `{"text":""}`); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	expect("second")
	r.Replace(textTool("say/it", say("first")))
	expect("first")
	if _, err := mcp.New(r); err == nil || err.Error() != `mcp: "say/it" and "say_it_2a3e5178" would both have the name say_it_2a3e5178` {
		t.Error(err)
	}
	r.Unregister("say/it")
	expect("second")
}

type lockedBuilder struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *lockedBuilder) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuilder) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// newWaitingTool returns a tool that waits until it is canceled, and reports its beginning and end.
func newWaitingTool() (t tool.Tool, began, ended chan error) {
	began, ended = make(chan error, 1), make(chan error, 1)
	return textTool("wait", func(ctx context.Context, _ string) (string, error) {
		began <- nil
		<-ctx.Done()
		ended <- ctx.Err()
		return "", ctx.Err()
	}), began, ended
}

func TestCancel(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		wait, began, ended := newWaitingTool()
		r := tool.NewRegistry()
		r.Replace(wait)
		session := connectClient(t, newServer(t, r), version, nil)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-began
			cancel()
		}()
		if _, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "wait", Arguments: json.RawMessage(`{"text":""}`)}); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("the tool ended by %v", err)
		}
	})
}

// TestEnd checks that calls end when the server shuts down or the client disconnects.
func TestEnd(t *testing.T) {
	for _, name := range []string{"of the server", "of the client"} {
		t.Run(name, func(t *testing.T) {
			wait, began, ended := newWaitingTool()
			r := tool.NewRegistry()
			r.Replace(wait)
			s := newServer(t, r, mcp.Drain(0))
			here, there := sdk.NewInMemoryTransports()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			served := make(chan error)
			go func() { served <- s.Serve(ctx, there) }()
			connection, err := here.Connect(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			write := func(message string) {
				t.Helper()
				m, err := jsonrpc.DecodeMessage([]byte(message))
				if err == nil {
					err = connection.Write(t.Context(), m)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			write(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`)
			if _, err := connection.Read(t.Context()); err != nil {
				t.Fatal(err)
			}
			write(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
			write(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"wait","arguments":{"text":""}}}`)
			<-began
			if name == "of the server" {
				cancel()
			} else if err := connection.Close(); err != nil {
				t.Fatal(err)
			}
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Errorf("the tool ended by %v", err)
			}
			if err := <-served; err != nil {
				t.Errorf("the server ended by %v", err)
			}
		})
	}
}

func TestConcurrent(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		r := newDesk(t)
		s := newServer(t, r)
		var all sync.WaitGroup
		for client := range 4 {
			session := connectClient(t, s, version, nil)
			for i := range 8 {
				all.Go(func() {
					text := fmt.Sprintf("_%d_%d", client, i)
					r.Replace(textTool("extra"+text, echoText))
					for range 5 {
						got, _, isError := callTool(t, session, "extra"+text, `{"text":"`+text+`"}`)
						if got != text || isError {
							t.Errorf("got %s, want %s", got, text)
						}
					}
					r.Unregister("extra" + text)
				})
			}
		}
		all.Wait()
		session := connectClient(t, s, version, nil)
		if got := toolNames(t, session); strings.Contains(got, "extra") {
			t.Errorf("offered are %s", got)
		}
	})
}

func TestBig(t *testing.T) {
	session := connectClient(t, newServer(t, newDesk(t, tool.MaxOutput(2<<20))), stateless, nil)
	text, structured, isError := callTool(t, session, "repeat", `{"text":"1"}`)
	if len(text) != 1<<20 || len(structured) != len(text)+len(`{"result":""}`) || isError {
		t.Errorf("%d and %d bytes, %v", len(text), len(structured), isError)
	}
	text, _, isError = callTool(t, session, "repeat", `{"text":"123"}`)
	if !isError || !strings.HasPrefix(text, "repeat ran, but its result is too long: it is 3145730 bytes long, the limit is 2097152.") {
		t.Errorf("%.100s", text)
	}
}

func TestPrompts(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		wrap := func(query string, payload any) (string, error) {
			if query == "bad" {
				return "", errors.New("no such query")
			}
			data, err := wire.PromptData(payload)
			return "Do: " + query + "|" + data, err
		}
		session := connectClient(t, newServer(t, newDesk(t), mcp.Prompts("Be kind.", []string{"One.", "Two."}, wrap)), version, nil)
		if got := session.InitializeResult().Instructions; got != "Be kind." {
			t.Errorf("instructions %q", got)
		}
		list, err := session.ListPrompts(t.Context(), nil)
		if err != nil || len(list.Prompts) != 3 {
			t.Fatalf("%v %v", list, err)
		}
		for _, test := range []struct{ name, query, payload, want string }{
			{"system_prompt", "", "", "Be kind."},
			{"rules", "", "", "- One.\n- Two."},
			{"wrapped_query", "help", "", "Do: help|"},
			{"wrapped_query", "help", "as text", "Do: help|as text"},
			{"wrapped_query", "help", "{no JSON", "Do: help|{no JSON"},
			{"wrapped_query", "help", `{"b":12345678901234567890,"a":"<"}`, "Do: help|{\n  \"b\": 12345678901234567890,\n  \"a\": \"<\"\n}"},
			{"wrapped_query", "", "", "Do: |"},
		} {
			arguments := map[string]string{"query": test.query}
			if test.payload != "" {
				arguments["payload"] = test.payload
			}
			got, err := session.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: test.name, Arguments: arguments})
			if err != nil {
				t.Fatal(err)
			}
			if text := got.Messages[0].Content.(*sdk.TextContent).Text; text != test.want {
				t.Errorf("%+v: %q", test, text)
			}
		}
		for _, arguments := range []map[string]string{nil, {"query": "bad"}} {
			if got, err := session.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "wrapped_query", Arguments: arguments}); err == nil {
				t.Errorf("%v: %v", arguments, got)
			}
		}
	})
}

// TestPanic checks that a function that panics fails only its request. The value of the panic is
// logged.
func TestPanic(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		var log lockedBuilder
		wrap := func(string, any) (string, error) { panic("secret") }
		s := newServer(t, newDesk(t), mcp.Prompts("Be kind.", nil, wrap), mcp.Logger(slog.New(slog.NewTextHandler(&log, nil))))
		session := connectClient(t, s, version, nil)
		_, err := session.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "wrapped_query", Arguments: map[string]string{"query": "x"}})
		var rpc *jsonrpc.Error
		if !errors.As(err, &rpc) || rpc.Code != jsonrpc.CodeInternalError || strings.Contains(rpc.Message, "secret") {
			t.Errorf("%v", err)
		}
		if !strings.Contains(log.String(), "secret") {
			t.Errorf("the log has %q", log.String())
		}
		if _, err := session.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "system_prompt"}); err != nil {
			t.Error(err)
		}
	})
}

func TestNoPrompts(t *testing.T) {
	session := connectClient(t, newServer(t, newDesk(t), mcp.Prompts("", nil, nil)), withSessions, nil)
	if caps := session.InitializeResult().Capabilities; caps.Prompts != nil || !caps.Tools.ListChanged {
		t.Errorf("%+v", caps)
	}
}

func TestIcon(t *testing.T) {
	session := connectClient(t, newServer(t, newDesk(t), mcp.Icon("https://example.com/desk.png", "image/png"), mcp.Icon("https://example.com/desk.svg", "")), withSessions, nil)
	got, err := json.Marshal(session.InitializeResult().ServerInfo.Icons)
	if want := `[{"src":"https://example.com/desk.png","mimeType":"image/png"},{"src":"https://example.com/desk.svg"}]`; string(got) != want || err != nil {
		t.Errorf("%s, %v", got, err)
	}
}

func TestMisuse(t *testing.T) {
	for _, option := range []mcp.Option{mcp.StateKey([]byte("short")), mcp.Token(""), mcp.MaxMessage(0), mcp.MaxSessions(0)} {
		if _, err := mcp.New(newDesk(t), option); err == nil {
			t.Error("taken")
		}
	}
}

// TestNote checks that the model sees the note about a result.
func TestNote(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		r := tool.NewRegistry(tool.Use(middleware.Trim(20)))
		r.Replace(textTool("echo", echoText))
		result, err := connectClient(t, newServer(t, r), version, nil).CallTool(t.Context(), &sdk.CallToolParams{Name: "echo", Arguments: map[string]string{"text": strings.Repeat("long ", 9)}})
		if err != nil || result.IsError || len(result.Content) != 2 {
			t.Fatalf("%v %+v", err, result)
		}
		note := result.Content[1].(*sdk.TextContent).Text
		structured, _ := json.Marshal(result.StructuredContent)
		if !strings.HasPrefix(note, "The result was too long and has been cut: ") || !strings.Contains(string(structured), "long long") || strings.Contains(string(structured), "cut") {
			t.Errorf("%q beside %s", note, structured)
		}
	})
}
