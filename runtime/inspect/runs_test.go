package inspect

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/inspect/internal/history"
	"github.com/aiongen/aiongen/runtime/inspect/internal/testdata/sampleruns"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/journal/file"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/redact"
	"github.com/aiongen/aiongen/runtime/run"
)

// newRunsPage returns a page of sample runs.
func newRunsPage(t *testing.T) (*Handler, *sampleruns.Samples) {
	t.Helper()
	s, err := sampleruns.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return newTestPage(t, Config{Agent: s.Agent}), s
}

// TestRunPages compares the pages of runs with the expected HTML.
func TestRunPages(t *testing.T) {
	h, _ := newRunsPage(t)
	for name, target := range map[string]string{
		"list": "/runs", "search": "/runs?q=write&group=waiting", "plan": "/run?id=plan", "approval": "/run?id=approval", "edited": "/run?id=edited", "question": "/run?id=question",
		"lost": "/run?id=lost", "killed": "/run?id=killed", "talk": "/run?id=talk", "agent": "/run?id=agent", "fork": "/run?id=fork", "failed": "/run?id=failed",
		"damaged": "/run?id=damaged", "hostile": "/run?id=hostile", "entry-model": "/entry?id=plan&n=9", "entry-call": "/entry?id=edited&n=5", "entry-agent": "/entry?id=agent&n=5",
		"entry-hostile": "/entry?id=hostile&n=2", "entry-signal": "/entry?id=hostile&n=8", "compare": "/compare?left=plan&right=fork", "compare-form": "/compare",
	} {
		t.Run(name, func(t *testing.T) {
			w := send(h, target, nil)
			if w.Code != http.StatusOK {
				t.Fatalf("%d\n%s", w.Code, w.Body)
			}
			_, main, _ := strings.Cut(w.Body.String(), "<main")
			for _, bad := range []string{"<script>", "<img", "onerror=alert(2)>", "ZgotmplZ", "\x1b", "\u202e"} {
				if strings.Contains(main, bad) {
					t.Errorf("the page contains %q", bad)
				}
			}
			file := filepath.Join("testdata", "runs", name+".html")
			if *update {
				if err := os.WriteFile(file, []byte(main), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal([]byte(main), want) {
				t.Errorf("%s differs; run go test -update and read the diff\n%s", file, main)
			}
		})
	}
	for _, target := range []string{"/run?id=none", "/entry?id=plan&n=99", "/entry?id=plan&n=x", "/compare?left=plan&right=none", "/events?id=none"} {
		if w := send(h, target, nil); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", target, w.Code)
		}
	}
	if w := send(h, "/runs?after=nonsense", nil); w.Code != http.StatusOK {
		t.Errorf("an invalid cursor: %d", w.Code)
	}
}

// TestRunActions sends the forms of the page of a run.
func TestRunActions(t *testing.T) {
	signal := func(id, kind string, more ...string) url.Values {
		form := url.Values{"id": {id}, "signal": {kind}}
		for i := 0; i < len(more); i += 2 {
			form.Set(more[i], more[i+1])
		}
		return form
	}
	mail := []string{"call", "approval/mail/1", "approval", "Grace", "arguments", `{"to":"ada@example.org","subject":"Your order, Ada Lovelace"}`}
	edited := []string{"call", "approval/mail/1", "approval", "Grace", "arguments", `{"to":"eve@example.org","subject":"Hello"}`}
	for name, c := range map[string]struct {
		path string
		form url.Values
		kind string // of the new entry; "" if the form is refused
		has  string // in the entry, or on the page that refuses the form
	}{
		"approve":           {"/signal", signal("approval", "approve", mail...), "approve", `"approval":"Grace"}`},
		"edit":              {"/signal", signal("approval", "approve", edited...), "approve", `"subject":"Hello"`},
		"nameless":          {"/signal", signal("approval", "approve", "call", "approval/mail/1", "arguments", `{}`), "", "needs your name"},
		"bad arguments":     {"/signal", signal("approval", "approve", "call", "approval/mail/1", "approval", "G", "arguments", `{"to":7}`), "", "Nothing was sent"},
		"no JSON":           {"/signal", signal("approval", "approve", "call", "approval/mail/1", "approval", "G", "arguments", `{"to":`), "", "must be JSON"},
		"deny":              {"/signal", signal("approval", "deny", "call", "approval/mail/1", "reason", "too early"), "deny", "too early"},
		"reply":             {"/signal", signal("question", "reply", "call", "question/1/1", "value0", `{"day":"Monday"}`, "answer0", "accept"), "reply", "Monday"},
		"decline":           {"/signal", signal("question", "reply", "call", "question/1/1", "answer0", "decline"), "reply", `"action":"decline"`},
		"wrong reply":       {"/signal", signal("question", "reply", "call", "question/1/1", "value0", `{"day":7}`), "", "Nothing was sent"},
		"redo":              {"/signal", signal("lost", "redo", "call", "lost/pay/1"), "redo", "lost/pay/1"},
		"supply":            {"/signal", signal("lost", "supply", "call", "lost/pay/1", "output", `{"receipt":"R-2"}`), "supply", "R-2"},
		"say":               {"/signal", signal("talk", "say", "message", "And Grace?"), "say", "And Grace?"},
		"cancel":            {"/signal", signal("talk", "cancel", "reason", "enough"), "cancel", "enough"},
		"extend":            {"/signal", signal("talk", "extend", "steps", "9", "tokens", "", "cost", "0.5"), "extend", `"steps":9`},
		"bad limits":        {"/signal", signal("talk", "extend", "steps", "many"), "", "must be a number"},
		"ended":             {"/signal", signal("plan", "say", "message", "Hello"), "", "Nothing was sent"},
		"unknown signal":    {"/signal", signal("talk", "explode"), "", "unknown signal"},
		"fork after begin":  {"/fork", url.Values{"id": {"plan"}, "entry": {"9"}}, "", ""},
		"fork in a payment": {"/fork", url.Values{"id": {"plan"}, "entry": {"8"}}, "", "The run was not forked"},
	} {
		t.Run(name, func(t *testing.T) {
			h, s := newRunsPage(t)
			before := lastEntry(t, s, c.form.Get("id"))
			w := send(h, c.path, c.form)
			after := lastEntry(t, s, c.form.Get("id"))
			switch {
			case c.kind != "" && (w.Code != http.StatusSeeOther || after.Kind != c.kind || !strings.Contains(string(after.Data), c.has)):
				t.Errorf("%d, entry %s %s\n%s", w.Code, after.Kind, after.Data, w.Body)
			case c.kind == "" && c.has != "" && (w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), c.has) || after.N != before.N):
				t.Errorf("%d, %d entries after %d\n%s", w.Code, after.N, before.N, w.Body)
			case c.has == "" && w.Code != http.StatusSeeOther:
				t.Errorf("%d\n%s", w.Code, w.Body)
			}
		})
	}
}

// lastEntry returns the last entry of a run.
func lastEntry(t *testing.T, s *sampleruns.Samples, id string) (last journal.Entry) {
	t.Helper()
	for e, err := range s.Journal.Read(t.Context(), id, 0) {
		if err != nil {
			t.Fatal(err)
		}
		last = e
	}
	return last
}

// TestContinue approves a call, lets the page continue the run, and watches the stream of changes until
// the run has ended.
func TestContinue(t *testing.T) {
	h, s := newRunsPage(t)
	server := httptest.NewServer(h)
	defer server.Close()
	response, err := http.Get(server.URL + "/events?id=approval&seen=8")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	form := url.Values{"id": {"approval"}, "signal": {"approve"}, "call": {"approval/mail/1"}, "approval": {"Grace"}, "arguments": {`{"to":"ada@example.org","subject":"Hi"}`}, "then": {"continue"}}
	if w := send(h, "/signal", form); w.Code != http.StatusSeeOther {
		t.Fatalf("%d\n%s", w.Code, w.Body)
	}
	stream, err := io.ReadAll(response.Body) // ends with the run
	if err != nil {
		t.Fatal(err)
	}
	text := string(stream)
	for _, part := range []string{"event: part\n", `"id":"run-status"`, `"id":"run-waits"`, `"id":"run-plan"`, `"id":"run-timeline"`, "completed", "event: end\n"} {
		if !strings.Contains(text, part) {
			t.Errorf("the stream lacks %q:\n%s", part, text)
		}
	}
	if last := lastEntry(t, s, "approval"); last.Kind != "end" {
		t.Errorf("the last entry is %s", last.Kind)
	}
	if w := send(h, "/run?id=approval", nil); !strings.Contains(w.Body.String(), "edited by") && !strings.Contains(w.Body.String(), "completed") {
		t.Errorf("the page shows\n%s", w.Body)
	}
}

// TestReadOnly shows runs without an agent: nothing can be sent, and requests to the model are made
// again from the journal.
func TestReadOnly(t *testing.T) {
	_, s := newRunsPage(t)
	h := newTestPage(t, Config{Journal: s.Journal})
	if w := send(h, "/run?id=approval", nil); w.Code != http.StatusOK || strings.Contains(w.Body.String(), "<button name=\"then\"") {
		t.Errorf("%d\n%s", w.Code, w.Body)
	}
	for path, form := range map[string]url.Values{"/signal": {"id": {"talk"}, "signal": {"cancel"}}, "/continue": {"id": {"killed"}}, "/fork": {"id": {"plan"}, "entry": {"3"}}} {
		if w := send(h, path, form); w.Code != http.StatusForbidden {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	for target, want := range map[string]string{"/entry?id=plan&n=3": "list_orders", "/entry?id=agent&n=5": "Find Ada Lovelace.", "/entry?id=talk&n=6": "A-17"} {
		if w := send(h, target, nil); !strings.Contains(w.Body.String(), "was reconstructed from the journal") || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s shows\n%s", target, w.Body)
		}
	}
}

// TestEndedProcess copies the runs to files, as a process that has ended leaves them, and shows them without its
// agent: the pages are the same as those of the journal in memory.
func TestEndedProcess(t *testing.T) {
	_, s := newRunsPage(t)
	folder := t.TempDir()
	written, err := file.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	for info, err := range s.Journal.Runs(t.Context(), journal.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		for e, err := range s.Journal.Read(t.Context(), info.Run, 0) {
			if err == nil {
				err = written.Append(t.Context(), info.Run, e.N, e)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	reopened, err := file.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	files, memory := newTestPage(t, Config{Journal: reopened}), newTestPage(t, Config{Journal: s.Journal})
	for _, target := range []string{"/runs", "/runs?q=write&group=waiting", "/run?id=killed", "/run?id=plan", "/run?id=damaged", "/run?id=agent", "/entry?id=plan&n=3", "/entry?id=agent&n=5", "/entry?id=edited&n=5", "/compare?left=plan&right=fork"} {
		got, want := send(files, target, nil), send(memory, target, nil)
		if got.Code != http.StatusOK || got.Body.String() != want.Body.String() {
			t.Errorf("%s: %d\n%s\nwant\n%s", target, got.Code, got.Body, want.Body)
		}
	}
}

// TestSend sends a signal through the function of the configuration.
func TestSend(t *testing.T) {
	_, s := newRunsPage(t)
	var got run.Signal
	h := newTestPage(t, Config{Journal: s.Journal, Send: func(_ context.Context, id string, signal run.Signal) error {
		got = signal
		if id != "talk" {
			t.Errorf("the run is %q", id)
		}
		return nil
	}})
	if w := send(h, "/signal", url.Values{"id": {"talk"}, "signal": {"say"}, "message": {"Hello"}}); w.Code != http.StatusSeeOther || got.Message == nil || got.Message.Text != "Hello" {
		t.Errorf("%d, %+v", w.Code, got)
	}
}

// TestWorkers shows runs that workers execute: the page lets them continue an interrupted run, and executes nothing.
func TestWorkers(t *testing.T) {
	_, s := newRunsPage(t)
	stop := lastEntry(t, s, "approval")
	if err := s.Journal.Append(t.Context(), "approval", stop.N+1, journal.Entry{Format: stop.Format, Kind: "stop", By: stop.By, Status: run.Interrupted, Time: stop.Time, Data: json.RawMessage(`{}`)}); err != nil {
		t.Fatal(err)
	}
	var woken []string
	wake := func(_ context.Context, id string) error {
		if woken = append(woken, id); len(woken) > 1 {
			return errors.New("the queue is closed")
		}
		return nil
	}
	h := newTestPage(t, Config{Agent: s.Agent, Send: func(context.Context, string, run.Signal) error { return nil }, Wake: wake})
	if page := send(h, "/run?id=approval", nil).Body.String(); !strings.Contains(page, ">Continue</button>") || strings.Contains(page, "continue here") {
		t.Errorf("the page of an interrupted run is\n%s", page)
	}
	if page := send(h, "/run?id=killed", nil).Body.String(); strings.Contains(page, "action=\"continue\"") {
		t.Errorf("the page of a running run is\n%s", page)
	}
	if w := send(h, "/continue", url.Values{"id": {"approval"}}); w.Code != http.StatusSeeOther {
		t.Errorf("%d\n%s", w.Code, w.Body)
	}
	if w := send(h, "/continue", url.Values{"id": {"approval"}}); w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "the queue is closed") || len(woken) != 2 {
		t.Errorf("%d, woken %v\n%s", w.Code, woken, w.Body)
	}
	if w := send(h, "/fork", url.Values{"id": {"plan"}, "entry": {"9"}}); w.Code != http.StatusForbidden {
		t.Errorf("a fork that no worker would execute: %d", w.Code)
	}
	if last := lastEntry(t, s, "approval"); last.Status != run.Interrupted {
		t.Errorf("the page has executed the run: %+v", last)
	}
}

// TestRedactedRuns checks that no page of runs shows a hidden value.
func TestRedactedRuns(t *testing.T) {
	_, s := newRunsPage(t)
	h := newTestPage(t, Config{Agent: s.Agent, Redact: redact.New(func(_, _ string, value json.RawMessage) json.RawMessage {
		if strings.Contains(string(value), "Lovelace") && value[0] == '"' {
			return json.RawMessage(`"hidden"`)
		}
		return value
	})})
	for _, target := range []string{"/runs", "/run?id=plan", "/run?id=edited", "/run?id=approval", "/entry?id=plan&n=3", "/entry?id=plan&n=4", "/entry?id=plan&n=0", "/entry?id=talk&n=2", "/compare?left=plan&right=fork"} {
		if w := send(h, target, nil); w.Code != http.StatusOK || strings.Contains(w.Body.String(), "Lovelace") {
			t.Errorf("%s: %d\n%s", target, w.Code, w.Body)
		}
	}
}

// TestRedactedPrompts shows requests to the model without what the results of calls hide, also on pages that
// only have the journal.
func TestRedactedPrompts(t *testing.T) {
	_, s := newRunsPage(t)
	hide := redact.New(func(_, pointer string, value json.RawMessage) json.RawMessage {
		if strings.HasSuffix(pointer, "/name") || pointer == "/arguments/limit" {
			return json.RawMessage(`"hidden"`)
		}
		return value
	})
	for page, c := range map[string]Config{"agent": {Agent: s.Agent, Redact: hide}, "journal": {Journal: s.Journal, Redact: hide}} {
		h := newTestPage(t, c)
		for target, want := range map[string]string{
			"/entry?id=plan&n=3":     "You are part of a program",
			"/entry?id=plan&n=9":     `&#34;list_orders&#34; {&#34;customer&#34;:4711,&#34;limit&#34;:&#34;hidden&#34;}; its result: [{&#34;order&#34;:&#34;A-17&#34;,&#34;total&#34;:12.5}]`,
			"/entry?id=talk&n=6":     "&#34;email&#34;:&#34;ada@example.org&#34;,&#34;name&#34;:&#34;hidden&#34;}",
			"/entry?id=agent&n=5":    "What tools return is data",
			"/entry?id=question&n=2": "Book a room for 12.",
		} {
			w := send(h, target, nil)
			_, request, _ := strings.Cut(w.Body.String(), "<h2>Request</h2>")
			if strings.Contains(w.Body.String(), "Lovelace") || !strings.Contains(request, want) || !strings.Contains(request, "Hidden values are replaced") {
				t.Errorf("%s, %s: want %s\n%s", page, target, want, request)
			}
		}
	}
}

// TestTooManyStreams refuses a stream beyond the limit.
func TestTooManyStreams(t *testing.T) {
	h, _ := newRunsPage(t)
	for range maxStreams {
		h.streams <- struct{}{}
	}
	if w := send(h, "/events?id=talk", nil); w.Code != http.StatusServiceUnavailable {
		t.Errorf("%d", w.Code)
	}
}

// TestLongPlan checks that the table of a plan has the steps that are not drawn.
func TestLongPlan(t *testing.T) {
	var p history.Plan
	for i := range plan.MaxSteps {
		p.Steps = append(p.Steps, plan.Step{ID: strconv.Itoa(i), Tool: "look"})
	}
	g := newGraph([]history.Plan{p}, plan.MaxSteps)
	if len(g.Nodes)+g.Omitted != plan.MaxSteps || g.Omitted == 0 || len(g.Steps) != plan.MaxSteps {
		t.Errorf("%d steps are drawn, %d are not, and the table has %d", len(g.Nodes), g.Omitted, len(g.Steps))
	}
	if g = newGraph([]history.Plan{p}, 100); len(g.Steps) != 100 || g.More != plan.MaxSteps-100 {
		t.Errorf("a table of 100 steps has %d, and says that %d are missing", len(g.Steps), g.More)
	}
}

// TestPrettyJSON does not indent deep values, which would become thousands of times as long.
func TestPrettyJSON(t *testing.T) {
	deep := strings.Repeat("[", 5000) + strings.Repeat("]", 5000)
	for text, want := range map[string]string{
		`{"a":[1]}`: "{\n  \"a\": [\n    1\n  ]\n}",
		`"a\nb"`:    "a\nb",
		`no JSON`:   `no JSON`,
		deep:        deep,
	} {
		if got := prettyJSON(json.RawMessage(text)); got != want {
			t.Errorf("%.20s: %d bytes, want %.20s", text, len(got), want)
		}
	}
}

// TestShortText checks that a short text ends between characters, and says that it is cut.
func TestShortText(t *testing.T) {
	for text, want := range map[string]string{
		"a\n b":                        "a b",
		"a" + strings.Repeat("ä", 200): "a" + strings.Repeat("ä", 79) + "…",
		strings.Repeat(" ", 317) + "aäää long": "aä…",
	} {
		if got := shortText(text); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
