package redact

import (
	"encoding/json"
	"fmt"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/supervisor"
)

// redactEvent redacts an event. It copies the event member by member, so members that are not
// listed here are not shown.
func (x *pass) redactEvent(what any) any {
	switch w := what.(type) {
	case run.RunClaimed:
		return run.RunClaimed{Kind: w.Kind, Status: w.Status, WaitsFor: w.WaitsFor, Since: w.Since}
	case run.ModelStart:
		return x.redactModelStart(w)
	case run.ModelEnd:
		return run.ModelEnd{ModelStart: x.redactModelStart(w.ModelStart), Answer: x.redactAnswer(w.ModelStart, w.Answer)}
	case run.Chunk:
		return run.Chunk{For: w.For} // a chunk alone does not show which value it belongs to
	case run.StreamRestarted:
		return run.StreamRestarted{For: w.For}
	case run.CallStart:
		return run.CallStart{Request: x.redactRequest(w.Request), Attempt: w.Attempt}
	case run.Progress:
		return run.Progress{Call: w.Call, Tool: x.redactName(w.Tool), Done: x.memory.visibleNumber(w.Done), Total: x.memory.visibleNumber(w.Total), Text: x.redactRemark(w.Tool, "/progress", w.Text)}
	case run.CallLogged:
		return run.CallLogged{Call: w.Call, Tool: x.redactName(w.Tool), Level: w.Level, Text: x.redactRemark(w.Tool, "/log", w.Text)}
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

// redactEmitted redacts events of plans and conversations.
func (x *pass) redactEmitted(what any) any {
	switch w := what.(type) {
	case run.PlanMade:
		return run.PlanMade{Plan: x.redactPlan(w.Plan), Replanned: w.Replanned}
	case run.StepStart:
		return run.StepStart{Step: x.redactStep(w.Step), Mode: w.Mode}
	case run.StepEnd:
		return run.StepEnd{Step: x.redactStep(w.Step), Result: x.redactStepResult(w)}
	case run.RepairAttempted:
		told := run.RepairAttempted{Kind: w.Kind, Tool: x.redactName(w.Tool)}
		for _, a := range w.Actions {
			told.Actions = append(told.Actions, x.redactAction(w.Tool, a))
		}
		told.Error = x.redactFailure(w.Tool, w.Error, true)
		return told
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

// redactAnswer redacts an answer of a model. The data read from it, whose form only its package
// knows, is withheld; other events contain it.
func (x *pass) redactAnswer(m run.ModelStart, a run.Answer) run.Answer {
	r := a.Response
	told := llm.Response{Calls: x.redactRequests(r.Calls), Usage: r.Usage, Model: x.redactLabel(r.Model), Finish: llm.Finish(x.redactLabel(string(r.Finish)))}
	told.Text = x.redactAnswerText(m, r.Text)
	told.Reasoning = x.redactProse("", "/reasoning", r.Reasoning)
	return run.Answer{Response: told, Estimated: a.Estimated, Cost: a.Cost, Duration: a.Duration, Error: x.redactFailure("", a.Error, false)}
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

// redactMessage redacts a message. Media are withheld, because their content cannot be checked.
func (x *pass) redactMessage(m llm.Message) llm.Message {
	told := llm.Message{Role: m.Role, Text: x.redactProse("", "/message", m.Text), Calls: x.redactRequests(m.Calls), Result: x.redactCall(m.Result), Reasoning: x.redactProse("", "/reasoning", m.Reasoning)}
	for _, p := range m.Parts {
		told.Parts = append(told.Parts, content.Part{Text: x.redactProse("", "/message", p.Text), Media: x.redactLabel(p.Media)})
	}
	return told
}

func (x *pass) redactStepResult(w run.StepEnd) run.StepResult {
	r := w.Result
	told := run.StepResult{StepID: r.StepID, Mode: r.Mode, Success: r.Success}
	if r.Mode == run.ModeTool {
		told.Result = x.redactOutput(w.Step.Tool, r.Result)
	} else {
		told.Result = x.redactModelText("/text", r.Result)
	}
	told.Error = x.redactFailure(w.Step.Tool, r.Error, w.Step.ID != "")
	return told
}

// redactAction redacts an attempt to repair something, about a tool or not.
func (x *pass) redactAction(name string, a supervisor.Action) supervisor.Action {
	told := supervisor.Action{Kind: a.Kind, Attempt: a.Attempt, Time: a.Time}
	show := func(text string) string { return x.redactProse(name, "/text", text) }
	switch a.Kind {
	case supervisor.ToolCall:
		show = func(text string) string { return plainText(x.redactArguments(name, json.RawMessage(text))) }
	case supervisor.Plan:
		show = x.redactPlanText
	}
	told.Original = show(a.Original)
	if repaired := show(string(a.Repaired)); json.Valid([]byte(repaired)) {
		told.Repaired = json.RawMessage(repaired)
	} else if repaired != "" {
		told.Repaired = x.withholdText(string(a.Repaired))
	}
	if a.Error != "" {
		if told.Error = replacement; !x.hasHidden() {
			told.Error = x.redactRemark(name, "/error", a.Error)
		}
	}
	return told
}

// redactResult redacts the result of a run.
func (x *pass) redactResult(r *run.Result) *run.Result {
	if r == nil {
		return nil
	}
	told := &run.Result{Status: r.Status, WaitsFor: r.WaitsFor, Usage: r.Usage, Answer: x.redactModelText("/answer", r.Answer)}
	for _, w := range r.Calls {
		wait := run.Wait{Call: w.Call, For: w.For}
		if w.Request != nil {
			request := x.redactRequest(*w.Request)
			wait.Request, wait.Questions = &request, x.redactQuestions(w.Request.Name, w.Questions)
		}
		told.Calls = append(told.Calls, wait)
	}
	told.Error = x.redactFailure("", r.Error, false)
	return told
}
