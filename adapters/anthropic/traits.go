package anthropic

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/aiongen/aiongen/runtime/llm"
)

// traits are the differences between models.
type traits struct {
	maxTokens    int
	adaptive     bool   // the effort controls thinking; otherwise a budget does
	offType      string // value of thinking.type that disables thinking; "" if the model always thinks
	fixedSamples bool   // the model rejects temperature and top_p
	answerSchema bool   // the model accepts a schema for the text of the answer
}

// modelName matches the family and the version in the name of a model, such as
// claude-opus-4-5-20251101 or us.anthropic.claude-sonnet-4-6.
var modelName = regexp.MustCompile(`claude-(opus|sonnet|haiku|fable|mythos)-(\d+|preview)(?:-(\d{1,2}))?(?:[^\d].*)?$`)

// traitsOf returns the traits of the named model. A model with an unknown name, for example the name of
// a deployment, receives all parameters of a request.
func traitsOf(name string) traits {
	match := modelName.FindStringSubmatch(name)
	if match == nil {
		return traits{maxTokens: 32_000, adaptive: true, offType: "disabled", answerSchema: true}
	}
	major, err := strconv.Atoi(match[2])
	minor, _ := strconv.Atoi(match[3]) // 0 without a minor version
	if err != nil {
		major, minor = 4, 7 // preview
	}
	version, family := 10*major+minor, match[1]
	t := traits{maxTokens: 32_000, adaptive: version >= 46, offType: "disabled", fixedSamples: version >= 47, answerSchema: version >= 45}
	if version >= 46 {
		t.maxTokens = 64_000
	}
	switch {
	case family == "fable", family == "mythos", family == "opus" && version >= 50:
		t.offType = ""
	case family == "sonnet" && version >= 55:
		t.offType = "between_tools"
	}
	return t
}

// thinking is the configuration of thinking in a request.
type thinking struct {
	Type    string `json:"type"`
	Budget  int    `json:"budget_tokens,omitempty"`
	Display string `json:"display,omitempty"`
}

// minBudget is the smallest budget that the API accepts.
const minBudget = 1024

// budgets maps efforts to thinking budgets in tokens, for models that do not accept an effort.
var budgets = map[string]int{"low": 2048, "medium": 8192, "high": 16_384, "xhigh": 32_768, "max": 32_768}

// setThinking sets the members that depend on the effort of the request.
func (r *request) setThinking(req llm.Request) error {
	t := r.model.traits
	switch {
	case req.Effort == "":
		return nil
	case req.Effort == "none" && t.offType == "":
		return fmt.Errorf("%s always thinks: use the effort low instead of none", r.model.name)
	case req.Effort == "none":
		r.thinking = &thinking{Type: t.offType}
		return nil
	case t.adaptive:
		r.thinking = &thinking{Type: "adaptive", Display: "summarized"}
		r.output.Effort = req.Effort
		return nil
	}
	budget, ok := budgets[req.Effort]
	if !ok {
		return fmt.Errorf("invalid effort %q, expected none, low, medium, high, xhigh or max", req.Effort)
	}
	if budget = min(budget, r.maxTokens/2); budget < minBudget {
		return fmt.Errorf("a limit of %d tokens is too small for thinking, which needs at least %d", r.maxTokens, 2*minBudget)
	}
	if req.ToolChoice != "" && req.ToolChoice != llm.NoTool {
		return fmt.Errorf("%s cannot think before a call that ToolChoice requires: leave out Effort or ToolChoice", r.model.name)
	}
	r.thinking = &thinking{Type: "enabled", Budget: budget}
	return nil
}

// setSampling sets temperature and top_p, if the model accepts them.
func (r *request) setSampling(req llm.Request) error {
	if r.model.traits.fixedSamples || r.thinking != nil && (r.thinking.Type == "enabled" || r.thinking.Type == "adaptive") {
		return nil
	}
	if req.Temperature != nil && req.TopP != nil {
		return fmt.Errorf("the API does not accept Temperature and TopP together: leave out one of them")
	}
	r.temperature, r.topP = req.Temperature, req.TopP
	return nil
}
