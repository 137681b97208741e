package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// What comes of a message that is not as it should be.
const (
	refused  = "refused"  // the status says so, or an error
	answered = "answered" // by a result
	heard    = "heard"    // by nobody, as notifications are
)

// request returns the message that calls a tool.
func request(id, params string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":` + params + `}`
}

func ping(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}` }

// nested returns a value in so many others.
func nested(before, in, after string, levels int) string {
	return strings.Repeat(before, levels) + in + strings.Repeat(after, levels)
}

// members returns an object of so many members.
func members(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"k%d":%d`, i, i)
	}
	return "{" + b.String()[1:] + "}"
}

const deep = 100_000

// malformed are messages of an initialized session, and what comes of each, over HTTP
// and, where that differs, by lines. The SDK reads the last of what is there twice, and
// takes a message without a method for an answer.
var malformed = []struct{ name, message, want, stdio string }{
	{"nothing", "", refused, heard},
	{"spaces", "   \t ", refused, heard},
	{"an open brace", "{", refused, ""},
	{"a closing brace", "}", refused, ""},
	{"null", "null", refused, ""},
	{"true", "true", refused, ""},
	{"a number", "0", refused, ""},
	{"a string", `"ping"`, refused, ""},
	{"an empty batch", "[]", refused, ""},
	{"a batch of a number", "[1]", refused, ""},
	{"a batch", "[" + ping("1") + "," + ping("2") + "]", refused, answered},
	{"a batch of batches", "[[" + ping("1") + "]]", refused, ""},
	{"a large batch", "[" + strings.Repeat(ping("1")+",", 9999) + "1]", refused, ""},
	{"an empty object", "{}", refused, ""},
	{"no version", `{"id":1,"method":"ping"}`, refused, ""},
	{"version 1.0", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, refused, ""},
	{"version as a number", `{"jsonrpc":2.0,"id":1,"method":"ping"}`, refused, ""},
	{"no method", `{"jsonrpc":"2.0","id":1}`, heard, ""},
	{"method null", `{"jsonrpc":"2.0","id":1,"method":null}`, refused, ""},
	{"method as a number", `{"jsonrpc":"2.0","id":1,"method":7}`, refused, ""},
	{"method empty", `{"jsonrpc":"2.0","id":1,"method":""}`, refused, ""},
	{"method unknown", `{"jsonrpc":"2.0","id":1,"method":"no/such"}`, refused, ""},
	{"method of a megabyte", `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 1<<20) + `"}`, refused, ""},
	{"method in upper case", `{"jsonrpc":"2.0","id":1,"METHOD":"ping"}`, heard, ""},
	{"id null", ping("null"), refused, ""},
	{"id true", ping("true"), refused, ""},
	{"id an object", ping("{}"), refused, ""},
	{"id an array", ping("[1]"), refused, ""},
	{"id a fraction", ping("1.5"), answered, ""},
	{"id of no float", ping("1e400"), refused, answered},
	{"id beyond 2^53", ping("1763807093614000001"), answered, ""},
	{"id negative", ping("-1"), answered, ""},
	{"id empty", ping(`""`), answered, ""},
	{"id of 100 kB", ping(`"` + strings.Repeat("x", 100_000) + `"`), answered, ""},
	{"id with escapes", ping(`"\u0000\"\n"`), answered, ""},
	{"params null", request("1", "null"), refused, ""},
	{"params an array", request("1", "[]"), refused, ""},
	{"params a string", request("1", `"test_simple_text"`), refused, ""},
	{"no params", `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, refused, ""},
	{"name null", request("1", `{"name":null}`), refused, ""},
	{"name a number", request("1", `{"name":7}`), refused, ""},
	{"name with a zero", request("1", `{"name":"test_simple_text\u0000"}`), refused, ""},
	{"name of a megabyte", request("1", `{"name":"`+strings.Repeat("x", 1<<20)+`"}`), refused, ""},
	{"arguments null", request("1", `{"name":"test_simple_text","arguments":null}`), answered, ""},
	{"arguments an array", request("1", `{"name":"test_simple_text","arguments":[]}`), refused, ""},
	{"arguments a string", request("1", `{"name":"test_simple_text","arguments":"{}"}`), refused, ""},
	{"arguments unknown", request("1", `{"name":"test_simple_text","arguments":{"x":1}}`), refused, ""},
	{"an argument twice", request("1", `{"name":"wait","arguments":{"milliseconds":0,"milliseconds":60000}}`), refused, ""},
	{"method twice", `{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}`, answered, ""},
	{"id twice", `{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`, answered, ""},
	{"name twice", request("1", `{"name":"test_simple_text","name":"test_error_handling"}`), refused, ""},
	{"deep arrays", nested("[", "", "]", deep), refused, ""},
	{"deep and open", strings.Repeat("[", deep), refused, ""},
	{"deep params", request("1", nested("[", "", "]", deep)), refused, ""},
	{"deep arguments", request("1", `{"name":"test_simple_text","arguments":`+nested(`{"x":`, "1", "}", deep)+`}`), refused, ""},
	{"deep _meta", request("1", `{"name":"test_simple_text","_meta":{"x":`+nested("[", "", "]", deep)+`}}`), refused, ""},
	{"deep beside", request("1", `{"name":"test_simple_text","x":`+nested("[", "", "]", deep)+`}`), refused, ""},
	{"deep id", ping(nested("[", "", "]", deep)), refused, ""},
	{"100,000 arguments", request("1", `{"name":"test_simple_text","arguments":`+members(deep)+`}`), refused, ""},
	{"100,000 members", request("1", members(deep)), refused, ""},
	{"no UTF-8 in a method", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"pi\xffng\"}", refused, ""},
	{"no UTF-8 in arguments", request("1", "{\"name\":\"wait\",\"arguments\":{\"x\":\"\xc3\x28\"}}"), refused, ""},
	{"lone surrogate in arguments", request("1", `{"name":"wait","arguments":{"\ud800":1}}`), refused, ""},
	{"lone surrogate in a name", request("1", `{"name":"\udc00"}`), refused, ""},
	{"mark of order", "\ufeff" + ping("1"), refused, ""},
	{"two messages", ping("1") + ping("2"), refused, ""},
	{"junk behind", ping("1") + "]", refused, ""},
	{"NaN", ping("NaN"), refused, ""},
	{"comment", "/* */" + ping("1"), refused, ""},
	{"single quotes", `{'jsonrpc':'2.0','id':1,'method':'ping'}`, refused, ""},
	{"a zero behind", ping("1") + "\x00", refused, ""},
	{"result of nothing asked", `{"jsonrpc":"2.0","id":99,"result":{}}`, heard, ""},
	{"error of nothing asked", `{"jsonrpc":"2.0","id":98,"error":{"code":1,"message":"x"}}`, heard, ""},
	{"error of no object", `{"jsonrpc":"2.0","id":98,"error":7}`, refused, ""},
	{"asks and answers", `{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}`, answered, ""},
	{"notification unknown", `{"jsonrpc":"2.0","method":"notifications/x"}`, refused, heard},
	{"cancels nothing", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":12345}}`, heard, ""},
	{"cancels null", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":null}}`, heard, ""},
	{"cancels an object", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}`, heard, ""},
	{"token an object", request("1", `{"name":"test_simple_text","_meta":{"progressToken":{}}}`), answered, ""},
	{"token of no float", request("1", `{"name":"test_simple_text","_meta":{"progressToken":1e400}}`), refused, ""},
	{"_meta an array", request("1", `{"name":"test_simple_text","_meta":[]}`), refused, ""},
	{"initialized again", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, heard, ""},
	{"initialize again", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`, refused, ""},
	{"a page that is none", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"\u0000"}}`, refused, ""},
	{"a page of a number", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":7}}`, refused, ""},
	{"longer than it may be", request("1", `{"name":"`+strings.Repeat("x", 5<<20)+`"}`), refused, ""},
}

const initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`

// patience is how long an answer may take on a machine that is busy.
const patience = 30 * time.Second

// post sends a message and returns what the server answers.
func post(t *testing.T, url string, header http.Header, message string) (status int, got http.Header, body string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(message))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = header.Clone()
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header, string(text)
}

// session opens a session and returns the header of what is sent in it.
func session(t *testing.T, url string) http.Header {
	t.Helper()
	header := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
	_, got, body := post(t, url, header, initialize)
	header.Set("Mcp-Session-Id", got.Get("Mcp-Session-Id"))
	header.Set("Mcp-Protocol-Version", "2025-11-25")
	if header.Get("Mcp-Session-Id") == "" {
		t.Fatalf("there is no session: %s", body)
	}
	post(t, url, header, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return header
}

// outcome tells what came of a message by the answers to it.
func outcome(t *testing.T, status int, body string) string {
	t.Helper()
	if status >= 400 && status < 500 {
		return refused
	}
	if status == http.StatusAccepted && body == "" {
		return heard
	}
	return judged(t, status, unwrapped(body))
}

// unwrapped returns the last message of a body, which may be a stream of events.
func unwrapped(body string) string {
	for line := range strings.Lines(body) {
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			body = data
		}
	}
	return body
}

// said returns the text of a result, and whether that is an error.
func said(t *testing.T, body string) (text string, isError bool) {
	t.Helper()
	var m struct {
		Result struct {
			Content []struct{ Text string }
			IsError bool
		}
	}
	if err := json.Unmarshal([]byte(unwrapped(body)), &m); err != nil || len(m.Result.Content) != 1 {
		t.Errorf("%q is no result of a text: %v", body, err)
		return "", false
	}
	return m.Result.Content[0].Text, m.Result.IsError
}

// judged tells what came of a message by the answer to it.
func judged(t *testing.T, status int, message string) string {
	t.Helper()
	if batch := []json.RawMessage{}; json.Unmarshal([]byte(message), &batch) == nil && len(batch) > 0 {
		message = string(batch[0])
	}
	var m struct {
		Result *struct{ IsError bool }
		Error  *struct{ Code int }
	}
	if err := json.Unmarshal([]byte(message), &m); err != nil || status != http.StatusOK || (m.Result == nil) == (m.Error == nil) {
		return fmt.Sprintf("%d, %v: %.200q", status, err, message)
	}
	if m.Error != nil || m.Result.IsError {
		return refused
	}
	return answered
}

// TestMalformedHTTP sends each message in a session, and asks for something after it.
func TestMalformedHTTP(t *testing.T) {
	t.Parallel()
	url := serveHTTP(t)
	header := session(t, url)
	for _, m := range malformed {
		t.Run(m.name, func(t *testing.T) {
			status, _, body := post(t, url, header, m.message)
			if got := outcome(t, status, body); got != m.want {
				t.Errorf("%s, want %s: %d %.300q", got, m.want, status, body)
			}
			status, _, body = post(t, url, header, request("7", `{"name":"test_simple_text"}`))
			if got := outcome(t, status, body); got != answered {
				t.Errorf("the next call: %s", got)
			}
		})
	}
}

// TestMalformedStdio sends each message as a line, and asks for something after it.
func TestMalformedStdio(t *testing.T) {
	t.Parallel()
	cmd := server(t.Context())
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err = errors.Join(err, cmd.Start()); err != nil {
		t.Fatal(err)
	}
	said := make(chan string, 1000)
	go func() {
		defer close(said)
		for lines := bufio.NewReader(out); ; {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			said <- line
		}
	}()
	say := make(chan string, 1000)
	defer close(say)
	go func() {
		for message := range say { // some are longer than what a pipe holds
			fmt.Fprintln(in, message)
		}
	}()
	// ask sends a line, and returns what the server says next.
	ask := func(t *testing.T, message string) string {
		t.Helper()
		say <- message
		select {
		case line := <-said:
			return line
		case <-time.After(patience):
			return "nothing"
		}
	}
	ask(t, initialize)
	say <- `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	for i, m := range malformed {
		t.Run(m.name, func(t *testing.T) {
			if want := cmp.Or(m.stdio, m.want); want == heard {
				say <- m.message
			} else if line := ask(t, m.message); judged(t, http.StatusOK, line) != want {
				t.Errorf("%s, want %s", judged(t, http.StatusOK, line), want)
			}
			next := fmt.Sprint(1000 + i)
			line := ask(t, request(next, `{"name":"test_simple_text"}`))
			if judged(t, http.StatusOK, line) != answered || !strings.Contains(line, `"id":`+next+`,`) {
				t.Errorf("the next call: %.300s", line)
			}
		})
	}
	if err := in.Close(); err != nil {
		t.Error(err)
	}
	for line := range said {
		t.Errorf("%.300s was said, too", line)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the server ended by %v", err)
	}
}
