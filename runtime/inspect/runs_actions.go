package inspect

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/inspect/internal/history"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// sendSignal sends a run the signal that a form contains.
func (h *Handler) sendSignal(w http.ResponseWriter, r *http.Request) {
	id := r.FormValue("id")
	if !h.canSend() {
		h.showError(w, r, http.StatusForbidden, "This page can only show runs: its program has set no agent.")
		return
	}
	s, err := h.readSignal(r)
	if err == nil {
		err = h.deliverSignal(r.Context(), id, s)
	}
	if err != nil {
		h.showRunWith(w, r, id, "Nothing was sent: "+err.Error(), r.PostForm)
		return
	}
	if r.PostFormValue("then") == "continue" {
		h.executeRun(r.Context(), id)
	}
	redirect(w, runURL(id))
}

// deliverSignal sends a signal through the function of the configuration, or through the agent.
func (h *Handler) deliverSignal(ctx context.Context, id string, s run.Signal) error {
	if h.config.Send != nil {
		return h.config.Send(ctx, id, s)
	}
	opened, err := h.config.Agent.Open(ctx, id)
	if err != nil {
		return err
	}
	return opened.Send(ctx, s)
}

// readSignal returns the signal that a form contains.
func (h *Handler) readSignal(r *http.Request) (run.Signal, error) {
	call, reason := r.FormValue("call"), strings.TrimSpace(r.PostFormValue("reason"))
	switch kind := r.PostFormValue("signal"); kind {
	case "approve":
		return h.readApproval(r, call)
	case "deny":
		return run.Deny(call, reason), nil
	case "reply":
		return h.readReply(r, call)
	case "redo":
		return run.Redo(call), nil
	case "supply":
		output, err := readJSON("output", r.PostFormValue("output"))
		return run.Supply(call, output), err
	case "say":
		return run.Say(llm.Message{Role: llm.RoleUser, Text: r.PostFormValue("message")}), nil
	case "cancel":
		return run.Cancel(reason), nil
	case "extend":
		return readLimits(r)
	default:
		return run.Signal{}, fmt.Errorf("unknown signal %q", kind)
	}
}

// readApproval returns an approval. It has arguments only if the page offered to edit them and the person has
// changed them. Without arguments, the call keeps those of the model.
func (h *Handler) readApproval(r *http.Request, call string) (run.Signal, error) {
	by := strings.TrimSpace(r.PostFormValue("approval"))
	if by == "" {
		return run.Signal{}, errors.New("an approval needs your name")
	}
	if !r.PostForm.Has("arguments") {
		return run.Approve(call, by, nil), nil
	}
	arguments, err := readJSON("arguments", r.PostFormValue("arguments"))
	if err != nil {
		return run.Signal{}, err
	}
	shown, item, err := h.findWait(r, call)
	switch {
	case err != nil:
		return run.Signal{}, err
	case item == nil:
		return run.Signal{}, errors.New("the run no longer waits for this call")
	}
	original := newWait("", *item).JSON
	if arguments = restoreHidden(arguments, newWait("", *shown).JSON, original); jsontext.EqualTexts(original, arguments, jsontext.Depth) {
		arguments = nil
	}
	return run.Approve(call, by, arguments), nil
}

// findWait returns two versions of a call that a run waits for: as the page shows it, and with nothing hidden. Both are
// nil if the run does not wait for the call.
func (h *Handler) findWait(r *http.Request, call string) (shown, original *history.Item, err error) {
	runHistory, err := h.reader().Open(r.Context(), r.FormValue("id"))
	if err != nil {
		return nil, nil, err
	}
	i := slices.IndexFunc(runHistory.Waits, func(item *history.Item) bool { return item.Call.ID == call })
	if i < 0 {
		return nil, nil, nil
	}
	return &runHistory.ShowWaits()[i], runHistory.Waits[i], nil
}

// readReply returns the answers to the questions of a call. It reads the questions from the journal, because the
// page may have shown them without hidden values.
func (h *Handler) readReply(r *http.Request, call string) (run.Signal, error) {
	_, item, err := h.findWait(r, call)
	switch {
	case err != nil:
		return run.Signal{}, err
	case item == nil || item.Call.WaitsFor != run.ForAnswer:
		return run.Signal{}, errors.New("the run no longer waits for an answer to this call")
	}
	questions := item.Call.Questions()
	answers := make([]tool.Answer, len(questions))
	for i, q := range questions {
		switch r.PostFormValue("answer" + strconv.Itoa(i)) {
		case "decline":
			answers[i] = q.Decline()
		case "cancel":
			answers[i] = q.Cancel()
		default:
			var value json.RawMessage // a question without a schema takes none
			if len(q.Schema) > 0 {
				if value, err = readJSON("answer", r.PostFormValue("value"+strconv.Itoa(i))); err != nil {
					return run.Signal{}, err
				}
			}
			answers[i] = q.Accept(value)
		}
	}
	return run.Reply(call, answers...), nil
}

func readJSON(what, text string) (json.RawMessage, error) {
	if !json.Valid([]byte(text)) {
		return nil, fmt.Errorf("the %s must be JSON", what)
	}
	return json.RawMessage(text), nil
}

// readLimits returns the signal with new limits. An empty field means no limit.
func readLimits(r *http.Request) (run.Signal, error) {
	var l run.Limits
	for name, limit := range map[string]*int{"steps": &l.Steps, "tokens": &l.Tokens} {
		text := strings.TrimSpace(r.PostFormValue(name))
		n, err := strconv.Atoi(text)
		if text != "" && (err != nil || n < 0) {
			return run.Signal{}, fmt.Errorf("the limit of %s must be a number", name)
		}
		*limit = n
	}
	if text := strings.TrimSpace(r.PostFormValue("cost")); text != "" {
		cost, err := strconv.ParseFloat(text, 64)
		if err != nil || !(cost >= 0) || math.IsInf(cost, 0) {
			return run.Signal{}, errors.New("the limit of the cost must be a number")
		}
		l.Cost = cost
	}
	return run.Extend(l), nil
}

// continueRun continues a run in this program, or lets a worker continue it.
func (h *Handler) continueRun(w http.ResponseWriter, r *http.Request) {
	id := r.FormValue("id")
	if !h.canExecute() && h.config.Wake == nil {
		h.showError(w, r, http.StatusForbidden, "This page cannot continue runs: its program has set no agent.")
		return
	}
	if h.openRun(w, r, id) == nil {
		return
	}
	if h.canExecute() {
		h.executeRun(r.Context(), id)
	} else if err := h.config.Wake(r.Context(), id); err != nil {
		h.showRunWith(w, r, id, "The run was not continued: "+err.Error(), nil)
		return
	}
	redirect(w, runURL(id))
}

// forkRun forks a run before an entry, and shows the fork.
func (h *Handler) forkRun(w http.ResponseWriter, r *http.Request) {
	id := r.FormValue("id")
	entry, err := strconv.Atoi(r.FormValue("entry"))
	switch {
	case !h.canFork():
		h.showError(w, r, http.StatusForbidden, "This page cannot fork runs: its program has set no agent.")
		return
	case err != nil:
		h.showError(w, r, http.StatusBadRequest, "The entry must be a number.")
		return
	}
	forked, err := h.startFork(r.Context(), id, entry)
	if err != nil {
		h.showRunWith(w, r, id, "The run was not forked: "+err.Error(), nil)
		return
	}
	if r.PostFormValue("then") == "continue" {
		h.executeRun(r.Context(), forked)
	}
	redirect(w, runURL(forked))
}

// startFork forks a run through the function of the configuration, or through the agent. It returns the ID of the
// fork.
func (h *Handler) startFork(ctx context.Context, id string, entry int) (forked string, err error) {
	if h.config.Fork != nil {
		return h.config.Fork(ctx, id, entry)
	}
	opened, err := h.config.Agent.Fork(ctx, id, entry)
	if err != nil {
		return "", err
	}
	return opened.ID(), nil
}
