package inspect

import (
	"context"
	"encoding/json"
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/inspect/internal/callbook"
	"github.com/aiongen/aiongen/runtime/inspect/internal/callform"
	"github.com/aiongen/aiongen/runtime/tool"
)

var (
	callFormTemplate = template.Must(template.Must(frame.Clone()).ParseFS(files, "templates/callform.html", "templates/fields.html")).Lookup("callform.html")
	callPage         = parsePage("call.html", "fields.html")
)

// visibleArguments returns the arguments of a request without hidden values.
func (h *Handler) visibleArguments(r tool.Request, d tool.Definition) json.RawMessage {
	return h.config.Redact.Request(context.Background(), r, d).Arguments
}

// showArguments returns the arguments of a request in one line.
func (h *Handler) showArguments(r tool.Request, d tool.Definition) string {
	return words.Cut(string(h.visibleArguments(r, d)), shownArguments)
}

// callView is what the page of a call shows.
type callView struct {
	ID              int
	Tool            string
	ToolURL         string
	EditURL         string
	Outcome         string
	Class           string // of the badge with the outcome
	Running         bool
	Started         time.Time
	Duration        time.Duration
	Arguments       shownValue
	Call            *tool.Call // redacted; nil while it runs
	Parts           []partView
	Failure         *failureView
	NeedsApproval   bool
	Questions       []questionView
	Messages        []callbook.Message
	DroppedMessages int
}

// shownValue is a JSON value, or the beginning of it.
type shownValue struct {
	JSON json.RawMessage
	Size int  // of the whole value in bytes
	Cut  bool // JSON is only the beginning
}

func showValue(text json.RawMessage) shownValue {
	v := shownValue{JSON: text, Size: len(text)}
	if len(indentJSON(text)) > maxShown {
		v.JSON, v.Cut = json.RawMessage(words.Cut(string(text), maxShown/2)), true
	}
	return v
}

// failureView is the error of a call.
type failureView struct {
	Message    string
	Code       string
	Faults     []tool.Fault
	MoreFaults int
	ModelText  string
	Stack      string
}

func viewFailure(err error) *failureView {
	f := &failureView{Message: err.Error(), Code: tool.Code(err), ModelText: tool.ModelText(err)}
	if wrong, ok := errors.AsType[*tool.ArgumentError](err); ok {
		f.Message = "The tool did not run, because its arguments were wrong."
		f.Faults, f.MoreFaults = wrong.Faults, wrong.Count-len(wrong.Faults)
		if wrong.Repair != nil {
			f.Message += " They could not be repaired: " + wrong.Repair.Error() + "."
		}
	}
	if p, ok := errors.AsType[*tool.PanicError](err); ok {
		f.Stack = string(p.Stack)
	}
	return f
}

// partView is a part that the function attached.
type partView struct {
	Description string // of a part other than a text
	Text        string
	URL         string // of its data, on this server
	Link        string // of a link to somewhere else
	Image       bool
	Audio       bool
}

func viewPart(e *callbook.Entry, i int, p content.Part) partView {
	v := partView{Text: p.Text}
	if p.Kind() == content.KindText {
		return v
	}
	v.Description = p.String()
	if isWebURL(p.URL) {
		v.Link = p.URL
	}
	if p.Data != nil {
		v.URL = "part?" + url.Values{"id": {strconv.Itoa(e.ID)}, "n": {strconv.Itoa(i)}}.Encode()
		v.Image, v.Audio = showsInline(p) && p.Medium() == "image", showsInline(p) && p.Medium() == "audio"
	}
	return v
}

// isWebURL reports whether a page may link to a URL. Other schemes, such as javascript, could run code
// on this page.
func isWebURL(text string) bool {
	return strings.HasPrefix(text, "https://") || strings.HasPrefix(text, "http://")
}

// inlineMedia are the media types that browsers show without running code in them.
var inlineMedia = []string{
	"image/png", "image/jpeg", "image/gif", "image/webp",
	"audio/wav", "audio/x-wav", "audio/mpeg", "audio/ogg", "audio/mp4", "audio/webm",
}

func showsInline(p content.Part) bool { return slices.Contains(inlineMedia, p.Media) }

// questionView is a question of the function to a person.
type questionView struct {
	Prefix string // of the names of its input elements
	Text   string
	Kind   tool.QuestionKind
	URL    string // to visit
	IsLink bool   // URL may be a link
	Inputs []callform.Input
	Entry  string // text that was entered
	Chosen tool.AnswerAction
	Fault  string
}

// viewQuestions returns the questions of a call with the answers in a form, and what is wrong with each answer.
func (h *Handler) viewQuestions(r tool.Request, ask *tool.AskError, form url.Values, faults []string) []questionView {
	views := make([]questionView, len(ask.Questions))
	for i, q := range h.config.Redact.Questions(context.Background(), r, h.definition(r.Name), ask.Questions) {
		prefix := questionPrefix(i)
		v := questionView{
			Prefix: prefix, Text: q.Message(), Kind: q.Kind, Entry: form.Get(prefix + "text"),
			Chosen: tool.AnswerAction(form.Get(prefix + "action")),
		}
		switch q.Kind {
		case tool.QuestionRoots:
			v.Text = q.String()
		case tool.QuestionVisit:
			v.URL, v.IsLink = q.URL, isWebURL(q.URL)
		case tool.QuestionPerson:
			if len(q.Schema) > 0 {
				v.Inputs = callform.New(q.Schema, prefix).Inputs(form, nil)
			}
		}
		if faults != nil {
			v.Fault = faults[i]
		}
		views[i] = v
	}
	return views
}

// viewCall returns what the page of a call shows.
func (h *Handler) viewCall(e *callbook.Entry) callView {
	v := callView{
		ID: e.ID, Tool: e.Request.Name, ToolURL: toolURL(e.Request.Name), Started: e.Started, Outcome: outcomeOf(e),
		EditURL: "tool?" + url.Values{"name": {e.Request.Name}, "call": {strconv.Itoa(e.ID)}}.Encode(),
	}
	if h.config.Redact == nil { // a redactor cannot redact messages, so they would show hidden values
		v.Messages, v.DroppedMessages = e.Messages()
	}
	d := h.definition(e.Request.Name)
	v.Arguments = showValue(h.visibleArguments(e.Request, d))
	call := e.Outcome()
	if call == nil {
		v.Running, v.Duration, v.Class = true, time.Since(e.Started), "warn"
		return v
	}
	if v.NeedsApproval = needsApproval(call); v.NeedsApproval {
		v.Class = "warn"
	} else if ask := unansweredQuestions(call); ask != nil {
		v.Class, v.Questions = "warn", h.viewQuestions(e.Request, ask, nil, nil)
	}
	call = h.config.Redact.Call(context.Background(), call, d)
	v.addOutcome(e, call)
	return v
}

// addOutcome adds the outcome of a call, which is redacted.
func (v *callView) addOutcome(e *callbook.Entry, call *tool.Call) {
	v.Call, v.Duration = call, call.Duration
	for i, p := range call.Content {
		v.Parts = append(v.Parts, viewPart(e, i, p))
	}
	switch {
	case call.Err == nil:
		v.Class = "good"
	case v.Class == "":
		v.Class, v.Failure = "bad", viewFailure(call.Err)
	}
}

// definition returns the definition of a tool, which is empty if the tool was unregistered.
func (h *Handler) definition(name string) tool.Definition {
	for _, d := range h.config.Tools.All() {
		if d.Name == name {
			return d
		}
	}
	return tool.Definition{}
}

// showCall shows a call that was made on the page.
func (h *Handler) showCall(w http.ResponseWriter, r *http.Request) {
	if e := h.findCall(w, r, r.URL.Query().Get("id")); e != nil {
		h.showCallView(w, r, http.StatusOK, h.viewCall(e))
	}
}

func (h *Handler) showCallView(w http.ResponseWriter, r *http.Request, status int, v callView) {
	if v.Running {
		w.Header().Set("Refresh", "2")
	}
	h.showPage(w, r, page{template: callPage, status: status, title: "Call of " + v.Tool, section: "tools", body: v})
}

// showPart serves the data of a part that a function attached. Browsers save media that could run code.
func (h *Handler) showPart(w http.ResponseWriter, r *http.Request) {
	e := h.findCall(w, r, r.URL.Query().Get("id"))
	if e == nil {
		return
	}
	n, err := strconv.Atoi(r.URL.Query().Get("n"))
	call := e.Outcome()
	if call != nil {
		call = h.config.Redact.Call(context.Background(), call, h.definition(e.Request.Name))
	}
	if err != nil || call == nil || n < 0 || n >= len(call.Content) || call.Content[n].Data == nil {
		h.showError(w, r, http.StatusNotFound, "The call has no such part.")
		return
	}
	part := call.Content[n]
	if showsInline(part) {
		w.Header().Set("Content-Type", part.Media)
	} else {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Disposition", `attachment; filename="part"`)
	}
	_, _ = w.Write(part.Data) // an error means that the client has disconnected
}
