package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// newDynamicTool returns a tool with the given schemas.
func newDynamicTool(t testing.TB, name, input, output string, run func(ctx context.Context, arguments json.RawMessage) (any, error)) tool.Tool {
	t.Helper()
	d := tool.Definition{Name: name, Description: "Does " + name + ".", Input: json.RawMessage(input)}
	if output != "" {
		d.Output = json.RawMessage(output)
	}
	made, err := schema.Dynamic(d, func(ctx context.Context, arguments json.RawMessage) (json.RawMessage, error) {
		value, err := run(ctx, arguments)
		if err != nil {
			return nil, err
		}
		return json.Marshal(value)
	})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// newTalkativeRegistry returns a registry whose tools return everything that a call receives, and send
// every kind of notification.
func newTalkativeRegistry(t testing.TB) *tool.Registry {
	t.Helper()
	r := tool.NewRegistry(tool.MaxArguments(1 << 12))
	const anything, object = `{"type":"object"}`, `{"type":"object","properties":{"n":{"type":"integer"}}}`
	give := func(value any) func(context.Context, json.RawMessage) (any, error) {
		return func(context.Context, json.RawMessage) (any, error) { return value, nil }
	}
	r.Replace(textTool("echo", echoText))
	r.Replace(textTool("fail", func(_ context.Context, text string) (string, error) { return "", errors.New(text) }))
	r.Replace(textTool("panic", func(_ context.Context, text string) (string, error) { panic(text) }))
	r.Replace(textTool("who", func(ctx context.Context, _ string) (string, error) {
		x := tool.ExchangeFrom(ctx)
		told := x.Progress(1, 2, "half") || x.Log(0, "text")
		return fmt.Sprint(x.Caller(), x.Meta(), x.Header("X-Test"), told), nil
	}))
	r.Replace(newDynamicTool(t, "object", anything, object, give(map[string]int{"n": 1})))
	r.Replace(newDynamicTool(t, "list", anything, `{"type":"array"}`, give([]string{"<&>", "\u2028"})))
	r.Replace(newDynamicTool(t, "null", anything, "", give(nil)))
	r.Replace(newDynamicTool(t, "repeat", anything, anything, func(ctx context.Context, a json.RawMessage) (any, error) {
		tool.ExchangeFrom(ctx).Progress(1, 1, "repeated")
		return a, nil
	}))
	r.Replace(newDynamicTool(t, "region", `{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}`, "", give("there")))
	r.Replace(textTool("attach", func(ctx context.Context, text string) (string, error) {
		x := tool.ExchangeFrom(ctx)
		x.Attach(content.Text("more"), content.Image("image/png", []byte("png")), content.Link("https://example.com/", "there"))
		x.Reply("example.com/key", json.RawMessage(`{"a":[1]}`))
		x.Progress(1, 1, "attached")
		return text, nil
	}))
	r.Replace(textTool("ask", func(ctx context.Context, text string) (string, error) {
		tool.ExchangeFrom(ctx).Progress(1, 2, "asking")
		a, err := tool.ExchangeFrom(ctx).Ask(ctx, tool.AskPerson(text, nil))
		if err != nil {
			return "", err
		}
		return string(a[0].Action), nil
	}))
	return r
}

// call2026 is a call in the protocol without sessions.
func call2026(id, name, arguments, meta string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + name + `","arguments":` + arguments + `,"_meta":{` +
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":` + meta + `}}}`
}

// serverResponse is the response of a server.
type serverResponse struct {
	status  int
	message any
	before  []string // messages that arrived before the answer
	direct  bool     // the answer is not a stream
}

// newRequest returns a request for a call of echo, with the given headers as names and values. An
// empty value removes the header.
func newRequest(body, accept string, headers ...string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "http://localhost/mcp", strings.NewReader(body))
	r.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {accept}, "X-Test": {"tested"},
		"Mcp-Protocol-Version": {stateless}, "Mcp-Method": {"tools/call"}, "Mcp-Name": {"echo"}}
	for i := 0; i < len(headers); i += 2 {
		if r.Header.Del(headers[i]); headers[i+1] != "" {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	if host := r.Header.Get("Host"); host != "" {
		r.Host = host
	}
	return r
}

// answerBothWays answers a message without or with the SDK. The header Accept chooses: one with
// wildcards is left to the SDK.
func answerBothWays(t *testing.T, h http.Handler, accept, body string, headers ...string) serverResponse {
	t.Helper()
	r := newRequest(body, accept, headers...)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	got := serverResponse{status: w.Code, direct: !strings.HasPrefix(w.Header().Get("Content-Type"), "text/event-stream")}
	text := w.Body.Bytes()
	if !got.direct {
		events := bytes.Split(bytes.TrimSpace(text), []byte("\n\n"))
		for i, event := range events {
			_, text, _ = bytes.Cut(event, []byte("data: "))
			if i < len(events)-1 {
				got.before = append(got.before, string(text))
			}
		}
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&got.message); err != nil {
		rest, _ := io.ReadAll(w.Body)
		got.message = string(text) + string(rest) // text of the error, if the message could not be read
	}
	if m, ok := got.message.(map[string]any); ok {
		if result, ok := m["result"].(map[string]any); ok && result["requestState"] != nil {
			result["requestState"] = "sealed" // the text contains a time
			delete(result, "content")         // is null or absent
		}
	}
	return got
}

// checkSameAnswers reports whether a message was answered directly, and compares the answer with that
// of the SDK.
func checkSameAnswers(t *testing.T, h http.Handler, body string, headers ...string) (direct bool) {
	t.Helper()
	ours := answerBothWays(t, h, "application/json, text/event-stream", body, headers...)
	theirs := answerBothWays(t, h, "application/*, text/*", body, headers...)
	if ours.status != theirs.status || !reflect.DeepEqual(ours.message, theirs.message) || !slices.Equal(ours.before, theirs.before) {
		t.Errorf("%s %v\n%d %v %v\n%d %v %v", body, headers, ours.status, ours.before, ours.message, theirs.status, theirs.before, theirs.message)
	}
	return ours.direct && !theirs.direct
}

// TestDirect checks that calls which are answered without the SDK have the same answers as with it.
func TestDirect(t *testing.T) {
	h := newServer(t, newTalkativeRegistry(t)).Handler()
	const client = `{},"io.modelcontextprotocol/clientInfo":`
	for _, tt := range []struct {
		name   string
		body   string
		direct bool
	}{
		{"echo", call2026(`1`, "echo", `{"text":"<x> é \u2028 \"y\""}`, `{}`), true},
		{"echo", call2026(`"a\u0062\"<"`, "echo", `{"text":""}`, `{}`), true},
		{"echo", call2026(`""`, "echo", `{"text":""}`, `{}`), true},
		{"echo", call2026(`-999999999999999`, "echo", `{"text":""}`, `{}`), true},
		{"echo", call2026(`9999999999999999`, "echo", `{"text":""}`, `{}`), false},
		{"echo", call2026(`1.5`, "echo", `{"text":""}`, `{}`), false},
		{"echo", call2026(`null`, "echo", `{"text":""}`, `{}`), false},
		{"echo", call2026(`[1]`, "echo", `{"text":""}`, `{}`), false},
		{"echo", call2026(`1`, "echo", `{"text":3,"more":[]}`, `{}`), true},
		{"echo", call2026(`1`, "echo", `null`, `{}`), true},
		{"echo", call2026(`1`, "echo", `[]`, `{}`), true},
		{"echo", call2026(`1`, "echo", `"text"`, `{}`), true},
		{"echo", call2026(`1`, "echo", `{"text":"`+strings.Repeat("x", 1<<12)+`"}`, `{}`), true},
		{"echo", call2026(`1`, "echo", `{"text":"\ud800"}`, `{}`), false},
		{"echo", call2026(`1`, "echo", "{\"text\":\"\xff\"}", `{}`), false},
		{"echo", call2026(`1`, "echo", `{"text":"x","text":"y"}`, `{}`), false},
		{"repeat", call2026(`1`, "repeat", `{"a":`+strings.Repeat("[", 990)+strings.Repeat("]", 990)+`}`, `{}`), false},
		{"echo", call2026(`1`, "echo", `{"text":""}`, `{`), false},
		{"echo", call2026(`1`, "echo", `{"text":""}`, `{}`) + `{}`, false},
		{"echo", " " + call2026(`1`, "echo", `{"text":""}`, `{}`) + "\n", true},
		{"echo", "[" + call2026(`1`, "echo", `{"text":""}`, `{}`) + "]", false},
		{"echo", strings.Replace(call2026(`1`, "echo", `{"text":""}`, `{}`), `"2.0"`, `"1.0"`, 1), false},
		{"echo", strings.Replace(call2026(`1`, "echo", `{"text":""}`, `{}`), `"method"`, `"Method"`, 1), false},
		{"echo", strings.Replace(call2026(`1`, "echo", `{"text":""}`, `{}`), `"tools/call"`, `"tools\/call"`, 1), true},
		{"echo", strings.Replace(call2026(`1`, "echo", `{"text":""}`, `{}`), `"2026-07-28"`, `"2025-11-25"`, 1), false},
		{"echo", strings.Replace(call2026(`1`, "echo", `{"text":""}`, `{}`), `"arguments"`, `"requestState":"x","arguments"`, 1), false},
		{"echo", strings.Replace(call2026(`1`, "echo", `{"text":""}`, `{}`), `"id"`, `"extra":1,"id"`, 1), false},
		{"echo", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":""}}}`, false},
		{"echo", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}`, false},
		{"echo", `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo"}}`, false},
		{"echo", `null`, false},
		{"echo", ``, false},
		{"fail", call2026(`1`, "fail", `{"text":"<it> failed"}`, `{}`), true},
		{"panic", call2026(`1`, "panic", `{"text":"no"}`, `{}`), true},
		{"nobody", call2026(`1`, "nobody", `{}`, `{}`), false},
		{"echo", call2026(`1`, "fail", `{"text":"x"}`, `{}`), false},
		{"object", call2026(`1`, "object", `{}`, `{}`), true},
		{"list", call2026(`1`, "list", `{}`, `{}`), true},
		{"null", call2026(`1`, "null", `{}`, `{}`), true},
		{"repeat", call2026(`1`, "repeat", `{"b":1.50,"a":[1e3,12345678901234567890]}`, `{}`), true},
		{"attach", call2026(`1`, "attach", `{"text":"x"}`, `{}`), true},
		{"region", call2026(`1`, "region", `{"region":"north"}`, `{}`), false},
		{"region", call2026(`1`, "region", `{}`, `{}`), false},
		{"who", call2026(`1`, "who", `{"text":""}`, client+`{"name":" n","version":"v"},"traceparent":"00-1","n":1,"null":null`), true},
		{"who", call2026(`1`, "who", `{"text":""}`, client+`{"name":"n","version":"v","title":"t","websiteUrl":"https://example.com"}`), true},
		{"who", call2026(`1`, "who", `{"text":""}`, client+`{"name":"n"}`), false},
		{"who", call2026(`1`, "who", `{"text":""}`, client+`null`), false},
		{"who", call2026(`1`, "who", `{"text":""}`, client+`7`), false},
		{"who", call2026(`1`, "who", `{"text":""}`, `{"sampling":{"tools":{}},"roots":{"listChanged":true}}`), true},
		{"who", call2026(`1`, "who", `{"text":""}`, `{"sampling":{"tools":1},"roots":{}}`), false},
		{"who", call2026(`1`, "who", `{"text":""}`, `{"roots":{"listChanged":{}}}`), false},
		{"who", call2026(`1`, "who", `{"text":""}`, `{"roots":{"listChanged":null}}`), true},
		{"who", call2026(`1`, "who", `{"text":""}`, `{"experimental":{"x":1}}`), false},
		{"who", call2026(`1`, "who", `{"text":""}`, `null`), false},
		{"who", call2026(`1`, "who", `{"text":""}`, `[]`), false},
		{"who", call2026(`1`, "who", `{"text":""}`, `{},"progressToken":"p"`), false}, // handed over to the SDK
		{"who", call2026(`1`, "who", `{"text":""}`, `{},"progressToken":7`), false},
		{"ask", call2026(`1`, "ask", `{"text":"Go?"}`, `{"elicitation":{}},"progressToken":7`), false},
		{"attach", call2026(`1`, "attach", `{"text":"x"}`, `{},"progressToken":7`), false},
		{"repeat", call2026(`9007199254740993`, "repeat", `{"b":1.50,"a":[1e3,12345678901234567890]}`, `{},"progressToken":7`), false},
		{"echo", call2026(`1`, "echo", `{"text":""}`, `{},"progressToken":7`), true}, // does not report progress
		{"who", call2026(`1`, "who", `{"text":""}`, `{},"progressToken":null`), true},
		{"who", call2026(`1`, "who", `{"text":""}`, `{},"io.modelcontextprotocol/logLevel":"debug"`), false},
		{"ask", call2026(`1`, "ask", `{"text":"Go?"}`, `{"elicitation":{}}`), true},
		{"ask", call2026(`1`, "ask", `{"text":"Go?"}`, `{"elicitation":{"form":{},"url":{}}}`), true},
		{"ask", call2026(`1`, "ask", `{"text":"Go?"}`, `{"elicitation":{"url":{}}}`), false}, // neither way sends an error as a stream
		{"ask", call2026(`1`, "ask", `{"text":"Go?"}`, `{"elicitation":{"url":{"new":1}}}`), false},
		{"ask", call2026(`1`, "ask", `{"text":"Go?"}`, `{}`), false},
	} {
		if direct := checkSameAnswers(t, h, tt.body, "Mcp-Name", tt.name); tt.direct && !direct {
			t.Errorf("left to the SDK: %s", tt.body)
		}
	}
}

// TestDirectHeaders checks that headers are checked as by the SDK.
func TestDirectHeaders(t *testing.T) {
	h := newServer(t, newTalkativeRegistry(t)).Handler()
	body := call2026(`1`, "echo", `{"text":"x"}`, `{}`)
	for _, headers := range [][]string{
		{"Mcp-Name", ""}, {"Mcp-Name", "fail"}, {"Mcp-Name", "Echo"}, {"Mcp-Method", ""}, {"Mcp-Method", "tools/list"}, {"Mcp-Method", "Tools/Call"},
		{"Mcp-Protocol-Version", "2026-07-29"}, {"Mcp-Protocol-Version", "9999"}, {"Content-Type", ""}, {"Content-Type", "text/plain"},
		{"Content-Type", "application/json; charset=utf-8"}, {"Content-Type", "application/json;;"}, {"Last-Event-Id", "1"}, {"Mcp-Session-Id", "none"},
	} {
		checkSameAnswers(t, h, body, headers...)
	}
	for accept, status := range map[string]int{
		"text/event-stream;q=0.5 , application/json": 200, "*/*": 200, "application/json": 400, "application/jsonx, text/event-stream": 400, "a*/*": 400, "": 400,
	} {
		if got := answerBothWays(t, h, accept, body); got.status != status || !got.direct {
			t.Errorf("%q: %+v", accept, got)
		}
	}
}

// TestDirectMutated changes valid messages at random. Both ways must give the same answer to each.
func TestDirectMutated(t *testing.T) {
	h := newServer(t, newTalkativeRegistry(t)).Handler()
	in := openSession(t, h, withSessions, `{}`)
	good := []string{
		call2026(`1`, "echo", `{"text":"x"}`, `{}`),
		call2026(`"id"`, "echo", `{"text":"x"}`, `{"roots":{"listChanged":true},"elicitation":{"url":{}},"sampling":{}}`),
		call2026(`2`, "echo", `{"text":"x"}`, `{},"io.modelcontextprotocol/clientInfo":{"name":"n","version":"v"},"k":"v"`),
		callInSession(`1`, "echo", `{"text":"x"},"_meta":{"k":"v","o":{}}`),
	}
	const pieces = "{}[]\":,\\01e-.ntfalse\xffé "
	r := rand.New(rand.NewPCG(1, 2))
	var direct int
	for range 4000 {
		which := r.IntN(len(good))
		body := []byte(good[which])
		for range 1 + r.IntN(2) {
			at := r.IntN(len(body))
			switch to := min(len(body), at+1+r.IntN(12)); r.IntN(4) {
			case 0:
				body = slices.Delete(body, at, at+1)
			case 1:
				body = slices.Insert(body, at, pieces[r.IntN(len(pieces))])
			case 2:
				body[at] = pieces[r.IntN(len(pieces))]
			case 3:
				body = slices.Insert(body, at, slices.Clone(body[at:to])...)
			}
		}
		var headers []string
		if which == len(good)-1 {
			headers = in
		}
		if checkSameAnswers(t, h, string(body), headers...) {
			direct++
		}
		if t.Failed() {
			return
		}
	}
	if direct < 100 {
		t.Errorf("only %d were still calls that are answered directly", direct)
	}
}

// FuzzDirect compares the answers of both ways to any message.
func FuzzDirect(f *testing.F) {
	f.Add(call2026(`1`, "echo", `{"text":"x"}`, `{}`))
	f.Add(call2026(`"id"`, "echo", `{"text":3}`, `{"roots":{"listChanged":true},"elicitation":{"url":{}},"sampling":{}},"k":"v"`))
	f.Add(`{"params":{"":"","arguments":{},"_meta":{}}}`)
	f.Add(callInSession(`1`, "echo", `{"text":"x"},"_meta":{"k":"v"}`))
	h := newServer(f, newTalkativeRegistry(f)).Handler()
	in := openSession(f, h, withSessions, `{}`)
	f.Fuzz(func(t *testing.T, body string) {
		checkSameAnswers(t, h, body)
		checkSameAnswers(t, h, body, in...)
	})
}

// TestDirectOnce checks that a directly answered call is made once, and ends with its request.
func TestDirectOnce(t *testing.T) {
	var ran atomic.Int32
	began := make(chan bool)
	r := tool.NewRegistry()
	r.Replace(textTool("echo", func(ctx context.Context, text string) (string, error) {
		ran.Add(1)
		began <- true
		<-ctx.Done()
		return text, ctx.Err()
	}))
	h := newServer(t, r).Handler()
	ctx, cancel := context.WithCancel(t.Context())
	request := httptest.NewRequestWithContext(ctx, http.MethodPost, "http://localhost/mcp", strings.NewReader(call2026(`1`, "echo", `{"text":"x"}`, `{}`)))
	request.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"*/*"}, "Mcp-Protocol-Version": {stateless}, "Mcp-Method": {"tools/call"}, "Mcp-Name": {"echo"}}
	w := httptest.NewRecorder()
	ended := make(chan bool)
	go func() {
		h.ServeHTTP(w, request)
		ended <- true
	}()
	<-began
	cancel()
	<-ended
	if ran.Load() != 1 || w.Body.Len() > 0 {
		t.Errorf("it ran %d times, and is answered %s", ran.Load(), w.Body)
	}
}
