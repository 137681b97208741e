package plan

import (
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/tool"
)

// compiler compiles a plan.
type compiler struct {
	plan   Plan // the compiled plan
	byID   map[string]int
	tools  map[string]*types
	names  []string
	faults faults
	edits  []tool.Edit

	byName, byNumber, byTool map[string][]int // steps by the names that models use
	oddIDs                   []string         // IDs that are not words
	marks                    int              // number of marks read
	suspects                 []Suspect
	written                  []int // original indexes of the steps after sorting; nil if they were not sorted
}

// types describes the input and output of a tool.
type types struct {
	input, output *jsonschema.Schema
	definition    tool.Definition
	members       map[string]bool // members of results at any depth; nil if not yet needed
}

func newCompiler(p Plan, definitions []tool.Definition) *compiler {
	c := &compiler{plan: p, tools: map[string]*types{}}
	c.plan.Steps = slices.Clone(p.Steps)
	c.nameSteps()
	used := map[string]bool{}
	for _, s := range p.Steps {
		used[s.Tool] = true
	}
	for _, d := range definitions {
		c.names = append(c.names, d.Name)
		if used[d.Name] {
			c.tools[d.Name] = &types{input: schemaOr(d.Input, anySchema), output: schemaOr(d.Output, anySchema), definition: d}
		}
	}
	return c
}

// nameSteps records the names that models use for steps.
func (c *compiler) nameSteps() {
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
		if headOf.FindString(s.ID) != s.ID && len(s.ID) > 0 && len(c.oddIDs) < maxOddIDs {
			c.oddIDs = append(c.oddIDs, s.ID)
		}
		if s.Tool != "" {
			folded := words.FoldName(s.Tool)
			c.byTool[folded] = append(c.byTool[folded], i)
		}
	}
}

// maxOddIDs limits how many IDs that are not words are searched for in texts.
const maxOddIDs = 64

// stepPointer returns the pointer of a step in the original plan.
func (c *compiler) stepPointer(i int) string {
	if c.written != nil {
		i = c.written[i]
	}
	return "/steps/" + strconv.Itoa(i)
}

// outputSchemas returns what the result of a step may be: what a model says is a text.
func (c *compiler) outputSchemas(id string) []*jsonschema.Schema {
	s := c.plan.Steps[c.byID[id]]
	if s.Tool == "" {
		return []*jsonschema.Schema{textSchema}
	}
	if t := c.tools[s.Tool]; t != nil {
		return []*jsonschema.Schema{t.output}
	}
	return []*jsonschema.Schema{anySchema}
}

// isPlace reports whether the place of a reference may exist.
func (c *compiler) isPlace(r Reference) bool {
	return len(schemasAt(c.outputSchemas(r.Step), r.Pointer)) > 0
}
