package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp"
	"github.com/aiongen/aiongen/runtime/middleware"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// TestApprovalWithin checks that nobody is asked to approve the inner calls of a function with the
// function's own arguments, and that no inner call is approved by that.
func TestApprovalWithin(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		r := tool.NewRegistry(tool.Use(middleware.Gate(middleware.Allow(middleware.NameMatches("outer")), middleware.RequireApproval())))
		r.Replace(textTool("inner", echoText))
		r.Replace(textTool("outer", func(ctx context.Context, _ string) (string, error) {
			c := r.Call(ctx, tool.Request{Name: "inner", Arguments: json.RawMessage(`{"text":"all"}`)})
			return "ran", c.Err
		}))
		session := connectClient(t, newServer(t, r), version, clientOptions(func(p *sdk.ElicitParams) (*sdk.ElicitResult, error) {
			t.Errorf("asked is %q", p.Message)
			return &sdk.ElicitResult{Action: "accept"}, nil
		}))
		if text, _, isError := callTool(t, session, "outer", `{"text":"nothing"}`); !isError || !strings.Contains(text, "inner did not run") {
			t.Errorf("got %q", text)
		}
	})
}

// TestApprovalShown checks that a question shows all arguments visibly and in order.
func TestApprovalShown(t *testing.T) {
	r := tool.NewRegistry(tool.Use(middleware.Gate(middleware.RequireApproval())))
	r.Replace(textTool("pay", echoText))
	session := connectClient(t, newServer(t, r), stateless, clientOptions(func(p *sdk.ElicitParams) (*sdk.ElicitResult, error) {
		if want := `May pay run with {"text":"\u202enna \u200bto ü\n\udb40\udc41\udb40\udd00\ufe0f\u3164\u115f\u034f\u2800"}?`; p.Message != want {
			t.Errorf("asked is %q, want %q", p.Message, want)
		}
		return &sdk.ElicitResult{Action: "accept"}, nil
	}))
	const text = "\u202enna \u200bto ü\n\U000e0041\U000e0100\ufe0f\u3164\u115f\u034f\u2800"
	arguments, err := json.Marshal(map[string]string{"text": text})
	if err != nil {
		t.Fatal(err)
	}
	if got, _, _ := callTool(t, session, "pay", string(arguments)); got != text {
		t.Errorf("paid is %q", got)
	}
}

// TestApprovalOfMuch checks that a person is shown everything to be approved, and is not asked if that
// is too much.
func TestApprovalOfMuch(t *testing.T) {
	for length, shown := range map[int]bool{20_000: true, 40_000: false} {
		r := tool.NewRegistry(tool.Use(middleware.Gate(middleware.RequireApproval())))
		r.Replace(textTool("pay", echoText))
		asked := false
		session := connectClient(t, newServer(t, r), stateless, clientOptions(func(p *sdk.ElicitParams) (*sdk.ElicitResult, error) {
			if asked = true; !strings.HasSuffix(p.Message, `last"}?`) {
				t.Errorf("asked is %.50q…", p.Message)
			}
			return &sdk.ElicitResult{Action: "accept"}, nil
		}))
		_, _, isError := callTool(t, session, "pay", `{"text":"`+strings.Repeat("x", length)+`last"}`)
		if asked != shown || isError == shown {
			t.Errorf("%d bytes: asked %v, an error %v", length, asked, isError)
		}
	}
}

// TestNoLink checks that a tool with an invalid link is offered without the link.
func TestNoLink(t *testing.T) {
	r := tool.NewRegistry()
	session := connectClient(t, newServer(t, r), stateless, nil)
	for i, link := range []string{"::", "https://[::1", "see the manual", "%zz:a"} {
		name := fmt.Sprint("manual", i)
		err := r.Register(tool.NewTypedTool(&tool.Definition{Name: name, Description: "The manual.", Link: link}, func(wire.Value) int { return 0 },
			func(context.Context, int) (string, error) { return link, nil }, (*wire.Encoder).Str).Tool)
		if err != nil {
			t.Fatal(err)
		}
		if got, _, _ := callTool(t, session, name, `{}`); got != link {
			t.Errorf("got %q", got)
		}
	}
	list, err := session.ListResources(t.Context(), nil)
	if err == nil && len(list.Resources) > 0 {
		t.Errorf("offered are %+v", list.Resources)
	}
}

// TestTold checks that progress beyond the end, and errors, are not reported in every iteration of a
// loop.
func TestTold(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		const turns = 10_000
		r := tool.NewRegistry()
		r.Replace(textTool("flood", func(ctx context.Context, text string) (string, error) {
			x := tool.ExchangeFrom(ctx)
			for i := range turns {
				x.Progress(float64(i), 1, "more")
				x.Log(int(slog.LevelError), "bad")
			}
			return text, nil
		}))
		progress, logged := make(chan bool, turns), make(chan bool, turns)
		session := connectClient(t, newServer(t, r), version, &sdk.ClientOptions{
			ProgressNotificationHandler: func(context.Context, *sdk.ProgressNotificationClientRequest) { progress <- true },
			LoggingMessageHandler:       func(context.Context, *sdk.LoggingMessageRequest) { logged <- true },
		})
		if version == withSessions {
			if err := session.SetLoggingLevel(t.Context(), &sdk.SetLoggingLevelParams{Level: "error"}); err != nil {
				t.Fatal(err)
			}
		}
		params := &sdk.CallToolParams{Name: "flood", Arguments: json.RawMessage(`{"text":""}`), Meta: sdk.Meta{"progressToken": "p", sdk.MetaKeyLogLevel: "error"}}
		if _, err := session.CallTool(t.Context(), params); err != nil {
			t.Fatal(err)
		}
		<-progress
		<-logged
		if p, l := len(progress), len(logged); p > turns/10 || l > turns/10 {
			t.Errorf("told is %d times, and logged %d times", p, l)
		}
	})
}

// TestQuestionOfNobody checks that the questions of a session end with it, whether its client ends it
// or another one needs its place. Clients that ask and disappear must not keep functions waiting.
func TestQuestionOfNobody(t *testing.T) {
	opening := strings.Replace(initialize, `"capabilities":{}`, `"capabilities":{"elicitation":{}}`, 1)
	for name, end := range map[string]func(t *testing.T, url, id string){
		"evicted": func(t *testing.T, url, _ string) {
			for sendRequest(t, http.MethodPost, url, opening).StatusCode != http.StatusOK {
				time.Sleep(time.Millisecond) // until the server notices that the client has disconnected
			}
		},
		"deleted": func(t *testing.T, url, id string) {
			if status := sendRequest(t, http.MethodDelete, url, "", "Mcp-Session-Id", id).StatusCode; status != http.StatusNoContent {
				t.Errorf("status %d", status)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			asking, ended := make(chan bool, 1), make(chan error, 1)
			r := tool.NewRegistry()
			r.Replace(textTool("ask", func(ctx context.Context, _ string) (string, error) {
				asking <- true
				_, err := tool.ExchangeFrom(ctx).Ask(ctx, tool.AskPerson("Well?", nil))
				ended <- err
				return "", err
			}))
			url := listenHTTP(t, r, mcp.MaxSessions(1))
			id := sendRequest(t, http.MethodPost, url, opening).Header.Get("Mcp-Session-Id")
			sendRequest(t, http.MethodPost, url, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, "Mcp-Session-Id", id)
			answer := sendRequest(t, http.MethodPost, url, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ask","arguments":{"text":""}}}`, "Mcp-Session-Id", id)
			<-asking
			_ = answer.Body.Close()
			end(t, url, id)
			if err := <-ended; err == nil || !strings.Contains(err.Error(), "the session has ended") {
				t.Errorf("who asked is told %v", err)
			}
		})
	}
}
