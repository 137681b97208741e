package remote_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/mcp/remote"
	"github.com/aiongen/aiongen/runtime/middleware"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestResults checks how answers of a server are converted.
func TestResults(t *testing.T) {
	const (
		object = `{"type":"object","properties":{"id":{"type":"integer"},"b":{}},"required":["id"]}`
		number = `{"type":"object","properties":{"result":{"type":"integer"}},"required":["result"],"x-fastmcp-wrap-result":true}`
		text   = `{"type":"object","properties":{"result":{"type":"string"}},"required":["result"],"x-fastmcp-wrap-result":true}`
	)
	image := `{"type":"image","mimeType":"image/png","data":"AQI="}`
	for _, test := range []struct {
		answer, schema string
		output         string
		content        []content.Part
		meta           string
		wrong          string
	}{
		{answer: `{"content":[{"type":"text","text":"a\nb"}]}`, output: `"a\nb"`},
		{answer: `{"content":[{"type":"text","text":"a"},{"type":"text","text":"{\"b\":1}"}]}`, output: `"a\n{\"b\":1}"`},
		{answer: `{"content":[]}`, output: `null`},
		{answer: `{"content":[{"type":"text","text":"{\"id\":1}"}]}`, output: `"{\"id\":1}"`},
		{answer: `{"content":[{"type":"text","text":"look"},` + image + `]}`, output: `"look"`, content: []content.Part{content.Image("image/png", []byte{1, 2})}},
		{answer: `{"content":[{"type":"audio","mimeType":"audio/wav","data":""},{"type":"image","data":"AQ=="},{"type":"resource_link","uri":"https://x/y","name":"y","description":"d","mimeType":"text/html"},
			{"type":"resource","resource":{"uri":"file:///a","text":"hello"}},{"type":"resource","resource":{"uri":"file:///b","blob":"AQ=="}}]}`, output: `null`, content: []content.Part{
			content.Audio("audio/wav", []byte{}), content.Image("image/*", []byte{1}), {URL: "https://x/y", Name: "y", Description: "d", Media: "text/html"},
			content.File("file:///a", "text/plain", []byte("hello")), content.File("file:///b", "application/octet-stream", []byte{1})}},

		{answer: `{"content":[{"type":"text","text":"{\"id\":9007199254740993,\"b\":[]}"}],"structuredContent":{"id":9007199254740993,"b":[]}}`, schema: object, output: `{"id":9007199254740993,"b":[]}`},
		{answer: `{"content":[{"type":"text","text":"{\"id\":2}"}],"structuredContent":{"id":1}}`, schema: object, output: `{"id":1}`, content: []content.Part{content.Text(`{"id":2}`)}},
		{answer: `{"content":[{"type":"text","text":"found one"}],"structuredContent":{"id":1}}`, output: `{"id":1}`, content: []content.Part{content.Text("found one")}},
		{answer: `{"content":[],"structuredContent":{"id":1e3}}`, schema: object, output: `{"id":1e3}`},
		{answer: `{"content":[{"type":"text","text":"{\"id\":1}"}]}`, schema: object, output: `{"id":1}`},
		{answer: `{"content":[{"type":"text","text":"12"}],"structuredContent":{"result":12}}`, schema: number, output: `12`},
		{answer: `{"content":[{"type":"text","text":"a \"b\""}],"structuredContent":{"result":"a \"b\""},"_meta":{"fastmcp":{"wrap_result":true}}}`, schema: text, output: `"a \"b\""`},
		{answer: `{"content":[{"type":"text","text":"12"}],"structuredContent":{"result":"12"}}`, schema: text, output: `"12"`},

		{answer: `{"content":[],"structuredContent":{"id":"x"}}`, schema: object, wrong: `t: the result cannot be written: /id: expected an integer, found the string "x"`},
		{answer: `{"content":[],"structuredContent":[]}`, schema: object, wrong: `expected an object`},
		{answer: `{"content":[{"type":"text","text":"nothing"}]}`, schema: object, wrong: `expected an object`},
		{answer: `{"content":[]}`, schema: object, wrong: `expected an object, found null`},
		{answer: `{"content":[{"type":"text","text":"no such city"}],"isError":true}`, schema: object, wrong: `t: no such city`},
		{answer: `{"content":[{"type":"text","text":"\u001b[2Jno\ncity\u202e"}],"isError":true}`, wrong: "t:  [2Jno\ncity "},
		{answer: `{"content":[` + image + `],"isError":true}`, wrong: `t: the tool failed, and the server does not say why`},
		{answer: `{"content":[],"structuredContent":{"why":"closed"},"isError":true}`, schema: object, wrong: `t: {"why":"closed"}`},
		{answer: `{"content":[{"type":"surprise"}]}`, wrong: `the answer of the server cannot be read: its content is of an unknown kind`},
		{answer: `{"content":[{"type":"surprise"},{"type":"text","text":"a"},7,{"type":"text","text":7},{"type":"text","text":"b"},null,{"type":"image","data":"!"},{"type":"resource"}]}`, output: `"a\nb"`},
		{answer: `{"content":[],"_meta":{"a.example/b":{"c":1},"io.modelcontextprotocol/x":1,"traceparent":"00-1"}}`, output: `null`, meta: `{"a.example/b":{"c":1},"traceparent":"\"00-1\""}`},
	} {
		far := connectFake(t, nil, func(_ *fake, method string, _ map[string]any) any {
			switch method {
			case "tools/list":
				if test.schema == "" {
					return toolList(`{"name":"t"}`)
				}
				return toolList(`{"name":"t","outputSchema":` + test.schema + `}`)
			case "tools/call":
				return json.RawMessage(test.answer)
			}
			return nil
		})
		call := newRegistry(t, far).Call(t.Context(), newRequest("t", "{}"))
		if test.wrong != "" {
			if call.Err == nil || !strings.Contains(call.Err.Error(), test.wrong) {
				t.Errorf("%s: got %s, %v, want %s", test.answer, call.Output, call.Err, test.wrong)
			}
			continue
		}
		if call.Err != nil || string(call.Output) != test.output || !reflect.DeepEqual(call.Content, test.content) {
			t.Errorf("%s:\ngot  %s, %+v, %v\nwant %s, %+v", test.answer, call.Output, call.Content, call.Err, test.output, test.content)
		}
		if test.meta != "" && (string(call.Meta["a.example/b"]) != `{"c":1}` || string(call.Meta["traceparent"]) != `"00-1"` || len(call.Meta) != 2) {
			t.Errorf("%s: meta is %s", test.answer, call.Meta)
		}
	}
}

// TestSent checks what a server receives of a call. It receives nothing if the arguments are invalid.
func TestSent(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		server := newServer(version)
		sent := make(chan *sdk.CallToolParamsRaw, 1)
		addTool(server, &sdk.Tool{Name: "t", InputSchema: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer","maximum":9007199254740993}},"required":["n"]}`)},
			func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
				sent <- r.Params
				return textResult("ok"), nil
			})
		registry := newRegistry(t, connectClient(t, server, nil))
		call := registry.Call(t.Context(), newRequest("t", `{"n":"7"}`))
		var wrong *tool.ArgumentError
		if !errors.As(call.Err, &wrong) || len(sent) != 0 {
			t.Errorf("%v, %d sent", call.Err, len(sent))
		}
		call = registry.Call(t.Context(), tool.Request{Name: "t", Arguments: json.RawMessage(`{"n":9007199254740991,"more":1e400}`), Meta: map[string]string{
			"tenant": "secret", "traceparent": "00-1", "tracestate": "a=b", "baggage": "c=d", "example.com/x": "y", "io.modelcontextprotocol/protocolVersion": "1999-01-01", "progressToken": "mine"}})
		if call.Err != nil {
			t.Fatal(call.Err)
		}
		got := <-sent
		if string(got.Arguments) != `{"n":9007199254740991,"more":1e400}` {
			t.Errorf("sent are %s", got.Arguments)
		}
		for name, want := range map[string]any{"tenant": nil, "traceparent": "00-1", "tracestate": "a=b", "baggage": "c=d", "example.com/x": "y"} {
			if got.Meta[name] != want {
				t.Errorf("%s is %v, want %v", name, got.Meta[name], want)
			}
		}
		if got.Meta["progressToken"] == "mine" || version == stateless && got.Meta["io.modelcontextprotocol/protocolVersion"] != version {
			t.Errorf("_meta is %v", got.Meta)
		}
	})
}

// TestProgress checks that the progress of a call is reported only to its driver.
func TestProgress(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		server := newServer(version)
		told := make(chan string)
		addTool(server, &sdk.Tool{Name: "t"}, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			for i := range 3 {
				err := r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: float64(i), Total: 3, Message: strings.Repeat("m", 2000)})
				if err != nil {
					return nil, err
				}
				<-told
			}
			return textResult(string(r.Params.Arguments)), nil
		})
		others := make(chan any, 10)
		far := connectClient(t, server, &sdk.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) { others <- r.Params }})
		registry := newRegistry(t, far)
		ctx := tool.WithPeer(t.Context(), tool.Peer{Progress: func(done, total float64, text string) {
			told <- fmt.Sprint(done, total, len(text))
		}})
		var ended = make(chan *tool.Call)
		go func() { ended <- registry.Call(ctx, newRequest("t", "{}")) }()
		if call := <-ended; call.Err != nil || len(others) > 0 {
			t.Error(call.Err, len(others))
		}
	})
}

// TestCancel checks that canceling a call ends it, and that the server is notified. A call that is
// never answered is ended by a timeout, as for any tool.
func TestCancel(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		server := newServer(version)
		began, ended := make(chan bool, 2), make(chan error, 2)
		addTool(server, &sdk.Tool{Name: "t"}, func(ctx context.Context, _ *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			began <- true
			<-ctx.Done()
			ended <- ctx.Err()
			return nil, ctx.Err()
		})
		far := connectClient(t, server, nil)
		registry := newRegistry(t, far)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-began
			cancel()
		}()
		call := registry.Call(ctx, newRequest("t", "{}"))
		if err := <-ended; call.Status != tool.StatusCancelled || !errors.Is(call.Err, context.Canceled) || err == nil {
			t.Error(call, call.Err, err)
		}
		limited := newRegistry(t, far, tool.Use(middleware.Timeout(50*time.Millisecond)))
		if call = limited.Call(t.Context(), newRequest("t", "{}")); call.Status != tool.StatusFailed || !errors.Is(call.Err, context.DeadlineExceeded) {
			t.Error(call, call.Err)
		}
	})
	t.Run("silent", func(t *testing.T) {
		far := connectFake(t, nil, func(_ *fake, method string, _ map[string]any) any {
			if method == "tools/list" {
				return toolList(`{"name":"t"}`)
			}
			return nil
		})
		registry := newRegistry(t, far)
		ended := make(chan *tool.Call)
		ctx := tool.WithPeer(t.Context(), tool.Peer{})
		go func() { ended <- registry.Call(ctx, newRequest("t", "{}")) }()
		go far.Close() // nor does it keep the connection open
		if call := <-ended; call.Err == nil {
			t.Error(call)
		}
	})
}

// newAskingServer returns a server whose tools ask questions.
func newAskingServer(version string) *sdk.Server {
	server := newServer(version)
	form := json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`)
	each := map[string]sdk.InputRequest{
		"form":  &sdk.ElicitParams{Mode: "form", Message: "Where to?", RequestedSchema: form},
		"visit": &sdk.ElicitParams{Mode: "url", Message: "Log in.", URL: "https://example.com/login", ElicitationID: "7"},
		"model": &sdk.CreateMessageParams{SystemPrompt: "Be short.", MaxTokens: 50, Messages: []*sdk.SamplingMessage{
			{Role: "user", Content: &sdk.TextContent{Text: "Hi"}}, {Role: "assistant", Content: &sdk.TextContent{Text: "Yes?"}}}},
		"picture": &sdk.CreateMessageParams{MaxTokens: 50, Messages: []*sdk.SamplingMessage{{Role: "user", Content: &sdk.ImageContent{MIMEType: "image/png", Data: []byte{1}}}}},
		"roots":   new(sdk.ListRootsParams),
	}
	for name, question := range each {
		addTool(server, &sdk.Tool{Name: name}, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			response := r.Params.InputResponses["q"]
			if version == stateless && response == nil {
				return &sdk.CallToolResult{InputRequests: sdk.InputRequestMap{"q": question}, RequestState: "state"}, nil
			}
			var err error
			if version != stateless {
				switch q := question.(type) {
				case *sdk.ElicitParams:
					response, err = r.Session.Elicit(ctx, q)
				case *sdk.CreateMessageParams:
					response, err = r.Session.CreateMessage(ctx, q)
				case *sdk.ListRootsParams:
					response, err = r.Session.ListRoots(ctx, q)
				}
			} else if r.Params.RequestState != "state" {
				err = errors.New("the state did not come back")
			}
			if err != nil {
				return nil, err
			}
			text, err := json.Marshal(response)
			return textResult(string(text)), err
		})
	}
	return server
}

// TestAsk checks that the driver of a call is asked the server's question: immediately, later, when
// the call is repeated, or not at all.
func TestAsk(t *testing.T) {
	answers := map[tool.QuestionKind]string{tool.QuestionPerson: `{"city":"Rome"}`, tool.QuestionModel: `"short"`, tool.QuestionRoots: `[{"uri":"file:///home"}]`, tool.QuestionVisit: ``}
	eachVersion(t, func(t *testing.T, version string) {
		registry := newRegistry(t, connectClient(t, newAskingServer(version), nil))
		var asked []tool.Question
		ctx := tool.WithPeer(t.Context(), tool.Peer{Ask: func(_ context.Context, questions []tool.Question) (all []tool.Answer, err error) {
			asked = append(asked, questions...)
			for _, q := range questions {
				all = append(all, q.Accept(json.RawMessage(answers[q.Kind])))
			}
			return all, nil
		}})
		for _, test := range []struct{ name, question, atOnce, nobody string }{
			{"form", `{"kind":"person","from":"tool \"form\" of MCP server \"far\"","text":"Where to?","schema":{"properties":{"city":{"type":"string"}},"required":["city"],"type":"object"}}`, `{"action":"accept","content":{"city":"Rome"}}`, `{"action":"cancel"}`},
			{"visit", `{"kind":"visit","from":"tool \"visit\" of MCP server \"far\"","text":"Log in.","url":"https://example.com/login"}`, `{"action":"accept"}`, `{"action":"cancel"}`},
			{"model", `{"kind":"model","from":"tool \"model\" of MCP server \"far\"","text":"Be short.\n\nuser: Hi\n\nassistant: Yes?","max_tokens":50}`, `"text":"short"`, ``},
			{"roots", `{"kind":"roots","from":"tool \"roots\" of MCP server \"far\""}`, `{"roots":[{"uri":"file:///home"}]}`, `{"roots":[]}`},
		} {
			asked = nil
			call := registry.Call(ctx, newRequest(test.name, "{}"))
			var output string
			_ = json.Unmarshal(call.Output, &output)
			if call.Err != nil || !strings.Contains(output, test.atOnce) {
				t.Errorf("%s: at once, it is told %s, %v", test.name, output, call.Err)
			}
			if text, _ := json.Marshal(asked); string(text) != "["+test.question+"]" {
				t.Errorf("%s: asked was %s", test.name, text)
			}

			later := tool.WithPeer(t.Context(), tool.Peer{Ask: func(context.Context, []tool.Question) ([]tool.Answer, error) { return nil, tool.ErrAnswersPending }})
			call = registry.Call(later, newRequest(test.name, "{}"))
			var open *tool.AskError
			if !errors.As(call.Err, &open) || open.Nobody || len(open.Questions) != 1 {
				t.Errorf("%s: later, it fails with %v", test.name, call.Err)
				continue
			}
			q := open.Questions[0]
			call = registry.Call(later, open.RequestWithAnswers(call.Request, q.Accept(json.RawMessage(answers[q.Kind]))))
			output = ""
			_ = json.Unmarshal(call.Output, &output)
			if call.Err != nil || !strings.Contains(output, test.atOnce) {
				t.Errorf("%s: later, it is told %s, %v", test.name, output, call.Err)
			}

			call = registry.Call(t.Context(), newRequest(test.name, "{}"))
			output = ""
			_ = json.Unmarshal(call.Output, &output)
			if test.nobody != "" && (call.Err != nil || !strings.Contains(output, test.nobody)) || test.nobody == "" && call.Err == nil {
				t.Errorf("%s: where is nobody, it is told %s, %v", test.name, output, call.Err)
			}
		}
		if call := registry.Call(ctx, newRequest("picture", "{}")); call.Err == nil || !strings.Contains(call.Err.Error(), "content other than text") {
			t.Errorf("%s, %v", call.Output, call.Err)
		}
	})
}

// TestAskAmong checks that a question in a session with several running calls cannot be assigned to
// one of them.
func TestAskAmong(t *testing.T) {
	server := newAskingServer(withSessions)
	began, ended := make(chan bool), make(chan bool)
	addTool(server, &sdk.Tool{Name: "wait"}, func(ctx context.Context, _ *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		began <- true
		<-ended
		return textResult("waited"), nil
	})
	registry := newRegistry(t, connectClient(t, server, nil))
	ctx := tool.WithPeer(t.Context(), tool.Peer{Ask: func(_ context.Context, questions []tool.Question) ([]tool.Answer, error) {
		t.Error("somebody was asked")
		return nil, errors.New("not here")
	}})
	waited := make(chan *tool.Call)
	go func() { waited <- registry.Call(ctx, newRequest("wait", "{}")) }()
	<-began
	if call := registry.Call(ctx, newRequest("form", "{}")); call.Err == nil || !strings.Contains(call.Err.Error(), "cannot ask a question: 2 calls running") {
		t.Errorf("%s, %v", call.Output, call.Err)
	}
	ended <- true
	if call := <-waited; call.Err != nil {
		t.Error(call.Err)
	}
}

// TestHandlers checks that questions with a handler of the program are not passed on.
func TestHandlers(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		far := connectClient(t, newAskingServer(version), &sdk.ClientOptions{
			ElicitationHandler: func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
				return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"city": "Oslo"}}, nil
			},
			CreateMessageHandler: func(context.Context, *sdk.CreateMessageRequest) (*sdk.CreateMessageResult, error) {
				return &sdk.CreateMessageResult{Role: "assistant", Model: "own", Content: &sdk.TextContent{Text: "mine"}}, nil
			},
		})
		registry := newRegistry(t, far)
		for name, want := range map[string]string{"form": "Oslo", "model": "mine"} {
			if call := registry.Call(t.Context(), newRequest(name, "{}")); call.Err != nil || !strings.Contains(string(call.Output), want) {
				t.Errorf("%s: %s, %v", name, call.Output, call.Err)
			}
		}
	})
}

// TestVisit checks a server that reports by an error that a person must visit a URL first.
func TestVisit(t *testing.T) {
	server := newServer(withSessions)
	visited := false
	addTool(server, &sdk.Tool{Name: "t"}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		if !visited {
			return nil, sdk.URLElicitationRequiredError([]*sdk.ElicitParams{{Mode: "url", Message: "Log in.", URL: "https://example.com/login", ElicitationID: "7"}})
		}
		return textResult("in"), nil
	})
	registry := newRegistry(t, connectClient(t, server, nil))
	if call := registry.Call(t.Context(), newRequest("t", "{}")); call.Err == nil {
		t.Error("there is no error")
	}
	ctx := tool.WithPeer(t.Context(), tool.Peer{Ask: func(_ context.Context, questions []tool.Question) ([]tool.Answer, error) {
		visited = true
		return []tool.Answer{questions[0].Accept(nil)}, nil
	}})
	if call := registry.Call(ctx, newRequest("t", "{}")); call.Err != nil || string(call.Output) != `"in"` {
		t.Error(call, call.Err)
	}
}

// TestAskAgain checks the limits on how often a server can ask, and on how many questions at once.
func TestAskAgain(t *testing.T) {
	server := newServer(stateless)
	rounds := 0
	question := func(i int) sdk.InputRequest {
		return &sdk.ElicitParams{Mode: "form", Message: fmt.Sprint("And?", i), RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`)}
	}
	addTool(server, &sdk.Tool{Name: "endless"}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		rounds++
		return &sdk.CallToolResult{InputRequests: sdk.InputRequestMap{"q": question(rounds)}}, nil
	})
	addTool(server, &sdk.Tool{Name: "many"}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		all := sdk.InputRequestMap{}
		for i := range 21 {
			all[fmt.Sprint(i)] = question(i)
		}
		return &sdk.CallToolResult{InputRequests: all}, nil
	})
	registry := newRegistry(t, connectClient(t, server, nil))
	if call := registry.Call(t.Context(), newRequest("endless", "{}")); call.Err == nil || rounds != 10 || !strings.Contains(call.Err.Error(), "gets no more answers") {
		t.Error(rounds, call.Err)
	}
	if call := registry.Call(t.Context(), newRequest("many", "{}")); call.Err == nil || !strings.Contains(call.Err.Error(), "asks 21 questions at once") {
		t.Error(call.Err)
	}
}

// TestAskStorm checks that a server in a session cannot ask indefinitely. Its call ends, and the next
// one works.
func TestAskStorm(t *testing.T) {
	var over atomic.Bool // the call during which the server asks
	far := connectFake(t, nil, func(f *fake, method string, params map[string]any) any {
		switch {
		case method == "tools/list":
			return toolList(`{"name":"storm"}`, `{"name":"calm"}`)
		case method == "notifications/cancelled":
			over.Store(true) // later questions of the server would belong to the next call
			return nil
		case method != "tools/call":
			return nil
		case params["name"] == "calm":
			over.Store(true)
			return map[string]any{"content": []any{}}
		}
		go func() {
			for i := 0; i < 300 && !over.Load(); i++ { // at most 100 are left for the next call
				f.sendMessage(map[string]any{"jsonrpc": "2.0", "id": fmt.Sprint("q", i), "method": "elicitation/create", "params": map[string]any{
					"message": fmt.Sprint("Sure?", i), "requestedSchema": map[string]any{"type": "object", "properties": map[string]any{}},
				}})
			}
		}()
		return nil // never
	})
	registry := newRegistry(t, far)
	var asked atomic.Int32
	ctx := tool.WithPeer(t.Context(), tool.Peer{Ask: func(_ context.Context, questions []tool.Question) ([]tool.Answer, error) {
		asked.Add(1)
		return []tool.Answer{questions[0].Decline()}, nil
	}})
	if call := registry.Call(ctx, newRequest("storm", "{}")); call.Err == nil || asked.Load() > 200 || !strings.Contains(call.Err.Error(), "asked more than 200 questions in one call") {
		t.Error(asked.Load(), call.Err)
	}
	if call := registry.Call(ctx, newRequest("calm", "{}")); call.Err != nil {
		t.Error(call.Err)
	}
}

// TestErrors checks the messages of errors that tools do not cause.
func TestErrors(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	far := connectFake(t, nil, func(_ *fake, method string, params map[string]any) any {
		switch method {
		case "tools/list":
			return toolList(`{"name":"refuse"}`, `{"name":"fail"}`)
		case "tools/call":
			if params["name"] == "fail" {
				return map[string]any{"isError": true, "content": []any{map[string]any{"type": "text", "text": long}}}
			}
			return errors.New("not today")
		}
		return nil
	})
	registry := newRegistry(t, far)
	call := registry.Call(t.Context(), newRequest("refuse", "{}"))
	var refused *jsonrpc.Error
	if call.Err == nil || call.Err.Error() != "refuse: the server refused the call: not today" || !errors.As(call.Err, &refused) {
		t.Error(call.Err)
	}
	if call := registry.Call(t.Context(), newRequest("fail", "{}")); call.Err == nil || len(call.Err.Error()) > 20_000 {
		t.Errorf("%d bytes of error", len(call.Err.Error()))
	}
}

// TestNothingAsked checks that a question without content ends only that question.
func TestNothingAsked(t *testing.T) {
	for _, ask := range []string{
		`"method":"elicitation/create"`,
		`"method":"elicitation/create","params":null`,
		`"method":"sampling/createMessage","params":{"maxTokens":1,"messages":[null]}`,
	} {
		answered := make(chan any, 1)
		far := connectFake(t, &sdk.ClientOptions{Logger: slog.New(slog.DiscardHandler)}, func(f *fake, method string, _ map[string]any) any {
			switch method {
			case "tools/list":
				return toolList(`{"name":"t"}`)
			case "tools/call":
				f.sendMessage(json.RawMessage(`{"jsonrpc":"2.0","id":"q",` + ask + `}`))
				return json.RawMessage(`{"content":[]}`)
			case "":
				answered <- nil
			}
			return nil
		})
		if call := newRegistry(t, far).Call(t.Context(), newRequest("t", "{}")); call.Err != nil {
			t.Error(call.Err)
		}
		<-answered
	}
}

// TestTooMuch checks that an answer that is too long fails its call with an unknown outcome.
func TestTooMuch(t *testing.T) {
	result := func(size int) any {
		return map[string]any{"content": []any{map[string]any{"type": "text", "text": strings.Repeat("x", size)}}}
	}
	t.Run("output", func(t *testing.T) {
		far := connectFake(t, nil, func(_ *fake, method string, _ map[string]any) any {
			switch method {
			case "tools/list":
				return toolList(`{"name":"t"}`)
			case "tools/call":
				return result(2000)
			}
			return nil
		})
		var long *tool.OutputError
		if call := newRegistry(t, far, tool.MaxOutput(1000)).Call(t.Context(), newRequest("t", "{}")); !errors.As(call.Err, &long) {
			t.Error(call.Err)
		}
	})
	t.Run("line", func(t *testing.T) {
		far := connectFake(t, nil, func(_ *fake, method string, _ map[string]any) any {
			switch method {
			case "tools/list":
				return toolList(`{"name":"t"}`)
			case "tools/call":
				return result(17 << 20)
			}
			return nil
		})
		registry := newRegistry(t, far)
		if call := registry.Call(t.Context(), newRequest("t", "{}")); call.Err == nil || !strings.Contains(call.Err.Error(), "the answer of the server cannot be read: it is longer than 16777216 bytes") {
			t.Error(call.Err)
		}
	})
	t.Run("http", func(t *testing.T) {
		far := connectHTTP(t, func(string) any { return result(17 << 20) })
		if call := newRegistry(t, far).Call(t.Context(), newRequest("t", "{}")); call.Err == nil || !strings.Contains(call.Err.Error(), "the answer of the server cannot be read: it is longer than 16777216 bytes") {
			t.Error(call.Err)
		}
	})
}

// connectHTTP connects to a server that refuses notifications.
func connectHTTP(t *testing.T, answer func(method string) any) *remote.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		if r.Method != http.MethodPost || json.NewDecoder(r.Body).Decode(&m) != nil {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		response := map[string]any{"jsonrpc": "2.0", "id": m.ID}
		switch m.Method {
		case "server/discover":
			response["error"] = map[string]any{"code": -32601, "message": "unknown"}
		case "initialize":
			response["result"] = map[string]any{"protocolVersion": withSessions, "serverInfo": map[string]any{"name": "fake", "version": "1"}, "capabilities": map[string]any{"tools": map[string]any{}}}
		case "tools/list":
			response["result"] = toolList(`{"name":"t"}`)
		case "tools/call":
			response["result"] = answer(m.Method)
		case "notifications/cancelled":
			w.WriteHeader(http.StatusBadRequest)
			return
		default:
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(response)
	}))
	t.Cleanup(server.Close)
	far, err := remote.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = far.Close() })
	return far
}

// TestRefused checks that the connection survives if a server refuses the notification of a canceled
// call. In an earlier version, the SDK ended it.
func TestRefused(t *testing.T) {
	calls := make(chan context.CancelFunc, 2)
	far := connectHTTP(t, func(string) any {
		if cancel := <-calls; cancel != nil {
			cancel()
			<-t.Context().Done()
		}
		return map[string]any{"content": []any{}}
	})
	registry := newRegistry(t, far)
	ctx, cancel := context.WithCancel(t.Context())
	calls <- cancel
	if call := registry.Call(ctx, newRequest("t", "{}")); call.Status != tool.StatusCancelled {
		t.Error(call, call.Err)
	}
	for range 3 {
		calls <- nil
		if call := registry.Call(t.Context(), newRequest("t", "{}")); call.Err != nil {
			t.Error(call.Err)
		}
	}
}
