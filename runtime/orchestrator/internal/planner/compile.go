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

// compilePlan compiles a plan that begins with the finished steps. Faults count the other steps
// from 0.
func (p *planning) compilePlan(made plan.Plan, most int) (plan.Plan, []tool.Edit, error) {
	if err := p.checkIDs(made); err != nil {
		return made, nil, err
	}
	compiled, edits, err := plan.Compile(made, p.tools, most)
	if err == nil {
		err = p.checkDenied(compiled)
	}
	return compiled, edits, shiftFaults(err, len(p.finishedSteps()))
}

// checkIDs returns an error if new steps reuse IDs of finished steps.
func (p *planning) checkIDs(made plan.Plan) error {
	var ids []string
	ran := len(p.finishedSteps())
	for _, s := range made.Steps[ran:] {
		if slices.ContainsFunc(made.Steps[:ran], func(r plan.Step) bool { return r.ID == s.ID }) {
			ids = append(ids, s.ID)
		}
	}
	if len(ids) > 0 {
		return fmt.Errorf("these IDs are already used by steps that ran, use others: %s", strings.Join(ids, ", "))
	}
	return nil
}

// checkDenied returns an error if a step repeats a denied call.
func (p *planning) checkDenied(made plan.Plan) error {
	for _, s := range made.Steps[len(p.finishedSteps()):] {
		arguments, err := s.Fill(p.successfulResult)
		if err == nil && s.Tool != "" && p.isDenied(s.Tool, arguments) {
			return fmt.Errorf("the call of step %s was denied, do not propose it again", s.ID)
		}
	}
	return nil
}

// shiftFaults returns an error whose faults count the steps from the given one.
func shiftFaults(err error, first int) error {
	bad, ok := errors.AsType[*plan.Error](err)
	if !ok || first == 0 {
		return err
	}
	moved := *bad
	moved.Faults = slices.Clone(bad.Faults)
	for i, f := range moved.Faults {
		number, rest, _ := strings.Cut(strings.TrimPrefix(f.Pointer, "/steps/"), "/")
		if n, err := strconv.Atoi(number); err == nil && n >= first {
			moved.Faults[i].Pointer = strings.TrimSuffix("/steps/"+strconv.Itoa(n-first)+"/"+rest, "/")
		}
	}
	return &moved
}
