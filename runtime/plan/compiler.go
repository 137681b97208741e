package plan

import (
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/words"
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

	byName, byNumber, byTool map[string][]int // steps, by what models call them
	oddIDs                   []string         // IDs that are not a word
	marks                    int              // that were read
	suspects                 []Suspect
	written                  []int // where each step stood before they were sorted; nil if they were not
}

// types are what a tool takes and gives.
type types struct {
	input, output *jsonschema.Schema
	definition    tool.Definition
	members       map[string]bool // of results, at any depth; nil if they were not needed yet
}

func newCompiler(p Plan, definitions []tool.Definition) *compiler {
	c := &compiler{plan: p, tools: map[string]*types{}}
	c.plan.Steps = slices.Clone(p.Steps)
	c.name()
	used := map[string]bool{}
	for _, s := range p.Steps {
		used[s.Tool] = true
	}
	for _, d := range definitions {
		c.names = append(c.names, d.Name)
		if used[d.Name] {
			c.tools[d.Name] = &types{input: schemaOr(d.Input, anything), output: schemaOr(d.Output, anything), definition: d}
		}
	}
	return c
}

// name notes what models call the steps.
func (c *compiler) name() {
	c.byID, c.oddIDs = map[string]int{}, nil
	c.byName, c.byNumber, c.byTool = map[string][]int{}, map[string][]int{}, map[string][]int{}
	for i, s := range c.plan.Steps {
		if _, taken := c.byID[s.ID]; !taken {
			c.byID[s.ID] = i
		}
		lower := strings.ToLower(s.ID)
		c.byName[lower] = append(c.byName[lower], i)
		if m := numberID.FindStringSubmatch(s.ID); m != nil {
			c.byNumber[m[1]] = append(c.byNumber[m[1]], i)
		}
		if headOf.FindString(s.ID) != s.ID && len(s.ID) > 0 && len(c.oddIDs) < mostOddIDs {
			c.oddIDs = append(c.oddIDs, s.ID)
		}
		if s.Tool != "" {
			folded := words.Folded(s.Tool)
			c.byTool[folded] = append(c.byTool[folded], i)
		}
	}
}

// mostOddIDs bounds how many IDs that are not a word are looked for in texts.
const mostOddIDs = 64

// at returns the pointer of a step as it was written.
func (c *compiler) at(i int) string {
	if c.written != nil {
		i = c.written[i]
	}
	return "/steps/" + strconv.Itoa(i)
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
