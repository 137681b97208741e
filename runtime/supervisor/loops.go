package supervisor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/tool"
)

// RepairJSON is [Supervisor.JSON] with the supervisor's own model. The actions are
// all attempts; the error is an [*Error].
func (s *Supervisor) RepairJSON(ctx context.Context, text string, schema json.RawMessage) (json.RawMessage, []Action, error) {
	return loop(ctx, s.JSON(text, schema))
}

// RepairToolCall is to [Supervisor.ToolCall] as RepairJSON is to JSON.
func (s *Supervisor) RepairToolCall(ctx context.Context, request tool.Request, d tool.Definition, faults ...tool.Fault) (tool.Request, []Action, error) {
	return loop(ctx, s.ToolCall(request, d, faults...))
}

// RepairPlan is to [Supervisor.Plan] as RepairJSON is to JSON, but for this: of a
// plan that comes back only the names of its tools are held against the definitions.
func (s *Supervisor) RepairPlan(ctx context.Context, raw string, definitions []tool.Definition) (plan.Plan, []Action, error) {
	return loop(ctx, s.plan(raw, "", definitions, func(p plan.Plan) (plan.Plan, error) {
		for _, step := range p.Steps {
			if !plan.ValidateStep(&step, definitions) {
				return p, fmt.Errorf("step %s: %s", step.ID, strings.Join(step.Errors, "; "))
			}
		}
		return p, nil
	}))
}

// RepairStep is to [Supervisor.Step] as RepairJSON is to JSON.
func (s *Supervisor) RepairStep(ctx context.Context, step plan.Step, definitions []tool.Definition, goal string) (plan.Step, []Action, error) {
	repaired, actions, err := loop(ctx, s.Step(step, definitions, goal))
	if err != nil {
		return step, actions, err
	}
	return repaired, actions, nil
}

// loop makes the attempts. The actions are all of them, with an error, too.
func loop[T any](ctx context.Context, r *Repair[T]) (T, []Action, error) {
	var unanswered error
	for more := r.Take(r.Local()); more && ctx.Err() == nil; {
		var reply llm.Response
		if reply, unanswered = r.s.model.Generate(ctx, r.Request()); unanswered != nil {
			more = r.Take(r.Failed(unanswered))
			continue
		}
		more = r.Take(r.Read(reply))
	}
	value, err := r.Result()
	if failed, ok := errors.AsType[*Error](err); ok {
		if unanswered != nil {
			failed.Err = unanswered
		}
		if cancelled := llm.ContextError(ctx, failed.Err); cancelled != nil {
			failed.Err = cancelled
		}
	}
	return value, r.Actions(), err
}
