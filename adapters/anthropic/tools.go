package anthropic

import (
	"slices"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/endpoint"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// maxStrict is the maximum number of strict tools that the API accepts.
const maxStrict = 20

// setTools adapts the tools of a request to the API, see [schema.Lower].
func (r *request) setTools(req llm.Request) (err error) {
	definitions, recorded := orderTools(r.model.name, req)
	if r.tools, err = lowerTools(definitions, r.model.strict); err != nil {
		return err
	}
	r.allTools = slices.Clone(r.model.serverTools)
	for _, t := range r.tools.All {
		r.allTools = append(r.allTools, t.JSON(schema.Messages))
		r.order = append(r.order, t.Original)
	}
	if slices.Equal(r.order, recorded) {
		r.order = nil
	}
	return nil
}

// orderTools returns the tools of a request: first those whose order the dialogue has recorded, then the
// new ones. It also returns the names in the order that was recorded last. A new tool before others would
// invalidate the cache for all tools after it.
func orderTools(model string, req llm.Request) (all []tool.Definition, recorded []string) {
	for _, m := range slices.Backward(req.Messages) {
		if recorded = readProviderData(model, m).Tools; recorded != nil {
			break
		}
	}
	position := func(d tool.Definition) int {
		if i := slices.Index(recorded, d.Name); i >= 0 {
			return i
		}
		return len(recorded)
	}
	all = slices.Clone(req.Tools)
	slices.SortStableFunc(all, func(a, b tool.Definition) int { return position(a) - position(b) })
	return all, recorded
}

// lowerTools lowers definitions. If strict is true, it uses the strict mode for schemas that lose
// nothing in that mode, unless these schemas together are too complex for the API.
func lowerTools(definitions []tool.Definition, strict bool) (*endpoint.Tools, error) {
	plain := endpoint.Lowering(schema.Anthropic, "")
	if !strict {
		return endpoint.LowerTools(plain, definitions...)
	}
	var enforced []tool.Definition
	lower := func(d tool.Definition) (*schema.Lowered, error) {
		if len(enforced) == maxStrict {
			return plain(d)
		}
		l, err := schema.LowerStrict(schema.AnthropicStrict, schema.Anthropic, d)
		if err == nil && l.Target.Strict() {
			enforced = append(enforced, d)
		}
		return l, err
	}
	tools, err := endpoint.LowerTools(lower, definitions...)
	if err != nil {
		return nil, err
	}
	if losses, err := schema.Check(schema.AnthropicStrict, enforced...); err != nil || isRefused(losses) {
		return lowerTools(definitions, false)
	}
	return tools, nil
}

func isRefused(losses []schema.Loss) bool {
	return slices.ContainsFunc(losses, func(l schema.Loss) bool { return l.Severity == schema.Refused })
}
