package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp"
	"github.com/aiongen/aiongen/runtime/middleware"
	"github.com/aiongen/aiongen/runtime/tool"
)

const cities = `{"type":"object","properties":{"city":{"type":"string","enum":["Rome","Oslo"]}},"required":["city"]}`

// newTripTool returns a tool that asks a person, a model and for roots, two of them at once. runs
// counts how often it was started.
func newTripTool(runs *atomic.Int32) tool.Tool {
	return textTool("trip", func(ctx context.Context, name string) (string, error) {
		runs.Add(1)
		x := tool.ExchangeFrom(ctx)
		where, err := x.Ask(ctx, tool.AskPerson("Where to, "+name+"?", json.RawMessage(cities)).WithName("city"))
		if err != nil {
			return "", err
		}
		if !where[0].Accepted() {
			return "stays at home", nil
		}
		var to struct{ City string }
		if err := where[0].Into(&to); err != nil {
			return "", err
		}
		more, err := x.Ask(ctx, tool.AskModel("Praise "+to.City+".", 100), tool.AskRoots(), tool.AskVisit("Pay.", "https://example.com/pay"))
		if err != nil {
			return "", fmt.Errorf("to plan: %w", err)
		}
		var praise string
		var roots []tool.Root
		if err := errors.Join(more[0].Into(&praise), more[1].Into(&roots)); err != nil {
			return "", err
		}
		return fmt.Sprintf("%s: %s %s %s", to.City, praise, roots[0].URI, more[2].Action), nil
	})
}

// clientOptions returns the options of a client that can answer every kind of question.
func clientOptions(elicit func(*sdk.ElicitParams) (*sdk.ElicitResult, error)) *sdk.ClientOptions {
	return &sdk.ClientOptions{
		Capabilities: &sdk.ClientCapabilities{
			RootsV2:     &sdk.RootCapabilities{},
			Elicitation: &sdk.ElicitationCapabilities{Form: &sdk.FormElicitationCapabilities{}, URL: &sdk.URLElicitationCapabilities{}},
		},
		ElicitationHandler: func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) { return elicit(r.Params) },
		CreateMessageHandler: func(_ context.Context, r *sdk.CreateMessageRequest) (*sdk.CreateMessageResult, error) {
			return &sdk.CreateMessageResult{Role: "assistant", Model: "m", Content: &sdk.TextContent{Text: "<" + r.Params.Messages[0].Content.(*sdk.TextContent).Text + ">"}}, nil
		},
	}
}

// TestAsk checks questions to a person, a model and for roots, in all versions. Only without sessions
// is the code before a question executed again.
func TestAsk(t *testing.T) {
	for version, runs := range map[string]int32{withSessions: 1, stateless: 3} {
		for action, want := range map[string]string{
			"accept":  "Rome: <Praise Rome.> file:///home accept",
			"decline": "stays at home",
			"cancel":  "stays at home",
		} {
			t.Run(version+" "+action, func(t *testing.T) {
				var ran atomic.Int32
				r := tool.NewRegistry()
				r.Replace(newTripTool(&ran))
				here, there := sdk.NewInMemoryTransports()
				go func() { _ = newServer(t, r).Serve(context.WithoutCancel(t.Context()), there) }()
				client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, clientOptions(func(p *sdk.ElicitParams) (*sdk.ElicitResult, error) {
					if p.Mode == "url" {
						return &sdk.ElicitResult{Action: "accept"}, nil
					}
					if p.Message != "Where to, Ann?" {
						t.Errorf("asked is %q", p.Message)
					}
					return &sdk.ElicitResult{Action: action, Content: map[string]any{"city": "Rome"}}, nil
				}))
				client.AddRoots(&sdk.Root{URI: "file:///home", Name: "home"})
				session, err := client.Connect(t.Context(), here, &sdk.ClientSessionOptions{ProtocolVersion: version})
				if err != nil {
					t.Fatal(err)
				}
				defer session.Close()
				text, _, isError := callTool(t, session, "trip", `{"text":"Ann"}`)
				if text != want || isError {
					t.Errorf("%q, want %q", text, want)
				}
				wanted := runs
				if action != "accept" {
					wanted = min(runs, 2)
				}
				if got := ran.Load(); got != wanted {
					t.Errorf("it began %d times, want %d", got, wanted)
				}
			})
		}
	}
}

// TestAskWays checks that questions arrive over every transport.
func TestAskWays(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	process := func() sdk.Transport {
		server := exec.CommandContext(t.Context(), program)
		server.Env = append(os.Environ(), asServer+"=1")
		return &sdk.CommandTransport{Command: server}
	}
	r := tool.NewRegistry()
	r.Replace(newTripTool(new(atomic.Int32)))
	url := listenHTTP(t, r)
	options := clientOptions(func(p *sdk.ElicitParams) (*sdk.ElicitResult, error) {
		if p.Mode == "url" {
			return &sdk.ElicitResult{Action: "cancel"}, nil
		}
		return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"city": "Oslo"}}, nil
	})
	for name, way := range map[string]func() sdk.Transport{
		"stdio": process,
		"HTTP":  func() sdk.Transport { return &sdk.StreamableClientTransport{Endpoint: url} },
	} {
		for _, version := range versions {
			t.Run(name+" "+version, func(t *testing.T) {
				client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, options)
				client.AddRoots(&sdk.Root{URI: "file:///home", Name: "home"})
				session, err := client.Connect(t.Context(), way(), &sdk.ClientSessionOptions{ProtocolVersion: version})
				if err != nil {
					t.Fatal(err)
				}
				defer session.Close()
				if text, _, isError := callTool(t, session, "trip", `{"text":"Ann"}`); text != "Oslo: <Praise Oslo.> file:///home cancel" || isError {
					t.Error(text)
				}
			})
		}
	}
}

// TestDefaults checks that fields which a person leaves out have the defaults of the schema, in all
// versions.
func TestDefaults(t *testing.T) {
	const schema = `{"type":"object","properties":{"nights":{"type":"integer","default":2},"city":{"type":"string"}}}`
	eachVersion(t, func(t *testing.T, version string) {
		r := tool.NewRegistry()
		r.Replace(textTool("book", func(ctx context.Context, text string) (string, error) {
			answers, err := tool.ExchangeFrom(ctx).Ask(ctx, tool.AskPerson("How long?", json.RawMessage(schema)))
			if err != nil {
				return "", err
			}
			return string(answers[0].Value), nil
		}))
		for _, test := range []struct {
			content map[string]any
			want    string
		}{
			{nil, `{"nights":2}`},
			{map[string]any{"city": "Rome"}, `{"city":"Rome","nights":2}`},
			{map[string]any{"nights": 3}, `{"nights":3}`},
		} {
			session := connectClient(t, newServer(t, r), version, clientOptions(func(p *sdk.ElicitParams) (*sdk.ElicitResult, error) {
				return &sdk.ElicitResult{Action: "accept", Content: test.content}, nil
			}))
			if text, _, isError := callTool(t, session, "book", `{"text":""}`); text != test.want || isError {
				t.Errorf("%v: %s, want %s", test.content, text, test.want)
			}
		}
	})
}

// TestNegotiated checks that a client in a session is asked as in its version, even if it requested a
// version without sessions.
func TestNegotiated(t *testing.T) {
	for _, wanted := range []string{"2025-06-18", withSessions, stateless, "2099-01-01"} {
		r := tool.NewRegistry()
		r.Replace(newTripTool(new(atomic.Int32)))
		here, there := sdk.NewInMemoryTransports()
		go func() { _ = newServer(t, r).Serve(context.WithoutCancel(t.Context()), there) }()
		connection, err := here.Connect(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		exchange := func(message string) any {
			t.Helper()
			m, err := jsonrpc.DecodeMessage([]byte(message))
			if err == nil {
				err = connection.Write(t.Context(), m)
			}
			if err == nil {
				m, err = connection.Read(t.Context())
			}
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
		answer := exchange(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + wanted + `","capabilities":{"elicitation":{}},"clientInfo":{"name":"x","version":"1"}}}`)
		if got := string(answer.(*jsonrpc.Response).Result); !strings.Contains(got, `"protocolVersion":"`+min(wanted, withSessions)+`"`) {
			t.Errorf("%s: %s", wanted, got)
		}
		asked, ok := exchange(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"trip","arguments":{"text":"Ann"}}}`).(*jsonrpc.Request)
		if !ok || asked.Method != "elicitation/create" {
			t.Errorf("%s: %+v", wanted, asked)
		}
		if err := connection.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestNobody checks that a client without support for a question gets the error of its version, and
// that a function may continue without an answer.
func TestNobody(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		var ran atomic.Int32
		r := tool.NewRegistry()
		r.Replace(newTripTool(&ran), textTool("alone", func(ctx context.Context, _ string) (string, error) {
			if _, err := tool.ExchangeFrom(ctx).Ask(ctx, tool.AskRoots()); err != nil {
				return "without roots", nil
			}
			return "with roots", nil
		}))
		session := connectClient(t, newServer(t, r), version, &sdk.ClientOptions{Capabilities: &sdk.ClientCapabilities{}})
		if text, _, isError := callTool(t, session, "alone", `{"text":""}`); text != "without roots" || isError {
			t.Error(text)
		}
		result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "trip", Arguments: json.RawMessage(`{"text":"Ann"}`)})
		var rpc *jsonrpc.Error
		if version == stateless {
			if !errors.As(err, &rpc) || rpc.Code != sdk.CodeMissingRequiredClientCapabilities || string(rpc.Data) != `{"requiredCapabilities":{"roots":{},"elicitation":{}}}` {
				t.Errorf("%+v %v %s", result, err, rpc.Data)
			}
		} else if err != nil || !result.IsError || !strings.Contains(result.Content[0].(*sdk.TextContent).Text, "Nobody can answer that here: the client has no person to ask (elicitation)") {
			t.Errorf("%+v %v", result.Content[0], err)
		}
	})
}

// newRawCaller returns a function that calls a tool without sessions and does not answer questions by
// itself.
func newRawCaller(t *testing.T, s *mcp.Server) func(state string, responses sdk.InputResponseMap, arguments string) (*sdk.CallToolResult, error) {
	t.Helper()
	options := clientOptions(nil)
	options.MultiRoundTrip = &sdk.MultiRoundTripOptions{Disabled: true}
	session := connectClient(t, s, stateless, options)
	return func(state string, responses sdk.InputResponseMap, arguments string) (*sdk.CallToolResult, error) {
		return session.CallTool(t.Context(), &sdk.CallToolParams{Name: "trip", Arguments: json.RawMessage(arguments), RequestState: state, InputResponses: responses})
	}
}

// TestState checks that the state which a client sends back is accepted only for the same call, in
// every respect.
func TestState(t *testing.T) {
	var ran atomic.Int32
	r := tool.NewRegistry()
	r.Replace(newTripTool(&ran))
	key := mcp.StateKey([]byte("a secret that is long enough for it"))
	send := newRawCaller(t, newServer(t, r, key))
	first, err := send("", nil, `{"text":"Ann"}`)
	if err != nil || !first.NeedsInput() || len(first.InputRequests) != 1 || first.InputRequests["city"] == nil || first.RequestState == "" || len(first.Content) > 0 {
		t.Fatalf("%+v %v", first, err)
	}
	with := func(content map[string]any) sdk.InputResponseMap {
		return sdk.InputResponseMap{"other": &sdk.ListRootsResult{}, "city": &sdk.ElicitResult{Action: "accept", Content: content}}
	}
	rome := with(map[string]any{"city": "Rome"})
	wrong := sdk.InputResponseMap{"city": &sdk.ListRootsResult{}}
	for name, test := range map[string]struct {
		state     string
		responses sdk.InputResponseMap
		arguments string
		want      string
	}{
		"tampered":        {first.RequestState + "-TAMPERED", rome, `{"text":"Ann"}`, "invalid requestState: this server did not issue it"},
		"other arguments": {first.RequestState, rome, `{"text":"Bob"}`, "invalid requestState: it belongs to another call"},
		"unfit":           {first.RequestState, with(map[string]any{"city": "Paris"}), `{"text":"Ann"}`, `invalid answer to city: /city: expected one of "Rome", "Oslo" (strings), found the string "Paris"`},
		"of another kind": {first.RequestState, wrong, `{"text":"Ann"}`, "invalid answer to city: the question is of another kind"},
	} {
		result, err := send(test.state, test.responses, test.arguments)
		var rpc *jsonrpc.Error
		if !errors.As(err, &rpc) || rpc.Code != jsonrpc.CodeInvalidParams || !strings.Contains(rpc.Message, test.want) {
			t.Errorf("%s: %+v %v", name, result, err)
		}
	}
	again, err := send(first.RequestState, sdk.InputResponseMap{"other": &sdk.ListRootsResult{}}, `{"text":"Ann"}`)
	if err != nil || len(again.InputRequests) != 1 {
		t.Errorf("without an answer: %+v %v", again, err)
	}
	if early, err := send("", rome, `{"text":"Ann"}`); err != nil || len(early.InputRequests) != 3 {
		t.Errorf("with an answer before it is asked: %+v %v", early, err)
	}
	for name, server := range map[string]*mcp.Server{"the same": nil, "another with the key": newServer(t, r, key)} {
		send := send
		if server != nil {
			send = newRawCaller(t, server)
		}
		second, err := send(first.RequestState, rome, ` { "text" : "Ann" } `)
		if err != nil || len(second.InputRequests) != 3 || second.RequestState == first.RequestState {
			t.Errorf("%s: %+v %v", name, second, err)
		}
	}
	for name, server := range map[string]*mcp.Server{"without the key": newServer(t, r), "of another name": newServer(t, r, key, mcp.Name("flights", "1"))} {
		if _, err := newRawCaller(t, server)(first.RequestState, rome, `{"text":"Ann"}`); err == nil || !strings.Contains(err.Error(), "this server did not issue it") {
			t.Errorf("another server, %s, takes it: %v", name, err)
		}
	}
}

// TestEarlyApproval checks that a gate asks for approval regardless of the questions before it.
func TestEarlyApproval(t *testing.T) {
	r := tool.NewRegistry(tool.Use(middleware.Gate(middleware.RequireApproval())))
	var ran atomic.Int32
	r.Replace(newTripTool(&ran))
	send := newRawCaller(t, newServer(t, r))
	first, err := send("", nil, `{"text":"Ann"}`)
	if err != nil || len(first.InputRequests) != 1 {
		t.Fatalf("%+v %v", first, err)
	}
	approved := sdk.InputResponseMap{}
	for name := range first.InputRequests {
		if len(name) > 30 {
			t.Errorf("the question has the long name %s", name)
		}
		approved[name] = &sdk.ElicitResult{Action: "accept"}
	}
	if again, err := send("", approved, `{"text":"Ann"}`); err != nil || len(again.InputRequests) != 1 || ran.Load() > 0 {
		t.Errorf("approved before it was asked: %+v %v", again, err)
	}
	if next, err := send(first.RequestState, approved, `{"text":"Ann"}`); err != nil || next.InputRequests["city"] == nil || ran.Load() != 1 {
		t.Errorf("approved: %+v %v", next, err)
	}
}

// TestApproval checks that a person is asked to approve a call if a gate requires that.
func TestApproval(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		for action, want := range map[string]string{"accept": "ran", "decline": "You may not call risky.", "cancel": "You may not call risky."} {
			r := tool.NewRegistry(tool.Use(middleware.Gate(middleware.RequireApproval())))
			var ran atomic.Int32
			r.Replace(textTool("risky", func(ctx context.Context, _ string) (string, error) {
				ran.Add(1)
				if _, err := tool.ExchangeFrom(ctx).Ask(ctx, tool.AskPerson("Sure?", nil)); err != nil {
					return "", err
				}
				return "ran", nil
			}))
			var asked atomic.Int32
			session := connectClient(t, newServer(t, r), version, clientOptions(func(p *sdk.ElicitParams) (*sdk.ElicitResult, error) {
				asked.Add(1)
				if p.Message != `May risky run with {"text":"x"}?` && p.Message != "Sure?" {
					t.Errorf("asked is %q", p.Message)
				}
				return &sdk.ElicitResult{Action: action}, nil
			}))
			text, _, isError := callTool(t, session, "risky", `{"text":"x"}`)
			if !strings.HasPrefix(text, want) || isError != (action != "accept") || (ran.Load() > 0) == isError {
				t.Errorf("%s: %q, and it ran %d times", action, text, ran.Load())
			}
			if n := asked.Load(); action == "accept" && n != 2 || action != "accept" && n != 1 {
				t.Errorf("%s: a person was asked %d times", action, n)
			}
		}
	})
}
