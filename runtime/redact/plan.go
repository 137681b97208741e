package redact

import "github.com/aiongen/aiongen/runtime/plan"

// plan redacts a plan.
func (x *pass) plan(p plan.Plan) plan.Plan {
	told := plan.Plan{Goal: x.prose("", "/goal", p.Goal), Steps: make([]plan.Step, len(p.Steps))}
	for i, s := range p.Steps {
		told.Steps[i] = x.step(s)
	}
	return told
}

func (x *pass) step(s plan.Step) plan.Step {
	told := plan.Step{ID: s.ID, Status: s.Status, Tool: x.name(s.Tool), Agent: x.label(s.Agent), Arguments: x.arguments(s.Tool, s.Arguments)}
	told.Description = x.prose(s.Tool, "/description", s.Description)
	for _, e := range s.Errors {
		told.Errors = append(told.Errors, x.remark(s.Tool, "/error", e))
	}
	return told
}

// planned redacts a plan as a model wrote it, by what is read in it.
func (x *pass) planned(text string) string {
	if text == "" {
		return ""
	}
	p, err := plan.Read(text, "(none)", x.catalog.tools)
	if err != nil {
		return plain(x.withholdText(text))
	}
	return marshal(x.plan(p))
}
