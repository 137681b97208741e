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

// RepairJSON runs the repair of [Supervisor.JSON] with the supervisor's own model. It returns the
// result and all attempts. The error is an [*Error].
func (s *Supervisor) RepairJSON(ctx context.Context, text string, schema json.RawMessage) (json.RawMessage, []Action, error) {
	return runRepair(ctx, s.JSON(text, schema))
}

// RepairToolCall runs the repair of [Supervisor.ToolCall], like [Supervisor.RepairJSON].
func (s *Supervisor) RepairToolCall(ctx context.Context, request tool.Request, d tool.Definition, faults ...tool.Fault) (tool.Request, []Action, error) {
	return runRepair(ctx, s.ToolCall(request, d, faults...))
}

// RepairPlan runs a repair like that of [Supervisor.Plan], but accepts a plan if every step names an
// offered tool or no tool. Its results are like those of [Supervisor.RepairJSON].
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

// RepairStep runs the repair of [Supervisor.Step], like [Supervisor.RepairJSON]. With an error, it
// returns the original step.
func (s *Supervisor) RepairStep(ctx context.Context, step plan.Step, definitions []tool.Definition, goal string) (plan.Step, []Action, error) {
	repaired, actions, err := runRepair(ctx, s.Step(step, definitions, goal))
	if err != nil {
		return step, actions, err
	}
	return repaired, actions, nil
}

// runRepair runs a repair with the model of its supervisor. It returns all attempts, even with an
// error.
func runRepair[T any](ctx context.Context, r *Repair[T]) (T, []Action, error) {
	var requestErr error
	for more := r.Take(r.Local()); more && ctx.Err() == nil; {
		var reply llm.Response
		if reply, requestErr = r.s.model.Generate(ctx, r.Request()); requestErr != nil {
			more = r.Take(r.Failed(requestErr))
			continue
		}
		more = r.Take(r.Read(reply))
	}
	value, err := r.Result()
	if repairErr, ok := errors.AsType[*Error](err); ok {
		if requestErr != nil {
			repairErr.Err = requestErr
		}
		if cancelled := llm.ContextError(ctx, repairErr.Err); cancelled != nil {
			repairErr.Err = cancelled
		}
	}
	return value, r.Actions(), err
}
