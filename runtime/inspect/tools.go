package inspect

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aiongen/aiongen/internal/toolpage"
	"github.com/aiongen/aiongen/runtime/inspect/internal/callbook"
	"github.com/aiongen/aiongen/runtime/inspect/internal/callform"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// addToolRoutes adds the pages of tools and their calls.
func (h *Handler) addToolRoutes(mux *http.ServeMux) {
	if h.config.Tools == nil {
		return
	}
	mux.HandleFunc("GET /tools", h.showTools)
	mux.HandleFunc("GET /tool", h.showTool)
	mux.HandleFunc("GET /call", h.showCall)
	mux.HandleFunc("GET /part", h.showPart)
	mux.HandleFunc("POST /call", h.startCall)
	mux.HandleFunc("POST /approve", h.approveCall)
	mux.HandleFunc("POST /answer", h.answerCall)
	mux.HandleFunc("POST /cancel", h.cancelCall)
	mux.HandleFunc("POST /save", h.saveCall)
	mux.HandleFunc("POST /delete", h.deleteSaved)
}

// maxListed limits the tools in a list. A search finds the others.
const maxListed = 500

// showTools lists the tools that match the words of the query q.
func (h *Handler) showTools(w http.ResponseWriter, r *http.Request) {
	list := toolpage.List{Title: "Tools", Query: r.URL.Query().Get("q"), Action: "tools"}
	definitions := map[string]tool.Definition{}
	for _, d := range h.config.Tools.All() {
		t := toolpage.ListedTool{Tool: describeTool(d), URL: toolURL(d.Name)}
		if t.Matches(list.Query) {
			list.Tools, definitions[d.Name] = append(list.Tools, t), d
		}
	}
	slices.SortStableFunc(list.Tools, func(a, b toolpage.ListedTool) int { return strings.Compare(a.Package, b.Package) })
	if n := len(list.Tools); n > 0 && list.Tools[n-1].Package != "" {
		for i := range list.Tools {
			list.Tools[i].Package = cmp.Or(list.Tools[i].Package, "Other tools")
		}
	}
	if more := len(list.Tools) - maxListed; more > 0 {
		list.Tools, list.Omitted = list.Tools[:maxListed], more
	}
	for i := range list.Tools {
		list.Tools[i].Tokens = estimateTokens(definitions[list.Tools[i].Name])
	}
	content, err := toolpage.ListBody(list)
	if err != nil {
		panic(err) // which recoverPanics logs
	}
	h.showPage(w, r, page{title: "Tools", section: "tools", content: content})
}

// toolURL returns the relative URL of the page of a tool.
func toolURL(name string) string { return "tool?" + url.Values{"name": {name}}.Encode() }

// describeTool converts a definition for the pages of package toolpage, without the definitions that providers receive.
func describeTool(d tool.Definition) toolpage.Tool {
	return toolpage.Tool{
		Name: d.Name, Title: d.Title, Description: d.Description, Link: d.Link, Package: d.Package,
		Note: d.NotePlace(), Function: d.FunctionPlace(),
		Input: d.Input, Output: d.Output, Example: d.Example,
		Annotations: toolpage.Annotations(d.Annotations),
	}
}

// estimateTokens estimates the size of a tool in a request to OpenAI. It returns 0 if the tool cannot be converted for
// OpenAI.
func estimateTokens(d tool.Definition) int {
	lowered, err := schema.Lower(schema.OpenAI, d)
	if err != nil {
		return 0
	}
	return schema.EstimateTokens(lowered.JSON(schema.OpenAI.Shape()))
}

// providerForms returns the definitions that each provider receives.
func providerForms(d tool.Definition) (forms []toolpage.Form) {
	for _, target := range schema.Targets() {
		form := toolpage.Form{Target: string(target)}
		if lowered, err := schema.Lower(target, d); err != nil {
			form.Failure = err.Error()
		} else {
			form.Definition = lowered.JSON(target.Shape())
			form.Tokens = schema.EstimateTokens(form.Definition)
		}
		forms = append(forms, form)
	}
	return forms
}

// findTool returns the definition of a tool. If there is no such tool, it answers the request with an error.
func (h *Handler) findTool(w http.ResponseWriter, r *http.Request, name string) (d tool.Definition, ok bool) {
	if d = h.definition(name); d.Name != "" {
		return d, true
	}
	h.showError(w, r, http.StatusNotFound, "There is no such tool. It may have been unregistered.")
	return d, false
}

// callForm is the form with which a person calls a tool.
type callForm struct {
	Tool       string
	Call       string // ID of the call whose arguments the form shows; set only if values may be hidden
	SavedCall  string // name of the saved call whose arguments the form shows; set only if values may be hidden
	Agent      bool   // only runs can call it
	Inputs     []callform.Input
	JSONOnly   bool
	JSON       string // arguments as JSON, for the second form
	ShowJSON   bool   // the arguments cannot be shown as fields, or were entered as JSON
	Confirm    bool   // a person has to confirm that the tool may change or delete data
	Message    string // why the call was not made
	ExampleURL string // of the form with the arguments of the example; empty for none
	Variables  []string
	Saved      []savedLink
	Recent     []recentLink
}

// savedLink is a saved call of the tool.
type savedLink struct{ Name, Arguments, URL string }

// recentLink is a call of the tool that was made on the page.
type recentLink struct {
	URL, Arguments, Outcome string
	Started                 time.Time
}

const (
	shownRecent    = 10  // calls of a tool
	shownArguments = 200 // bytes of the arguments in a list
)

// showTool shows a tool, and a form to call it. The query selects the arguments in the form: those of a call,
// of a saved call, or of the example.
func (h *Handler) showTool(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	d, ok := h.findTool(w, r, query.Get("name"))
	if !ok {
		return
	}
	form := callForm{JSON: "{}"}
	form.setSource(h, query)
	arguments, ok := h.chooseArguments(d, query)
	f := callform.New(d.Input, "")
	var values url.Values
	if ok {
		form.JSON = indentJSON(arguments)
		if values, ok = f.Values(arguments); !ok {
			form.ShowJSON = true
		}
	}
	form.Inputs = f.Inputs(values, nil)
	h.showToolForm(w, r, http.StatusOK, d, form)
}

// setSource records where the arguments in the form come from, so that the values that the page hides can be
// restored.
func (form *callForm) setSource(h *Handler, from url.Values) {
	if h.config.Redact != nil {
		form.Call, form.SavedCall = from.Get("call"), from.Get("saved")
	}
}

// chooseArguments returns the arguments that a query selects, as the page may show them.
func (h *Handler) chooseArguments(d tool.Definition, query url.Values) (json.RawMessage, bool) {
	if query.Has("example") {
		return d.Example, d.Example != nil
	}
	request, ok := h.chooseRequest(d, query)
	if !ok {
		return nil, false
	}
	return h.visibleArguments(request, d), true
}

// chooseRequest returns the request of the call, or of the saved call, that a query selects.
func (h *Handler) chooseRequest(d tool.Definition, query url.Values) (tool.Request, bool) {
	switch {
	case query.Has("saved"):
		for _, s := range h.calls.Saved(d.Name) {
			if s.Name == query.Get("saved") {
				return s.Request, true
			}
		}
	case query.Has("call"):
		id, _ := strconv.Atoi(query.Get("call")) // there is no call 0
		if e := h.calls.Find(id); e != nil && e.Request.Name == d.Name {
			return e.Request, true
		}
	}
	return tool.Request{}, false
}

// showToolForm shows the page of a tool with a form that is filled in.
func (h *Handler) showToolForm(w http.ResponseWriter, r *http.Request, status int, d tool.Definition, form callForm) {
	form.Tool, form.Agent, form.JSONOnly = d.Name, d.Agent != nil, callform.New(d.Input, "").JSONOnly
	form.Confirm = mayDestroy(d)
	if d.Example != nil {
		form.ExampleURL = "tool?" + url.Values{"name": {d.Name}, "example": {"1"}}.Encode()
	}
	form.Variables = h.calls.Variables()
	for _, s := range h.calls.Saved(d.Name) {
		form.Saved = append(form.Saved, savedLink{s.Name, h.showArguments(s.Request, d), "tool?" + url.Values{"name": {d.Name}, "saved": {s.Name}}.Encode()})
	}
	for _, e := range h.calls.Recent(d.Name, shownRecent) {
		form.Recent = append(form.Recent, recentLink{callURL(e), h.showArguments(e.Request, d), outcomeOf(e), e.Started})
	}
	t := describeTool(d)
	t.Tokens, t.Forms = estimateTokens(d), providerForms(d)
	var err error
	if t.Actions, err = renderTemplate(callFormTemplate, form); err != nil {
		panic(err) // which recoverPanics logs
	}
	content, err := toolpage.ToolBody(t)
	if err != nil {
		panic(err)
	}
	h.showPage(w, r, page{status: status, title: d.Name, section: "tools", content: content})
}

// mayDestroy reports whether a person has to confirm calls of a tool.
func mayDestroy(d tool.Definition) bool { return !d.Annotations.Is(tool.Additive) }

// callURL returns the relative URL of a call.
func callURL(e *callbook.Entry) string { return fmt.Sprintf("call?id=%d", e.ID) }

// outcomeOf returns the state of a call in one or two words.
func outcomeOf(e *callbook.Entry) string {
	call := e.Outcome()
	switch {
	case call == nil:
		return "running"
	case tool.Code(call.Err) == "needs_approval":
		return "needs approval"
	case tool.Code(call.Err) == "needs_answer":
		return "asks"
	}
	return string(call.Status)
}
