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

// RepairJSON carries out the repair of [Supervisor.JSON] with the supervisor's own model. It
// returns all attempts as actions; the error is an [*Error].
func (s *Supervisor) RepairJSON(ctx context.Context, text string, schema json.RawMessage) (json.RawMessage, []Action, error) {
	return runRepair(ctx, s.JSON(text, schema))
}

// RepairToolCall carries out [Supervisor.ToolCall] in the same way.
func (s *Supervisor) RepairToolCall(ctx context.Context, request tool.Request, d tool.Definition, faults ...tool.Fault) (tool.Request, []Action, error) {
	return runRepair(ctx, s.ToolCall(request, d, faults...))
}

// RepairPlan carries out [Supervisor.Plan] in the same way, except that it checks only the names
// of the tools in the repaired plan.
func (s *Supervisor) RepairPlan(ctx context.Context, raw string, definitions []tool.Definition) (plan.Plan, []Action, error) {
	return runRepair(ctx, s.repairPlan(raw, "", definitions, func(p plan.Plan) (plan.Plan, error) {
		for _, step := range p.Steps {
			if !plan.ValidateStep(&step, definitions) {
				return p, fmt.Errorf("step %s: %s", step.ID, strings.Join(step.Errors, "; "))
			}
		}
		return p, nil
	}))
}

// RepairStep carries out [Supervisor.Step] in the same way.
func (s *Supervisor) RepairStep(ctx context.Context, step plan.Step, definitions []tool.Definition, goal string) (plan.Step, []Action, error) {
	repaired, actions, err := runRepair(ctx, s.Step(step, definitions, goal))
	if err != nil {
		return step, actions, err
	}
	return repaired, actions, nil
}

// runRepair carries out a repair. It returns all attempts, even with an error.
func runRepair[T any](ctx context.Context, r *Repair[T]) (T, []Action, error) {
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
