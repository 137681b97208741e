package redact

import (
	"encoding/json"
	"fmt"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/supervisor"
)

// redactEvent redacts the content of an event. It copies the content field by field, so a new field of an
// event stays hidden until it is added here.
func (x *pass) redactEvent(what any) any {
	switch w := what.(type) {
	case run.RunClaimed:
		return run.RunClaimed{Kind: w.Kind, Status: w.Status, WaitsFor: w.WaitsFor, Since: w.Since}
	case run.ModelStart:
		return x.redactModelStart(w)
	case run.ModelEnd:
		return run.ModelEnd{ModelStart: x.redactModelStart(w.ModelStart), Answer: x.redactAnswer(w.ModelStart, w.Answer)}
	case run.Chunk:
		return run.Chunk{For: w.For} // without its text, because nobody can tell which value it is part of
	case run.StreamRestarted:
		return run.StreamRestarted{For: w.For}
	case run.CallStart:
		return run.CallStart{Request: x.redactRequest(w.Request), Attempt: w.Attempt}
	case run.Progress:
		return run.Progress{Call: w.Call, Tool: x.redactName(w.Tool), Done: x.memory.visibleNumber(w.Done), Total: x.memory.visibleNumber(w.Total), Text: x.redactToolText(w.Tool, "/progress", w.Text)}
	case run.CallLogged:
		return run.CallLogged{Call: w.Call, Tool: x.redactName(w.Tool), Level: w.Level, Text: x.redactToolText(w.Tool, "/log", w.Text)}
	case run.CallEnd:
		return run.CallEnd{Call: x.redactCall(w.Call), Attempt: w.Attempt}
	case run.OutcomeDropped:
		return run.OutcomeDropped{Call: x.redactCall(w.Call)}
	case run.RunStopped:
		return run.RunStopped{Result: x.redactResult(w.Result)}
	case run.RunDetached:
		return run.RunDetached{Error: x.redactFailure("", w.Error, false)}
	}
	return x.redactEmitted(what)
}

// redactEmitted redacts the events that plans and conversations emit.
func (x *pass) redactEmitted(what any) any {
	switch w := what.(type) {
	case run.PlanMade:
		return run.PlanMade{Plan: x.redactPlan(w.Plan), Replanned: w.Replanned}
	case run.StepStart:
		return run.StepStart{Step: x.redactStep(w.Step), Mode: w.Mode}
	case run.StepEnd:
		return run.StepEnd{Step: x.redactStep(w.Step), Result: x.redactStepResult(w)}
	case run.RepairAttempted:
		redacted := run.RepairAttempted{Kind: w.Kind, Tool: x.redactName(w.Tool)}
		for _, a := range w.Actions {
			redacted.Actions = append(redacted.Actions, x.redactAction(w.Tool, a))
		}
		redacted.Error = x.redactFailure(w.Tool, w.Error, true)
		return redacted
	case run.StoreFailed:
		return run.StoreFailed{Error: x.redactFailure("", w.Error, false)}
	case run.MessageRead:
		return run.MessageRead{Message: x.redactMessage(w.Message)}
	case run.MessagesCompacted:
		return run.MessagesCompacted{Before: w.Before, After: w.After}
	case Withheld:
		return w
	}
	return Withheld{fmt.Sprintf("%T", what)}
}

func (x *pass) redactModelStart(m run.ModelStart) run.ModelStart {
	return run.ModelStart{For: m.For, Tool: x.redactName(m.Tool), Model: m.Model, Attempt: m.Attempt}
}

// redactAnswer redacts an answer of a model. It omits the parsed data of the answer, because only the
// package that parsed it knows its type; other events contain the same data.
func (x *pass) redactAnswer(m run.ModelStart, a run.Answer) run.Answer {
	r := a.Response
	redacted := llm.Response{Calls: x.redactRequests(r.Calls), Usage: r.Usage, Model: x.redactLabel(r.Model), Finish: llm.Finish(x.redactLabel(string(r.Finish)))}
	redacted.Text = x.redactAnswerText(m, r.Text)
	redacted.Reasoning = x.redactProse("", "/reasoning", r.Reasoning)
	return run.Answer{Response: redacted, Estimated: a.Estimated, Cost: a.Cost, Duration: a.Duration, Error: x.redactFailure("", a.Error, false)}
}

// redactAnswerText redacts the text of an answer according to its purpose.
func (x *pass) redactAnswerText(m run.ModelStart, text string) string {
	switch {
	case text == "":
		return ""
	case m.For == run.PurposeQuestion:
		return x.redactProse(m.Tool, "/text", text)
	case m.For == run.PurposePlan || m.For == run.PurposeReplan:
		return x.redactPlanText(text)
	case m.For == run.PurposeArguments || m.Tool != "":
		return plainText(x.redactArguments(m.Tool, json.RawMessage(text)))
	}
	return x.redactProse("", "/text", text)
}

// redactMessage redacts a message. It omits the data of media, which cannot be checked.
func (x *pass) redactMessage(m llm.Message) llm.Message {
	redacted := llm.Message{Role: m.Role, Text: x.redactProse("", "/message", m.Text), Calls: x.redactRequests(m.Calls), Result: x.redactCall(m.Result), Reasoning: x.redactProse("", "/reasoning", m.Reasoning)}
	for _, p := range m.Parts {
		redacted.Parts = append(redacted.Parts, content.Part{Text: x.redactProse("", "/message", p.Text), Media: x.redactLabel(p.Media)})
	}
	return redacted
}

func (x *pass) redactStepResult(w run.StepEnd) run.StepResult {
	r := w.Result
	redacted := run.StepResult{StepID: r.StepID, Mode: r.Mode, Success: r.Success}
	if r.Mode == run.ModeTool {
		redacted.Result = x.redactOutput(w.Step.Tool, r.Result)
	} else {
		redacted.Result = x.redactModelText("/text", r.Result)
	}
	redacted.Error = x.redactFailure(w.Step.Tool, r.Error, w.Step.ID != "")
	return redacted
}

// redactAction redacts an attempt of the supervisor to repair output. The name of the tool is empty if
// the output is not for a tool.
func (x *pass) redactAction(toolName string, a supervisor.Action) supervisor.Action {
	redacted := supervisor.Action{Kind: a.Kind, Attempt: a.Attempt, Time: a.Time}
	show := func(text string) string { return x.redactProse(toolName, "/text", text) }
	switch a.Kind {
	case supervisor.ToolCall:
		show = func(text string) string { return plainText(x.redactArguments(toolName, json.RawMessage(text))) }
	case supervisor.Plan:
		show = x.redactPlanText
	}
	redacted.Original = show(a.Original)
	if repaired := show(string(a.Repaired)); json.Valid([]byte(repaired)) {
		redacted.Repaired = json.RawMessage(repaired)
	} else if repaired != "" {
		redacted.Repaired = x.withholdText(string(a.Repaired))
	}
	if a.Error != "" {
		if redacted.Error = replacement; !x.hasHidden() {
			redacted.Error = x.redactToolText(toolName, "/error", a.Error)
		}
	}
	return redacted
}

// redactResult redacts the result of a run.
func (x *pass) redactResult(r *run.Result) *run.Result {
	if r == nil {
		return nil
	}
	redacted := &run.Result{Status: r.Status, WaitsFor: r.WaitsFor, Usage: r.Usage, Answer: x.redactModelText("/answer", r.Answer)}
	for _, w := range r.Calls {
		wait := run.Wait{Call: w.Call, For: w.For}
		if w.Request != nil {
			request := x.redactRequest(*w.Request)
			wait.Request, wait.Questions = &request, x.redactQuestions(w.Request.Name, w.Questions)
		}
		redacted.Calls = append(redacted.Calls, wait)
	}
	redacted.Error = x.redactFailure("", r.Error, false)
	return redacted
}
