package redact

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

func (x *pass) redactRequest(r tool.Request) tool.Request {
	told := tool.Request{ID: r.ID, Name: x.redactName(r.Name), Arguments: x.redactArguments(r.Name, r.Arguments), Truncated: r.Truncated}
	told.Approval, told.Answers = x.redactText(r.Name, "/approval", r.Approval), x.redactAnswers(r.Name, r.Answers)
	if r.Meta != nil {
		told.Meta = make(map[string]string, len(r.Meta))
	}
	for key, value := range r.Meta {
		told.Meta[x.redactLabel(key)] = x.redactText(r.Name, jsontext.Join("/meta", key), value)
	}
	return told
}

func (x *pass) redactRequests(all []tool.Request) (told []tool.Request) {
	for _, r := range all {
		told = append(told, x.redactRequest(r))
	}
	return told
}

func (x *pass) redactCall(c *tool.Call) *tool.Call {
	if c == nil {
		return nil
	}
	name := c.Request.Name
	told := &tool.Call{ID: c.ID, Request: x.redactRequest(c.Request), Status: c.Status, Started: c.Started, Duration: c.Duration}
	if told.Arguments = told.Request.Arguments; !bytes.Equal(c.Arguments, c.Request.Arguments) {
		told.Arguments = x.redactArguments(name, c.Arguments)
	}
	told.Output = x.redactOutput(name, c.Output)
	told.Note = x.redactRemark(name, "/note", c.Note)
	told.Content, told.Meta = x.redactParts(name, c.Content), x.redactReplies(name, c.Meta)
	for _, e := range c.Repairs {
		told.Repairs = append(told.Repairs, x.redactEdit(name, e))
	}
	told.Err = x.redactError(name, c.Err)
	return told
}

// redactOutput redacts the result of a tool.
func (x *pass) redactOutput(name string, output json.RawMessage) json.RawMessage {
	if _, known := x.catalog.findTool(name); !known && len(output) > 0 {
		return x.withholdText(string(output))
	}
	return x.redactValue(name, "/output", output)
}

// redactEdit redacts a change of arguments, which quotes them. If one of them is hidden, only its
// kind and place are shown.
func (x *pass) redactEdit(name string, e tool.Edit) tool.Edit {
	told, at := tool.Edit{Kind: e.Kind, Pointer: x.redactPointer(e.Pointer), Offset: e.Offset}, "/arguments"+e.Pointer
	if !x.hasHidden() && slices.Contains([]string{"absent", "enum", "name", "type"}, e.Kind) {
		told.Before, told.After = x.redactRemark(name, at, e.Before), x.redactRemark(name, at, e.After)
	}
	return told
}

// hasHidden reports whether something was hidden so far.
func (x *pass) hasHidden() bool { return x.withheld || len(x.hidden) > 0 }

// redactError redacts the error of a call whose arguments were redacted before.
func (x *pass) redactError(name string, err error) error {
	if err == nil {
		return nil
	}
	if bad, ok := errors.AsType[*tool.ArgumentError](err); ok {
		told := &tool.ArgumentError{Tool: x.redactName(bad.Tool), Count: bad.Count}
		for _, f := range bad.Faults {
			told.Faults = append(told.Faults, x.redactFault(name, f))
		}
		return told
	}
	return x.redactFailure(name, run.NewError(err), true)
}

// redactFault redacts a fault of an argument, which quotes the argument.
func (x *pass) redactFault(name string, f tool.Fault) tool.Fault {
	told := tool.Fault{Pointer: x.redactPointer(f.Pointer), Expected: f.Expected, Found: f.Found}
	hidden := x.withheld || x.quotesHidden(f.Found)
	at := "/arguments"
	for token := range jsontext.Names(f.Pointer) {
		hidden = hidden || x.hidesText(name, at, f.Found)
		at = jsontext.Join(at, token)
	}
	if f.Found != words.Nothing && (hidden || x.hidesText(name, at, f.Found)) {
		told.Found = replacement
	}
	return told
}

var (
	// quoting are the codes of errors that quote texts of models.
	quoting = []string{"invalid_arguments", "invalid_plan", "invalid_answer", "invalid_entry", "repair_failed", "step_reference", llm.BadRequest, llm.Malformed}

	// plainKinds are the codes of errors that quote nothing from calls.
	plainKinds = []string{run.Expired, "token_budget", "cost_budget", "deadline", "taken_over", "drift", "empty_answer", "refused", "denied", "needs_approval", "repeated", "truncated",
		"steps_failed", llm.RateLimited, llm.QuotaExceeded, llm.Unauthorized, llm.ServerError, llm.Unreachable, llm.Timeout, llm.Cancelled, llm.CutOff, llm.ContextFull, "turn_limit", "compaction"}
)

// redactFailure redacts an error about a tool, or about none. Seen reports whether everything
// that it may quote was redacted before.
func (x *pass) redactFailure(name string, e *run.Error, seen bool) *run.Error {
	if e == nil {
		return nil
	}
	told := &run.Error{Kind: x.redactLabel(e.Kind), Text: replacement, Retry: e.Retry}
	named := seen && e.Kind == "unknown_tool" && plausible.MatchString(name) // it quotes nothing else
	switch own := slices.Contains(plainKinds, e.Kind); {
	case named, own && !x.withheld && !x.quotesHidden(e.Text):
		told.Text = x.redactText(name, "/error", e.Text)
	case !own && seen && !(x.hasHidden() && slices.Contains(quoting, e.Kind)):
		told.Text = x.redactRemark(name, "/error", e.Text)
	}
	return told
}
