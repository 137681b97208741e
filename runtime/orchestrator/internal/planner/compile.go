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

// compiled compiles a plan, of which the steps that ran are the first. In what is wrong
// with the others they count from 0.
func (p *planning) compiled(made plan.Plan, most int) (plan.Plan, []tool.Edit, error) {
	if err := p.taken(made); err != nil {
		return made, nil, err
	}
	compiled, edits, err := plan.Compile(made, p.tools, most)
	if err == nil {
		err = p.refused(compiled)
	}
	return compiled, edits, shifted(err, len(p.ran()))
}

// taken returns an error if steps have the IDs of some that ran.
func (p *planning) taken(made plan.Plan) error {
	var ids []string
	ran := len(p.ran())
	for _, s := range made.Steps[ran:] {
		if slices.ContainsFunc(made.Steps[:ran], func(r plan.Step) bool { return r.ID == s.ID }) {
			ids = append(ids, s.ID)
		}
	}
	if len(ids) > 0 {
		return fmt.Errorf("steps that ran have these IDs, use others: %s", strings.Join(ids, ", "))
	}
	return nil
}

// refused returns an error if a step makes a call that was denied.
func (p *planning) refused(made plan.Plan) error {
	for _, s := range made.Steps[len(p.ran()):] {
		arguments, err := s.Fill(p.result)
		if err == nil && s.Tool != "" && p.isDenied(s.Tool, arguments) {
			return fmt.Errorf("the call of step %s was denied, do not propose it again", s.ID)
		}
	}
	return nil
}

// shifted returns an error in which the steps count from one of them.
func shifted(err error, first int) error {
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
