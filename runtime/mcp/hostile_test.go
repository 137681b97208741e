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

	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/guard"
	"github.com/aiongen/aiongen/runtime/mcp"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// TestApprovalWithin: nobody is asked to approve what a function calls by the arguments
// of the function, which are others, nor is anything approved by that.
func TestApprovalWithin(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		r := tool.NewRegistry(tool.Use(guard.Gate(guard.Allow(guard.Named("outer")), guard.Ask())))
		r.Replace(textTool("inner", echo))
		r.Replace(textTool("outer", func(ctx context.Context, _ string) (string, error) {
			c := r.Call(ctx, tool.Request{Name: "inner", Arguments: json.RawMessage(`{"text":"all"}`)})
			return "ran", c.Err
		}))
		session := connect(t, serve(t, r), version, answering(func(p *sdk.ElicitParams) (*sdk.ElicitResult, error) {
			t.Errorf("asked is %q", p.Message)
			return &sdk.ElicitResult{Action: "accept"}, nil
		}))
		if text, _, isError := call(t, session, "outer", `{"text":"nothing"}`); !isError || !strings.Contains(text, "inner did not run") {
			t.Errorf("got %q", text)
		}
	})
}

// TestApprovalShown: arguments stand in a question such that all of them can be seen, in
// their order.
func TestApprovalShown(t *testing.T) {
	r := tool.NewRegistry(tool.Use(guard.Gate(guard.Ask())))
	r.Replace(textTool("pay", echo))
	session := connect(t, serve(t, r), stateless, answering(func(p *sdk.ElicitParams) (*sdk.ElicitResult, error) {
		if want := `May pay run with {"text":"\u202enna \u200bto ü\n\udb40\udc41"}?`; p.Message != want {
			t.Errorf("asked is %q, want %q", p.Message, want)
		}
		return &sdk.ElicitResult{Action: "accept"}, nil
	}))
	const text = "\u202enna \u200bto ü\n\U000e0041"
	arguments, err := json.Marshal(map[string]string{"text": text})
	if err != nil {
		t.Fatal(err)
	}
	if got, _, _ := call(t, session, "pay", string(arguments)); got != text {
		t.Errorf("paid is %q", got)
	}
}

// TestApprovalOfMuch: a person is shown all that is to be approved, and is not asked where
// that is too much.
func TestApprovalOfMuch(t *testing.T) {
	for length, shown := range map[int]bool{20_000: true, 40_000: false} {
		r := tool.NewRegistry(tool.Use(guard.Gate(guard.Ask())))
		r.Replace(textTool("pay", echo))
		asked := false
		session := connect(t, serve(t, r), stateless, answering(func(p *sdk.ElicitParams) (*sdk.ElicitResult, error) {
			if asked = true; !strings.HasSuffix(p.Message, `last"}?`) {
				t.Errorf("asked is %.50q…", p.Message)
			}
			return &sdk.ElicitResult{Action: "accept"}, nil
		}))
		_, _, isError := call(t, session, "pay", `{"text":"`+strings.Repeat("x", length)+`last"}`)
		if asked != shown || isError == shown {
			t.Errorf("%d bytes: asked %v, an error %v", length, asked, isError)
		}
	}
}

// TestNoLink: a tool with a link that is no URL is offered, and its link is not.
func TestNoLink(t *testing.T) {
	r := tool.NewRegistry()
	session := connect(t, serve(t, r), stateless, nil)
	for i, link := range []string{"::", "https://[::1", "see the manual", "%zz:a"} {
		name := fmt.Sprint("manual", i)
		err := r.Register(tool.NewOf(&tool.Definition{Name: name, Description: "The manual.", Link: link}, func(wire.Value) int { return 0 },
			func(context.Context, int) (string, error) { return link, nil }, (*wire.Encoder).Str).Tool)
		if err != nil {
			t.Fatal(err)
		}
		if got, _, _ := call(t, session, name, `{}`); got != link {
			t.Errorf("got %q", got)
		}
	}
	list, err := session.ListResources(t.Context(), nil)
	if err == nil && len(list.Resources) > 0 {
		t.Errorf("offered are %+v", list.Resources)
	}
}

// TestTold: also what is past its end, and errors, are not told at every turn of a loop.
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
		session := connect(t, serve(t, r), version, &sdk.ClientOptions{
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

// TestQuestionOfNobody: what a session asks ends with it, whether its client says so or
// another one needs its place, so that clients which ask and go keep no functions waiting.
func TestQuestionOfNobody(t *testing.T) {
	opening := strings.Replace(initialize, `"capabilities":{}`, `"capabilities":{"elicitation":{}}`, 1)
	for name, end := range map[string]func(t *testing.T, url, id string){
		"evicted": func(t *testing.T, url, _ string) {
			for request(t, http.MethodPost, url, opening).StatusCode != http.StatusOK {
				time.Sleep(time.Millisecond) // until the server knows that the client has gone
			}
		},
		"deleted": func(t *testing.T, url, id string) {
			if status := request(t, http.MethodDelete, url, "", "Mcp-Session-Id", id).StatusCode; status != http.StatusNoContent {
				t.Errorf("status %d", status)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			asking, ended := make(chan bool, 1), make(chan error, 1)
			r := tool.NewRegistry()
			r.Replace(textTool("ask", func(ctx context.Context, _ string) (string, error) {
				asking <- true
				_, err := tool.ExchangeFrom(ctx).Ask(ctx, ask.Person("Well?", nil))
				ended <- err
				return "", err
			}))
			url := listen(t, r, mcp.MaxSessions(1))
			id := request(t, http.MethodPost, url, opening).Header.Get("Mcp-Session-Id")
			request(t, http.MethodPost, url, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, "Mcp-Session-Id", id)
			answer := request(t, http.MethodPost, url, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ask","arguments":{"text":""}}}`, "Mcp-Session-Id", id)
			<-asking
			_ = answer.Body.Close()
			end(t, url, id)
			if err := <-ended; err == nil || !strings.Contains(err.Error(), "the session has ended") {
				t.Errorf("who asked is told %v", err)
			}
		})
	}
}
