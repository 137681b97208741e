package plan

import (
	"slices"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// compiler goes through a plan.
type compiler struct {
	plan   Plan // as it is returned
	byID   map[string]int
	tools  map[string]*types
	names  []string
	faults faults
	edits  []tool.Edit
}

// types are what a tool takes and gives.
type types struct {
	input, output *jsonschema.Schema
	definition    tool.Definition
}

func newCompiler(p Plan, definitions []tool.Definition) *compiler {
	c := &compiler{plan: p, byID: map[string]int{}, tools: map[string]*types{}}
	c.plan.Steps = slices.Clone(p.Steps)
	for i, s := range p.Steps {
		if _, taken := c.byID[s.ID]; !taken {
			c.byID[s.ID] = i
		}
	}
	used := map[string]bool{}
	for _, s := range p.Steps {
		used[s.Tool] = true
	}
	for _, d := range definitions {
		c.names = append(c.names, d.Name)
		if used[d.Name] {
			c.tools[d.Name] = &types{schemaOr(d.Input, anything), schemaOr(d.Output, anything), d}
		}
	}
	return c
}

// output returns what the result of a step may be: what a model says is a text.
func (c *compiler) output(id string) []*jsonschema.Schema {
	s := c.plan.Steps[c.byID[id]]
	if s.Tool == "" {
		return []*jsonschema.Schema{text}
	}
	if t := c.tools[s.Tool]; t != nil {
		return []*jsonschema.Schema{t.output}
	}
	return []*jsonschema.Schema{anything}
}

// isPlace reports whether there may be what a reference goes to.
func (c *compiler) isPlace(r Reference) bool { return len(reach(c.output(r.Step), r.Pointer)) > 0 }
