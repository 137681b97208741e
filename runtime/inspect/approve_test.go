package inspect

import (
	"context"
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm/scripted"
	"github.com/aiongen/aiongen/runtime/middleware"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/tool"
)

// newWaitingRun returns a page with a run that waits for the approval of a call with the arguments. Received returns
// what the function has received.
func newWaitingRun(t *testing.T, id, arguments string) (h *Handler, received func() string) {
	t.Helper()
	var got string
	r := tool.NewRegistry(tool.Use(middleware.Gate(middleware.RequireApproval())))
	addTool(t, r, tool.Definition{Name: "write", Description: "Writes.", Input: json.RawMessage(`{"type":"object"}`)},
		func(_ context.Context, a json.RawMessage) (json.RawMessage, error) {
			got = string(a)
			return nil, nil
		})
	agent, err := orchestrator.New(scripted.New(scripted.Call("write", arguments), scripted.Text("Done.")), r, orchestrator.Conversation{}, orchestrator.Journal(new(journal.Map)))
	if err != nil {
		t.Fatal(err)
	}
	started, err := agent.Start(t.Context(), orchestrator.Input{ID: id, Request: "Write it."})
	if err == nil {
		_, err = started.Execute(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return newTestPage(t, Config{Agent: agent}), func() string {
		opened, err := agent.Open(t.Context(), id)
		if err == nil {
			_, err = opened.Execute(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
}

// approvalForm matches the form of an approval: where it is sent, and the arguments that can be edited.
var approvalForm = regexp.MustCompile(`(?s)action="(signal[^"]*)">\s*<input type="hidden" name="signal" value="approve">.*?</form>`)

var editedArguments = regexp.MustCompile(`(?s)<textarea [^>]*name="arguments"[^>]*>\n(.*?)</textarea>`)

// approve sends the form of the approval as a browser does, without editing the arguments.
func approve(t *testing.T, h *Handler, id string) {
	t.Helper()
	page := send(h, runTarget(id), nil).Body.String()
	found := approvalForm.FindStringSubmatch(page)
	if found == nil {
		t.Fatalf("the page has no form for an approval:\n%.3000s", page)
	}
	form := url.Values{"signal": {"approve"}, "approval": {"Grace"}}
	if text := editedArguments.FindStringSubmatch(found[0]); text != nil {
		form.Set("arguments", strings.ReplaceAll(html.UnescapeString(text[1]), "\n", "\r\n"))
	}
	if w := send(h, "/"+html.UnescapeString(found[1]), form); w.Code != http.StatusSeeOther {
		t.Fatalf("%d\n%.3000s", w.Code, w.Body)
	}
}

func runTarget(id string) string { return "/" + runURL(id) }

// TestApproveUnchanged approves calls whose arguments are hard to show. The function must receive them unchanged.
func TestApproveUnchanged(t *testing.T) {
	for name, arguments := range map[string]string{
		"short":     `{"text":"a\u0000\u202e\u200bb\r\n","n":1.00}`,
		"invisible": "{\"text\":\"a\u202e\u200bb\"}",
		"deep":      `{"a":` + strings.Repeat("[", 63) + "\"x\u202e\u200by\"" + strings.Repeat("]", 63) + `}`,
		"long":      `{"text":"` + strings.Repeat("x", maxShown+1) + `"}`,
		"expanding": `{"list":[` + strings.Repeat("1,", maxShown/4) + `1]}`,
	} {
		t.Run(name, func(t *testing.T) {
			h, received := newWaitingRun(t, "r", arguments)
			approve(t, h, "r")
			if got := received(); got != arguments {
				t.Errorf("the function received %.200q, want %.200q", got, arguments)
			}
		})
	}
}

// TestHostileIDs approves a call of a run whose ID browsers would change in an input element.
func TestHostileIDs(t *testing.T) {
	for _, id := range []string{"a\x00b", "a\r\nb", "a\nb", `"><script>`, "%0A&call=x", "\u202eabc", " a "} {
		h, received := newWaitingRun(t, id, `{"a":1}`)
		approve(t, h, id)
		if got := received(); got != `{"a":1}` {
			t.Errorf("%q: the function received %q", id, got)
		}
	}
}

// TestWrongLimits sets limits that no run can have.
func TestWrongLimits(t *testing.T) {
	h, _ := newWaitingRun(t, "r", `{}`)
	for name, value := range map[string]string{"steps": "-1", "tokens": "1e3", "cost": "Inf"} {
		w := send(h, "/signal?id=r", url.Values{"signal": {"extend"}, name: {value}})
		if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "must be a number") {
			t.Errorf("%s %s: %d\n%.2000s", name, value, w.Code, w.Body)
		}
	}
}
