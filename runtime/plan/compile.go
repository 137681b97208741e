package plan

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/reference"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Compile checks a plan before any of its steps runs, and returns it with corrections. It
// requires that
//
//   - the tool of each step is one of the definitions
//   - each reference leads to an earlier step, and to a value in that step's result that may exist and that the
//     argument accepts
//   - arguments match their schemas, and none is a placeholder such as <the id from step 1>
//   - there are at most maxSteps steps
//
// Compile does not report missing required arguments and suspect texts; see [Step.Missing] and [Suspects]. It
// does not check steps with a final status. Other steps may refer to these unless they failed.
//
// Compile makes these corrections, which the edits describe:
//
//   - If a step refers to a later one, the steps are sorted. Steps whose tools are not read-only must keep their
//     order; if they cannot, the reference is a fault.
//   - References in other spellings, such as {{step1.result.id}}, are rewritten as [Reference]
//     defines them.
//   - An argument is removed if it is null and its schema does not allow null.
//   - Arguments of another type, such as "3" for 3, are converted if there is only one way.
//
// The error is an [*Error] with all faults.
func Compile(p Plan, definitions []tool.Definition, maxSteps int) (Plan, []tool.Edit, error) {
	c := newCompiler(p, definitions)
	c.faults.checkPlan(p)
	c.sortSteps()
	if len(p.Steps) > MaxSteps {
		return p, nil, c.faults.asError()
	}
	if len(p.Steps) > maxSteps && maxSteps < MaxSteps {
		c.faults.addFault("/steps", "at most "+words.Count(maxSteps, "step"), strconv.Itoa(len(p.Steps)))
	}
	c.compileSteps()
	if err := c.faults.asError(); err != nil {
		return p, nil, err
	}
	return c.plan, c.edits, nil
}

// Suspects returns the suspect texts in the arguments of the steps that have no final status. The
// plan must come from [Compile].
func Suspects(p Plan, definitions []tool.Definition) []Suspect {
	c := newCompiler(p, definitions)
	c.compileSteps()
	return c.suspects
}

// compileSteps compiles the steps that have no final status.
func (c *compiler) compileSteps() {
	for i := range c.plan.Steps {
		if !c.plan.Steps[i].Status.Final() {
			c.compileStep(i)
		}
	}
}

// Missing returns the names of the required arguments that are absent from the step, or that are
// null although null is invalid. Ask the model or a person for them before the step runs.
func (s Step) Missing(d tool.Definition) (names []string) {
	n, _ := jsontext.Parse(string(s.Arguments), jsontext.MaxDepth)
	input := schemaOr(d.Input, anySchema)
	for _, name := range requiredNames(input) {
		if m := n.Member(name); m == nil || isNoValue(m, input) {
			names = append(names, name)
		}
	}
	return names
}

// isNoValue reports whether an argument is null and its schema does not allow null.
func isNoValue(m *jsontext.Node, s *jsonschema.Schema) bool {
	if m.Kind != jsontext.Null {
		return false
	}
	checker := jsonschema.NewChecker(jsonschema.StepsFor(0))
	return slices.ContainsFunc(s.AppendMemberSchemas(nil, m.Name()), func(p *jsonschema.Schema) bool { return !checker.Fits(m, p) })
}

// requiredNames returns the members that every value of a schema must have.
func requiredNames(s *jsonschema.Schema) []string {
	names := slices.Clone(s.Required)
	for depth := 0; s.Ref != nil && depth < maxWalkDepth; depth++ {
		s = s.Ref
		names = append(names, s.Required...)
	}
	for _, other := range s.AllOf {
		names = append(names, other.Required...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// compileStep compiles a step.
func (c *compiler) compileStep(i int) {
	s := &c.plan.Steps[i]
	at := c.stepPointer(i)
	t := c.tools[s.Tool]
	if t == nil {
		t = &types{input: anySchema}
		if strings.TrimSpace(s.Tool) != "" {
			c.faults.addFault(at+"/tool", c.nearestTool(s.Tool), quoteText(s.Tool))
		}
	}
	arguments, err := jsontext.Parse(cmp.Or(string(s.Arguments), "{}"), jsontext.MaxDepth)
	if err != nil {
		return // checkPlan reports this
	}
	faults, edits, suspects := len(c.faults), len(c.edits), len(c.suspects)
	compiled := c.compileArguments(i, arguments, t.input)
	if before := slices.Clone(c.faults[faults:]); len(before) > 0 {
		if fixed, fixes := t.fixTypes(compiled); fixed != nil {
			for _, e := range fixes {
				e.Pointer = at + "/arguments" + e.Pointer
				c.edits = append(c.edits, e)
			}
			c.faults, c.suspects = c.faults[:faults], c.suspects[:suspects]
			compiled = c.compileArguments(i, fixed, t.input)
		}
		if len(c.faults) > faults { // report the original faults instead
			c.faults = append(c.faults[:faults], before...)
		}
	}
	if len(c.edits) > edits {
		s.Arguments = compiled.Append(nil)
	}
}

// compileArguments returns arguments with references in standard spelling.
func (c *compiler) compileArguments(i int, arguments *jsontext.Node, input *jsonschema.Schema) *jsontext.Node {
	t := c.tools[c.plan.Steps[i].Tool]
	a := &argumentCompiler{speller: speller{c, i, t != nil && t.definition.Annotations.Is(tool.ReadOnly)}, input: input, at: c.stepPointer(i) + "/arguments", holes: map[*jsontext.Node]hole{}}
	arguments = a.dropNullMembers(a.compileValue(arguments, ""), input)
	f := newFitChecker(a.addMissing(arguments, input), a.holes, len(c.plan.Steps[i].Arguments))
	f.reportMisfit(a.root, input, "")
	for _, fault := range f.faults {
		if !a.reported[fault.Pointer] {
			c.faults.addFault(a.at+fault.Pointer, fault.Expected, fault.Found)
		}
	}
	return arguments
}

// fixTypes converts arguments of wrong types to the types of the schema, and returns the edits. It returns
// nil if there is more than one way, or if a member would be lost.
func (t *types) fixTypes(arguments *jsontext.Node) (*jsontext.Node, []tool.Edit) {
	loose := looseArgumentsSchema(t.definition)
	if loose == nil || arguments.FirstRepeated() != nil {
		return nil, nil
	}
	read, err := repair.Arguments(arguments.String(), loose)
	removes := func(e tool.Edit) bool { return e.Kind == "unknown" || e.Kind == "wrapper" }
	if err != nil || read.Truncated || len(read.Edits) == 0 || slices.ContainsFunc(read.Edits, removes) {
		return nil, nil
	}
	n, err := jsontext.Parse(string(read.Value), jsontext.MaxDepth)
	if err != nil {
		return nil, nil
	}
	return n, read.Edits
}

// argumentCompiler compiles the arguments of a step.
type argumentCompiler struct {
	speller
	input    *jsonschema.Schema
	at       string // pointer of the arguments
	root     *jsontext.Node
	holes    map[*jsontext.Node]hole
	reported map[string]bool // the pointers of values with faults, relative to the arguments
}

func (a *argumentCompiler) addFault(at, expected, found string) {
	if a.reported == nil {
		a.reported = map[string]bool{}
	}
	a.reported[at] = true
	a.faults.addFault(a.at+at, expected, found)
}

func (a *argumentCompiler) addEdit(kind, at, before, after string) {
	a.edits = append(a.edits, tool.Edit{Kind: kind, Pointer: a.at + at, Before: cutText(before), After: cutText(after)})
}

// compileValue returns a value with references in standard spelling. It records each string that contains
// references as a hole: a value that is not known yet.
func (a *argumentCompiler) compileValue(n *jsontext.Node, at string) *jsontext.Node {
	switch n.Kind {
	case jsontext.String:
		return a.compileText(n, at)
	case jsontext.Array, jsontext.Object:
		for i, m := range n.Items {
			if n.Is(jsontext.Object) {
				a.checkKey(m, childPointer(n, i, at))
			}
		}
		return mapParts(n, at, a.compileValue)
	}
	return n
}

// checkKey checks the key of a member, which cannot be a reference.
func (a *argumentCompiler) checkKey(m *jsontext.Node, at string) {
	name := m.Name()
	if s := a.readText(name); s.expected != "" || s.text != name || mayRefer(name) {
		a.addFault(at, "a key that is not a reference", quoteText(name))
	} else if _, isVariable := reference.ParseName(name); s.suspect || looksDelimited(name) && !isVariable {
		a.addSuspect(at, name)
	}
}

func (a *argumentCompiler) addSuspect(at, text string) {
	a.suspects = append(a.suspects, Suspect{a.step, at, text})
}

// compileText returns a string with references in standard spelling.
func (a *argumentCompiler) compileText(n *jsontext.Node, at string) *jsontext.Node {
	original := n.Str()
	read := a.readText(original)
	if read.expected != "" {
		a.addFault(at, read.expected, read.found)
	}
	text := read.text
	if text != original {
		if trimmed := strings.TrimSpace(text); isSingleReference(splitReferences(trimmed)) {
			text = trimmed
		}
		n = &jsontext.Node{Kind: jsontext.String, Key: n.Key, Text: jsontext.Quote(text)}
		a.addEdit("reference", at, original, text)
	}
	all := splitReferences(text)
	refers := false
	for _, p := range all {
		if p.refers {
			refers = true
			a.checkReference(p, at)
		}
	}
	_, isVariable := reference.ParseName(text)
	if schemas := schemasAt([]*jsonschema.Schema{a.input}, at); !a.reported[at] && !isVariable && (read.suspect && !isListed(text, schemas) || !refers && a.isSuspect(text, schemas)) {
		a.addSuspect(at, text)
	}
	switch {
	case a.reported[at], isVariable:
		a.holes[n] = hole{[]*jsonschema.Schema{anySchema}, text}
	case isSingleReference(all):
		a.holes[n] = hole{schemasAt(a.outputSchemas(all[0].to.Step), all[0].to.Pointer), text}
	case refers:
		a.holes[n] = hole{[]*jsonschema.Schema{textSchema}, text}
	}
	return n
}

// checkReference adds a fault if a reference is invalid.
func (a *argumentCompiler) checkReference(p part, at string) {
	j, known := a.byID[p.to.Step]
	switch {
	case p.broken:
		a.addFault(at, "a reference as in "+Reference{"1", "/id"}.String(), quoteText(p.text))
	case !known:
		a.addFault(at, a.nearestStep(p.to.Step), quoteText(p.text))
	case j == a.step:
		a.addFault(at, "a reference to a step before this one", quoteText(p.text)+", which is this step")
	case j > a.step:
		a.addFault(at, "a reference to a step before this one", quoteText(p.text)+", which comes later")
	case a.plan.Steps[j].Tool == "" && strings.EqualFold(a.plan.Steps[j].Agent, AgentReplan):
		a.addFault(at, "a reference to a step that has a result", quoteText(p.text)+", which plans the rest")
	case a.plan.Steps[j].Status == Failed:
		a.addFault(at, "a reference to a step that has a result", quoteText(p.text)+", which failed")
	case !a.isPlace(p.to):
		a.addFault(at, a.nearestPlace(p.to), quoteText(p.text))
	}
}

// dropNullMembers returns arguments without the required members that are null although their schemas do not
// allow null. These count as missing.
func (a *argumentCompiler) dropNullMembers(n *jsontext.Node, input *jsonschema.Schema) *jsontext.Node {
	if n.Is(jsontext.Null) {
		a.addEdit("null", "", "null", "{}")
		return &jsontext.Node{Kind: jsontext.Object}
	}
	names := requiredNames(input)
	missing := func(m *jsontext.Node) bool { return slices.Contains(names, m.Name()) && isNoValue(m, input) }
	if !n.Is(jsontext.Object) || !slices.ContainsFunc(n.Items, missing) {
		return n
	}
	rest := &jsontext.Node{Kind: n.Kind}
	for _, m := range n.Items {
		if missing(m) {
			a.addEdit("null", jsontext.Join("", m.Name()), "null", "")
		} else {
			rest.Add(m)
		}
	}
	return rest
}

// addMissing returns arguments with a hole for each required argument that is missing. Because of the hole, the
// check of the arguments does not report it.
func (a *argumentCompiler) addMissing(n *jsontext.Node, input *jsonschema.Schema) *jsontext.Node {
	a.root = n
	if !n.Is(jsontext.Object) {
		return n
	}
	a.root = &jsontext.Node{Kind: n.Kind, Items: slices.Clone(n.Items)}
	for _, name := range requiredNames(input) {
		if n.Member(name) == nil {
			m := &jsontext.Node{Kind: jsontext.Null, Key: jsontext.Quote(name), Text: "null"}
			a.holes[m] = hole{[]*jsonschema.Schema{anySchema}, "nothing"}
			a.root.Add(m)
		}
	}
	return a.root
}
