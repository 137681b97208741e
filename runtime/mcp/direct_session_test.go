package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp"
	"github.com/aiongen/aiongen/runtime/tool"
)

// callInSession is a call in the protocol with sessions.
func callInSession(id, name, arguments string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + name + `","arguments":` + arguments + `}}`
}

// openSession opens a session and returns the headers of a call in it.
func openSession(t testing.TB, h http.Handler, version, capabilities string, headers ...string) []string {
	t.Helper()
	headers = append([]string{"Mcp-Method", "", "Mcp-Name", "", "Mcp-Protocol-Version", ""}, headers...)
	post := func(message string) http.Header {
		t.Helper()
		r := newRequest(message, "*/*", headers...)
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code >= 300 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		return w.Header()
	}
	answer := post(`{"jsonrpc":"2.0","id":"open","method":"initialize","params":{"protocolVersion":"` + version + `","capabilities":` + capabilities + `,"clientInfo":{"name":" n","version":"v"}}}`)
	headers = append(headers, "Mcp-Session-Id", answer.Get("Mcp-Session-Id"), "Mcp-Protocol-Version", version)
	post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return headers
}

// TestDirectSession checks that calls in a session which are answered without the SDK have the same
// answers as with it.
func TestDirectSession(t *testing.T) {
	h := newServer(t, newTalkativeRegistry(t)).Handler()
	const meta = `"arguments":{"text":""},"_meta":`
	withMeta := func(name, m string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + name + `",` + meta + m + `}}`
	}
	good := callInSession(`1`, "echo", `{"text":"x"}`)
	tests := []struct {
		body   string
		direct bool
	}{
		{callInSession(`1`, "echo", `{"text":"<x> é \u2028 \"y\""}`), true},
		{callInSession(`"a\u0062\"<"`, "echo", `{"text":""}`), true},
		{callInSession(`""`, "echo", `{"text":""}`), true},
		{callInSession(`0`, "echo", `{"text":""}`), true},
		{callInSession(`-999999999999999`, "echo", `{"text":""}`), true},
		{callInSession(`9999999999999999`, "echo", `{"text":""}`), true},
		{callInSession(`-0`, "echo", `{"text":""}`), true},
		{callInSession(`1.5`, "echo", `{"text":""}`), true},
		{callInSession(`1e2`, "echo", `{"text":""}`), true},
		{callInSession(`null`, "echo", `{"text":""}`), false},
		{callInSession(`true`, "echo", `{"text":""}`), false},
		{callInSession(`{}`, "echo", `{"text":""}`), false},
		{callInSession(`1`, "echo", `{"text":3,"more":[]}`), true},
		{callInSession(`1`, "echo", `null`), true},
		{callInSession(`1`, "echo", `[]`), true},
		{callInSession(`1`, "echo", `"text"`), true},
		{callInSession(`1`, "echo", `{"text":"`+strings.Repeat("x", 1<<12)+`"}`), true},
		{callInSession(`1`, "echo", `{"text":"`+strings.Repeat("x", 5<<20)+`"}`), false},
		{callInSession(`1`, "echo", `{"text":"\ud800"}`), false},
		{callInSession(`1`, "echo", "{\"text\":\"\xff\"}"), false},
		{callInSession(`1`, "echo", `{"text":"x","text":"y"}`), false},
		{callInSession(`1`, "repeat", `{"a":`+strings.Repeat("[", 990)+strings.Repeat("]", 990)+`}`), false},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}`, true},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`, false},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}`, false},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, false},
		{`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo"}}`, false},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, false},
		{`{"jsonrpc":"2.0","id":1,"method":"no/method"}`, false},
		{`{"jsonrpc":"2.0","method":"notifications/nothing"}`, false},
		{`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[]}}`, false},
		{`{"jsonrpc":"2.0","id":7,"result":{}}`, false},
		{`null`, false},
		{``, false},
		{good + `{}`, false},
		{good[1:], false},
		{" " + good + "\n", true},
		{"[" + good + "]", false},
		{`[]`, false},
		{strings.Replace(good, `"2.0"`, `"1.0"`, 1), false},
		{strings.Replace(good, `"method"`, `"Method"`, 1), false},
		{strings.Replace(good, `"name"`, `"task":{},"name"`, 1), false},
		{strings.Replace(good, `"name"`, `"requestState":"x","name"`, 1), false},
		{strings.Replace(good, `"id"`, `"extra":1,"id"`, 1), false},
		{callInSession(`1`, "fail", `{"text":"<it> failed"}`), true},
		{callInSession(`1`, "panic", `{"text":"no"}`), true},
		{callInSession(`1`, "nobody", `{}`), false},
		{callInSession(`1`, "", `{}`), false},
		{callInSession(`1`, "object", `{}`), true},
		{callInSession(`1`, "list", `{}`), true},
		{callInSession(`1`, "null", `{}`), true},
		{callInSession(`1`, "repeat", `{"b":1.50,"a":[1e3,12345678901234567890]}`), true},
		{callInSession(`1`, "attach", `{"text":"x"}`), true},
		{callInSession(`1`, "region", `{"region":"north"}`), false},
		{callInSession(`1`, "ask", `{"text":"Go?"}`), true},
		{callInSession(`1`, "who", `{"text":""}`), true},
		{withMeta("who", `{"traceparent":"00-1","n":1,"null":null,"o":{"a":[1]}}`), true},
		{withMeta("who", `{"progressToken":"p"}`), false}, // handed over to the SDK
		{withMeta("who", `{"progressToken":7,"k":"v"}`), false},
		{withMeta("attach", `{"progressToken":"p"}`), false},
		{withMeta("ask", `{"progressToken":"p"}`), false},
		{strings.Replace(callInSession(`9007199254740993`, "repeat", `{"b":1.50,"a":[1e3,12345678901234567890]}`), `"arguments"`, `"_meta":{"progressToken":7},"arguments"`, 1), false},
		{withMeta("echo", `{"progressToken":7}`), true}, // does not report progress
		{withMeta("who", `{"progressToken":null}`), true},
		{withMeta("who", `{}`), true},
		{withMeta("who", `null`), true},
		{withMeta("who", `[]`), false},
		{withMeta("who", `{"io.modelcontextprotocol/protocolVersion":"2025-11-25"}`), false},
		{withMeta("who", `{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`), false},
		{withMeta("who", `{"io.modelcontextprotocol/protocolVersion":""}`), false},
		{withMeta("who", `{"io.modelcontextprotocol/clientInfo":{"name":"other","version":"1"}}`), false},
		{withMeta("who", `{"io.modelcontextprotocol/clientCapabilities":{"roots":{}}}`), false},
	}
	for _, version := range []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"} {
		in := openSession(t, h, version, `{}`)
		for _, header := range []string{version, ""} {
			for _, tt := range tests {
				if direct := checkSameAnswers(t, h, tt.body, append(slices.Clone(in), "Mcp-Protocol-Version", header)...); direct != tt.direct {
					t.Errorf("%s: answered without the SDK: %v: %.300s", version, direct, tt.body)
				}
			}
		}
	}
}

// TestDirectSessionLog checks that messages from the client's log level on are sent as by the SDK.
func TestDirectSessionLog(t *testing.T) {
	h := newServer(t, newTalkativeRegistry(t)).Handler()
	in := openSession(t, h, withSessions, `{}`)
	for _, tt := range []struct {
		level  string
		direct bool
	}{{"", true}, {"debug", false}, {"info", false}, {"notice", true}, {"emergency", true}, {"nonsense", false}, {"debug", false}, {"", false}} {
		if tt.level != "" {
			h.ServeHTTP(httptest.NewRecorder(), newRequest(`{"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"`+tt.level+`"}}`, "*/*", in...))
		}
		if direct := checkSameAnswers(t, h, callInSession(`1`, "who", `{"text":""}`), in...); direct != tt.direct {
			t.Errorf("%q: answered without the SDK: %v", tt.level, direct)
		}
	}
}

// TestDirectSessionHeaders checks that headers are checked as by the SDK.
func TestDirectSessionHeaders(t *testing.T) {
	h := newServer(t, newTalkativeRegistry(t), mcp.Origins("https://app.example")).Handler()
	body := callInSession(`1`, "echo", `{"text":"x"}`)
	in, over := openSession(t, h, withSessions, `{}`), openSession(t, h, withSessions, `{}`)
	end := newRequest("", "*/*", over...)
	end.Method = http.MethodDelete
	h.ServeHTTP(httptest.NewRecorder(), end)
	for _, tt := range []struct {
		headers []string
		direct  bool
	}{
		{nil, true}, {[]string{"Mcp-Method", "tools/list", "Mcp-Name", "fail"}, true}, {[]string{"Mcp-Protocol-Version", "2024-11-05"}, true},
		{[]string{"Mcp-Session-Id", ""}, false}, {[]string{"Mcp-Session-Id", "none"}, false}, {over, false},
		{[]string{"Mcp-Protocol-Version", "2025-11-24"}, false}, {[]string{"Mcp-Protocol-Version", "x"}, false},
		{[]string{"Mcp-Protocol-Version", "2026-07-28"}, false}, {[]string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "echo"}, false},
		{[]string{"Content-Type", ""}, false}, {[]string{"Content-Type", "text/plain"}, false}, {[]string{"Content-Type", "application/json; charset=utf-8"}, true},
		{[]string{"Last-Event-Id", "1"}, false}, {[]string{"Last-Event-Id", "x_1"}, false},
		{[]string{"Origin", "https://app.example"}, true}, {[]string{"Origin", "https://attacker.example"}, false}, {[]string{"Origin", "null"}, false},
		{[]string{"Host", "attacker.example"}, false}, {[]string{"Host", "LOCALHOST:80"}, true},
	} {
		if direct := checkSameAnswers(t, h, body, append(slices.Clone(in), tt.headers...)...); direct != tt.direct {
			t.Errorf("answered without the SDK: %v: %q", direct, tt.headers)
		}
	}
	for accept, status := range map[string]int{
		"text/event-stream;q=0.5 , application/json": 200, "*/*": 200, "application/json": 400, "text/event-stream": 400, "a*/*": 400, "": 400,
	} {
		if got := answerBothWays(t, h, accept, body, in...); got.status != status || !got.direct {
			t.Errorf("%q: %+v", accept, got)
		}
	}
}

// TestDirectSessionUsers checks that only the user who opened a session can use it.
func TestDirectSessionUsers(t *testing.T) {
	h := newServer(t, newTalkativeRegistry(t), mcp.Verify(verifyToken), mcp.Token("static")).Handler()
	body := callInSession(`1`, "who", `{"text":""}`)
	ann := openSession(t, h, withSessions, `{}`, "Authorization", "Bearer ann")
	for token, direct := range map[string]bool{"Bearer ann": true, "Bearer bob": false, "Bearer static": false, "Bearer nobody": false, "": false} {
		if got := checkSameAnswers(t, h, body, append(slices.Clone(ann), "Authorization", token)...); got != direct {
			t.Errorf("%q: answered without the SDK: %v", token, got)
		}
	}
}

// TestHandover checks that a tool which is called without the SDK uses the SDK to notify and ask the
// client, runs once, and returns its result after all notifications.
func TestHandover(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		var ran atomic.Int32
		r := tool.NewRegistry()
		r.Replace(textTool("talk", func(ctx context.Context, text string) (string, error) {
			ran.Add(1)
			x := tool.ExchangeFrom(ctx)
			for i := range 3 {
				x.Log(int(slog.LevelWarn), fmt.Sprint("warning ", i))
				x.Log(int(slog.LevelDebug), fmt.Sprint("debug ", i))
				x.Progress(float64(i), 3, "on it")
			}
			return text, nil
		}))
		told := make(chan string, 100)
		session := openSDKSession(t, &sdk.StreamableClientTransport{Endpoint: listenHTTP(t, r)}, version, &sdk.ClientOptions{
			ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
				told <- fmt.Sprint(r.Params.ProgressToken, r.Params.Progress)
			},
			LoggingMessageHandler: func(_ context.Context, r *sdk.LoggingMessageRequest) { told <- r.Params.Data.(string) },
		})
		defer session.Close()
		for _, tt := range []struct {
			level string
			meta  sdk.Meta
			want  []string
		}{
			{"", sdk.Meta{}, nil},
			{"", sdk.Meta{"progressToken": "p"}, []string{"p 0", "p 1", "p 2"}},
			{"warning", sdk.Meta{}, []string{"warning 0", "warning 1", "warning 2"}},
			{"error", sdk.Meta{}, nil},
			{"debug", sdk.Meta{"progressToken": "p"}, []string{"warning 0", "debug 0", "p 0", "warning 1", "debug 1", "p 1", "warning 2", "debug 2", "p 2"}},
		} {
			if version == stateless && tt.level != "" {
				tt.meta[sdk.MetaKeyLogLevel] = tt.level
			} else if tt.level != "" {
				if err := session.SetLoggingLevel(t.Context(), &sdk.SetLoggingLevelParams{Level: sdk.LoggingLevel(tt.level)}); err != nil {
					t.Fatal(err)
				}
			}
			result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "talk", Arguments: json.RawMessage(`{"text":"done"}`), Meta: tt.meta})
			if err != nil || result.Content[0].(*sdk.TextContent).Text != "done" || ran.Swap(0) != 1 {
				t.Errorf("%+v %v", result, err)
			}
			for _, want := range tt.want {
				if got := <-told; strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(want, " ", "") {
					t.Errorf("%s: told is %q, want %q", tt.level, got, want)
				}
			}
			if len(told) > 0 {
				t.Errorf("%s: told is also %q", tt.level, <-told)
			}
		}
	})
}

// stream is the answer to a request as it arrives.
type stream struct {
	answer *http.Response
	lines  *bufio.Scanner
}

// openPost sends a message in a session to a listening server.
func openPost(t *testing.T, url, message string, headers ...string) *stream {
	t.Helper()
	r := newRequest(message, "application/json, text/event-stream", headers...)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(message))
	if err != nil {
		t.Fatal(err)
	}
	request.Header = r.Header
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = answer.Body.Close() })
	return &stream{answer, bufio.NewScanner(answer.Body)}
}

// next returns the next message of an answer.
func (s *stream) next(t *testing.T) string {
	t.Helper()
	for s.lines.Scan() {
		if text := strings.TrimPrefix(s.lines.Text(), "data: "); strings.HasPrefix(text, "{") {
			return text
		}
	}
	t.Fatalf("%s: no message comes: %v", s.answer.Status, s.lines.Err())
	return ""
}

// startCall returns a server with a tool that waits, and a session.
func startCall(t *testing.T, run func(ctx context.Context, text string) (string, error)) (url string, in []string) {
	t.Helper()
	r := tool.NewRegistry()
	r.Replace(textTool("run", run))
	h := newServer(t, r).Handler()
	return serveTest(t, h), openSession(t, h, withSessions, `{"elicitation":{}}`)
}

// serveTest serves a handler until the test ends.
func serveTest(t *testing.T, h http.Handler) (url string) {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL
}

// TestDirectCancel checks that a client can cancel a specific call.
func TestDirectCancel(t *testing.T) {
	for _, id := range []string{`1`, `"1"`, `-7`, `"a\u0062"`, `"é<"`, `"<&>"`, `1.5`, `9007199254740993`, `1e2`, `-0`} {
		began := make(chan bool)
		url, in := startCall(t, func(ctx context.Context, _ string) (string, error) {
			began <- true
			<-ctx.Done()
			return "", ctx.Err()
		})
		answered := make(chan string)
		go func() { answered <- openPost(t, url, callInSession(id, "run", `{"text":""}`), in...).next(t) }()
		<-began
		for _, other := range []string{`2`, `"7"`, `"1.5"`, `9007199254740992`, `[]`, `null`, `{}`, id} {
			select {
			case got := <-answered:
				t.Errorf("%s is answered %s", id, got)
			case <-time.After(5 * time.Millisecond):
			}
			s := openPost(t, url, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":`+other+`}}`, in...)
			if s.answer.StatusCode != http.StatusAccepted {
				t.Errorf("%s: %s", other, s.answer.Status)
			}
		}
		if got := <-answered; !strings.Contains(got, `"isError":true`) {
			t.Errorf("%s is answered %s", id, got)
		}
	}
}

// TestDirectDuplicate checks that no other call can use the ID of a running call, and that it can
// afterward.
func TestDirectDuplicate(t *testing.T) {
	began, end := make(chan bool), make(chan bool)
	url, in := startCall(t, func(_ context.Context, text string) (string, error) {
		began <- true
		<-end
		return text, nil
	})
	for range 2 {
		first := make(chan string)
		go func() { first <- openPost(t, url, callInSession(`1`, "run", `{"text":"first"}`), in...).next(t) }()
		<-began
		s := openPost(t, url, callInSession(`1`, "run", `{"text":"second"}`), in...)
		if got := s.next(t); s.answer.StatusCode != http.StatusBadRequest || got != `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"duplicate in-flight request ID 1"}}` {
			t.Errorf("%s %s", s.answer.Status, got)
		}
		other := make(chan string)
		go func() { other <- openPost(t, url, callInSession(`"1"`, "run", `{"text":"other"}`), in...).next(t) }()
		<-began
		end <- true
		end <- true
		if got := <-first + <-other; !strings.Contains(got, "first") || !strings.Contains(got, "other") {
			t.Error(got)
		}
	}
}

// TestDirectGone checks that a lost connection neither cancels the call nor ends the session.
func TestDirectGone(t *testing.T) {
	began, noticed, ended := make(chan bool), make(chan bool), make(chan error)
	r := tool.NewRegistry()
	r.Replace(textTool("run", func(ctx context.Context, text string) (string, error) {
		if text == "" {
			return "here", nil
		}
		began <- true
		<-noticed
		_, err := tool.ExchangeFrom(ctx).Ask(ctx, tool.AskPerson("Are you there?", nil))
		ended <- errors.Join(ctx.Err(), err)
		return "", nil
	}))
	h := newServer(t, r).Handler()
	in := openSession(t, h, withSessions, `{"elicitation":{}}`)
	var first sync.Once
	url := serveTest(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		first.Do(func() { context.AfterFunc(r.Context(), func() { close(noticed) }) })
		h.ServeHTTP(w, r)
	}))
	ctx, leave := context.WithCancel(t.Context())
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(callInSession(`1`, "run", `{"text":"x"}`)))
	if err != nil {
		t.Fatal(err)
	}
	request.Header = newRequest("", "*/*", in...).Header
	go func() {
		<-began
		leave()
	}()
	if _, err := http.DefaultClient.Do(request); err == nil {
		t.Error("the client did not leave")
	}
	if err := <-ended; errors.Is(err, context.Canceled) || err == nil {
		t.Errorf("the call is canceled, or somebody answers it: %v", err)
	}
	if got := openPost(t, url, callInSession(`2`, "run", `{"text":""}`), in...).next(t); !strings.Contains(got, "here") {
		t.Error(got)
	}
}

// TestDirectGoneOnce checks that a call runs once even if its first progress is reported just after
// its client has disconnected.
func TestDirectGoneOnce(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		var ran atomic.Int32
		leave := make(chan func(), 1)
		r := tool.NewRegistry()
		r.Replace(textTool("run", func(ctx context.Context, text string) (string, error) {
			ran.Add(1)
			select {
			case disconnect := <-leave:
				disconnect()
			default: // the call ran a second time
			}
			tool.ExchangeFrom(ctx).Progress(1, 2, "half")
			return text, nil
		}))
		h := newServer(t, r).Handler()
		message, headers := call2026(`1`, "run", `{"text":""}`, `{},"progressToken":1`), []string{"Mcp-Name", "run"}
		if version != stateless {
			message = strings.Replace(callInSession(`1`, "run", `{"text":""}`), `"arguments"`, `"_meta":{"progressToken":1},"arguments"`, 1)
			headers = openSession(t, h, version, `{}`)
		}
		const calls = 200
		for range calls {
			ctx, disconnect := context.WithCancel(t.Context())
			leave <- disconnect
			h.ServeHTTP(httptest.NewRecorder(), newRequest(message, "*/*", headers...).WithContext(ctx))
		}
		time.Sleep(50 * time.Millisecond) // until the SDK has read all requests
		if got := ran.Load(); got != calls {
			t.Errorf("%d calls ran %d times", calls, got)
		}
	})
}

// TestDirectGoneAtEnd checks that a server that shuts down lets a call finish whose client has lost
// its connection.
func TestDirectGoneAtEnd(t *testing.T) {
	began, end, ended := make(chan bool), make(chan bool), make(chan error, 1)
	r := tool.NewRegistry()
	r.Replace(textTool("run", func(ctx context.Context, text string) (string, error) {
		began <- true
		<-end
		ended <- ctx.Err()
		return text, nil
	}))
	log := newServingLog()
	s := newServer(t, r, mcp.Logger(slog.New(slog.NewJSONHandler(log, nil))))
	serving, stop := context.WithCancel(t.Context())
	defer stop()
	served := make(chan error)
	go func() { served <- s.ListenAndServe(serving, ":0") }()
	url, in := <-log.url, openSession(t, s.Handler(), withSessions, `{}`)
	ctx, leave := context.WithCancel(t.Context())
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(callInSession(`1`, "run", `{"text":""}`)))
	if err != nil {
		t.Fatal(err)
	}
	request.Header = newRequest("", "*/*", in...).Header
	go func() {
		<-began
		leave()
		time.Sleep(50 * time.Millisecond) // until the server notices the disconnect
		stop()
		time.Sleep(50 * time.Millisecond)
		end <- true
	}()
	if _, err := http.DefaultClient.Do(request); err == nil {
		t.Error("the client did not leave")
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("the call is canceled: %v", err)
		}
	default:
		t.Error("the server does not wait for the call")
	}
}

// TestDirectLeft checks that a call is answered although its session has ended, but cannot ask
// questions.
func TestDirectLeft(t *testing.T) {
	began, end := make(chan bool), make(chan bool)
	url, in := startCall(t, func(ctx context.Context, text string) (string, error) {
		began <- true
		<-end
		_, err := tool.ExchangeFrom(ctx).Ask(ctx, tool.AskPerson("Are you there?", nil))
		return fmt.Sprint(text, " ", err), ctx.Err()
	})
	answered := make(chan string)
	go func() { answered <- openPost(t, url, callInSession(`1`, "run", `{"text":"still"}`), in...).next(t) }()
	<-began
	r := newRequest("", "*/*", in...)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header = r.Header
	left, err := http.DefaultClient.Do(request)
	if err != nil || left.StatusCode != http.StatusNoContent {
		t.Fatal(left, err)
	}
	_ = left.Body.Close()
	end <- true
	if got := <-answered; !strings.Contains(got, "still ") || !strings.Contains(got, "session has ended") || strings.Contains(got, "isError") {
		t.Error(got)
	}
	if s := openPost(t, url, callInSession(`1`, "run", `{"text":""}`), in...); s.answer.StatusCode != http.StatusNotFound {
		t.Error(s.answer.Status)
	}
}

// TestDirectAsk checks that questions of a call arrive in the answer to its own request, before the
// result, while other calls of the session continue. The answer may arrive on any connection.
func TestDirectAsk(t *testing.T) {
	url, in := startCall(t, func(ctx context.Context, text string) (string, error) {
		if text == "" {
			return "quick", nil
		}
		answers, err := tool.ExchangeFrom(ctx).Ask(ctx, tool.AskPerson(text, nil))
		if err != nil {
			return "", err
		}
		return string(answers[0].Action), nil
	})
	s := openPost(t, url, callInSession(`1`, "run", `{"text":"Sure?"}`), in...)
	var asked struct {
		ID     json.RawMessage
		Method string
		Params struct{ Message string }
	}
	if err := json.Unmarshal([]byte(s.next(t)), &asked); err != nil || asked.Method != "elicitation/create" || asked.Params.Message != "Sure?" {
		t.Fatalf("%+v %v", asked, err)
	}
	if got := openPost(t, url, callInSession(`2`, "run", `{"text":""}`), in...).next(t); !strings.Contains(got, "quick") {
		t.Error(got)
	}
	if s := openPost(t, url, callInSession(`1`, "run", `{"text":""}`), in...); s.answer.StatusCode != http.StatusBadRequest {
		t.Errorf("the ID is used twice: %s", s.answer.Status)
	}
	given := openPost(t, url, `{"jsonrpc":"2.0","id":`+string(asked.ID)+`,"result":{"action":"accept"}}`, in...)
	if _, err := io.Copy(io.Discard, given.answer.Body); err != nil || given.answer.StatusCode != http.StatusAccepted {
		t.Error(given.answer.Status, err)
	}
	if got := s.next(t); !strings.Contains(got, `"id":1`) || !strings.Contains(got, `"text":"accept"`) {
		t.Error(got)
	}
}

// TestDirectSessionConcurrent makes concurrent calls in one session and cancels some of them, while
// others report progress.
func TestDirectSessionConcurrent(t *testing.T) {
	url, in := startCall(t, func(ctx context.Context, text string) (string, error) {
		x := tool.ExchangeFrom(ctx)
		for i := range 3 {
			x.Progress(float64(i), 3, text)
		}
		if strings.HasSuffix(text, "5") {
			<-ctx.Done() // canceled
		}
		return text, nil
	})
	var all sync.WaitGroup
	for client := range 8 {
		all.Go(func() {
			for i := range 20 {
				id := fmt.Sprintf("%d-%d", client, i)
				message := `{"jsonrpc":"2.0","id":"` + id + `","method":"tools/call","params":{"name":"run","arguments":{"text":"` + id + `"}`
				if i%3 == 0 {
					message += `,"_meta":{"progressToken":"` + id + `"}`
				}
				answered := make(chan bool)
				if i%10 == 5 {
					all.Go(func() {
						cancel := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"` + id + `"}}`
						for { // the call may come after the first of them
							select {
							case <-answered:
								return
							case <-time.After(5 * time.Millisecond):
								_ = openPost(t, url, cancel, in...).answer.Body.Close()
							}
						}
					})
				}
				s, got := openPost(t, url, message+`}}`, in...), ""
				for s.lines.Scan() {
					got += s.lines.Text()
				}
				close(answered)
				answer := strings.Contains(got, `"text":"`+id+`"`)
				if i%10 == 5 { // the function may not have run yet when the call was canceled
					answer = answer || strings.Contains(got, "cancelled before it had a result")
				}
				if strings.Count(got, `"id":"`+id+`"`) != 1 || !answer {
					t.Errorf("%s is answered %s", id, got)
				}
			}
		})
	}
	all.Wait()
}
