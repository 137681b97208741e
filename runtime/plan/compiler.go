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

	byName, byNumber, byTool map[string][]int // steps by ID in lower case, by number, and by the folded name of the tool
	oddIDs                   []string         // IDs that are not words
	marks                    int              // number of marks that were read
	suspects                 []Suspect
	originalIndexes          []int // index of each sorted step in the original plan; nil if the steps were not sorted
}

// types describes the input and output of a tool.
type types struct {
	input, output *jsonschema.Schema
	definition    tool.Definition
	members       map[string]bool // names of members of results at any depth; nil before its first use
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

// nameSteps indexes the steps by the names that models use for them: IDs, numbers and names of tools.
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

// maxOddIDs is the maximum length of compiler.oddIDs.
const maxOddIDs = 64

// stepPointer returns the pointer of a step in the original plan.
func (c *compiler) stepPointer(i int) string {
	if c.originalIndexes != nil {
		i = c.originalIndexes[i]
	}
	return "/steps/" + strconv.Itoa(i)
}

// outputSchemas returns the possible schemas of the result of a step. The result of a step without a tool is a string.
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

// isPlace reports whether the result of the step may contain a value at the pointer of r.
func (c *compiler) isPlace(r Reference) bool {
	return len(schemasAt(c.outputSchemas(r.Step), r.Pointer)) > 0
}
