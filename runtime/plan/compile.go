package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/planform"
	"github.com/aiongen/aiongen/runtime/internal/reference"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Compile finds what cannot work in a plan before anything of it is done. Each tool
// is one of the definitions; each reference goes back to a step before, to a place
// that its result has or may have, and whose type the argument can take; arguments
// fit their schemas, and none is a placeholder such as <the id from step 1>; there
// are at most so many steps. Required arguments may be missing, see [Step.Missing], and
// texts may be suspect, see [Suspects].
// Steps that refer to later ones are sorted if steps that may change something keep
// their order.
// Steps that have their final status are only referred to, if they did not fail.
//
// The plan that is returned has references in other spellings, such as
// {{step1.result.id}}, as [Reference] writes them, no null in the place of a missing
// argument, and arguments of other types, such as "3" for 3, as they can be read if
// there is one way; the edits say where it differs. The error is an [*Error] with
// all faults.
func Compile(p Plan, definitions []tool.Definition, most int) (Plan, []tool.Edit, error) {
	c := newCompiler(p, definitions)
	c.faults.plan(p)
	c.sort()
	if len(p.Steps) > MaxSteps {
		return p, nil, c.faults.err()
	}
	if len(p.Steps) > most && most < MaxSteps {
		c.faults.add("/steps", "at most "+words.Count(most, "step"), strconv.Itoa(len(p.Steps)))
	}
	c.steps()
	if err := c.faults.err(); err != nil {
		return p, nil, err
	}
	return c.plan, c.edits, nil
}

// Missing returns the names of required arguments of the step's tool that are not there,
// or null where that is none. They are known when the turn of the step comes, or never.
func (s Step) Missing(d tool.Definition) (names []string) {
	n, _ := jsontext.Parse(string(s.Arguments), jsontext.MaxDepth)
	input := schemaOr(d.Input, anything)
	for _, name := range required(input) {
		if m := n.Member(name); m == nil || isNoValue(m, input) {
			names = append(names, name)
		}
	}
	return names
}

// isNoValue reports whether an argument is null, and cannot be that.
func isNoValue(m *jsontext.Node, s *jsonschema.Schema) bool {
	if m.Kind != jsontext.Null {
		return false
	}
	checker := jsonschema.NewChecker(jsonschema.StepsFor(0))
	return slices.ContainsFunc(s.AppendOf(nil, m.Name()), func(p *jsonschema.Schema) bool { return !checker.Fits(m, p) })
}

// required returns the members that every value of a schema has.
func required(s *jsonschema.Schema) []string {
	names := slices.Clone(s.Required)
	for depth := 0; s.Ref != nil && depth < deepestSteps; depth++ {
		s = s.Ref
		names = append(names, s.Required...)
	}
	for _, other := range s.AllOf {
		names = append(names, other.Required...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// step compiles a step.
func (c *compiler) step(i int) {
	s := &c.plan.Steps[i]
	at := c.at(i)
	t := c.tools[s.Tool]
	if t == nil {
		t = &types{input: anything}
		if strings.TrimSpace(s.Tool) != "" {
			c.faults.add(at+"/tool", c.toolNear(s.Tool), show(s.Tool))
		}
	}
	arguments, err := jsontext.Parse(cmp.Or(string(s.Arguments), "{}"), jsontext.MaxDepth)
	if err != nil {
		return // which is a fault of the plan
	}
	faults, edits, suspects := len(c.faults), len(c.edits), len(c.suspects)
	compiled := c.arguments(i, arguments, t.input)
	if wrong := slices.Clone(c.faults[faults:]); len(wrong) > 0 {
		if off, all := t.offType(compiled); off != nil {
			for _, e := range all {
				e.Pointer = at + "/arguments" + e.Pointer
				c.edits = append(c.edits, e)
			}
			c.faults, c.suspects = c.faults[:faults], c.suspects[:suspects]
			compiled = c.arguments(i, off, t.input)
		}
		if len(c.faults) > faults {
			c.faults = append(c.faults[:faults], wrong...)
		}
	}
	if len(c.edits) > edits {
		s.Arguments = compiled.Append(nil)
	}
}

// arguments compiles arguments, which it returns with references in their one spelling.
func (c *compiler) arguments(i int, arguments *jsontext.Node, input *jsonschema.Schema) *jsontext.Node {
	t := c.tools[c.plan.Steps[i].Tool]
	a := &argumentsOf{speller: speller{c, i, t != nil && t.definition.Annotations.Is(tool.ReadOnly)}, input: input, at: c.at(i) + "/arguments", holes: map[*jsontext.Node]hole{}}
	arguments = a.without(a.value(arguments, ""), input)
	f := newFitting(a.withMissing(arguments, input), a.holes, len(c.plan.Steps[i].Arguments))
	f.tell(a.root, input, "")
	for _, fault := range f.faults {
		if !a.told[fault.Pointer] {
			c.faults.add(a.at+fault.Pointer, fault.Expected, fault.Found)
		}
	}
	return arguments
}

// offType returns arguments that are off their types, as they can be read, if there is
// one reading that leaves nothing out.
func (t *types) offType(arguments *jsontext.Node) (*jsontext.Node, []tool.Edit) {
	loose := planform.Loose(t.definition)
	if loose == nil || arguments.Repeated() != nil {
		return nil, nil
	}
	read, err := repair.Arguments(arguments.String(), loose)
	less := func(e tool.Edit) bool { return e.Kind == "unknown" || e.Kind == "wrapper" }
	if err != nil || read.Truncated || len(read.Edits) == 0 || slices.ContainsFunc(read.Edits, less) {
		return nil, nil
	}
	n, err := jsontext.Parse(string(read.Value), jsontext.MaxDepth)
	if err != nil {
		return nil, nil
	}
	return n, read.Edits
}

// toolNear says what there is in the place of a tool that there is not.
func (c *compiler) toolNear(name string) string {
	switch near := words.Near(name, c.names); {
	case len(near) > 0:
		return "the tool " + words.List(near, " or ")
	case len(c.names) == 0:
		return "no tool, for there is none"
	}
	return "one of the tools " + words.List(c.names, ", ")
}

// argumentsOf goes through the arguments of a step.
type argumentsOf struct {
	speller
	input *jsonschema.Schema
	at    string // pointer of the arguments
	root  *jsontext.Node
	holes map[*jsontext.Node]hole
	told  map[string]bool // what is wrong already, by pointer in the arguments
}

func (a *argumentsOf) fault(at, expected, found string) {
	if a.told == nil {
		a.told = map[string]bool{}
	}
	a.told[at] = true
	a.faults.add(a.at+at, expected, found)
}

func (a *argumentsOf) edit(kind, at, before, after string) {
	a.edits = append(a.edits, tool.Edit{Kind: kind, Pointer: a.at + at, Before: cut(before), After: cut(after)})
}

// value returns a value with references in their one spelling, and notes what
// stands in their places.
func (a *argumentsOf) value(n *jsontext.Node, at string) *jsontext.Node {
	switch n.Kind {
	case jsontext.String:
		return a.text(n, at)
	case jsontext.Array, jsontext.Object:
		for i, m := range n.Items {
			if n.Is(jsontext.Object) {
				a.key(m, pointerTo(n, i, at))
			}
		}
		return withParts(n, at, a.value)
	}
	return n
}

// key does the same for the key of a member, which cannot be a reference.
func (a *argumentsOf) key(m *jsontext.Node, at string) {
	name := m.Name()
	if s := a.read(name); s.expected != "" || s.text != name || mayRefer(name) {
		a.fault(at, "a key that is not a reference", show(name))
	} else if _, isVariable := reference.Name(name); s.suspect || looksDelimited(name) && !isVariable {
		a.suspect(at, name)
	}
}

func (a *argumentsOf) suspect(at, text string) {
	a.suspects = append(a.suspects, Suspect{a.step, at, text})
}

// text does the same for a string.
func (a *argumentsOf) text(n *jsontext.Node, at string) *jsontext.Node {
	said := n.Str()
	read := a.read(said)
	if read.expected != "" {
		a.fault(at, read.expected, read.found)
	}
	now := read.text
	if now != said {
		if trimmed := strings.TrimSpace(now); isWhole(parts(trimmed)) {
			now = trimmed
		}
		n = &jsontext.Node{Kind: jsontext.String, Key: n.Key, Text: jsontext.Quote(now)}
		a.edit("reference", at, said, now)
	}
	all := parts(now)
	refers := false
	for _, p := range all {
		if p.refers {
			refers = true
			a.reference(p, at)
		}
	}
	_, isVariable := reference.Name(now)
	if places := reach([]*jsonschema.Schema{a.input}, at); !a.told[at] && !isVariable && (read.suspect && !isListed(now, places) || !refers && a.isSuspect(now, places)) {
		a.suspect(at, now)
	}
	switch {
	case a.told[at]:
		a.holes[n] = hole{[]*jsonschema.Schema{anything}, now}
	case isVariable:
		a.holes[n] = hole{[]*jsonschema.Schema{anything}, now}
	case isWhole(all):
		a.holes[n] = hole{reach(a.output(all[0].to.Step), all[0].to.Pointer), now}
	case refers:
		a.holes[n] = hole{[]*jsonschema.Schema{text}, now}
	}
	return n
}

// example is a reference that this step may have.
func (a speller) example() string {
	if a.step == 0 {
		return Reference{"1", "/id"}.String() + " in a later step"
	}
	before := a.plan.Steps[a.step-1]
	r := Reference{Step: before.ID}
	if names := namesIn(a.output(before.ID)); len(names) > 0 {
		r.Pointer = jsontext.Join("", names[0])
	}
	return r.String()
}

// reference adds what is wrong with a reference.
func (a *argumentsOf) reference(p part, at string) {
	j, known := a.byID[p.to.Step]
	switch {
	case p.broken:
		a.fault(at, "a reference as in "+Reference{"1", "/id"}.String(), show(p.text))
	case !known:
		a.fault(at, a.stepNear(p.to.Step), show(p.text))
	case j == a.step:
		a.fault(at, "a reference to a step before this one", show(p.text)+", which is this step")
	case j > a.step:
		a.fault(at, "a reference to a step before this one", show(p.text)+", which comes later")
	case a.plan.Steps[j].Tool == "" && strings.EqualFold(a.plan.Steps[j].Agent, AgentReplan):
		a.fault(at, "a reference to a step that has a result", show(p.text)+", which plans the rest")
	case a.plan.Steps[j].Status == Failed:
		a.fault(at, "a reference to a step that has a result", show(p.text)+", which failed")
	case !a.isPlace(p.to):
		a.fault(at, a.placeNear(p.to), show(p.text))
	}
}

// stepNear says which steps a reference may go to instead.
func (a speller) stepNear(id string) string {
	var ids []string
	for _, s := range a.plan.Steps[:a.step] {
		ids = append(ids, s.ID)
	}
	switch near := words.Near(id, ids); {
	case len(ids) == 0:
		return "no reference, for there is no step before"
	case len(near) > 0 && len(ids) > 3:
		return "a reference to the step " + words.List(near, " or ")
	case len(ids) == 1:
		return "a reference to the step " + words.List(ids, "")
	}
	return "a reference to one of the steps " + words.List(ids, ", ")
}

// placeNear says what there is in a result instead of what a reference goes to: it
// names the first part of the way that there is not.
func (a speller) placeNear(r Reference) string {
	schemas, at := a.output(r.Step), ""
	for name := range jsontext.Names(r.Pointer) {
		next := within(schemas, name)
		if len(next) == 0 {
			whole := Reference{r.Step, at}.String()
			names := namesIn(schemas)
			if element := (Reference{r.Step, jsontext.JoinIndex(at, 0)}); len(names) == 0 && a.isPlace(element) {
				return fmt.Sprintf("the number of an element of %s, as in %s", whole, element)
			}
			if len(names) == 0 {
				return fmt.Sprintf("%s, which has no parts", whole)
			}
			return fmt.Sprintf("%s of %s", words.Key(name, names), whole)
		}
		schemas, at = next, jsontext.Join(at, name)
	}
	return "a place in the result of the step"
}

// without returns arguments without null in the place of those that are missing.
func (a *argumentsOf) without(n *jsontext.Node, input *jsonschema.Schema) *jsontext.Node {
	if n.Is(jsontext.Null) {
		a.edit("null", "", "null", "{}")
		return &jsontext.Node{Kind: jsontext.Object}
	}
	names := required(input)
	missing := func(m *jsontext.Node) bool { return slices.Contains(names, m.Name()) && isNoValue(m, input) }
	if !n.Is(jsontext.Object) || !slices.ContainsFunc(n.Items, missing) {
		return n
	}
	rest := &jsontext.Node{Kind: n.Kind}
	for _, m := range n.Items {
		if missing(m) {
			a.edit("null", jsontext.Join("", m.Name()), "null", "")
		} else {
			rest.Add(m)
		}
	}
	return rest
}

// withMissing returns arguments with holes where required ones are missing, which
// may become anything.
func (a *argumentsOf) withMissing(n *jsontext.Node, input *jsonschema.Schema) *jsontext.Node {
	a.root = n
	if !n.Is(jsontext.Object) {
		return n
	}
	a.root = &jsontext.Node{Kind: n.Kind, Items: slices.Clone(n.Items)}
	for _, name := range required(input) {
		if n.Member(name) == nil {
			m := &jsontext.Node{Kind: jsontext.Null, Key: jsontext.Quote(name), Text: "null"}
			a.holes[m] = hole{[]*jsonschema.Schema{anything}, "nothing"}
			a.root.Add(m)
		}
	}
	return a.root
}
