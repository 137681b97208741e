package remote_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/mcp/remote"
	"github.com/aiongen/aiongen/runtime/middleware"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// desk is a server whose tools an agent uses, with the number of completed calls of each.
type desk struct {
	*sdk.Server
	read, deleted, dropped, booked atomic.Int32
}

func newDesk(version string) *desk {
	d := &desk{Server: newServer(version)}
	count := func(of *atomic.Int32, text string) func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			of.Add(1)
			return textResult(text), nil
		}
	}
	addTool(d.Server, &sdk.Tool{Name: "read", Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true}}, count(&d.read, "one note"))
	addTool(d.Server, &sdk.Tool{Name: "delete"}, count(&d.deleted, "deleted"))
	addTool(d.Server, &sdk.Tool{Name: "drop_all", Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true}}, count(&d.dropped, "dropped")) // as its annotation says
	addTool(d.Server, &sdk.Tool{Name: "book"}, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		question := &sdk.ElicitParams{Mode: "form", Message: "Where to?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`)}
		answer, _ := r.Params.InputResponses["q"].(*sdk.ElicitResult)
		switch {
		case version == withSessions:
			var err error
			if answer, err = r.Session.Elicit(ctx, question); err != nil {
				return nil, err
			}
		case answer == nil:
			return &sdk.CallToolResult{InputRequests: sdk.InputRequestMap{"q": question}}, nil
		}
		d.booked.Add(1)
		return textResult("booked " + answer.Content["city"].(string)), nil
	})
	return d
}

// TestAgent checks that a gate, a limit, and a journal that continues in another process apply to the
// tools of a server as to those of a program, and that the run waits for the questions of the server.
func TestAgent(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		d := newDesk(version)
		answers := []llm.Response{
			{Calls: []tool.Request{newRequest("far_read", "{}"), newRequest("far_drop_all", "{}")}},
			{Calls: []tool.Request{newRequest("far_delete", `{"id":9007199254740993}`)}},
			{Calls: []tool.Request{newRequest("far_book", "{}")}},
			{Text: "Done."},
		}
		model := llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
			if len(answers) == 0 {
				return llm.Response{}, errors.New("there is no answer any more")
			}
			answer := answers[0]
			answers = answers[1:]
			return answer, nil
		})
		var runs journal.Map
		process := func() *orchestrator.Orchestrator {
			registry := tool.NewRegistry(tool.Use(
				middleware.Limit(1),
				middleware.Gate(middleware.Deny(middleware.NameMatches("far_drop*")), middleware.Allow(middleware.HasAnnotation(tool.ReadOnly)), middleware.Allow(middleware.NameMatches("far_book")), middleware.RequireApproval()),
			))
			if err := connectClient(t, d.Server, nil, remote.TrustHints()).Follow(t.Context(), registry.With(tool.Prefix("far_"))); err != nil {
				t.Fatal(err)
			}
			agent, err := orchestrator.New(model, registry, orchestrator.Conversation{}, orchestrator.Journal(&runs))
			if err != nil {
				t.Fatal(err)
			}
			return agent
		}
		r, err := process().Start(t.Context(), orchestrator.Input{ID: "r", Request: "Tidy up, and book."})
		var waited []string
		for err == nil {
			var result *run.Result
			if result, err = r.Execute(t.Context()); err != nil {
				break
			}
			waited = append(waited, result.WaitsFor)
			if len(result.Calls) == 0 {
				break
			}
			wait := result.Calls[0]
			signal := run.Approve(wait.Call, "ada", nil)
			if wait.For == run.ForAnswer {
				signal = run.Reply(wait.Call, wait.Questions[0].Accept(json.RawMessage(`{"city":"Rome"}`)))
			}
			if err = r.Send(t.Context(), signal); err == nil {
				r, err = process().Open(t.Context(), "r")
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(waited, " "); got != "approval answer message" {
			t.Errorf("it waited for %s", got)
		}
		if d.read.Load() != 1 || d.deleted.Load() != 1 || d.dropped.Load() != 0 || d.booked.Load() != 1 {
			t.Errorf("ran: read %d, delete %d, drop_all %d, book %d", d.read.Load(), d.deleted.Load(), d.dropped.Load(), d.booked.Load())
		}
		var told []string
		for _, m := range r.State().Messages {
			if m.Result != nil {
				text := string(m.Result.Output)
				if m.Result.Err != nil {
					text = tool.Code(m.Result.Err)
				}
				told = append(told, text)
			}
		}
		if got := strings.Join(told, " "); got != `"one note" denied "deleted" "booked Rome"` {
			t.Errorf("the model was told %s", got)
		}
	})
}

// TestAgentUnknown checks that a run repeats a call with an unknown outcome if its tool is idempotent,
// and asks a person about any other.
func TestAgentUnknown(t *testing.T) {
	for _, test := range []struct {
		hint    string
		options []remote.Option
		waits   string // what the run waits for after the first attempt
		ran     int32
	}{
		{"idempotentHint", []remote.Option{remote.TrustHints()}, run.ForMessage, 2},
		{"readOnlyHint", []remote.Option{remote.TrustHints()}, run.ForMessage, 2},
		{"idempotentHint", nil, run.ForDecision, 1},
		{"other", []remote.Option{remote.TrustHints()}, run.ForDecision, 1},
	} {
		var ran atomic.Int32
		far := newSite(t, "s", func(w http.ResponseWriter, _ *http.Request, m message) {
			switch {
			case m.Method == "tools/list":
				m.writeReply(w, `{"tools":[{"name":"pay","annotations":{"`+test.hint+`":true}}]}`)
			case ran.Add(1) == 1:
				w.WriteHeader(http.StatusBadGateway)
			default:
				m.writeReply(w, done)
			}
		}).connectClient(t, test.options...)
		model := llm.Func(func(_ context.Context, r llm.Request) (llm.Response, error) {
			if r.Messages[len(r.Messages)-1].Result != nil {
				return llm.Response{Text: "Paid."}, nil
			}
			return llm.Response{Calls: []tool.Request{newRequest("pay", "{}")}}, nil
		})
		agent, err := orchestrator.New(model, newRegistry(t, far), orchestrator.Conversation{}, orchestrator.Journal(new(journal.Map)))
		if err != nil {
			t.Fatal(err)
		}
		started, err := agent.Start(t.Context(), orchestrator.Input{ID: "r", Request: "Pay."})
		if err != nil {
			t.Fatal(err)
		}
		var result *run.Result
		for range 2 {
			if result, err = started.Execute(t.Context()); err != nil {
				t.Fatal(err)
			}
			if result.Status != run.Interrupted {
				break
			}
			if result.Error.Kind != "unknown_outcome" || !result.Error.Retry {
				t.Errorf("interrupted by %+v", result.Error)
			}
		}
		if result.WaitsFor != test.waits || ran.Load() != test.ran {
			t.Errorf("%+v: it waits for %q after %d calls: %+v", test, result.WaitsFor, ran.Load(), result)
		}
	}
}
