package redact

import "github.com/aiongen/aiongen/runtime/plan"

// redactPlan redacts a plan.
func (x *pass) redactPlan(p plan.Plan) plan.Plan {
	told := plan.Plan{Goal: x.redactProse("", "/goal", p.Goal), Steps: make([]plan.Step, len(p.Steps))}
	for i, s := range p.Steps {
		told.Steps[i] = x.redactStep(s)
	}
	return told
}

func (x *pass) redactStep(s plan.Step) plan.Step {
	told := plan.Step{ID: s.ID, Status: s.Status, Tool: x.redactName(s.Tool), Agent: x.redactLabel(s.Agent), Arguments: x.redactArguments(s.Tool, s.Arguments)}
	told.Description = x.redactProse(s.Tool, "/description", s.Description)
	for _, e := range s.Errors {
		told.Errors = append(told.Errors, x.redactRemark(s.Tool, "/error", e))
	}
	return told
}

// redactPlanText redacts a plan as a model wrote it, according to how it is read.
func (x *pass) redactPlanText(text string) string {
	if text == "" {
		return ""
	}
	p, err := plan.Read(text, "(none)", x.catalog.tools)
	if err != nil {
		return plainText(x.withholdText(text))
	}
	return mustMarshal(x.redactPlan(p))
}
