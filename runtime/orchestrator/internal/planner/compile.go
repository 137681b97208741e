package planner

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/tool"
)

// compilePlan compiles a plan that begins with the finished steps. The pointers of faults count only
// the steps after these, because the model writes only those: /steps/0 is the first new step.
func (p *planning) compilePlan(newPlan plan.Plan, maxSteps int) (plan.Plan, []tool.Edit, error) {
	if err := p.checkIDs(newPlan); err != nil {
		return newPlan, nil, err
	}
	compiled, edits, err := plan.Compile(newPlan, p.tools, maxSteps)
	if err == nil {
		err = p.checkDenied(compiled)
	}
	return compiled, edits, shiftFaults(err, len(p.finishedSteps()))
}

// checkIDs returns an error if new steps reuse IDs of finished steps.
func (p *planning) checkIDs(newPlan plan.Plan) error {
	var ids []string
	finished := len(p.finishedSteps())
	for _, s := range newPlan.Steps[finished:] {
		if slices.ContainsFunc(newPlan.Steps[:finished], func(r plan.Step) bool { return r.ID == s.ID }) {
			ids = append(ids, s.ID)
		}
	}
	if len(ids) > 0 {
		return fmt.Errorf("these IDs are already used by steps that ran, use others: %s", strings.Join(ids, ", "))
	}
	return nil
}

// checkDenied returns an error if a step repeats a denied call.
func (p *planning) checkDenied(newPlan plan.Plan) error {
	for _, s := range newPlan.Steps[len(p.finishedSteps()):] {
		arguments, err := s.Fill(p.successfulResult)
		if err == nil && s.Tool != "" && p.isDenied(s.Tool, arguments) {
			return fmt.Errorf("the call of step %s was denied, do not propose it again", s.ID)
		}
	}
	return nil
}

// shiftFaults returns an error whose pointers count the steps from the given one: if first is 2,
// "/steps/3/tool" becomes "/steps/1/tool".
func shiftFaults(err error, first int) error {
	bad, ok := errors.AsType[*plan.Error](err)
	if !ok || first == 0 {
		return err
	}
	shifted := *bad
	shifted.Faults = slices.Clone(bad.Faults)
	for i, f := range shifted.Faults {
		number, rest, _ := strings.Cut(strings.TrimPrefix(f.Pointer, "/steps/"), "/")
		if n, err := strconv.Atoi(number); err == nil && n >= first {
			shifted.Faults[i].Pointer = strings.TrimSuffix("/steps/"+strconv.Itoa(n-first)+"/"+rest, "/")
		}
	}
	return &shifted
}
