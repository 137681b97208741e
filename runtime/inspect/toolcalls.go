package inspect

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/inspect/internal/callbook"
	"github.com/aiongen/aiongen/runtime/inspect/internal/callform"
	"github.com/aiongen/aiongen/runtime/tool"
)

const (
	callWait = 2 * time.Second // how long showStarted waits for a call to end

	// pageApproval is the approval of calls that a person approves on the page.
	pageApproval = "approved on the inspection page"
)

// startCall calls a tool with the arguments of a form: those in its fields, or those in the field "arguments"
// as JSON, which the tool checks.
func (h *Handler) startCall(w http.ResponseWriter, r *http.Request) {
	d, ok := h.findTool(w, r, r.PostForm.Get("name"))
	if !ok {
		return
	}
	request := tool.Request{Name: d.Name}
	f := callform.New(d.Input, "")
	var form callForm
	form.setSource(h, r.PostForm)
	var faults []callform.Fault
	if r.PostForm.Has("arguments") {
		form.JSON, form.ShowJSON = r.PostForm.Get("arguments"), true
		form.Inputs = f.Inputs(nil, nil)
		request.Arguments = json.RawMessage(form.JSON)
	} else {
		request.Arguments, faults = f.Arguments(r.PostForm)
		form.JSON = indentJSON(request.Arguments)
		form.Inputs = f.Inputs(r.PostForm, faults)
	}
	switch {
	case d.Agent != nil:
		form.Message = "An agent carries out the calls of this tool, so only runs can call it."
	case len(faults) > 0:
		form.Message = "The tool was not called: some values are not JSON."
	case mayDestroy(d) && r.PostForm.Get("confirm") == "":
		form.Message = "The tool was not called: confirm that it may change or delete data."
	default:
		if before, ok := h.chooseRequest(d, r.PostForm); ok && h.config.Redact != nil {
			request.Arguments = restoreHidden(request.Arguments, h.visibleArguments(before, d), before.Arguments)
		}
		e, err := h.calls.Start(request)
		h.showStarted(w, r, e, err)
		return
	}
	h.showToolForm(w, r, http.StatusUnprocessableEntity, d, form)
}

// showStarted waits a little for a call to end, and redirects to its page. If err is not nil, the call was not
// started.
func (h *Handler) showStarted(w http.ResponseWriter, r *http.Request, e *callbook.Entry, err error) {
	if err != nil {
		w.Header().Set("Retry-After", "5")
		h.showError(w, r, http.StatusServiceUnavailable, "The tool was not called: "+err.Error()+".")
		return
	}
	wait := time.NewTimer(callWait)
	defer wait.Stop()
	select {
	case <-e.Done():
	case <-wait.C:
	case <-r.Context().Done():
	}
	redirect(w, callURL(e))
}

// findCall returns a call that was made on the page. It answers the request if there is none.
func (h *Handler) findCall(w http.ResponseWriter, r *http.Request, text string) (e *callbook.Entry) {
	if id, err := strconv.Atoi(text); err == nil {
		e = h.calls.Find(id)
	}
	if e == nil {
		h.showError(w, r, http.StatusNotFound, "There is no such call. The page remembers the last 100 calls of this process.")
	}
	return e
}

// approveCall repeats a call that needs an approval, with the approval. Each call is repeated only once.
func (h *Handler) approveCall(w http.ResponseWriter, r *http.Request) {
	e := h.findCall(w, r, r.PostForm.Get("id"))
	if e == nil {
		return
	}
	if call := e.Outcome(); call == nil || !needsApproval(call) {
		h.showError(w, r, http.StatusConflict, "The call does not need an approval.")
		return
	}
	request := e.Request
	request.Approval = pageApproval
	h.resumeCall(w, r, e, request)
}

func needsApproval(c *tool.Call) bool {
	_, ok := errors.AsType[*tool.ApprovalError](c.Err)
	return ok
}

// unansweredQuestions returns the questions that a call asked, or nil.
func unansweredQuestions(c *tool.Call) *tool.AskError {
	if ask, ok := errors.AsType[*tool.AskError](c.Err); ok && !ask.Nobody {
		return ask
	}
	return nil
}

// answerCall repeats a call with the answers to its questions. Each call is repeated only once.
func (h *Handler) answerCall(w http.ResponseWriter, r *http.Request) {
	e := h.findCall(w, r, r.PostForm.Get("id"))
	if e == nil {
		return
	}
	call := e.Outcome()
	if call == nil || unansweredQuestions(call) == nil {
		h.showError(w, r, http.StatusConflict, "The call has no questions.")
		return
	}
	ask := unansweredQuestions(call)
	answers := make([]tool.Answer, len(ask.Questions))
	invalid := false
	faults := make([]string, len(answers))
	for i, q := range ask.Questions {
		if answers[i], faults[i] = readAnswer(q, questionPrefix(i), r.PostForm); faults[i] != "" {
			invalid = true
		}
	}
	if invalid {
		v := h.viewCall(e)
		v.Questions = h.viewQuestions(e.Request, ask, r.PostForm, faults)
		h.showCallView(w, r, http.StatusUnprocessableEntity, v)
		return
	}
	h.resumeCall(w, r, e, ask.RequestWithAnswers(e.Request, answers...))
}

// resumeCall repeats a call with a person's approval or answers, and redirects to its page. Each call is
// repeated only once.
func (h *Handler) resumeCall(w http.ResponseWriter, r *http.Request, e *callbook.Entry, request tool.Request) {
	resumed, err := h.calls.Resume(e, request)
	h.showStarted(w, r, resumed, err)
}

// questionPrefix returns the prefix of the names of the input elements of a question.
func questionPrefix(i int) string { return "q" + strconv.Itoa(i) + "." }

// readAnswer returns the answer to a question, and what is wrong with it, or "".
func readAnswer(q tool.Question, prefix string, form url.Values) (answer tool.Answer, fault string) {
	switch tool.AnswerAction(form.Get(prefix + "action")) {
	case tool.AnswerAccepted:
	case tool.AnswerDeclined:
		return q.Decline(), ""
	case tool.AnswerCancelled:
		return q.Cancel(), ""
	default:
		return answer, "Choose an answer."
	}
	var value json.RawMessage
	switch {
	case q.Kind == tool.QuestionPerson && len(q.Schema) > 0:
		var faults []callform.Fault
		if value, faults = callform.New(q.Schema, prefix).Arguments(form); len(faults) > 0 {
			return answer, faults[0].Message
		}
	case q.Kind == tool.QuestionModel:
		value = jsontext.AppendQuoted(nil, form.Get(prefix+"text"))
	case q.Kind == tool.QuestionRoots:
		value = listRoots(form.Get(prefix + "text"))
	}
	answer = q.Accept(value)
	if err := q.Check(answer); err != nil {
		return answer, "Invalid answer: " + err.Error() + "."
	}
	return answer, ""
}

// listRoots returns the JSON of the folders in lines.
func listRoots(lines string) json.RawMessage {
	roots := []tool.Root{}
	for line := range strings.Lines(lines) {
		if line = strings.TrimSpace(line); line != "" {
			roots = append(roots, tool.Root{URI: line})
		}
	}
	text, _ := json.Marshal(roots) // strings are always valid
	return text
}

// cancelCall cancels a running call.
func (h *Handler) cancelCall(w http.ResponseWriter, r *http.Request) {
	if e := h.findCall(w, r, r.PostForm.Get("id")); e != nil {
		e.Cancel()
		redirect(w, callURL(e))
	}
}

// saveCall saves a call under a name.
func (h *Handler) saveCall(w http.ResponseWriter, r *http.Request) {
	e := h.findCall(w, r, r.PostForm.Get("id"))
	if e == nil {
		return
	}
	if err := h.calls.Save(r.PostForm.Get("name"), e.Request); err != nil {
		h.showError(w, r, http.StatusUnprocessableEntity, "The call was not saved: "+err.Error()+".")
		return
	}
	redirect(w, toolURL(e.Request.Name))
}

// deleteSaved deletes a saved call.
func (h *Handler) deleteSaved(w http.ResponseWriter, r *http.Request) {
	if err := h.calls.Delete(r.PostForm.Get("tool"), r.PostForm.Get("name")); err != nil {
		h.showError(w, r, http.StatusInternalServerError, "The call was not deleted: "+err.Error()+".")
		return
	}
	redirect(w, toolURL(r.PostForm.Get("tool")))
}
