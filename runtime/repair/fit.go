package repair

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/tool"
)

// fitArguments returns the arguments in a text as what a schema says, with what was
// changed for that: the value itself, if that is one already.
func fitArguments(text string, n *jsontext.Node, s *jsonschema.Schema) (*jsontext.Node, []tool.Edit, *failure) {
	f := newFitter(text)
	if f.Fits(n, s) {
		return n, nil, nil
	}
	o := f.arguments(n, s)
	f.report(o)
	if len(f.faults) == 0 || f.Err() != nil {
		f.check(o.value, s)
	}
	if len(f.faults) > 0 {
		return nil, nil, f.failure()
	}
	return o.value, f.edits, nil
}

// fitter changes values into those of a schema. Values are never changed in
// place, for there may be several ways to be tried, and what is not changed is
// not copied: so no value needs to be fitted to a schema twice.
type fitter struct {
	*jsonschema.Checker
	arena
	at        trail
	faults    []tool.Fault
	text      string // that values are in
	outcomes  map[pair]*outcome
	edits     []Edit
	ambiguous bool // something has two readings
}

// A pair is a value and a schema that it is fitted to.
type pair struct {
	value  *jsontext.Node
	schema *jsonschema.Schema
}

func newFitter(text string) *fitter {
	return &fitter{Checker: jsonschema.NewChecker(jsonschema.StepsFor(len(text))), text: text, outcomes: map[pair]*outcome{}}
}

// Bounds of what is said of faults: how many are described, and where their
// pointers are cut, in bytes.
const (
	mostFaults     = 64
	longestPointer = 1024
)

func (f *fitter) add(pointer, expected, found string) {
	if len(f.faults) < mostFaults {
		f.faults = append(f.faults, tool.Fault{Pointer: pointer, Expected: expected, Found: found})
	}
}

// check records why a value is not one of a schema, or that it takes too much to
// tell.
func (f *fitter) check(n *jsontext.Node, s *jsonschema.Schema) {
	f.faults = nil
	for _, fault := range f.Faults(n, s) {
		f.add(words.Cut(fault.Pointer, longestPointer), fault.Expected, fault.Found)
	}
}

// node counts what it makes.
func (f *fitter) node(k jsontext.Kind, at int) *jsontext.Node {
	f.Spend(1)
	return f.arena.node(k, at)
}

// An outcome is what a value becomes by a schema, and what is to be said of that.
// It does not know where the value is, since that may be in several places.
type outcome struct {
	value  *jsontext.Node
	notes  []note
	faults bool // there are some in notes
}

// A note is an edit, a fault, or all that is to be said of a part.
type note struct {
	at    step // from the value to the part, or here
	part  *outcome
	edit  editKind
	place jsontext.Span // of the edit
	after string
	fault tool.Fault // if it has what was expected
}

var here = step{index: -2}

// oneReading is what is expected where there are two.
const oneReading = "one reading"

// edit notes that a value was read as another, which may be nil.
func (o *outcome) edit(kind editKind, before, after *jsontext.Node) {
	n := note{at: here, edit: kind, place: before.Span}
	if after != nil {
		n.after = shown(after)
	}
	o.notes = append(o.notes, n)
}

// fault notes that a value has no reading.
func (o *outcome) fault(expected, found string) {
	o.notes = append(o.notes, note{at: here, fault: tool.Fault{Expected: expected, Found: found}})
	o.faults = true
}

// twoReadings notes that a value has more than one reading.
func (o *outcome) twoReadings(n *jsontext.Node, readings ...string) {
	o.fault(oneReading, jsonschema.Found(n)+", which may be "+strings.Join(readings, " or "))
}

// include notes what was noted of a part.
func (o *outcome) include(at step, part *outcome) {
	if len(part.notes) > 0 {
		o.notes = append(o.notes, note{at: at, part: part})
		o.faults = o.faults || part.faults
	}
}

// become goes on with what became of the value.
func (o *outcome) become(next *outcome) {
	o.include(here, next)
	o.value = next.value
}

// report records what was noted, with the places: the faults if there are any,
// else the edits.
func (f *fitter) report(o *outcome) {
	for _, n := range o.notes {
		if o.faults && n.fault.Expected == "" && (n.part == nil || !n.part.faults) || len(f.faults) == mostFaults {
			continue
		}
		if n.at != here {
			f.at = append(f.at, n.at)
		}
		switch {
		case n.part != nil:
			f.report(n.part)
		case o.faults:
			f.ambiguous = f.ambiguous || n.fault.Expected == oneReading
			f.add(f.at.pointer(), n.fault.Expected, n.fault.Found)
		default:
			before := cut(f.text[n.place.Start:n.place.End])
			f.edits = append(f.edits, Edit{Kind: editKinds[n.edit], Pointer: f.at.pointer(), Offset: int(n.place.Start), Before: before, After: n.after})
		}
		if n.at != here {
			f.at.leave()
		}
	}
}

func (f *fitter) failure() *failure {
	bad := &failure{code: codeArguments, at: nowhere, faults: f.faults}
	if f.ambiguous {
		bad.code = codeAmbiguous
	}
	words := make([]string, len(f.faults))
	for i, fault := range f.faults {
		words[i] = fault.String()
	}
	bad.message = "the arguments have no reading that fits: " + strings.Join(words, "; ")
	return bad
}

// wrappers are the names that models give to an object around the arguments,
// and those of what is then beside it.
var (
	wrappers = []string{"arguments", "args", "parameters", "params", "input", "action_input", "tool_input", "kwargs", "properties"}
	labels   = []string{"name", "tool", "tool_name", "function", "action", "recipient_name", "id", "type"}
)

// arguments fits the whole.
func (f *fitter) arguments(n *jsontext.Node, s *jsonschema.Schema) *outcome {
	o := &outcome{value: n}
	if n.Kind == jsontext.Null || n.Kind == jsontext.String && strings.Trim(textOf(n), blanks) == "" {
		o.value = like(f.node(jsontext.Object, int(n.Start)), n)
		o.edit(editAbsent, n, o.value)
	}
	o.unwrap(s)
	if !o.faults {
		o.become(f.fit(o.value, s))
	}
	return o
}

// unwrap goes on with the arguments in an object that is around them. If there are
// others beside them, they have two readings.
func (o *outcome) unwrap(s *jsonschema.Schema) {
	known := func(m *jsontext.Node) bool {
		p := named(s, m.Name(), 0)
		return p != nil && !p.Never
	}
	if o.value.Kind != jsontext.Object {
		return
	}
	var wrapper *jsontext.Node
	alone := true
	for _, m := range o.value.Items {
		switch {
		case !known(m) && wrapper == nil && slices.Contains(wrappers, m.Name()):
			wrapper = m
		case known(m) || !slices.Contains(labels, m.Name()):
			alone = false
		}
	}
	if wrapper == nil {
		return
	}
	inner := wrapper
	if inner.Kind != jsontext.Object {
		inner = parsed(wrapper)
	}
	switch {
	case inner == nil || inner.Kind != jsontext.Object:
	case alone:
		o.edit(editWrapper, o.value, inner)
		o.value = inner
	case named(s, wrapper.Name(), 0) != nil: // it is never there
		for _, m := range inner.Items {
			if known(m) {
				o.twoReadings(o.value, shown(inner), "what is beside that")
				return
			}
		}
	}
}

// fit returns n as what s says; n itself if that is one of s. What cannot be done
// is left for the check that follows, but for what has two readings.
func (f *fitter) fit(n *jsontext.Node, s *jsonschema.Schema) *outcome {
	p := pair{n, s}
	o := f.outcomes[p]
	if o == nil {
		o = &outcome{value: n}
		if !f.Fits(n, s) {
			f.change(o, s)
		}
		f.outcomes[p] = o
	}
	return o
}

// change makes one of s of a value that is none.
func (f *fitter) change(o *outcome, s *jsonschema.Schema) {
	defer f.Leave()
	if !f.Enter(1) {
		return
	}
	if s.Ref != nil {
		o.become(f.fit(o.value, s.Ref))
	}
	for _, inner := range s.AllOf {
		o.become(f.fit(o.value, inner))
	}
	f.convert(o, s)
	f.spell(o, s)
	switch o.value.Kind {
	case jsontext.Array:
		f.elements(o, s)
	case jsontext.Object:
		f.members(o, s)
	}
	f.alternative(o, s.AnyOf)
	f.alternative(o, s.OneOf)
}

// alternative fits a value to one of several schemas: to none if it is one of
// them already.
func (f *fitter) alternative(o *outcome, schemas []*jsonschema.Schema) {
	n := o.value
	if len(schemas) == 0 || slices.ContainsFunc(schemas, func(s *jsonschema.Schema) bool { return f.Fits(n, s) }) {
		return
	}
	var found []*outcome
	var values []*jsonschema.Schema // those of more than null
	for _, s := range schemas {
		found = f.try(found, f.fit(n, s), s)
		if s.Speaks() != jsonschema.TypesOf(jsontext.Null) {
			values = append(values, s)
		}
	}
	if len(found) == 0 && len(values) == 1 {
		o.become(f.fit(n, values[0])) // to find what is wrong with it
		return
	}
	o.choose(found)
}

// try adds a reading to those of a value, if it is one of s and says something
// else than the others.
func (f *fitter) try(readings []*outcome, o *outcome, s *jsonschema.Schema) []*outcome {
	if o.faults || !f.Fits(o.value, s) || slices.ContainsFunc(readings, func(other *outcome) bool { return f.same(other.value, o.value) }) {
		return readings
	}
	return append(readings, o)
}

// same tells whether two values are equal.
func (f *fitter) same(a, b *jsontext.Node) bool {
	if a == b {
		return true
	}
	text := string(a.AppendCanonical(nil))
	f.Spend(len(text) / 8)
	return text == string(b.AppendCanonical(nil))
}

// choose goes on with the only reading of a value; with the value itself if there
// is none.
func (o *outcome) choose(readings []*outcome) {
	switch len(readings) {
	case 0:
		return
	case 1:
		o.become(readings[0])
		return
	}
	words := make([]string, len(readings))
	for i, r := range readings {
		words[i] = shown(r.value)
	}
	o.twoReadings(o.value, words...)
}

// elements fits the elements of a list.
func (f *fitter) elements(o *outcome, s *jsonschema.Schema) {
	if s.Items == nil && s.Prefix == nil {
		return
	}
	var items []*jsontext.Node
	before := len(o.notes)
	for _, e := range o.value.Items {
		i, item := len(items), &outcome{value: e}
		switch {
		case i < len(s.Prefix):
			item = f.fit(e, s.Prefix[i])
		case s.Items != nil:
			item = f.fit(e, s.Items)
		}
		o.include(step{index: i}, item)
		items = append(items, item.value)
	}
	if len(o.notes) == before {
		return
	}
	list := like(f.node(jsontext.Array, int(o.value.Start)), o.value)
	for _, item := range items {
		list.Add(f.renamed(item, ""))
	}
	o.value = list
}
