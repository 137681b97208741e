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
	redacted := tool.Request{ID: r.ID, Name: x.redactName(r.Name), Arguments: x.redactArguments(r.Name, r.Arguments), Truncated: r.Truncated}
	redacted.Approval, redacted.Answers = x.redactText(r.Name, "/approval", r.Approval), x.redactAnswers(r.Name, r.Answers)
	if r.Meta != nil {
		redacted.Meta = make(map[string]string, len(r.Meta))
	}
	for key, value := range r.Meta {
		redacted.Meta[x.redactLabel(key)] = x.redactText(r.Name, jsontext.Join("/meta", key), value)
	}
	return redacted
}

func (x *pass) redactRequests(all []tool.Request) (redacted []tool.Request) {
	for _, r := range all {
		redacted = append(redacted, x.redactRequest(r))
	}
	return redacted
}

func (x *pass) redactCall(c *tool.Call) *tool.Call {
	if c == nil {
		return nil
	}
	toolName := c.Request.Name
	redacted := &tool.Call{ID: c.ID, Request: x.redactRequest(c.Request), Status: c.Status, Started: c.Started, Duration: c.Duration}
	if redacted.Arguments = redacted.Request.Arguments; !bytes.Equal(c.Arguments, c.Request.Arguments) {
		redacted.Arguments = x.redactArguments(toolName, c.Arguments)
	}
	redacted.Output = x.redactOutput(toolName, c.Output)
	redacted.Note = x.redactToolText(toolName, "/note", c.Note)
	redacted.Content, redacted.Meta = x.redactParts(toolName, c.Content), x.redactReplies(toolName, c.Meta)
	for _, e := range c.Repairs {
		redacted.Repairs = append(redacted.Repairs, x.redactEdit(toolName, e))
	}
	redacted.Err = x.redactError(toolName, c.Err)
	return redacted
}

// redactOutput redacts the result of a tool.
func (x *pass) redactOutput(toolName string, output json.RawMessage) json.RawMessage {
	if _, ok := x.catalog.findTool(toolName); !ok && len(output) > 0 {
		return x.withholdText(string(output))
	}
	return x.redactValue(toolName, "/output", output)
}

// redactEdit redacts an edit that repaired arguments. An edit quotes the arguments, so if one of them
// is hidden, it shows only the kind and the position of the edit.
func (x *pass) redactEdit(toolName string, e tool.Edit) tool.Edit {
	redacted, pointer := tool.Edit{Kind: e.Kind, Pointer: x.redactPointer(e.Pointer), Offset: e.Offset}, "/arguments"+e.Pointer
	if !x.hasHidden() && slices.Contains([]string{"absent", "enum", "name", "type"}, e.Kind) {
		redacted.Before, redacted.After = x.redactToolText(toolName, pointer, e.Before), x.redactToolText(toolName, pointer, e.After)
	}
	return redacted
}

// hasHidden reports whether this pass has hidden a value.
func (x *pass) hasHidden() bool { return x.withheld || len(x.hidden) > 0 }

// redactError redacts the error of a call whose arguments were redacted before.
func (x *pass) redactError(toolName string, err error) error {
	if err == nil {
		return nil
	}
	if bad, ok := errors.AsType[*tool.ArgumentError](err); ok {
		redacted := &tool.ArgumentError{Tool: x.redactName(bad.Tool), Count: bad.Count}
		for _, f := range bad.Faults {
			redacted.Faults = append(redacted.Faults, x.redactFault(toolName, f))
		}
		return redacted
	}
	return x.redactFailure(toolName, run.NewError(err), true)
}

// redactFault redacts a fault of an argument. Found quotes the argument, so it is replaced if the rule
// hides the argument or a value that contains it.
func (x *pass) redactFault(toolName string, f tool.Fault) tool.Fault {
	redacted := tool.Fault{Pointer: x.redactPointer(f.Pointer), Expected: f.Expected, Found: f.Found}
	hidden := x.withheld || x.quotesHidden(f.Found)
	pointer := "/arguments"
	for token := range jsontext.Names(f.Pointer) {
		hidden = hidden || x.hidesText(toolName, pointer, f.Found)
		pointer = jsontext.Join(pointer, token)
	}
	if f.Found != words.Nothing && (hidden || x.hidesText(toolName, pointer, f.Found)) {
		redacted.Found = replacement
	}
	return redacted
}

var (
	// quotingKinds are the kinds of errors that quote texts of models.
	quotingKinds = []string{"invalid_arguments", "invalid_plan", "invalid_answer", "invalid_entry", "repair_failed", "step_reference", llm.BadRequest, llm.Malformed}

	// plainKinds are the kinds of errors that do not quote calls.
	plainKinds = []string{run.Expired, "token_budget", "cost_budget", "deadline", "taken_over", "drift", "empty_answer", "refused", "denied", "needs_approval", "repeated", "truncated",
		"steps_failed", llm.RateLimited, llm.QuotaExceeded, llm.Unauthorized, llm.ServerError, llm.Unreachable, llm.Timeout, llm.Cancelled, llm.CutOff, llm.ContextFull, "turn_limit", "compaction"}
)

// redactFailure redacts an error. The name of the tool is empty if the error is not about a tool.
// quotesRedacted reports whether all texts that the error may quote were redacted before, so that
// hidden ones are recognized.
func (x *pass) redactFailure(toolName string, e *run.Error, quotesRedacted bool) *run.Error {
	if e == nil {
		return nil
	}
	redacted := &run.Error{Kind: x.redactLabel(e.Kind), Text: replacement, Retry: e.Retry}
	quotesOnlyName := quotesRedacted && e.Kind == "unknown_tool" && plausibleName.MatchString(toolName)
	switch isPlain := slices.Contains(plainKinds, e.Kind); {
	case quotesOnlyName, isPlain && !x.withheld && !x.quotesHidden(e.Text):
		redacted.Text = x.redactText(toolName, "/error", e.Text)
	case !isPlain && quotesRedacted && !(x.hasHidden() && slices.Contains(quotingKinds, e.Kind)):
		redacted.Text = x.redactToolText(toolName, "/error", e.Text)
	}
	return redacted
}
