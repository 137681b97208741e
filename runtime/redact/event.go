package redact

import (
	"encoding/json"
	"fmt"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator/event"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/supervisor"
)

// what redacts what an event tells. All of it is made anew, member by member: one that
// is not named here is not told.
func (x *pass) what(what any) any {
	switch w := what.(type) {
	case record.Claimed:
		return record.Claimed{Kind: w.Kind, Status: w.Status, WaitsFor: w.WaitsFor, Since: w.Since}
	case record.ModelStart:
		return x.asked(w)
	case record.ModelEnd:
		return record.ModelEnd{ModelStart: x.asked(w.ModelStart), Answer: x.answer(w.ModelStart, w.Answer)}
	case record.Chunk:
		return record.Chunk{For: w.For} // a piece says nothing of what it is a piece of
	case record.Again:
		return record.Again{For: w.For}
	case record.CallStart:
		return record.CallStart{Request: x.request(w.Request), Attempt: w.Attempt}
	case record.Progress:
		return record.Progress{Call: w.Call, Tool: x.name(w.Tool), Done: x.memory.number(w.Done), Total: x.memory.number(w.Total), Text: x.remark(w.Tool, "/progress", w.Text)}
	case record.Logged:
		return record.Logged{Call: w.Call, Tool: x.name(w.Tool), Level: w.Level, Text: x.remark(w.Tool, "/log", w.Text)}
	case record.CallEnd:
		return record.CallEnd{Call: x.call(w.Call), Attempt: w.Attempt}
	case record.Dropped:
		return record.Dropped{Call: x.call(w.Call)}
	case record.Stopped:
		return record.Stopped{Result: x.result(w.Result)}
	case record.Lost:
		return record.Lost{Error: x.failure("", w.Error, false)}
	}
	return x.emitted(what)
}

// emitted redacts what plans and conversations tell.
func (x *pass) emitted(what any) any {
	switch w := what.(type) {
	case event.PlanMade:
		return event.PlanMade{Plan: x.plan(w.Plan), Anew: w.Anew}
	case event.StepStart:
		return event.StepStart{Step: x.step(w.Step), Mode: w.Mode}
	case event.StepEnd:
		return event.StepEnd{Step: x.step(w.Step), Result: x.stepResult(w)}
	case event.Repaired:
		told := event.Repaired{Kind: w.Kind, Tool: x.name(w.Tool)}
		for _, a := range w.Actions {
			told.Actions = append(told.Actions, x.action(w.Tool, a))
		}
		told.Error = x.failure(w.Tool, w.Error, true)
		return told
	case event.StoreFailed:
		return event.StoreFailed{Error: x.failure("", w.Error, false)}
	case event.Heard:
		return event.Heard{Message: x.message(w.Message)}
	case event.Compacted:
		return event.Compacted{Before: w.Before, After: w.After}
	case Withheld:
		return w
	}
	return Withheld{fmt.Sprintf("%T", what)}
}

func (x *pass) asked(m record.ModelStart) record.ModelStart {
	return record.ModelStart{For: m.For, Tool: x.name(m.Tool), Model: m.Model, Attempt: m.Attempt}
}

// answer redacts what a model answered. What was read from it, which is in a form of
// its package alone, is withheld; other events tell of it.
func (x *pass) answer(m record.ModelStart, a record.Answer) record.Answer {
	r := a.Response
	told := llm.Response{Calls: x.requests(r.Calls), Usage: r.Usage, Model: x.label(r.Model), Finish: llm.Finish(x.label(string(r.Finish)))}
	told.Text = x.answered(m, r.Text)
	told.Reasoning = x.prose("", "/reasoning", r.Reasoning)
	return record.Answer{Response: told, Estimated: a.Estimated, Cost: a.Cost, Duration: a.Duration, Error: x.failure("", a.Error, false)}
}

// answered redacts the text of an answer, by what it was asked for.
func (x *pass) answered(m record.ModelStart, text string) string {
	switch {
	case text == "":
		return ""
	case m.For == record.ForQuestion:
		return x.prose(m.Tool, "/text", text)
	case m.For == event.ForPlan || m.For == event.ForReplan:
		return x.planned(text)
	case m.For == event.ForArguments || m.Tool != "":
		return plain(x.arguments(m.Tool, json.RawMessage(text)))
	}
	return x.prose("", "/text", text)
}

// message redacts what somebody said. Media are withheld, for nobody reads them here.
func (x *pass) message(m llm.Message) llm.Message {
	told := llm.Message{Role: m.Role, Text: x.prose("", "/message", m.Text), Calls: x.requests(m.Calls), Result: x.call(m.Result), Reasoning: x.prose("", "/reasoning", m.Reasoning)}
	for _, p := range m.Parts {
		told.Parts = append(told.Parts, content.Part{Text: x.prose("", "/message", p.Text), Media: x.label(p.Media)})
	}
	return told
}

func (x *pass) stepResult(w event.StepEnd) event.StepResult {
	r := w.Result
	told := event.StepResult{StepID: r.StepID, Mode: r.Mode, Success: r.Success}
	if r.Mode == event.ModeTool {
		told.Result = x.output(w.Step.Tool, r.Result)
	} else {
		told.Result = x.said("/text", r.Result)
	}
	told.Error = x.failure(w.Step.Tool, r.Error, w.Step.ID != "")
	return told
}

// action redacts an attempt to repair what is about a tool, if it is about one.
func (x *pass) action(name string, a supervisor.Action) supervisor.Action {
	told := supervisor.Action{Kind: a.Kind, Attempt: a.Attempt, Time: a.Time}
	show := func(text string) string { return x.prose(name, "/text", text) }
	switch a.Kind {
	case supervisor.ToolCall:
		show = func(text string) string { return plain(x.arguments(name, json.RawMessage(text))) }
	case supervisor.Plan:
		show = x.planned
	}
	told.Original = show(a.Original)
	if repaired := show(string(a.Repaired)); json.Valid([]byte(repaired)) {
		told.Repaired = json.RawMessage(repaired)
	} else if repaired != "" {
		told.Repaired = x.withholdText(string(a.Repaired))
	}
	if a.Error != "" {
		if told.Error = instead; !x.secretive() {
			told.Error = x.remark(name, "/error", a.Error)
		}
	}
	return told
}

// result redacts where a run stands.
func (x *pass) result(r *record.Result) *record.Result {
	if r == nil {
		return nil
	}
	told := &record.Result{Status: r.Status, WaitsFor: r.WaitsFor, Usage: r.Usage, Answer: x.said("/answer", r.Answer)}
	for _, w := range r.Calls {
		wait := record.Wait{Call: w.Call, For: w.For}
		if w.Request != nil {
			request := x.request(*w.Request)
			wait.Request, wait.Questions = &request, x.questions(w.Request.Name, w.Questions)
		}
		told.Calls = append(told.Calls, wait)
	}
	told.Error = x.failure("", r.Error, false)
	return told
}
