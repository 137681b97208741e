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

	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/guard"
	"github.com/aiongen/aiongen/runtime/mcp/remote"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestResults: what the answers of a server become.
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
					return listed(`{"name":"t"}`)
				}
				return listed(`{"name":"t","outputSchema":` + test.schema + `}`)
			case "tools/call":
				return json.RawMessage(test.answer)
			}
			return nil
		})
		call := registered(t, far).Call(t.Context(), request("t", "{}"))
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

// TestSent: what a server gets of a call; nothing, if the arguments are wrong.
func TestSent(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		server := newServer(version)
		sent := make(chan *sdk.CallToolParamsRaw, 1)
		add(server, &sdk.Tool{Name: "t", InputSchema: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer","maximum":9007199254740993}},"required":["n"]}`)},
			func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
				sent <- r.Params
				return say("ok"), nil
			})
		registry := registered(t, connect(t, server, nil))
		call := registry.Call(t.Context(), request("t", `{"n":"7"}`))
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

// TestProgress: how far a call is is told to who drives it, and nobody else.
func TestProgress(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		server := newServer(version)
		told := make(chan string)
		add(server, &sdk.Tool{Name: "t"}, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			for i := range 3 {
				err := r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: float64(i), Total: 3, Message: strings.Repeat("m", 2000)})
				if err != nil {
					return nil, err
				}
				<-told
			}
			return say(string(r.Params.Arguments)), nil
		})
		others := make(chan any, 10)
		far := connect(t, server, &sdk.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) { others <- r.Params }})
		registry := registered(t, far)
		ctx := tool.WithPeer(t.Context(), tool.Peer{Progress: func(done, total float64, text string) {
			told <- fmt.Sprint(done, total, len(text))
		}})
		var ended = make(chan *tool.Call)
		go func() { ended <- registry.Call(ctx, request("t", "{}")) }()
		if call := <-ended; call.Err != nil || len(others) > 0 {
			t.Error(call.Err, len(others))
		}
	})
}

// TestCancel: who cancels a call waits no longer, and the server is told. One that never
// answers is bound by a limit of time as any tool is.
func TestCancel(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		server := newServer(version)
		began, ended := make(chan bool, 2), make(chan error, 2)
		add(server, &sdk.Tool{Name: "t"}, func(ctx context.Context, _ *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			began <- true
			<-ctx.Done()
			ended <- ctx.Err()
			return nil, ctx.Err()
		})
		far := connect(t, server, nil)
		registry := registered(t, far)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-began
			cancel()
		}()
		call := registry.Call(ctx, request("t", "{}"))
		if err := <-ended; call.Status != tool.StatusCancelled || !errors.Is(call.Err, context.Canceled) || err == nil {
			t.Error(call, call.Err, err)
		}
		limited := registered(t, far, tool.Use(guard.Timeout(50*time.Millisecond)))
		if call = limited.Call(t.Context(), request("t", "{}")); call.Status != tool.StatusFailed || !errors.Is(call.Err, context.DeadlineExceeded) {
			t.Error(call, call.Err)
		}
	})
	t.Run("silent", func(t *testing.T) {
		far := connectFake(t, nil, func(_ *fake, method string, _ map[string]any) any {
			if method == "tools/list" {
				return listed(`{"name":"t"}`)
			}
			return nil
		})
		registry := registered(t, far)
		ended := make(chan *tool.Call)
		ctx := tool.WithPeer(t.Context(), tool.Peer{})
		go func() { ended <- registry.Call(ctx, request("t", "{}")) }()
		go far.Close() // nor does it keep the connection open
		if call := <-ended; call.Err == nil {
			t.Error(call)
		}
	})
}

// asking is a server whose tools ask.
func asking(version string) *sdk.Server {
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
		add(server, &sdk.Tool{Name: name}, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
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
			return say(string(text)), err
		})
	}
	return server
}

// TestAsk: what a server asks is asked of who drives the call: at once, later, when the
// call is made again, or by nobody.
func TestAsk(t *testing.T) {
	answers := map[ask.Kind]string{ask.KindPerson: `{"city":"Rome"}`, ask.KindModel: `"short"`, ask.KindRoots: `[{"uri":"file:///home"}]`, ask.KindVisit: ``}
	eachVersion(t, func(t *testing.T, version string) {
		registry := registered(t, connect(t, asking(version), nil))
		var asked []ask.Question
		ctx := tool.WithPeer(t.Context(), tool.Peer{Ask: func(_ context.Context, questions []ask.Question) (all []ask.Answer, err error) {
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
			call := registry.Call(ctx, request(test.name, "{}"))
			var output string
			_ = json.Unmarshal(call.Output, &output)
			if call.Err != nil || !strings.Contains(output, test.atOnce) {
				t.Errorf("%s: at once, it is told %s, %v", test.name, output, call.Err)
			}
			if text, _ := json.Marshal(asked); string(text) != "["+test.question+"]" {
				t.Errorf("%s: asked was %s", test.name, text)
			}

			later := tool.WithPeer(t.Context(), tool.Peer{Ask: func(context.Context, []ask.Question) ([]ask.Answer, error) { return nil, tool.ErrLater }})
			call = registry.Call(later, request(test.name, "{}"))
			var open *tool.AskError
			if !errors.As(call.Err, &open) || open.Nobody || len(open.Questions) != 1 {
				t.Errorf("%s: later, it fails with %v", test.name, call.Err)
				continue
			}
			q := open.Questions[0]
			call = registry.Call(later, open.Again(call.Request, q.Accept(json.RawMessage(answers[q.Kind]))))
			output = ""
			_ = json.Unmarshal(call.Output, &output)
			if call.Err != nil || !strings.Contains(output, test.atOnce) {
				t.Errorf("%s: later, it is told %s, %v", test.name, output, call.Err)
			}

			call = registry.Call(t.Context(), request(test.name, "{}"))
			output = ""
			_ = json.Unmarshal(call.Output, &output)
			if test.nobody != "" && (call.Err != nil || !strings.Contains(output, test.nobody)) || test.nobody == "" && call.Err == nil {
				t.Errorf("%s: where is nobody, it is told %s, %v", test.name, output, call.Err)
			}
		}
		if call := registry.Call(ctx, request("picture", "{}")); call.Err == nil || !strings.Contains(call.Err.Error(), "content other than text") {
			t.Errorf("%s, %v", call.Output, call.Err)
		}
	})
}

// TestAskAmong: while several calls run in a session, nobody knows which one asks.
func TestAskAmong(t *testing.T) {
	server := asking(withSessions)
	began, ended := make(chan bool), make(chan bool)
	add(server, &sdk.Tool{Name: "wait"}, func(ctx context.Context, _ *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		began <- true
		<-ended
		return say("waited"), nil
	})
	registry := registered(t, connect(t, server, nil))
	ctx := tool.WithPeer(t.Context(), tool.Peer{Ask: func(_ context.Context, questions []ask.Question) ([]ask.Answer, error) {
		t.Error("somebody was asked")
		return nil, errors.New("not here")
	}})
	waited := make(chan *tool.Call)
	go func() { waited <- registry.Call(ctx, request("wait", "{}")) }()
	<-began
	if call := registry.Call(ctx, request("form", "{}")); call.Err == nil || !strings.Contains(call.Err.Error(), "nobody can be asked: 2 calls run") {
		t.Errorf("%s, %v", call.Output, call.Err)
	}
	ended <- true
	if call := <-waited; call.Err != nil {
		t.Error(call.Err)
	}
}

// TestHandlers: what a program handles by itself stays with it.
func TestHandlers(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		far := connect(t, asking(version), &sdk.ClientOptions{
			ElicitationHandler: func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
				return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"city": "Oslo"}}, nil
			},
			CreateMessageHandler: func(context.Context, *sdk.CreateMessageRequest) (*sdk.CreateMessageResult, error) {
				return &sdk.CreateMessageResult{Role: "assistant", Model: "own", Content: &sdk.TextContent{Text: "mine"}}, nil
			},
		})
		registry := registered(t, far)
		for name, want := range map[string]string{"form": "Oslo", "model": "mine"} {
			if call := registry.Call(t.Context(), request(name, "{}")); call.Err != nil || !strings.Contains(string(call.Output), want) {
				t.Errorf("%s: %s, %v", name, call.Output, call.Err)
			}
		}
	})
}

// TestVisit: a server that has a person go to a URL before says so by an error.
func TestVisit(t *testing.T) {
	server := newServer(withSessions)
	visited := false
	add(server, &sdk.Tool{Name: "t"}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		if !visited {
			return nil, sdk.URLElicitationRequiredError([]*sdk.ElicitParams{{Mode: "url", Message: "Log in.", URL: "https://example.com/login", ElicitationID: "7"}})
		}
		return say("in"), nil
	})
	registry := registered(t, connect(t, server, nil))
	if call := registry.Call(t.Context(), request("t", "{}")); call.Err == nil {
		t.Error("there is no error")
	}
	ctx := tool.WithPeer(t.Context(), tool.Peer{Ask: func(_ context.Context, questions []ask.Question) ([]ask.Answer, error) {
		visited = true
		return []ask.Answer{questions[0].Accept(nil)}, nil
	}})
	if call := registry.Call(ctx, request("t", "{}")); call.Err != nil || string(call.Output) != `"in"` {
		t.Error(call, call.Err)
	}
}

// TestAskAgain: a server that asks for ever is not answered for ever, nor everything at
// once.
func TestAskAgain(t *testing.T) {
	server := newServer(stateless)
	rounds := 0
	question := func(i int) sdk.InputRequest {
		return &sdk.ElicitParams{Mode: "form", Message: fmt.Sprint("And?", i), RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`)}
	}
	add(server, &sdk.Tool{Name: "endless"}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		rounds++
		return &sdk.CallToolResult{InputRequests: sdk.InputRequestMap{"q": question(rounds)}}, nil
	})
	add(server, &sdk.Tool{Name: "many"}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		all := sdk.InputRequestMap{}
		for i := range 21 {
			all[fmt.Sprint(i)] = question(i)
		}
		return &sdk.CallToolResult{InputRequests: all}, nil
	})
	registry := registered(t, connect(t, server, nil))
	if call := registry.Call(t.Context(), request("endless", "{}")); call.Err == nil || rounds != 10 || !strings.Contains(call.Err.Error(), "gets no more answers") {
		t.Error(rounds, call.Err)
	}
	if call := registry.Call(t.Context(), request("many", "{}")); call.Err == nil || !strings.Contains(call.Err.Error(), "asks 21 questions at once") {
		t.Error(call.Err)
	}
}

// TestAskStorm: in a session, too, a server is not answered for ever; its call ends, and the
// next one is as any other.
func TestAskStorm(t *testing.T) {
	far := connectFake(t, nil, func(f *fake, method string, params map[string]any) any {
		switch {
		case method == "tools/list":
			return listed(`{"name":"storm"}`, `{"name":"calm"}`)
		case method != "tools/call":
			return nil
		case params["name"] == "calm":
			return map[string]any{"content": []any{}}
		}
		go func() {
			for i := range 1000 {
				f.send(map[string]any{"jsonrpc": "2.0", "id": fmt.Sprint("q", i), "method": "elicitation/create", "params": map[string]any{
					"message": fmt.Sprint("Sure?", i), "requestedSchema": map[string]any{"type": "object", "properties": map[string]any{}},
				}})
			}
		}()
		return nil // never
	})
	registry := registered(t, far)
	var asked atomic.Int32
	ctx := tool.WithPeer(t.Context(), tool.Peer{Ask: func(_ context.Context, questions []ask.Question) ([]ask.Answer, error) {
		asked.Add(1)
		return []ask.Answer{questions[0].Decline()}, nil
	}})
	if call := registry.Call(ctx, request("storm", "{}")); call.Err == nil || asked.Load() > 200 || !strings.Contains(call.Err.Error(), "asked more than 200 questions in one call") {
		t.Error(asked.Load(), call.Err)
	}
	if call := registry.Call(ctx, request("calm", "{}")); call.Err != nil {
		t.Error(call.Err)
	}
}

// TestErrors: what goes wrong besides a tool, in words.
func TestErrors(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	far := connectFake(t, nil, func(_ *fake, method string, params map[string]any) any {
		switch method {
		case "tools/list":
			return listed(`{"name":"refuse"}`, `{"name":"fail"}`)
		case "tools/call":
			if params["name"] == "fail" {
				return map[string]any{"isError": true, "content": []any{map[string]any{"type": "text", "text": long}}}
			}
			return errors.New("not today")
		}
		return nil
	})
	registry := registered(t, far)
	call := registry.Call(t.Context(), request("refuse", "{}"))
	var refused *jsonrpc.Error
	if call.Err == nil || call.Err.Error() != "refuse: the server refused the call: not today" || !errors.As(call.Err, &refused) {
		t.Error(call.Err)
	}
	if call := registry.Call(t.Context(), request("fail", "{}")); call.Err == nil || len(call.Err.Error()) > 20_000 {
		t.Errorf("%d bytes of error", len(call.Err.Error()))
	}
}

// TestNothingAsked: a server that asks without saying what ends nothing but its question.
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
				return listed(`{"name":"t"}`)
			case "tools/call":
				f.send(json.RawMessage(`{"jsonrpc":"2.0","id":"q",` + ask + `}`))
				return json.RawMessage(`{"content":[]}`)
			case "":
				answered <- nil
			}
			return nil
		})
		if call := registered(t, far).Call(t.Context(), request("t", "{}")); call.Err != nil {
			t.Error(call.Err)
		}
		<-answered
	}
}

// TestTooMuch: an answer that is too long fails its call. It is not known what the call did.
func TestTooMuch(t *testing.T) {
	result := func(size int) any {
		return map[string]any{"content": []any{map[string]any{"type": "text", "text": strings.Repeat("x", size)}}}
	}
	t.Run("output", func(t *testing.T) {
		far := connectFake(t, nil, func(_ *fake, method string, _ map[string]any) any {
			switch method {
			case "tools/list":
				return listed(`{"name":"t"}`)
			case "tools/call":
				return result(2000)
			}
			return nil
		})
		var long *tool.OutputError
		if call := registered(t, far, tool.MaxOutput(1000)).Call(t.Context(), request("t", "{}")); !errors.As(call.Err, &long) {
			t.Error(call.Err)
		}
	})
	t.Run("line", func(t *testing.T) {
		far := connectFake(t, nil, func(_ *fake, method string, _ map[string]any) any {
			switch method {
			case "tools/list":
				return listed(`{"name":"t"}`)
			case "tools/call":
				return result(17 << 20)
			}
			return nil
		})
		registry := registered(t, far)
		if call := registry.Call(t.Context(), request("t", "{}")); call.Err == nil || !strings.Contains(call.Err.Error(), "the answer of the server cannot be read: it is longer than 16777216 bytes") {
			t.Error(call.Err)
		}
	})
	t.Run("http", func(t *testing.T) {
		far := connectHTTP(t, func(string) any { return result(17 << 20) })
		if call := registered(t, far).Call(t.Context(), request("t", "{}")); call.Err == nil || !strings.Contains(call.Err.Error(), "the answer of the server cannot be read: it is longer than 16777216 bytes") {
			t.Error(call.Err)
		}
	})
}

// connectHTTP connects to a server that refuses to be told anything.
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
			response["result"] = listed(`{"name":"t"}`)
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

// TestRefused: a server that refuses to be told that a call was cancelled is asked again.
// The SDK ended the connection.
func TestRefused(t *testing.T) {
	calls := make(chan context.CancelFunc, 2)
	far := connectHTTP(t, func(string) any {
		if cancel := <-calls; cancel != nil {
			cancel()
			<-t.Context().Done()
		}
		return map[string]any{"content": []any{}}
	})
	registry := registered(t, far)
	ctx, cancel := context.WithCancel(t.Context())
	calls <- cancel
	if call := registry.Call(ctx, request("t", "{}")); call.Status != tool.StatusCancelled {
		t.Error(call, call.Err)
	}
	for range 3 {
		calls <- nil
		if call := registry.Call(t.Context(), request("t", "{}")); call.Err != nil {
			t.Error(call.Err)
		}
	}
}
