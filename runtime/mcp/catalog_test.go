package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/mcp"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// newCatalogServer returns a server with prompts and resources.
func newCatalogServer(t *testing.T, options ...mcp.Option) *mcp.Server {
	t.Helper()
	s := newServer(t, tool.NewRegistry(), options...)
	err := errors.Join(
		s.AddPrompt(mcp.Prompt{
			Name: "review", Title: "Review", Description: "Reviews code.",
			Arguments: []mcp.Argument{
				{Name: "language", Description: "of the code", Required: true, Values: []string{"Go", "Gleam", "Rust"}},
				{Name: "file", Complete: func(ctx context.Context, typed string, others map[string]string) ([]string, error) {
					if typed == "bad" {
						return nil, errors.New("no such folder")
					}
					return slices.Repeat([]string{typed + "." + others["language"] + tool.ExchangeFrom(ctx).Caller().Client}, 150), nil
				}},
			},
			Write: func(_ context.Context, arguments map[string]string) ([]content.Part, error) {
				if arguments["language"] == "PHP" {
					return nil, errors.New("nobody here reads PHP")
				}
				text, _ := json.Marshal(arguments)
				return []content.Part{content.Image("image/png", []byte("png")), content.Text(string(text))}, nil
			},
		}),
		s.AddPrompt(mcp.Prompt{Name: "asks", Write: func(ctx context.Context, _ map[string]string) ([]content.Part, error) {
			answers, err := tool.ExchangeFrom(ctx).Ask(ctx, tool.AskPerson("Sure?", nil))
			if err != nil {
				return nil, err
			}
			return []content.Part{content.Text(string(answers[0].Action))}, nil
		}}),
		s.AddResource(mcp.Resource{URI: "note://today", Name: "today", Description: "What is to be done.", Media: "text/markdown", Read: func(context.Context, map[string]string) (content.Part, error) {
			return content.Text("- nothing"), nil
		}}),
		s.AddResource(mcp.Resource{
			URI: "note://{year}/{name}", Name: "note", Variables: []mcp.Argument{{Name: "year", Values: []string{"2025", "2026"}}},
			Read: func(_ context.Context, variables map[string]string) (content.Part, error) {
				switch variables["name"] {
				case "gone":
					return content.Part{}, fmt.Errorf("open: %w", fs.ErrNotExist)
				case "broken":
					panic("secret")
				}
				return content.File("", "application/octet-stream", []byte(variables["year"]+" "+variables["name"])), nil
			},
		}),
	)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestOwnPrompts(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		session := connectClient(t, newCatalogServer(t), version, clientOptions(func(*sdk.ElicitParams) (*sdk.ElicitResult, error) {
			return &sdk.ElicitResult{Action: "accept"}, nil
		}))
		list, err := session.ListPrompts(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		got, _ := json.Marshal(list.Prompts)
		if want := `[{"name":"asks"},{"arguments":[{"name":"language","description":"of the code","required":true},{"name":"file"}],"description":"Reviews code.","name":"review","title":"Review"}]`; string(got) != want {
			t.Errorf("offered are %s", got)
		}
		for _, test := range []struct {
			name      string
			arguments map[string]string
			want      string
		}{
			{"review", map[string]string{"language": "Go", "other": "x"}, `[{"content":{"type":"image","mimeType":"image/png","data":"cG5n"},"role":"user"},{"content":{"type":"text","text":"{\"language\":\"Go\"}"},"role":"user"}]`},
			{"review", nil, `the argument language is missing`},
			{"review", map[string]string{"language": "PHP"}, `review failed: nobody here reads PHP`},
			{"asks", nil, `[{"content":{"type":"text","text":"accept"},"role":"user"}]`},
		} {
			result, err := session.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: test.name, Arguments: test.arguments})
			got := fmt.Sprint(err)
			if err == nil {
				text, _ := json.Marshal(result.Messages)
				got = string(text)
			}
			if !strings.HasSuffix(got, test.want) {
				t.Errorf("%s %v: %s, want %s", test.name, test.arguments, got, test.want)
			}
		}
	})
}

func TestResources(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		var log lockedBuilder
		session := connectClient(t, newCatalogServer(t, mcp.Logger(slog.New(slog.NewTextHandler(&log, nil)))), version, nil)
		list, err := session.ListResources(t.Context(), nil)
		templates, err2 := session.ListResourceTemplates(t.Context(), nil)
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		got, _ := json.Marshal([]any{list.Resources, templates.ResourceTemplates})
		if want := `[[{"description":"What is to be done.","mimeType":"text/markdown","name":"today","uri":"note://today"}],[{"name":"note","uriTemplate":"note://{year}/{name}"}]]`; string(got) != want {
			t.Errorf("offered are %s", got)
		}
		for uri, want := range map[string]string{
			"note://today":                               `[{"uri":"note://today","mimeType":"text/markdown","text":"- nothing"}]`,
			"note://2026/to%20do":                        `[{"uri":"note://2026/to%20do","mimeType":"application/octet-stream","blob":"MjAyNiB0byBkbw=="}]`,
			"note://2026/gone":                           `note://2026/gone does not exist`,
			"note://2026/broken":                         `resources/read failed because of an internal error of the server`,
			"note://2026/a/b":                            `Resource not found`,
			"note://2026/" + strings.Repeat("x", 10_000): `the URI has 10012 bytes, more than the limit of 8192`,
		} {
			result, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
			got := fmt.Sprint(err)
			if err == nil {
				text, _ := json.Marshal(result.Contents)
				got = string(text)
				if version == stateless && result.CacheScope != "private" { // the list may depend on the user
					t.Errorf("%s may be shown to others: %q", uri, result.CacheScope)
				}
			}
			if !strings.HasSuffix(got, want) {
				t.Errorf("%.50s: %s, want %s", uri, got, want)
			}
		}
		if !strings.Contains(log.String(), "secret") {
			t.Error("the panic is not in the log")
		}
	})
}

// TestUpdated checks that a client is notified of changes only to the resources that it has subscribed
// to.
func TestUpdated(t *testing.T) {
	for _, way := range []string{"in memory", "HTTP"} {
		for _, version := range versions {
			t.Run(way+" "+version, func(t *testing.T) {
				s := newCatalogServer(t)
				told := make(chan string, 10)
				options := &sdk.ClientOptions{ResourceUpdatedHandler: func(_ context.Context, r *sdk.ResourceUpdatedNotificationRequest) {
					told <- r.Params.URI
				}}
				var session *sdk.ClientSession
				if way == "HTTP" {
					server := httptest.NewServer(s.Handler())
					t.Cleanup(server.Close)
					session = openSDKSession(t, &sdk.StreamableClientTransport{Endpoint: server.URL}, version, options)
					t.Cleanup(func() { _ = session.Close() }) // close the client before the server, which waits for it
				} else {
					session = connectClient(t, s, version, options)
				}
				checkSubscribes(t, session, version)
				for { // a client does not report when it starts listening
					s.NotifyUpdated(t.Context(), "note://2026/x")
					s.NotifyUpdated(t.Context(), "note://today")
					select {
					case got := <-told:
						if got != "note://today" {
							t.Errorf("told is %s", got)
						}
						return
					case <-time.After(10 * time.Millisecond):
					}
				}
			})
		}
	}
}

// checkSubscribes subscribes to one resource, to an unknown one, and temporarily to another.
func checkSubscribes(t *testing.T, session *sdk.ClientSession, version string) {
	t.Helper()
	if err := session.Subscribe(t.Context(), &sdk.SubscribeParams{URI: "note://today"}); err != nil {
		t.Fatal(err)
	}
	if version != withSessions {
		return
	}
	for uri, want := range map[string]bool{"note://2026/x": true, "note://2026/x/y": false, "note://" + strings.Repeat("x", 10_000) + "/x": false} {
		if err := session.Subscribe(t.Context(), &sdk.SubscribeParams{URI: uri}); (err == nil) != want {
			t.Errorf("%.50s: %v", uri, err)
		}
	}
	if err := session.Unsubscribe(t.Context(), &sdk.UnsubscribeParams{URI: "note://2026/x"}); err != nil {
		t.Error(err)
	}
}

func TestComplete(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		session := connectClient(t, newCatalogServer(t), version, nil)
		review, note := &sdk.CompleteReference{Type: "ref/prompt", Name: "review"}, &sdk.CompleteReference{Type: "ref/resource", URI: "note://{year}/{name}"}
		for _, test := range []struct {
			ref   *sdk.CompleteReference
			name  string
			typed string
			want  string
		}{
			{review, "language", "g", `{"total":2,"values":["Go","Gleam"]}`},
			{review, "language", "", `{"total":3,"values":["Go","Gleam","Rust"]}`},
			{review, "language", "Go!", `{"values":[]}`},
			{review, "other", "g", `{"values":[]}`},
			{note, "year", "202", `{"total":2,"values":["2025","2026"]}`},
			{note, "name", "x", `{"values":[]}`},
			{review, "file", "bad", "no such folder"},
			{&sdk.CompleteReference{Type: "ref/prompt", Name: "none"}, "x", "", "there is no prompt or resource with that name"},
		} {
			result, err := session.Complete(t.Context(), &sdk.CompleteParams{Ref: test.ref, Argument: sdk.CompleteParamsArgument{Name: test.name, Value: test.typed}})
			got := fmt.Sprint(err)
			if err == nil {
				text, _ := json.Marshal(result.Completion)
				got = string(text)
			}
			if !strings.HasSuffix(got, test.want) {
				t.Errorf("%s %q: %s, want %s", test.name, test.typed, got, test.want)
			}
		}
		result, err := session.Complete(t.Context(), &sdk.CompleteParams{Ref: review, Argument: sdk.CompleteParamsArgument{Name: "file", Value: "x"}, Context: &sdk.CompleteContext{Arguments: map[string]string{"language": "go"}}})
		if err != nil || len(result.Completion.Values) != 100 || result.Completion.Total != 150 || !result.Completion.HasMore || result.Completion.Values[0] != "x.gotest 1" {
			t.Errorf("%+v %v", result, err)
		}
	})
}

// TestLinks checks that a tool that is only a link is also a resource while it is registered.
func TestLinks(t *testing.T) {
	link := func(name, description string) tool.Tool {
		return tool.NewTypedTool(&tool.Definition{Name: name, Description: description, Link: "https://example.com/manual"}, func(wire.Value) int { return 0 },
			func(context.Context, int) (string, error) { return "https://example.com/manual", nil }, (*wire.Encoder).Str).Tool
	}
	eachVersion(t, func(t *testing.T, version string) {
		r := tool.NewRegistry()
		r.Replace(link("runs", "Runs.\nDocumentation: https://example.com/manual"), textTool("plain", echoText))
		session := connectClient(t, newServer(t, r), version, nil)
		expect := func(want string) {
			t.Helper()
			list, err := session.ListResources(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if got, _ := json.Marshal(list.Resources); string(got) != want {
				t.Errorf("offered are %s, want %s", got, want)
			}
		}
		expect(`[]`)
		r.Replace(link("manual", "The manual."), link("same", "The same."))
		expect(`[{"description":"The manual.","name":"manual","uri":"https://example.com/manual"}]`)
		result, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "https://example.com/manual"})
		if err != nil || result.Contents[0].Text != "https://example.com/manual\r\n" || result.Contents[0].MIMEType != "text/uri-list" {
			t.Errorf("%+v %v", result, err)
		}
		r.Unregister("manual")
		expect(`[{"description":"The same.","name":"same","uri":"https://example.com/manual"}]`)
		r.Unregister("same")
		expect(`[]`)
	})
}

// TestShelfChanges checks that clients are notified of added and removed prompts and resources.
func TestShelfChanges(t *testing.T) {
	s := newCatalogServer(t)
	prompts, resources := make(chan bool, 10), make(chan bool, 10)
	session := connectClient(t, s, withSessions, &sdk.ClientOptions{
		PromptListChangedHandler:   func(context.Context, *sdk.PromptListChangedRequest) { prompts <- true },
		ResourceListChangedHandler: func(context.Context, *sdk.ResourceListChangedRequest) { resources <- true },
	})
	s.RemovePrompt("asks")
	<-prompts
	s.RemoveResource("note://today")
	<-resources
	s.RemoveResource("note://{year}/{name}")
	<-resources
	list, err := session.ListPrompts(t.Context(), nil)
	if err != nil || len(list.Prompts) != 1 {
		t.Errorf("%+v %v", list, err)
	}
	for _, uri := range []string{"note://today", "note://2026/x"} {
		_, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		var rpc *jsonrpc.Error
		if !errors.As(err, &rpc) || rpc.Code != jsonrpc.CodeInvalidParams {
			t.Errorf("%s: %v", uri, err)
		}
		if err := session.Subscribe(t.Context(), &sdk.SubscribeParams{URI: uri}); err == nil {
			t.Errorf("%s can be subscribed to", uri)
		}
	}
}

func TestShelfMisuse(t *testing.T) {
	s := newServer(t, tool.NewRegistry())
	write := func(context.Context, map[string]string) ([]content.Part, error) { return nil, nil }
	read := func(context.Context, map[string]string) (content.Part, error) { return content.Text("x"), nil }
	for want, err := range map[string]error{
		`mcp: a prompt has no name`:                                                                      s.AddPrompt(mcp.Prompt{Write: write}),
		`mcp: prompt "x" has no Write function`:                                                          s.AddPrompt(mcp.Prompt{Name: "x"}),
		`mcp: prompt "x": an argument has no name`:                                                       s.AddPrompt(mcp.Prompt{Name: "x", Write: write, Arguments: make([]mcp.Argument, 1)}),
		`mcp: prompt "x": two arguments have the name "a"`:                                               s.AddPrompt(mcp.Prompt{Name: "x", Write: write, Arguments: []mcp.Argument{{Name: "a"}, {Name: "a"}}}),
		`mcp: resource "x": the URI is not absolute: it must begin with a scheme, such as note://`:       s.AddResource(mcp.Resource{URI: "x", Name: "x", Read: read}),
		`mcp: resource "{x}://a": the URI is not absolute: it must begin with a scheme, such as note://`: s.AddResource(mcp.Resource{URI: "{x}://a", Name: "x", Read: read}),
		`mcp: resource "x:a": the name is missing`:                                                       s.AddResource(mcp.Resource{URI: "x:a", Read: read}),
		`mcp: resource "x:a": the Read function is missing`:                                              s.AddResource(mcp.Resource{URI: "x:a", Name: "x"}),
		`mcp: resource "x:{a}": the URI has no variable "b"`:                                             s.AddResource(mcp.Resource{URI: "x:{a}", Name: "x", Read: read, Variables: []mcp.Argument{{Name: "b"}}}),
	} {
		if fmt.Sprint(err) != want {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
	if err := s.AddResource(mcp.Resource{URI: "x:{a", Name: "x", Read: read}); err == nil || !strings.HasPrefix(err.Error(), `mcp: resource "x:{a": invalid URI: `) {
		t.Error(err)
	}
}
