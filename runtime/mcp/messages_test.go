package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/mcp"
	"github.com/aiongen/aiongen/runtime/mcp/internal/stdio"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// ofGo matches terms of Go, which must not occur in texts about the protocol.
var ofGo = []string{"unmarshal", "json:", "Go ", "struct", "mcp.", "jsonrpc2", "*", "%!"}

// wrongMessages are invalid messages with a part of the expected answer.
var wrongMessages = map[string]string{
	`"method":"tools/call","params":{"name":7}`:                                                          "tools/call: params.name: expected a string, found a number",
	`"method":"tools/call","params":{"name":"echo","_meta":[]}`:                                          "params._meta: expected an object, found an array",
	`"method":"tools/call","params":"text"`:                                                              "params: expected an object, found a string",
	`"method":"tools/call","params":{"name":"echo","inputResponses":{"a":{"action":7}}}`:                 "tools/call: params",
	`"method":"tools/call","params":{"name":"echo","inputResponses":{"a":{"content":[{"type":"new"}]}}}`: "tools/call: params",
	`"method":"tools/list","params":{"cursor":{}}`:                                                       "params.cursor: expected a string, found an object",
	`"method":"prompts/get","params":{"name":"x","arguments":{"a":1}}`:                                   "params.arguments",
	`"method":"resources/read","params":{"uri":true}`:                                                    "params.uri: expected a string, found a boolean",
	`"method":"completion/complete","params":{"ref":7}`:                                                  "completion/complete: params",
	`"method":"completion/complete","params":{"ref":{"type":"ref/new"},"argument":{}}`:                   "",
	`"method":"logging/setLevel","params":{"level":1}`:                                                   "params.level: expected a string, found a number",
	`"method":"resources/subscribe","params":{"uri":[]}`:                                                 "params.uri: expected a string, found an array",
	`"method":7`:                   "method: expected a string, found a number",
	`"method":{}`:                  "method: expected a string, found an object",
	`"method":"x","id":{}`:         "the id of a request must be a string or a number",
	`"method":"x","jsonrpc":"1.0"`: `a message must have "jsonrpc": "2.0"`,
	`"method":"x","jsonrpc":2`:     `a message must have "jsonrpc": "2.0"`,
	`"method":"tools/call","params":{"name":"echo","arguments":` + strings.Repeat("[", 1500) + strings.Repeat("]", 1500) + `}`: "deeper than 1000 levels",
}

// Faults of a message are described in terms of the protocol, over stdio and HTTP.
func TestWrongMessages(t *testing.T) {
	s := newServer(t, newDesk(t))
	server := httptest.NewServer(s.Handler())
	defer server.Close()
	session := sendRequest(t, http.MethodPost, server.URL, initialize).Header.Get("Mcp-Session-Id")
	line := newLineClient(t, s)
	line(initialize)
	for members, want := range wrongMessages {
		message := `{"jsonrpc":"2.0","id":1,` + members + `}`
		byHTTP, err := io.ReadAll(sendRequest(t, http.MethodPost, server.URL, message, "Mcp-Session-Id", session).Body)
		if err != nil {
			t.Fatal(err)
		}
		withoutSession, err := io.ReadAll(sendRequest(t, http.MethodPost, server.URL, message, "Mcp-Protocol-Version", stateless, "Mcp-Method", "tools/call").Body)
		if err != nil {
			t.Fatal(err)
		}
		for way, answer := range map[string]string{"in a session": string(byHTTP), "without sessions": string(withoutSession), "by transport": line(message)} {
			if want = strings.ReplaceAll(want, `"`, ""); !strings.Contains(strings.NewReplacer(`\"`, "", `"`, "").Replace(answer), want) {
				t.Errorf("%s: %.100s is answered %s, without %q", way, message, answer, want)
			}
			for _, text := range ofGo {
				if strings.Contains(answer, text) {
					t.Errorf("%s: %.100s is answered %s, with %q", way, message, answer, text)
				}
			}
		}
	}
}

// newLineClient returns a function that sends a line to a server and returns the answer.
func newLineClient(t *testing.T, s *mcp.Server) func(string) string {
	t.Helper()
	in, write := io.Pipe()
	read, out := io.Pipe()
	ended := make(chan error)
	go func() {
		ended <- s.Serve(t.Context(), stdio.Transport{In: in, Out: out, MaxMessage: 4 << 20, Log: slog.New(slog.DiscardHandler)})
	}()
	t.Cleanup(func() {
		write.Close()
		read.Close()
		<-ended
	})
	answers := bufio.NewScanner(read)
	answers.Buffer(nil, 64<<20)
	return func(line string) string {
		if _, err := fmt.Fprintln(write, line); err != nil {
			t.Fatal(err)
		}
		if !answers.Scan() {
			t.Fatalf("no answer to %.200s: %v", line, answers.Err())
		}
		return answers.Text()
	}
}

// An invalid answer to a question is also described in words.
func TestWrongAnswer(t *testing.T) {
	line := newLineClient(t, newServer(t, newTalkativeRegistry(t)))
	line(strings.Replace(initialize, `"capabilities":{}`, `"capabilities":{"elicitation":{},"sampling":{},"roots":{}}`, 1))
	for _, answer := range []string{`"result":{"action":7}`, `"result":[]`, `"result":"accept"`, `"result":{"action":"accept","content":[]}`, `"error":7`, `"error":{"code":"x"}`, `"result":{}`} {
		asked := line(`{"jsonrpc":"2.0","id":"call","method":"tools/call","params":{"name":"ask","arguments":{"text":"Go?"}}}`)
		id, _ := answerID(t, []byte(asked))
		got := line(`{"jsonrpc":"2.0","id":` + id + `,` + answer + `}`)
		if strings.HasPrefix(answer, `"error"`) { // the client is informed, too
			if !strings.Contains(got, `"id":null`) {
				t.Errorf("%s: %s", answer, got)
			}
			got = line("")
		}
		if !strings.Contains(got, `"isError":true`) {
			t.Errorf("%s: %s", answer, got)
		}
		for _, text := range ofGo {
			if strings.Contains(got, text) {
				t.Errorf("%s: %s, with %q", answer, got, text)
			}
		}
	}
}

// The panic of a tool is logged with its stack, and not sent to clients.
func TestPanicOfTool(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		var log lockedBuilder
		r := tool.NewRegistry()
		fails := map[string]func(context.Context, string) (string, error){
			"panics": func(context.Context, string) (string, error) { panic("secret value") },
			"derefs": func(context.Context, string) (string, error) { var p *struct{ text string }; return p.text, nil },
			"exits":  func(context.Context, string) (string, error) { runtime.Goexit(); return "", nil },
		}
		for name, run := range fails {
			r.Replace(textTool(name, run))
			r.Replace(newReadOnlyTool(name+"_read", run))
		}
		session := connectClient(t, newServer(t, r, mcp.Logger(slog.New(slog.NewTextHandler(&log, nil)))), version, nil)
		for name := range fails {
			for _, name := range []string{name, name + "_read"} {
				before := len(log.String())
				text, _, isError := callTool(t, session, name, `{"text":"x"}`)
				if !isError || !strings.HasPrefix(text, name+" failed because of an error in its code") || strings.Contains(text, "secret") {
					t.Errorf("%s: the model gets %q", name, text)
				}
				if logged := log.String()[before:]; !strings.Contains(logged, "tool="+name+" ") || !strings.Contains(logged, "messages_test.go") {
					t.Errorf("%s: logged is %q", name, logged)
				}
			}
		}
		if !strings.Contains(log.String(), "secret value") {
			t.Errorf("the log is %q", log.String())
		}
	})
}

// newReadOnlyTool returns a text tool whose panics package tool shows to a model.
func newReadOnlyTool(name string, run func(context.Context, string) (string, error)) tool.Tool {
	return tool.NewTypedTool(&tool.Definition{Name: name, Input: json.RawMessage(oneText), Annotations: tool.Annotations{ReadOnly: true}}, readText, run, (*wire.Encoder).Str).Tool
}

// A completion function that ends its goroutine fails only its request.
func TestCompletionExits(t *testing.T) {
	s := newServer(t, tool.NewRegistry())
	err := s.AddPrompt(mcp.Prompt{Name: "p", Write: func(context.Context, map[string]string) ([]content.Part, error) { return nil, nil }, Arguments: []mcp.Argument{{Name: "a", Complete: func(context.Context, string, map[string]string) ([]string, error) {
		runtime.Goexit()
		return nil, nil
	}}}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = connectClient(t, s, stateless, nil).Complete(t.Context(), &sdk.CompleteParams{Ref: &sdk.CompleteReference{Type: "ref/prompt", Name: "p"}, Argument: sdk.CompleteParamsArgument{Name: "a"}})
	if err == nil {
		t.Error("it is completed")
	}
}
