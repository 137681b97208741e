package redact

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

func (x *pass) request(r tool.Request) tool.Request {
	told := tool.Request{ID: r.ID, Name: x.name(r.Name), Arguments: x.arguments(r.Name, r.Arguments), Truncated: r.Truncated}
	told.Approval, told.Answers = x.text(r.Name, "/approval", r.Approval), x.answers(r.Name, r.Answers)
	if r.Meta != nil {
		told.Meta = make(map[string]string, len(r.Meta))
	}
	for key, value := range r.Meta {
		told.Meta[x.label(key)] = x.text(r.Name, jsontext.Join("/meta", key), value)
	}
	return told
}

func (x *pass) requests(all []tool.Request) (told []tool.Request) {
	for _, r := range all {
		told = append(told, x.request(r))
	}
	return told
}

func (x *pass) call(c *tool.Call) *tool.Call {
	if c == nil {
		return nil
	}
	name := c.Request.Name
	told := &tool.Call{ID: c.ID, Request: x.request(c.Request), Status: c.Status, Started: c.Started, Duration: c.Duration}
	if told.Arguments = told.Request.Arguments; !bytes.Equal(c.Arguments, c.Request.Arguments) {
		told.Arguments = x.arguments(name, c.Arguments)
	}
	told.Output = x.output(name, c.Output)
	told.Note = x.remark(name, "/note", c.Note)
	told.Content, told.Meta = x.attached(name, c.Content), x.replied(name, c.Meta)
	for _, e := range c.Repairs {
		told.Repairs = append(told.Repairs, x.edit(name, e))
	}
	told.Err = x.err(name, c.Err)
	return told
}

// output redacts the result of a tool.
func (x *pass) output(name string, output json.RawMessage) json.RawMessage {
	if _, known := x.catalog.definition(name); !known && len(output) > 0 {
		return x.withholdText(string(output))
	}
	return x.value(name, "/output", output)
}

// edit redacts a change of arguments, which quotes them: all of it that may be told if
// one of them may not is what it is about.
func (x *pass) edit(name string, e tool.Edit) tool.Edit {
	told, at := tool.Edit{Kind: e.Kind, Pointer: x.pointer(e.Pointer), Offset: e.Offset}, "/arguments"+e.Pointer
	if !x.secretive() && slices.Contains([]string{"absent", "enum", "name", "type"}, e.Kind) {
		told.Before, told.After = x.remark(name, at, e.Before), x.remark(name, at, e.After)
	}
	return told
}

// secretive reports whether something that was redacted so far was not told.
func (x *pass) secretive() bool { return x.withheld || len(x.hidden) > 0 }

// err redacts the error of a call whose arguments were redacted before.
func (x *pass) err(name string, err error) error {
	if err == nil {
		return nil
	}
	if bad, ok := errors.AsType[*tool.ArgumentError](err); ok {
		told := &tool.ArgumentError{Tool: x.name(bad.Tool), Count: bad.Count}
		for _, f := range bad.Faults {
			told.Faults = append(told.Faults, x.fault(name, f))
		}
		return told
	}
	return x.failure(name, record.NewError(err), true)
}

// fault redacts what is wrong with an argument, which quotes it.
func (x *pass) fault(name string, f tool.Fault) tool.Fault {
	told := tool.Fault{Pointer: x.pointer(f.Pointer), Expected: f.Expected, Found: f.Found}
	hidden := x.withheld || x.quotes(f.Found)
	at := "/arguments"
	for token := range jsontext.Names(f.Pointer) {
		hidden = hidden || x.hides(name, at, f.Found)
		at = jsontext.Join(at, token)
	}
	if f.Found != words.Nothing && (hidden || x.hides(name, at, f.Found)) {
		told.Found = instead
	}
	return told
}

var (
	// quoting are the kinds of errors that quote what a model wrote.
	quoting = []string{"invalid_arguments", "invalid_plan", "invalid_answer", "invalid_entry", "repair_failed", "step_reference", llm.BadRequest, llm.Malformed}

	// plainKinds are those of errors whose texts quote nothing of calls.
	plainKinds = []string{record.Expired, "token_budget", "cost_budget", "deadline", "taken_over", "drift", "empty_answer", "refused", "denied", "needs_approval", "repeated", "truncated",
		"steps_failed", llm.RateLimited, llm.QuotaExceeded, llm.Unauthorized, llm.ServerError, llm.Unreachable, llm.Timeout, llm.Cancelled, llm.CutOff, llm.ContextFull, "turn_limit", "compaction"}
)

// failure redacts an error about a tool, if it is about one. What it may quote was
// redacted before, or else it was not seen.
func (x *pass) failure(name string, e *record.Error, seen bool) *record.Error {
	if e == nil {
		return nil
	}
	told := &record.Error{Kind: x.label(e.Kind), Text: instead, Retry: e.Retry}
	named := seen && e.Kind == "unknown_tool" && plausible.MatchString(name) // which quotes nothing else
	switch own := slices.Contains(plainKinds, e.Kind); {
	case named, own && !x.withheld && !x.quotes(e.Text):
		told.Text = x.text(name, "/error", e.Text)
	case !own && seen && !(x.secretive() && slices.Contains(quoting, e.Kind)):
		told.Text = x.remark(name, "/error", e.Text)
	}
	return told
}
