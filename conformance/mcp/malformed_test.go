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

// Outcomes of malformed messages.
const (
	refused  = "refused"  // rejected by the status or an error
	answered = "answered" // answered with a result
	heard    = "heard"    // not answered, like a notification
)

// callRequest returns a request that calls a tool.
func callRequest(id, params string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":` + params + `}`
}

func pingRequest(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}` }

// nestedValue returns a value nested in so many levels.
func nestedValue(before, in, after string, levels int) string {
	return strings.Repeat(before, levels) + in + strings.Repeat(after, levels)
}

// manyMembers returns an object with n members.
func manyMembers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"k%d":%d`, i, i)
	}
	return "{" + b.String()[1:] + "}"
}

const deepLevels = 100_000

// malformedMessages are messages in an initialized session with the expected outcomes, over HTTP and, if
// it differs, over standard input and output. The SDK reads the last of repeated members, and takes a
// message without a method for a response.
var malformedMessages = []struct{ name, message, want, stdio string }{
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
	{"a batch", "[" + pingRequest("1") + "," + pingRequest("2") + "]", refused, answered},
	{"a batch of batches", "[[" + pingRequest("1") + "]]", refused, ""},
	{"a large batch", "[" + strings.Repeat(pingRequest("1")+",", 9999) + "1]", refused, ""},
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
	{"id null", pingRequest("null"), refused, ""},
	{"id true", pingRequest("true"), refused, ""},
	{"id an object", pingRequest("{}"), refused, ""},
	{"id an array", pingRequest("[1]"), refused, ""},
	{"id a fraction", pingRequest("1.5"), answered, ""},
	{"id of no float", pingRequest("1e400"), answered, ""},
	{"id beyond 2^53", pingRequest("1763807093614000001"), answered, ""},
	{"id negative", pingRequest("-1"), answered, ""},
	{"id empty", pingRequest(`""`), answered, ""},
	{"id of 100 kB", pingRequest(`"` + strings.Repeat("x", 100_000) + `"`), answered, ""},
	{"id with escapes", pingRequest(`"\u0000\"\n"`), answered, ""},
	{"params null", callRequest("1", "null"), refused, ""},
	{"params an array", callRequest("1", "[]"), refused, ""},
	{"params a string", callRequest("1", `"test_simple_text"`), refused, ""},
	{"no params", `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, refused, ""},
	{"name null", callRequest("1", `{"name":null}`), refused, ""},
	{"name a number", callRequest("1", `{"name":7}`), refused, ""},
	{"name with a zero", callRequest("1", `{"name":"test_simple_text\u0000"}`), refused, ""},
	{"name of a megabyte", callRequest("1", `{"name":"`+strings.Repeat("x", 1<<20)+`"}`), refused, ""},
	{"arguments null", callRequest("1", `{"name":"test_simple_text","arguments":null}`), answered, ""},
	{"arguments an array", callRequest("1", `{"name":"test_simple_text","arguments":[]}`), refused, ""},
	{"arguments a string", callRequest("1", `{"name":"test_simple_text","arguments":"{}"}`), refused, ""},
	{"arguments unknown", callRequest("1", `{"name":"test_simple_text","arguments":{"x":1}}`), refused, ""},
	{"an argument twice", callRequest("1", `{"name":"wait","arguments":{"milliseconds":0,"milliseconds":60000}}`), refused, ""},
	{"method twice", `{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}`, answered, ""},
	{"id twice", `{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`, answered, ""},
	{"name twice", callRequest("1", `{"name":"test_simple_text","name":"test_error_handling"}`), refused, ""},
	{"deep arrays", nestedValue("[", "", "]", deepLevels), refused, ""},
	{"deep and open", strings.Repeat("[", deepLevels), refused, ""},
	{"deep params", callRequest("1", nestedValue("[", "", "]", deepLevels)), refused, ""},
	{"deep arguments", callRequest("1", `{"name":"test_simple_text","arguments":`+nestedValue(`{"x":`, "1", "}", deepLevels)+`}`), refused, ""},
	{"deep _meta", callRequest("1", `{"name":"test_simple_text","_meta":{"x":`+nestedValue("[", "", "]", deepLevels)+`}}`), refused, ""},
	{"deep beside", callRequest("1", `{"name":"test_simple_text","x":`+nestedValue("[", "", "]", deepLevels)+`}`), refused, ""},
	{"deep id", pingRequest(nestedValue("[", "", "]", deepLevels)), refused, ""},
	{"100,000 arguments", callRequest("1", `{"name":"test_simple_text","arguments":`+manyMembers(deepLevels)+`}`), refused, ""},
	{"100,000 members", callRequest("1", manyMembers(deepLevels)), refused, ""},
	{"no UTF-8 in a method", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"pi\xffng\"}", refused, ""},
	{"no UTF-8 in arguments", callRequest("1", "{\"name\":\"wait\",\"arguments\":{\"x\":\"\xc3\x28\"}}"), refused, ""},
	{"lone surrogate in arguments", callRequest("1", `{"name":"wait","arguments":{"\ud800":1}}`), refused, ""},
	{"lone surrogate in a name", callRequest("1", `{"name":"\udc00"}`), refused, ""},
	{"mark of order", "\ufeff" + pingRequest("1"), refused, ""},
	{"two messages", pingRequest("1") + pingRequest("2"), refused, ""},
	{"junk behind", pingRequest("1") + "]", refused, ""},
	{"NaN", pingRequest("NaN"), refused, ""},
	{"comment", "/* */" + pingRequest("1"), refused, ""},
	{"single quotes", `{'jsonrpc':'2.0','id':1,'method':'ping'}`, refused, ""},
	{"a zero behind", pingRequest("1") + "\x00", refused, ""},
	{"result of nothing asked", `{"jsonrpc":"2.0","id":99,"result":{}}`, heard, ""},
	{"error of nothing asked", `{"jsonrpc":"2.0","id":98,"error":{"code":1,"message":"x"}}`, heard, ""},
	{"error of no object", `{"jsonrpc":"2.0","id":98,"error":7}`, refused, ""},
	{"asks and answers", `{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}`, answered, ""},
	{"notification unknown", `{"jsonrpc":"2.0","method":"notifications/x"}`, refused, heard},
	{"cancels nothing", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":12345}}`, heard, ""},
	{"cancels null", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":null}}`, heard, ""},
	{"cancels an object", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}`, heard, ""},
	{"token an object", callRequest("1", `{"name":"test_simple_text","_meta":{"progressToken":{}}}`), answered, ""},
	{"token beyond floats", callRequest("1", `{"name":"test_simple_text","_meta":{"progressToken":1e400}}`), answered, ""},
	{"_meta an array", callRequest("1", `{"name":"test_simple_text","_meta":[]}`), refused, ""},
	{"initialized again", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, heard, ""},
	{"initialize again", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`, refused, ""},
	{"a page that is none", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"\u0000"}}`, refused, ""},
	{"a page of a number", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":7}}`, refused, ""},
	{"longer than it may be", callRequest("1", `{"name":"`+strings.Repeat("x", 5<<20)+`"}`), refused, ""},
}

const initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`

// answerTimeout is how long a response may take on a busy machine.
const answerTimeout = 30 * time.Second

// postMessage sends a message and returns the server's response.
func postMessage(t *testing.T, url string, header http.Header, message string) (status int, got http.Header, body string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), answerTimeout)
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

// openSession opens a session and returns the headers for requests in it.
func openSession(t *testing.T, url string) http.Header {
	t.Helper()
	header := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
	_, got, body := postMessage(t, url, header, initialize)
	header.Set("Mcp-Session-Id", got.Get("Mcp-Session-Id"))
	header.Set("Mcp-Protocol-Version", "2025-11-25")
	if header.Get("Mcp-Session-Id") == "" {
		t.Fatalf("there is no session: %s", body)
	}
	postMessage(t, url, header, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return header
}

// readOutcome returns the outcome of a message according to the response.
func readOutcome(t *testing.T, status int, body string) string {
	t.Helper()
	if status >= 400 && status < 500 {
		return refused
	}
	if status == http.StatusAccepted && body == "" {
		return heard
	}
	return classifyAnswer(t, status, lastMessage(body))
}

// lastMessage returns the last message of a body, which may be a stream of events.
func lastMessage(body string) string {
	for line := range strings.Lines(body) {
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			body = data
		}
	}
	return body
}

// resultText returns the text of a result, and whether it is an error.
func resultText(t *testing.T, body string) (text string, isError bool) {
	t.Helper()
	var m struct {
		Result struct {
			Content []struct{ Text string }
			IsError bool
		}
	}
	if err := json.Unmarshal([]byte(lastMessage(body)), &m); err != nil || len(m.Result.Content) != 1 {
		t.Errorf("%q is no result of a text: %v", body, err)
		return "", false
	}
	return m.Result.Content[0].Text, m.Result.IsError
}

// classifyAnswer returns the outcome of a message according to one response.
func classifyAnswer(t *testing.T, status int, message string) string {
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

// TestMalformedHTTP sends each message in a session, followed by a valid request.
func TestMalformedHTTP(t *testing.T) {
	t.Parallel()
	url := serveHTTP(t)
	header := openSession(t, url)
	for _, m := range malformedMessages {
		t.Run(m.name, func(t *testing.T) {
			status, _, body := postMessage(t, url, header, m.message)
			if got := readOutcome(t, status, body); got != m.want {
				t.Errorf("%s, want %s: %d %.300q", got, m.want, status, body)
			}
			status, _, body = postMessage(t, url, header, callRequest("7", `{"name":"test_simple_text"}`))
			if got := readOutcome(t, status, body); got != answered {
				t.Errorf("the next call: %s", got)
			}
		})
	}
}

// TestMalformedStdio sends each message as a line, followed by a valid request.
func TestMalformedStdio(t *testing.T) {
	t.Parallel()
	cmd := serverCommand(t.Context())
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
		for message := range say { // some messages are longer than the buffer of a pipe
			fmt.Fprintln(in, message)
		}
	}()
	// ask sends a line and returns the server's next message.
	ask := func(t *testing.T, message string) string {
		t.Helper()
		say <- message
		select {
		case line := <-said:
			return line
		case <-time.After(answerTimeout):
			return "nothing"
		}
	}
	ask(t, initialize)
	say <- `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	for i, m := range malformedMessages {
		t.Run(m.name, func(t *testing.T) {
			if want := cmp.Or(m.stdio, m.want); want == heard {
				say <- m.message
			} else if line := ask(t, m.message); classifyAnswer(t, http.StatusOK, line) != want {
				t.Errorf("%s, want %s", classifyAnswer(t, http.StatusOK, line), want)
			}
			next := fmt.Sprint(1000 + i)
			line := ask(t, callRequest(next, `{"name":"test_simple_text"}`))
			if classifyAnswer(t, http.StatusOK, line) != answered || !strings.Contains(line, `"id":`+next+`,`) {
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
