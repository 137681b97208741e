package inspect

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/aiongen/aiongen/example/gen"
	"github.com/aiongen/aiongen/example/tools"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/middleware"
	"github.com/aiongen/aiongen/runtime/redact"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

var update = flag.Bool("update", false, "rewrite the expected pages")

// hostile is what a tool, a schema or a saved call may contain.
const hostile = `"'><img src=x onerror=alert(1)></textarea></pre><script>alert(2)</script>{{.}}` + "\u202e\x1b[31m"

// addTool registers a tool that is made from a schema.
func addTool(t *testing.T, r *tool.Registry, d tool.Definition, f func(context.Context, json.RawMessage) (json.RawMessage, error)) {
	t.Helper()
	made, err := schema.Dynamic(d, f)
	if err == nil {
		err = r.Register(made)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// newToolsPage returns a page of tools that do what calls can lead to.
func newToolsPage(t *testing.T, change func(*Config)) *Handler {
	t.Helper()
	r := tool.NewRegistry(tool.Tolerant(repair.Arguments), tool.Use(middleware.Gate(middleware.RequireApproval(middleware.NameMatches("send")), middleware.Allow())))
	if err := gen.Register(r, gen.Deps{Desk: tools.NewDesk(func() time.Time { return time.Unix(0, 0) })}); err != nil {
		t.Fatal(err)
	}
	readOnly := tool.Annotations{ReadOnly: true}
	addTool(t, r, tool.Definition{Name: "list", Title: "List files", Description: "Lists files.", Annotations: readOnly, Input: json.RawMessage(
		`{"type":"object","properties":{"folder":{"type":"string","description":"where to look"},"limit":{"type":"integer"}},"required":["folder"],"additionalProperties":false}`),
		Example: json.RawMessage(`{"folder":"/tmp","limit":3}`)},
		func(context.Context, json.RawMessage) (json.RawMessage, error) {
			return json.RawMessage(`["a.txt","b.txt"]`), nil
		})
	addTool(t, r, tool.Definition{Name: "send", Description: "Sends a message.", Input: json.RawMessage(
		`{"type":"object","properties":{"to":{"type":"string"}},"required":["to"],"additionalProperties":false}`)},
		func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
			return json.Marshal(tool.CallFrom(ctx).Request.Approval)
		})
	addTool(t, r, tool.Definition{Name: "ask", Description: "Asks.", Annotations: readOnly}, askEverything)
	addTool(t, r, tool.Definition{Name: "hostile", Title: hostile, Description: hostile, Link: "javascript:alert(3)", Annotations: readOnly, Input: hostileSchema()},
		func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
			x := tool.ExchangeFrom(ctx)
			x.Log(0, hostile)
			x.Attach(content.Text(hostile), content.Link("javascript:alert(4)", hostile), content.Image("image/svg+xml", []byte(hostile)),
				content.Image("image/png", []byte("png")), content.File("https://files.example/"+url.PathEscape(hostile), "text/html", []byte(hostile)))
			_ = x.Reply("key", hostileJSON())
			if _, err := x.Ask(ctx, tool.AskPerson(hostile, hostileSchema()), tool.AskVisit(hostile, "javascript://x/%0aalert(5)")); err != nil {
				return nil, err
			}
			return hostileJSON(), nil
		})
	for name, f := range map[string]func() error{
		"fail": func() error { return errors.New(hostile) }, "panic": func() error { panic(hostile) }, "deny": nil,
	} {
		addTool(t, r, tool.Definition{Name: name, Description: "Ends badly.", Annotations: readOnly},
			func(context.Context, json.RawMessage) (json.RawMessage, error) { return nil, f() })
	}
	c := Config{Tools: r}
	if change != nil {
		change(&c)
	}
	return newTestPage(t, c)
}

func hostileJSON() json.RawMessage {
	text, _ := json.Marshal(map[string]string{hostile: hostile})
	return text
}

func hostileSchema() json.RawMessage {
	name := string(jsontext.AppendQuoted(nil, hostile))
	return json.RawMessage(`{"type":"object","properties":{` + name + `:{"type":"string","description":` + name + `,"title":` + name + `},"choice":{"type":"string","enum":[` + name + `]}}}`)
}

func askEverything(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
	answers, err := tool.ExchangeFrom(ctx).Ask(ctx,
		tool.AskPerson("Which color?", json.RawMessage(`{"type":"object","properties":{"color":{"type":"string","enum":["red","green"]},"why":{"type":"string"}},"required":["color"]}`)),
		tool.AskPerson("Really?", nil), tool.AskVisit("Pay here.", "https://pay.example/1"), tool.AskModel("Say something.", 10), tool.AskRoots())
	if err != nil {
		return nil, err
	}
	values := make([]any, len(answers))
	for i, a := range answers {
		values[i] = string(a.Action) + " " + string(a.Value)
	}
	return json.Marshal(values)
}

// call calls a tool by the form of its page, and returns the relative URL of the page of the call.
func call(t *testing.T, h *Handler, name string, form url.Values) string {
	t.Helper()
	form.Set("name", name)
	w := send(h, "/call", form)
	target := w.Header().Get("Location")
	if w.Code != http.StatusSeeOther || !strings.HasPrefix(target, "call?id=") {
		t.Fatalf("call of %s: %d %q\n%s", name, w.Code, target, w.Body)
	}
	return "/" + target
}

// TestManyTools lists more tools than a page shows. A search finds the others.
func TestManyTools(t *testing.T) {
	h := newToolsPage(t, func(c *Config) {
		for i := range maxListed + 1 {
			addTool(t, c.Tools.(*tool.Registry), tool.Definition{Name: fmt.Sprintf("zz_%03d", i), Description: "Reads."}, func(context.Context, json.RawMessage) (json.RawMessage, error) { return nil, nil })
		}
	})
	const last = "tool?name=zz_500"
	if body := send(h, "/tools", nil).Body.String(); strings.Contains(body, last) || !strings.Contains(body, "The first 500 of 5") {
		t.Errorf("the page shows all tools, or does not say that it does not")
	}
	if body := send(h, "/tools?q=zz_500", nil).Body.String(); !strings.Contains(body, last) || !strings.Contains(body, "1 tool<") {
		t.Errorf("the search shows\n%.2000s", body)
	}
}

// times are the parts of a page that differ from run to run.
var times = regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC|\b[0-9.]+ ?(ns|µs|ms|s)\b`)

// TestToolPages compares the pages of tools and calls with the expected HTML.
func TestToolPages(t *testing.T) {
	h := newToolsPage(t, nil)
	wrong := call(t, h, "list", url.Values{"value/limit": {"many"}, "value/folder": {"/tmp"}})
	right := call(t, h, "list", url.Values{"value/folder": {"/tmp\r\nx"}})
	asks := call(t, h, "ask", url.Values{})
	approval := call(t, h, "send", url.Values{"value/to": {"Ada"}, "confirm": {"yes"}})
	repaired := call(t, h, "list", url.Values{"arguments": {`{folder: "/tmp", "limit": "3"}`}})
	if w := send(h, "/save", url.Values{"id": {"2"}, "name": {"two lines"}}); w.Code != http.StatusSeeOther {
		t.Fatal(w.Code)
	}
	for name, target := range map[string]string{
		"list": "/tools?q=FILE+list", "tool": "/tool?name=list", "example": "/tool?name=list&example=1", "saved": "/tool?name=list&saved=two+lines",
		"confirm": "/tool?name=send", "wrong": wrong, "right": right, "asks": asks, "approval": approval, "repaired": repaired, "unknown": "/tool?name=none",
	} {
		t.Run(name, func(t *testing.T) {
			w := send(h, target, nil)
			_, main, _ := strings.Cut(w.Body.String(), "<main")
			main = times.ReplaceAllString(main, "TIME")
			file := filepath.Join("testdata", "tools", name+".html")
			if *update {
				if err := os.WriteFile(file, []byte(main), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if main != string(want) {
				t.Errorf("%s differs; run go test -update and read the diff\n%s", file, main)
			}
		})
	}
}

// formValues are what browsers send back unchanged, where nothing may be replaced.
var formValues = regexp.MustCompile(`(?s)(name|id|for|value|aria-describedby)="[^"]*"|(<textarea[^>]*>).*?</textarea>`)

// TestHostileTools checks that text of tools, schemas and callers is never markup.
func TestHostileTools(t *testing.T) {
	h := newToolsPage(t, nil)
	targets := []string{"/tools?q=" + url.QueryEscape(hostile), "/tool?name=hostile", "/tools", "/tool?name=" + url.QueryEscape(hostile), "/call?id=" + url.QueryEscape(hostile)}
	asked := call(t, h, "hostile", url.Values{"arguments": {string(hostileJSON())}})
	w := send(h, "/answer", url.Values{"id": {"1"}, "q0.action": {"accept"}, "q0.value/choice": {string(jsontext.AppendQuoted(nil, hostile))}, "q1.action": {"decline"}})
	if w.Code != http.StatusSeeOther {
		t.Fatalf("answer: %d\n%s", w.Code, w.Body)
	}
	answered := "/" + w.Header().Get("Location")
	send(h, "/save", url.Values{"id": {"1"}, "name": {hostile}})
	targets = append(targets, asked, answered, "/tool?name=hostile&call=1", call(t, h, "fail", url.Values{}), call(t, h, "panic", url.Values{}),
		call(t, h, "list", url.Values{"arguments": {hostile}}), call(t, h, "list", url.Values{"arguments": {string(hostileJSON())}}))
	for _, target := range targets {
		body := send(h, target, nil).Body.String()
		for _, bad := range []string{"<img src=x", "<script>", "</script>alert", `href="javascript`, `src="javascript`, "ZgotmplZ"} {
			if strings.Contains(body, bad) {
				t.Errorf("%s contains %q:\n%s", target, bad, body)
			}
		}
		if text := formValues.ReplaceAllString(body, ""); strings.ContainsAny(text, "\x1b\u202e") {
			t.Errorf("%s contains invisible characters: %q", target, text)
		}
		if !strings.Contains(body, "&lt;img src=x") && !strings.Contains(target, "name=%22") && !strings.Contains(target, "id=%22") {
			t.Errorf("%s does not show the text", target)
		}
	}
	for n, want := range map[string]string{"0": "", "1": "", "2": "application/octet-stream", "3": "image/png", "4": "application/octet-stream", "5": "", "-1": "", "x": ""} {
		w := send(h, strings.Replace(answered, "/call?", "/part?", 1)+"&n="+n, nil)
		if got := w.Header().Get("Content-Type"); want == "" && w.Code != http.StatusNotFound || want != "" && got != want {
			t.Errorf("part %s: %d %s", n, w.Code, got)
		}
		if isSaved := strings.HasPrefix(w.Header().Get("Content-Disposition"), "attachment"); isSaved != (want == "application/octet-stream") {
			t.Errorf("part %s: headers %v", n, w.Header())
		}
	}
}

// The elements of the form on the page of a tool.
var (
	formElement   = regexp.MustCompile(`(?s)<form class="fields" method="post" action="call">.*?</form>`)
	inputElement  = regexp.MustCompile(`<input[^>]* name="([^"]*)"[^>]* value="([^"]*)"`)
	areaElement   = regexp.MustCompile(`(?s)<textarea[^>]* name="([^"]*)"[^>]*>\n(.*?)</textarea>`)
	selectElement = regexp.MustCompile(`(?s)<select[^>]* name="([^"]*)".*?</select>`)
	optionElement = regexp.MustCompile(`<option value="([^"]*)" selected>`)
)

// readForm returns what a browser sends for the first form of a page.
func readForm(page string) url.Values {
	form, values := formElement.FindString(page), url.Values{}
	for _, m := range inputElement.FindAllStringSubmatch(form, -1) {
		values.Set(html.UnescapeString(m[1]), html.UnescapeString(m[2]))
	}
	for _, m := range areaElement.FindAllStringSubmatch(form, -1) {
		values.Set(html.UnescapeString(m[1]), strings.ReplaceAll(html.UnescapeString(m[2]), "\n", "\r\n"))
	}
	for _, m := range selectElement.FindAllStringSubmatch(form, -1) {
		if option := optionElement.FindStringSubmatch(m[0]); option != nil {
			values.Set(html.UnescapeString(m[1]), html.UnescapeString(option[1]))
		}
	}
	return values
}

// TestFormRoundTrip opens the page of each tool of the example with arguments in the form, and sends the form.
func TestFormRoundTrip(t *testing.T) {
	h := newToolsPage(t, nil)
	for _, d := range h.config.Tools.All() {
		arguments := schema.SampleArguments(d)
		if d.Package == "" || arguments == nil {
			continue
		}
		before := call(t, h, d.Name, url.Values{"arguments": {string(arguments)}, "confirm": {"yes"}})
		form := readForm(send(h, "/tool?name="+d.Name+"&"+strings.Replace(before, "/call?id=", "call=", 1), nil).Body.String())
		form.Set("confirm", "yes")
		if form.Has("arguments") {
			t.Errorf("%s has no fields", d.Name)
		}
		var id int
		if _, err := fmt.Sscanf(call(t, h, d.Name, form), "/call?id=%d", &id); err != nil {
			t.Fatal(err)
		}
		if got := h.calls.Find(id).Request.Arguments; canonical(t, got) != canonical(t, arguments) {
			t.Errorf("%s: the arguments %s became %s", d.Name, arguments, got)
		}
	}
}

func canonical(t *testing.T, text json.RawMessage) string {
	t.Helper()
	n, err := jsontext.Parse(string(text), jsontext.Depth)
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return string(n.AppendCanonical(nil))
}

// TestCallSteps makes calls that need more than one step.
func TestCallSteps(t *testing.T) {
	h := newToolsPage(t, nil)
	to := url.Values{"name": {"send"}, "value/to": {"Ada"}}
	if w := send(h, "/call", to); w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "confirm that it may") || !strings.Contains(w.Body.String(), "\nAda</textarea>") {
		t.Errorf("without confirmation: %d\n%s", w.Code, w.Body)
	}
	to.Set("confirm", "yes")
	waits := call(t, h, "send", to)
	if page := send(h, waits, nil).Body.String(); !strings.Contains(page, "needs approval") || strings.Contains(page, `id="result"`) {
		t.Errorf("without approval:\n%s", page)
	}
	w := send(h, "/approve", url.Values{"id": {"1"}})
	if page := send(h, "/"+w.Header().Get("Location"), nil).Body.String(); !strings.Contains(page, "approved on the inspection page") {
		t.Errorf("after the approval:\n%s", page)
	}
	for _, id := range []string{"2", "99", "x", ""} { // done, unknown
		if w := send(h, "/approve", url.Values{"id": {id}}); w.Code != http.StatusConflict && w.Code != http.StatusNotFound {
			t.Errorf("approval of call %q: %d", id, w.Code)
		}
		if w := send(h, "/answer", url.Values{"id": {id}}); w.Code != http.StatusConflict && w.Code != http.StatusNotFound {
			t.Errorf("answer to call %q: %d", id, w.Code)
		}
	}

	call(t, h, "ask", url.Values{})
	answers := url.Values{
		"id": {"3"}, "q0.action": {"accept"}, "q0.value/color": {`"blue"`}, "q0.value/why": {"why not"}, "q1.action": {"accept"}, "q2.action": {"decline"},
		"q3.action": {"accept"}, "q3.text": {"hi"}, "q4.action": {"accept"}, "q4.text": {"file:///a\r\n\r\n file:///b "},
	}
	w = send(h, "/answer", answers)
	if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "Invalid answer: /color") || !strings.Contains(w.Body.String(), "\nwhy not</textarea>") {
		t.Errorf("wrong answer: %d\n%s", w.Code, w.Body)
	}
	answers.Set("q0.value/color", `"red"`)
	w = send(h, "/answer", answers)
	page := html.UnescapeString(send(h, "/"+w.Header().Get("Location"), nil).Body.String())
	want := `[
  "accept {\"color\":\"red\",\"why\":\"why not\"}",
  "accept ",
  "decline ",
  "accept \"hi\"",
  "accept [{\"uri\":\"file:///a\"},{\"uri\":\"file:///b\"}]"
]`
	if !strings.Contains(page, want) {
		t.Errorf("answered:\n%s", page)
	}
}

// TestSavedCalls saves, shows and deletes a call; the calls of another handler with the same file are the same.
func TestSavedCalls(t *testing.T) {
	file := filepath.Join(t.TempDir(), "saved.json")
	useFile := func(c *Config) { c.SavedCalls = file }
	h := newToolsPage(t, useFile)
	call(t, h, "list", url.Values{"value/folder": {"/var"}})
	send(h, "/save", url.Values{"id": {"1"}, "name": {"var"}})
	h = newToolsPage(t, useFile)
	form := readForm(send(h, "/tool?name=list&saved=var", nil).Body.String())
	if form.Get("value/folder") != "/var" {
		t.Errorf("the form of the saved call is %v", form)
	}
	if w := send(h, "/save", url.Values{"id": {"1"}, "name": {"x"}}); w.Code != http.StatusNotFound {
		t.Errorf("save a call of another process: %d", w.Code)
	}
	send(h, "/delete", url.Values{"tool": {"list"}, "name": {"var"}})
	if page := send(h, "/tool?name=list", nil).Body.String(); strings.Contains(page, "Saved calls") {
		t.Error("the call is still there")
	}
	call(t, h, "list", url.Values{})
	if w := send(h, "/save", url.Values{"id": {"1"}, "name": {" "}}); w.Code != http.StatusUnprocessableEntity {
		t.Errorf("save without a name: %d", w.Code)
	}
}

// TestRunningCall looks at a call while it runs, and cancels it.
func TestRunningCall(t *testing.T) {
	started := make(chan struct{}, 100)
	h := newToolsPage(t, func(c *Config) {
		addTool(t, c.Tools.(*tool.Registry), tool.Definition{Name: "wait", Description: "Waits.", Annotations: tool.Annotations{ReadOnly: true}},
			func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
				started <- struct{}{}
				<-ctx.Done()
				return nil, ctx.Err()
			})
	})
	for range 8 { // as many as can run
		if _, err := h.calls.Start(tool.Request{Name: "wait"}); err != nil {
			t.Fatal(err)
		}
		<-started
	}
	w := send(h, "/call?id=1", nil)
	if w.Header().Get("Refresh") == "" || !strings.Contains(w.Body.String(), "Cancel the call") {
		t.Errorf("running call: %v\n%s", w.Header(), w.Body)
	}
	if w := send(h, "/call", url.Values{"name": {"list"}}); w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
		t.Errorf("too many calls: %d", w.Code)
	}
	if w := send(h, "/approve", url.Values{"id": {"1"}}); w.Code != http.StatusConflict {
		t.Errorf("approval of a running call: %d", w.Code)
	}
	for id := range 8 {
		send(h, "/cancel", url.Values{"id": {fmt.Sprint(id + 1)}})
	}
	<-h.calls.Find(1).Done()
	if page := send(h, "/call?id=1", nil); page.Header().Get("Refresh") != "" || !strings.Contains(page.Body.String(), "context canceled") {
		t.Errorf("canceled call:\n%s", page.Body)
	}
}

// TestRedaction checks that no page shows a value that the rule hides.
func TestRedaction(t *testing.T) {
	rule := func(_, pointer string, value json.RawMessage) json.RawMessage {
		if pointer == "/arguments/folder" || strings.HasPrefix(pointer, "/output") || pointer == "/questions/0/text" {
			return json.RawMessage(`"hidden"`)
		}
		return value
	}
	h := newToolsPage(t, func(c *Config) { c.Redact = redact.New(rule) })
	target, asks := call(t, h, "list", url.Values{"value/folder": {"/home/secretary"}}), call(t, h, "ask", url.Values{})
	if page := send(h, asks, nil).Body.String(); strings.Contains(page, "Which color") || !strings.Contains(page, "Really?") {
		t.Errorf("questions:\n%s", page)
	}
	send(h, "/save", url.Values{"id": {"1"}, "name": {"saved"}})
	for _, target := range []string{target, "/tool?name=list", "/tool?name=list&call=1", "/tool?name=list&saved=saved"} {
		page := send(h, target, nil).Body.String()
		if strings.Contains(page, "secretary") || strings.Contains(page, "a.txt") || !strings.Contains(page, "hidden") {
			t.Errorf("%s:\n%s", target, page)
		}
	}
}

// TestRefusals checks requests that are not fulfilled.
func TestRefusals(t *testing.T) {
	h := newToolsPage(t, func(c *Config) {
		agent := tool.New(&tool.Definition{Name: "agent", Description: "Works.", Agent: 1}, func(context.Context, *tool.Invocation) {})
		c.Tools.(*tool.Registry).Replace(agent)
	})
	for _, tt := range []struct {
		target string
		form   url.Values
		status int
	}{
		{"/call", url.Values{"name": {"none"}}, http.StatusNotFound},
		{"/call", url.Values{}, http.StatusNotFound},
		{"/call?name=list", url.Values{}, http.StatusNotFound},
		{"/call", url.Values{"name": {"agent"}, "confirm": {"yes"}}, http.StatusUnprocessableEntity},
		{"/call", url.Values{"name": {"list"}, "arguments": {strings.Repeat("x", maxForm)}}, http.StatusRequestEntityTooLarge},
		{"/cancel", url.Values{"id": {"7"}}, http.StatusNotFound},
		{"/tools", url.Values{}, http.StatusMethodNotAllowed},
		{"/call?id=7", nil, http.StatusNotFound},
		{"/part?id=7&n=0", nil, http.StatusNotFound},
		{"/a/b/c", nil, http.StatusNotFound},
		{"/approve", nil, http.StatusNotFound},
	} {
		if w := send(h, tt.target, tt.form); w.Code != tt.status {
			t.Errorf("%s %.100v: %d, want %d", tt.target, tt.form, w.Code, tt.status)
		}
	}
	if page := send(h, "/tool?name=agent", nil).Body.String(); !strings.Contains(page, "only runs can call it") || strings.Contains(page, `action="call"`) {
		t.Errorf("the page of an agent:\n%s", page)
	}
	if body := send(h, "/a/b/c", nil).Body.String(); !strings.Contains(body, `href="../../style.css"`) {
		t.Errorf("links of a nested path:\n%s", body)
	}
}

// brokenTools panic when they are listed.
type brokenTools struct{ *tool.Registry }

func (brokenTools) All() []tool.Definition { panic("oh") }

func TestPanic(t *testing.T) {
	h := newTestPage(t, Config{Tools: brokenTools{tool.NewRegistry()}})
	if w := send(h, "/tools", nil); w.Code != http.StatusInternalServerError || !strings.Contains(w.Body.String(), "internal error") || strings.Contains(w.Body.String(), "oh") {
		t.Errorf("%d\n%s", w.Code, w.Body)
	}
}

// TestPlaces checks that the page of a generated tool says where it is declared and what it calls.
func TestPlaces(t *testing.T) {
	page := send(newToolsPage(t, nil), "/tool?name=get_ticket", nil).Body.String()
	for _, place := range []string{`<bdi>example/tools/tickets\.aion:\d+</bdi>`, `<bdi>example/tools/desk\.go:\d+</bdi>`} {
		if !regexp.MustCompile(place).MatchString(page) {
			t.Errorf("the page does not contain %s:\n%s", place, page)
		}
	}
}
