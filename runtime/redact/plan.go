package redact

import "github.com/aiongen/aiongen/runtime/plan"

func (x *pass) redactPlan(p plan.Plan) plan.Plan {
	redacted := plan.Plan{Goal: x.redactProse("", "/goal", p.Goal), Steps: make([]plan.Step, len(p.Steps))}
	for i, s := range p.Steps {
		redacted.Steps[i] = x.redactStep(s)
	}
	return redacted
}

func (x *pass) redactStep(s plan.Step) plan.Step {
	redacted := plan.Step{ID: s.ID, Status: s.Status, Tool: x.redactName(s.Tool), Agent: x.redactLabel(s.Agent), Arguments: x.redactArguments(s.Tool, s.Arguments)}
	redacted.Description = x.redactProse(s.Tool, "/description", s.Description)
	for _, e := range s.Errors {
		redacted.Errors = append(redacted.Errors, x.redactToolText(s.Tool, "/error", e))
	}
	return redacted
}

// redactPlanText redacts a plan that a model wrote. It parses the text as the planner does.
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
