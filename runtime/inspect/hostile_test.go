package inspect

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/inspect/internal/testdata/sampleruns"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/scripted"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/redact"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestContinuePanics continues a run whose model panics. The program must survive that, as it survives a panic
// while it answers a request.
func TestContinuePanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, s := newRunsPage(t)
		model := llm.Func(func(context.Context, llm.Request) (llm.Response, error) { panic("the secret is 445550100") })
		agent, err := orchestrator.New(model, s.Agent.Tools(), orchestrator.Journal(s.Journal), orchestrator.Conversation{})
		if err != nil {
			t.Fatal(err)
		}
		h := newTestPage(t, Config{Agent: agent})
		if w := send(h, "/signal", url.Values{"id": {"talk"}, "signal": {"say"}, "message": {"And Grace?"}, "then": {"continue"}}); w.Code != http.StatusSeeOther {
			t.Fatalf("%d\n%s", w.Code, w.Body)
		}
		synctest.Wait()
		body := send(h, "/run?id=talk", nil).Body.String()
		if !strings.Contains(body, "could not be continued here") || strings.Contains(body, "445550100") {
			t.Errorf("the page shows\n%s", body)
		}
	})
}

// hideRecipients is a rule that hides the recipients of e-mails, and the name of a file's folder.
func hideRecipients(_, pointer string, value json.RawMessage) json.RawMessage {
	if pointer == "/arguments/to" || pointer == "/arguments/folder" {
		return json.RawMessage(`"hidden"`)
	}
	return value
}

// TestEditHidden approves a call with edited arguments, of which the page has hidden one, and calls a tool again in
// the same way. The function must receive the hidden value, not what the page shows instead.
func TestEditHidden(t *testing.T) {
	_, s := newRunsPage(t)
	h := newTestPage(t, Config{Agent: s.Agent, Redact: redact.New(hideRecipients)})
	body := send(h, "/run?id=approval", nil).Body.String()
	if !strings.Contains(body, "hidden") || strings.Contains(body, "ada@example.org") {
		t.Fatalf("the page shows\n%s", body)
	}
	form := url.Values{"id": {"approval"}, "signal": {"approve"}, "call": {"approval/mail/1"}, "approval": {"Grace"}, "arguments": {`{"to":"hidden","subject":"Hello"}`}}
	if w := send(h, "/signal", form); w.Code != http.StatusSeeOther {
		t.Fatalf("%d\n%s", w.Code, w.Body)
	}
	if last := lastEntry(t, s, "approval"); !strings.Contains(string(last.Data), `"arguments":{"to":"ada@example.org","subject":"Hello"}`) {
		t.Errorf("the approval is %s", last.Data)
	}
}

// TestRestoreHidden merges edited arguments with those that were hidden.
func TestRestoreHidden(t *testing.T) {
	const original, shown = `{"a":1,"b":{"c":"x","d":[1,2]},"e":"same"}`, `{"a":"hidden","b":{"c":"hidden","d":["hidden",2]},"e":"same"}`
	for edited, want := range map[string]string{
		shown: original,
		`{"a":"hidden","b":{"c":"y","d":["hidden",3]}}`:            `{"a":1,"b":{"c":"y","d":[1,3]}}`,
		`{"a":7,"e":"hidden","b":{"d":[2,"hidden"]},"f":"hidden"}`: `{"a":7,"e":"hidden","b":{"d":[2,"hidden"]},"f":"hidden"}`,
		`{"b":"hidden"}`: `{"b":"hidden"}`,
		`[]`:             `[]`,
		`{"a":`:          `{"a":`,
	} {
		if got := restoreHidden(json.RawMessage(edited), json.RawMessage(shown), json.RawMessage(original)); string(got) != want {
			t.Errorf("%s becomes %s, want %s", edited, got, want)
		}
	}
	if got := restoreHidden(json.RawMessage(`"redacted"`), json.RawMessage(`"redacted"`), json.RawMessage(`{secret:1}`)); string(got) != `{secret:1}` {
		t.Errorf("arguments that are not JSON become %s", got)
	}
}

// TestRepeatHidden calls a tool again with the arguments of an earlier call and of a saved one.
func TestRepeatHidden(t *testing.T) {
	var got string
	h := newToolsPage(t, func(c *Config) {
		c.Redact = redact.New(hideRecipients)
		addTool(t, c.Tools.(*tool.Registry), tool.Definition{Name: "read", Description: "Reads.", Annotations: tool.Annotations{ReadOnly: true}, Input: json.RawMessage(
			`{"type":"object","properties":{"folder":{"type":"string"},"limit":{"type":"integer"}}}`)},
			func(_ context.Context, arguments json.RawMessage) (json.RawMessage, error) {
				got = string(arguments)
				return nil, nil
			})
	})
	call(t, h, "read", url.Values{"value/folder": {"/home/ada"}, "value/limit": {"1"}})
	if w := send(h, "/save", url.Values{"id": {"1"}, "name": {"mine"}}); w.Code != http.StatusSeeOther {
		t.Fatal(w.Code)
	}
	for target, source := range map[string]url.Values{"/tool?name=read&call=1": {"call": {"1"}}, "/tool?name=read&saved=mine": {"saved": {"mine"}}} {
		body := send(h, target, nil).Body.String()
		for name, values := range source {
			if want := `<input type="hidden" name="` + name + `" value="` + values[0] + `">`; strings.Count(body, want) != 2 || strings.Contains(body, "/home/ada") {
				t.Errorf("the forms lack %s:\n%s", want, body)
			}
		}
		for _, form := range []url.Values{{"value/folder": {"hidden"}, "value/limit": {"2"}}, {"arguments": {`{"folder":"hidden","limit":2}`}}} {
			for name, values := range source {
				form[name] = values
			}
			if call(t, h, "read", form); got != `{"folder":"/home/ada","limit":2}` {
				t.Errorf("the function received %s", got)
			}
		}
	}
}

// TestRedactedPages checks that no page, fragment or message shows a value that a rule hides by its place.
func TestRedactedPages(t *testing.T) {
	s, err := sampleruns.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	h := newTestPage(t, Config{Agent: s.Agent, Redact: redact.New(func(_, pointer string, value json.RawMessage) json.RawMessage {
		if strings.HasSuffix(pointer, "/email") || pointer == "/output/name" || pointer == "/arguments/to" || pointer == "/arguments/name" {
			return json.RawMessage(`"hidden"`)
		}
		return value
	})})
	for _, id := range []string{"plan", "approval", "edited", "talk", "killed", "lost", "agent", "fork", "damaged"} {
		send(h, "/run?id="+id, nil) // the redactor learns the values
	}
	targets := []string{"/runs", "/compare?left=plan&right=fork", "/compare?left=edited&right=approval"}
	for _, id := range []string{"plan", "approval", "edited", "talk", "killed", "lost", "agent", "fork", "damaged"} {
		targets = append(targets, "/run?id="+id)
		for n := range 20 {
			targets = append(targets, "/entry?id="+id+"&n="+string(rune('0'+n/10))+string(rune('0'+n%10)))
		}
	}
	for _, target := range targets {
		body := send(h, target, nil).Body.String()
		for _, secret := range []string{"ada@example.org", "Lovelace"} {
			if strings.Contains(body, secret) {
				at := strings.Index(body, secret)
				t.Errorf("%s shows %s: %s", target, secret, body[max(0, at-200):min(len(body), at+60)])
			}
		}
	}
}

// TestRedactedMessages checks that messages about what a person has sent do not quote hidden values.
func TestRedactedMessages(t *testing.T) {
	_, s := newRunsPage(t)
	failure := errors.New("no mail server for ada@example.org")
	h := newTestPage(t, Config{Agent: s.Agent, Redact: redact.New(hideRecipients), Send: func(context.Context, string, run.Signal) error { return failure }})
	sent := send(h, "/signal", url.Values{"id": {"approval"}, "signal": {"deny"}, "call": {"approval/mail/1"}})
	h.executions.begin("approval")
	h.executions.end("approval", failure)
	for _, w := range []*httptest.ResponseRecorder{sent, send(h, "/run?id=approval", nil)} {
		if strings.Contains(w.Body.String(), "ada@example.org") {
			t.Errorf("the page shows\n%s", w.Body)
		}
	}
	if w := send(h, "/signal", url.Values{"id": {"approval"}, "signal": {"approve"}, "call": {"approval/mail/1"}}); !strings.Contains(w.Body.String(), "needs your name") {
		t.Errorf("the page hides what is wrong:\n%s", w.Body)
	}
}

// TestContinueUnknown checks that the page does not remember failures of runs that do not exist.
func TestContinueUnknown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, _ := newRunsPage(t)
		w := send(h, "/continue", url.Values{"id": {"none"}})
		if synctest.Wait(); w.Code != http.StatusNotFound || len(h.executions.failures) > 0 {
			t.Errorf("%d, %v", w.Code, h.executions.failures)
		}
	})
}

// writeDeadlineRecorder records the deadline for writing, and ends the request after the first event.
type writeDeadlineRecorder struct {
	*httptest.ResponseRecorder
	stop             context.CancelFunc
	deadline, during time.Time
}

func (w *writeDeadlineRecorder) SetWriteDeadline(t time.Time) error {
	w.deadline = t
	return nil
}

func (w *writeDeadlineRecorder) WriteString(text string) (int, error) {
	w.during = w.deadline
	w.stop()
	return w.ResponseRecorder.WriteString(text)
}

// TestStreamDeadline checks that a request for the header of a stream ends, that a stream has no deadline, and that a
// client which does not read it does not occupy the program.
func TestStreamDeadline(t *testing.T) {
	h, _ := newRunsPage(t)
	for _, method := range []string{http.MethodHead, http.MethodGet} {
		ctx, cancel := context.WithCancel(t.Context())
		r := httptest.NewRequestWithContext(ctx, method, "http://localhost/events?id=talk", nil)
		r.RemoteAddr = "127.0.0.1:1"
		w := &writeDeadlineRecorder{ResponseRecorder: httptest.NewRecorder(), stop: cancel, deadline: time.Now()}
		h.ServeHTTP(w, r)
		if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "text/event-stream" || w.during.IsZero() != (method == http.MethodHead) {
			t.Errorf("%s: %d %v, the deadline was %v", method, w.Code, w.Header(), w.during)
		}
		if method == http.MethodGet && (!w.deadline.IsZero() || time.Until(w.during) < eventTimeout/2) {
			t.Errorf("the deadline is %v, during an event %v", w.deadline, w.during)
		}
		cancel()
	}
}

// TestRedactedCalls checks that no page of a call or of its repetition shows a hidden argument: neither where the
// function repeats it, nor in arguments that are wrong or not JSON.
func TestRedactedCalls(t *testing.T) {
	const secret = "hunter2-445550100"
	h := newToolsPage(t, func(c *Config) {
		c.Redact = redact.New(func(_, pointer string, value json.RawMessage) json.RawMessage {
			if pointer == "/arguments/secret" {
				return json.RawMessage(`"hidden"`)
			}
			return value
		})
		addTool(t, c.Tools.(*tool.Registry), tool.Definition{Name: "leak", Description: "Leaks.", Annotations: tool.Annotations{ReadOnly: true}, Input: json.RawMessage(
			`{"type":"object","properties":{"secret":{"type":"string"},"how":{"type":"string"},"n":{"type":"integer"}}}`)},
			func(ctx context.Context, arguments json.RawMessage) (json.RawMessage, error) {
				var a struct{ Secret, How string }
				_ = json.Unmarshal(arguments, &a)
				x := tool.ExchangeFrom(ctx)
				switch a.How {
				case "fail":
					return nil, errors.New("bad " + secret)
				case "panic":
					panic("bad " + secret)
				case "ask":
					_, err := x.Ask(ctx, tool.AskPerson("is it "+secret, nil), tool.AskVisit("go", "https://x.example/"+secret))
					return nil, err
				}
				x.Log(0, secret)
				x.Attach(content.Text(secret), content.Link("https://x.example/"+secret, "l"), content.File("https://x.example/f", "text/plain", []byte(secret)))
				_ = x.Reply("key", json.RawMessage(`"`+secret+`"`))
				return json.RawMessage(`{"out":"` + secret + `"}`), nil
			})
	})
	id := 0
	var targets []string
	for _, args := range []string{
		`{"secret":"` + secret + `","how":"ok"}`, `{"secret":"` + secret + `","how":"fail"}`, `{"secret":"` + secret + `","how":"panic"}`, `{"secret":"` + secret + `","how":"ask"}`,
		`{"secret":"` + secret + `","n":"x"}`, `{"secret":["` + secret + `"]}`, `{"secrt":"` + secret + `"}`, `{"secret":"` + secret, `{secret: ` + secret + `, n: 'a'}`, `"{\"secret\":\"` + secret + `\"}"`, `[{"secret":"` + secret + `"}]`,
	} {
		targets = append(targets, call(t, h, "leak", url.Values{"arguments": {args}}))
		id++
		targets = append(targets, fmt.Sprintf("/tool?name=leak&call=%d", id))
		for n := range 3 {
			targets = append(targets, fmt.Sprintf("/part?id=%d&n=%d", id, n))
		}
		send(h, "/save", url.Values{"id": {fmt.Sprint(id)}, "name": {fmt.Sprint("s", id)}})
		targets = append(targets, fmt.Sprintf("/tool?name=leak&saved=s%d", id))
	}
	for _, target := range targets {
		body := send(h, target, nil).Body.String()
		if at := strings.Index(body, "445550100"); at >= 0 {
			t.Errorf("%s: %s", target, body[max(0, at-200):min(len(body), at+60)])
		}
	}
}

// TestRunIDs opens runs with IDs that no run can have, and with those of files.
func TestRunIDs(t *testing.T) {
	h, _ := newRunsPage(t)
	for id, want := range map[string]int{
		"../../etc/passwd": http.StatusNotFound, "plan/": http.StatusNotFound, "plan\r\nX: y": http.StatusNotFound, "": http.StatusBadRequest,
		"\x00\xff": http.StatusBadRequest, strings.Repeat("a", 3000): http.StatusBadRequest,
	} {
		for _, path := range []string{"/run?id=", "/entry?n=1&id=", "/events?id=", "/compare?left=plan&right="} {
			w := send(h, path+url.QueryEscape(id), nil)
			if isForm := id == "" && strings.HasPrefix(path, "/compare"); w.Code != want && !isForm || len(w.Header()["X"]) > 0 {
				t.Errorf("%s%.20q: %d, want %d", path, id, w.Code, want)
			}
		}
	}
}

// TestApproveTwice approves a call by two clicks. It must run once.
func TestApproveTwice(t *testing.T) {
	calls := 0
	h := newToolsPage(t, func(c *Config) {
		addTool(t, c.Tools.(*tool.Registry), tool.Definition{Name: "send_money", Description: "Sends money.", Annotations: tool.Annotations{Additive: true}},
			func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
				if tool.CallFrom(ctx).Request.Approval == "" {
					return nil, &tool.ApprovalError{}
				}
				calls++
				return nil, nil
			})
	})
	call(t, h, "send_money", url.Values{})
	first := send(h, "/approve", url.Values{"id": {"1"}}).Header().Get("Location")
	second := send(h, "/approve", url.Values{"id": {"1"}}).Header().Get("Location")
	if calls != 1 || first != "call?id=2" || second != first {
		t.Errorf("%d calls, on the pages %q and %q", calls, first, second)
	}
}

// TestAnswerTwice answers the question of a call by two clicks. The call must run once, as after an approval.
func TestAnswerTwice(t *testing.T) {
	answered := 0
	h := newToolsPage(t, func(c *Config) {
		addTool(t, c.Tools.(*tool.Registry), tool.Definition{Name: "drop", Description: "Drops a table.", Annotations: tool.Annotations{Additive: true}},
			func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
				if _, err := tool.ExchangeFrom(ctx).Ask(ctx, tool.AskPerson("Really?", nil)); err != nil {
					return nil, err
				}
				answered++
				return nil, nil
			})
	})
	call(t, h, "drop", url.Values{})
	yes := url.Values{"id": {"1"}, "q0.action": {"accept"}}
	first := send(h, "/answer", yes).Header().Get("Location")
	second := send(h, "/answer", yes).Header().Get("Location")
	if answered != 1 || first != "call?id=2" || second != first {
		t.Errorf("%d calls, on the pages %q and %q", answered, first, second)
	}
}

// TestMethods checks that a wrong method is rejected as such.
func TestMethods(t *testing.T) {
	h := newToolsPage(t, nil)
	for _, tt := range []struct {
		method, path string
		want         int
	}{
		{http.MethodPost, "/tools", http.StatusMethodNotAllowed}, {http.MethodPut, "/call", http.StatusMethodNotAllowed}, {http.MethodTrace, "/tools", http.StatusMethodNotAllowed},
		{http.MethodOptions, "/tools", http.StatusMethodNotAllowed}, {http.MethodHead, "/tools", http.StatusOK}, {http.MethodGet, "/none", http.StatusNotFound},
	} {
		r := httptest.NewRequest(tt.method, "http://localhost"+tt.path, nil)
		r.RemoteAddr = "127.0.0.1:1"
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != tt.want || w.Header().Get("Content-Security-Policy") == "" {
			t.Errorf("%s %s: %d, want %d", tt.method, tt.path, w.Code, tt.want)
		}
	}
}

// TestRedactedPlaces checks that the places of arguments, and those from which they came, do not show hidden values,
// which may be names of members.
func TestRedactedPlaces(t *testing.T) {
	r := tool.NewRegistry()
	for name, output := range map[string]string{"list": `{"ada@example.org":"order-991","private":{"grace@example.org":"order-992"}}`, "show": `"shown"`} {
		addTool(t, r, tool.Definition{Name: name, Description: "Reads.", Annotations: tool.Annotations{ReadOnly: true}, Input: json.RawMessage(
			`{"type":"object","properties":{"mail":{"type":"string"},"order":{"type":"string"},"map":{"type":"object"}}}`)},
			func(context.Context, json.RawMessage) (json.RawMessage, error) { return json.RawMessage(output), nil })
	}
	model := scripted.New(scripted.Call("list", `{"mail":"ada@example.org","map":{"bob@example.org":{"eve@example.org":1},"b":2}}`),
		scripted.Call("show", `{"order":"order-991"}`), scripted.Call("show", `{"order":"order-992","map":{"ada@example.org":"order-991"}}`), scripted.Text("Done."))
	agent, err := orchestrator.New(model, r, orchestrator.Conversation{}, orchestrator.Journal(new(journal.Map)))
	if err != nil {
		t.Fatal(err)
	}
	started, err := agent.Start(t.Context(), orchestrator.Input{ID: "r", Request: "Show the order."})
	if err == nil {
		_, err = started.Execute(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	h := newTestPage(t, Config{Agent: agent, Redact: redact.New(func(_, pointer string, value json.RawMessage) json.RawMessage {
		if pointer == "/arguments/mail" || pointer == "/output/private" || pointer == "/arguments/map" {
			return json.RawMessage(`"hidden"`)
		}
		return value
	})})
	all := ""
	for n := range 16 {
		all += send(h, fmt.Sprintf("/entry?id=r&n=%d", n), nil).Body.String()
	}
	if !strings.Contains(all, "in the result of") {
		t.Errorf("the pages show no sources:\n%s", all)
	}
	for _, secret := range []string{"ada@", "grace@", "bob@", "eve@"} {
		if i := strings.Index(all, secret); i >= 0 {
			t.Errorf("the pages show %s: %s", secret, all[max(0, i-300):i+50])
		}
	}
}

// TestForeignJournal shows runs of a journal that another program has written, with hostile texts where this one writes
// words of its own.
func TestForeignJournal(t *testing.T) {
	_, s := newRunsPage(t)
	foreign := new(journal.Map)
	replace := strings.NewReplacer(`"kind":"conversation"`, `"kind":"<b>\u202e"`, `"role":"user"`, `"role":"<b>\u202e"`, `"role":"assistant"`, `"role":"<b>\u202e"`, `"for":"turn"`, `"for":"<b>\u202e"`)
	for _, id := range []string{"talk", "agent", "question"} {
		for e, err := range s.Journal.Read(t.Context(), id, 0) {
			if err != nil {
				t.Fatal(err)
			}
			e.Data, e.Status = json.RawMessage(replace.Replace(string(e.Data))), "<b>\u202e"
			if err := foreign.Append(t.Context(), id, e.N, e); err != nil {
				t.Fatal(err)
			}
		}
	}
	h := newTestPage(t, Config{Journal: foreign})
	targets := []string{"/runs", "/compare?left=talk&right=agent"}
	for _, id := range []string{"talk", "agent", "question"} {
		targets = append(targets, "/run?id="+id)
		for n := range 12 {
			targets = append(targets, fmt.Sprintf("/entry?id=%s&n=%d", id, n))
		}
	}
	for _, target := range targets {
		body := send(h, target, nil).Body.String()
		if at := strings.IndexAny(body, "\u202e"); at >= 0 || strings.Contains(body, "<b>") {
			t.Errorf("%s shows %q", target, body[max(0, at-200):min(len(body), at+60)])
		}
	}
}
