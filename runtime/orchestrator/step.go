package orchestrator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/prompt"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/seal"
	"github.com/aiongen/aiongen/runtime/orchestrator/record"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/supervisor"
	"github.com/aiongen/aiongen/runtime/tool"
)

// executeStep executes the next step. The error is only that of ctx; the step is
// running then.
func (r *Run) executeStep(ctx context.Context) error {
	i := next(&r.state)
	if r.state.Plan.Steps[i].Status == plan.Pending {
		r.change(func(s *State) {
			step := &s.Plan.Steps[i]
			if err := step.Advance(plan.Running); err != nil {
				panic(err) // it was pending
			}
			s.CurrentStep = step.ID
		})
		r.emit(Event{Kind: record.StepStart, Step: r.state.CurrentStep, Plan: r.state.Plan})
	}
	if waiting := r.state.Waiting; r.state.Denied {
		return r.fail(ctx, r.state.CurrentStep, record.ModeTool, &tool.DeniedError{Tool: waiting.Name})
	} else if waiting != nil {
		return r.call(ctx, *waiting, true)
	}
	step, found := r.resolve(ctx, r.state.Plan.Steps[i])
	switch {
	case !found:
		return r.reason(ctx, step, record.ModeFallback, record.ForFallback, "fallback.txt")
	case step.Tool != "":
		return r.useTool(ctx, step)
	default:
		return r.reason(ctx, step, record.ModeLLM, record.ForReasoning, "reason.txt")
	}
}

// resolve returns a step that can be executed as it says, and whether there is
// one. Without a tool that there is, or any, it goes to the supervisor.
func (r *Run) resolve(ctx context.Context, step plan.Step) (plan.Step, bool) {
	if plan.ValidateStep(&step, r.state.Tools) && (step.Tool != "" || step.Agent != "") {
		return step, true
	}
	err := r.repair(ctx, step.ID, supervisor.Step, func(s *supervisor.Supervisor) (actions []supervisor.Action, err error) {
		step, actions, err = s.RepairStep(ctx, step, r.state.Tools, r.state.Plan.Goal)
		return actions, err
	})
	if step = seal.Copy(step); step.Tool != "" {
		r.change(func(s *State) { s.Plan.Steps[next(s)] = step })
	}
	return step, err == nil && step.Tool != ""
}

// finish ends the step, with the call that it made, if it made one. An error that
// is fatal ends the run.
func (r *Run) finish(ctx context.Context, result record.StepResult, call *tool.Call, fatal bool) error {
	r.change(func(s *State) {
		keep(s, result.StepID, call)
		if fatal {
			s.Error = result.Error
		}
		finish(s, result)
	})
	if call != nil {
		r.emit(Event{Kind: record.ToolEnd, Step: result.StepID, Call: call})
	}
	if result.Success {
		if err := r.store.Write(ctx, ResultKey(result.StepID), result.Result); err != nil {
			r.emit(Event{Kind: record.StoreFailed, Step: result.StepID, Error: record.NewError(result.StepID, err)})
		}
	}
	r.emit(Event{Kind: record.StepEnd, Step: result.StepID, Plan: r.state.Plan, Result: &result})
	return nil
}

// ResultKey is the key of the result of a step in the run's part of the store,
// which begins with "run/", the ID of the run and "/".
func ResultKey(step string) string { return "step_" + step + "_result" }

// fail ends the step with an error. One of the model ends the run, too.
func (r *Run) fail(ctx context.Context, step string, mode record.Mode, err error) error {
	if interrupted := r.interrupted(ctx); interrupted != nil {
		return interrupted
	}
	_, ofModel := errors.AsType[*llm.Error](err)
	return r.finish(ctx, record.StepResult{StepID: step, Mode: mode, Error: record.NewError(step, err)}, nil, ofModel)
}

// reason has the model do a step.
func (r *Run) reason(ctx context.Context, step plan.Step, mode record.Mode, purpose record.Purpose, file string) error {
	response, err := r.ask(ctx, step.ID, purpose, file, r.data(step), nil)
	if err != nil {
		return r.fail(ctx, step.ID, mode, err)
	}
	return r.finish(ctx, record.StepResult{StepID: step.ID, Mode: mode, Success: true, Result: answer(response.Text)}, nil, false)
}

// answer is an object with the member result: the model's own, if it wrote one and
// nothing else.
func answer(text string) json.RawMessage {
	var value any = text
	if written, ok := seal.JSON(text); ok {
		var members map[string]json.RawMessage
		if json.Unmarshal(written, &members) == nil && members["result"] != nil {
			return seal.Copy(written)
		}
		value = written
	}
	wrapped, err := json.Marshal(map[string]any{"result": value})
	if err != nil {
		panic(err) // it is JSON or a string
	}
	return seal.Copy(json.RawMessage(wrapped))
}

// useTool calls the tool of a step.
func (r *Run) useTool(ctx context.Context, step plan.Step) error {
	d := definition(&r.state, step.Tool)
	request := tool.Request{Name: d.Name, Arguments: step.Arguments, Meta: r.state.Meta}
	if len(step.Arguments) == 0 && takesArguments(d) {
		x := r.data(step)
		x.Tool = d
		response, err := r.ask(ctx, step.ID, record.ForArguments, "arguments.txt", x, d.Input)
		if err != nil {
			return r.fail(ctx, step.ID, record.ModeTool, err)
		}
		request.Arguments = json.RawMessage(response.Text)
	}
	if fit(request.Arguments, d.Input) {
		return r.call(ctx, request, true)
	}
	return r.repairCall(ctx, request, true)
}

// repairCall has the supervisor mend the arguments of a call, also what only the
// tool found wrong with them, and calls the tool then.
func (r *Run) repairCall(ctx context.Context, request tool.Request, again bool, faults ...tool.Fault) error {
	step := r.state.CurrentStep
	err := r.repair(ctx, step, supervisor.ToolCall, func(s *supervisor.Supervisor) (actions []supervisor.Action, err error) {
		request, actions, err = s.RepairToolCall(ctx, request, definition(&r.state, request.Name), faults...)
		return actions, err
	})
	if err != nil {
		return r.fail(ctx, step, record.ModeTool, err)
	}
	request.Approval = "" // it was for other arguments
	return r.call(ctx, request, again)
}

// takesArguments tells whether there is anything to ask the model for.
func takesArguments(d tool.Definition) bool {
	var s struct {
		Properties           map[string]json.RawMessage
		AdditionalProperties *bool
	}
	err := json.Unmarshal(d.Input, &s)
	return err != nil || len(s.Properties) > 0 || s.AdditionalProperties == nil || *s.AdditionalProperties
}

// fit tells whether arguments are what the schema says, as they are. A schema that
// cannot be checked is left to the tool.
func fit(arguments, input json.RawMessage) bool {
	read, err := repair.Arguments(string(arguments), input)
	if tool.Code(err) == "schema" {
		return schema.Validate(nil, arguments) == nil
	}
	return err == nil && len(read.Edits) == 0 && !read.Truncated && schema.Validate(nil, read.Value) == nil
}

// call calls a tool for the step that is running. Arguments that the tool refuses
// are mended, if again is true, and the tool is called again: it has not run. A
// function that has, however it ended, is done, also in a run that was interrupted.
func (r *Run) call(ctx context.Context, request tool.Request, again bool) error {
	if err := r.interrupted(ctx); err != nil {
		return err
	}
	step, n := r.state.CurrentStep, 1
	for _, made := range r.state.ToolHistory {
		if made.StepID == step {
			n++
		}
	}
	request.ID = fmt.Sprintf("%s/%s/%d", r.state.ID, step, n)
	request = seal.Copy(request)
	r.emit(Event{Kind: record.ToolStart, Step: step, Request: &request})
	call := seal.Call(r.o.tools.Call(ctx, request), request, definition(&r.state, request.Name).Output)
	if call.Err == nil {
		return r.finish(ctx, record.StepResult{StepID: step, Mode: record.ModeTool, Success: true, Result: call.Output}, call, false)
	}
	interrupted := r.interrupted(ctx)
	refused, isRefused := call.Err.(*tool.ArgumentError) // one that an error of the tool wraps is of another call
	_, asks := call.Err.(*tool.ApprovalError)
	if seal.HasRun(call.Err) || interrupted == nil && !asks && !(isRefused && again) {
		return r.finish(ctx, record.StepResult{StepID: step, Mode: record.ModeTool, Error: record.NewError(step, call.Err)}, call, false)
	}
	r.change(func(s *State) {
		keep(s, step, call)
		if asks && interrupted == nil {
			s.Status, s.Waiting = Waiting, &request
		}
	})
	r.emit(Event{Kind: record.ToolEnd, Step: step, Call: call})
	switch {
	case interrupted != nil:
		return interrupted
	case asks:
		r.emit(Event{Kind: record.RunWaits, Step: step, Request: &request})
		return nil
	}
	return r.repairCall(ctx, request, false, refused.Faults...)
}

// mostResults bounds how many results a prompt shows.
const mostResults = 5

// data returns what the model is shown for a step: the most recent results, in the
// order of the steps.
func (r *Run) data(step plan.Step) prompt.Data {
	d := prompt.Data{Goal: r.state.Plan.Goal, Step: step}
	results := r.state.Results[max(0, len(r.state.Results)-mostResults):]
	first := len(r.state.Results) - len(results)
	for i, result := range results { // steps are executed in their order, each once
		shown := prompt.Result{ID: result.StepID, Description: r.state.Plan.Steps[first+i].Description, Result: string(result.Result)}
		if !result.Success {
			shown.Error = r.modelText(result)
		}
		d.Results = append(d.Results, shown)
	}
	return d
}

// modelText says in words why a step failed.
func (r *Run) modelText(result record.StepResult) string {
	for _, record := range r.state.ToolHistory {
		if record.StepID == result.StepID && record.Call.Err != nil && record.Call.Err.Error() == result.Error.Text {
			return tool.ModelText(record.Call.Err)
		}
	}
	return result.Error.Text
}
