package repair

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/runtime/tool"
)

// Arguments returns the arguments of a call that a model wrote, changed so that
// they are what the schema of the tool's input says, with its formats and
// patterns, if there is exactly one way: numbers, true and false in strings and
// the reverse, JSON in strings, one value for a list and the reverse, other
// spellings of names and of the values of an enum, members that the schema does
// not have, null or "" for what may be absent, and an object "arguments" around
// all. What has two readings is an error that names both; a value beyond a bound
// is never moved. Malformed JSON is read as by [JSON].
//
// Arguments that the schema allows are returned as they are, byte for byte; none
// are {}. An error is an [*Error]. Arguments is made for [tool.Tolerant].
func Arguments(raw string, schema json.RawMessage) (Result, error) {
	s, err := parseSchema(schema)
	if err != nil {
		return Result{}, err
	}
	if s == nil {
		s = &schemaOfObjects
	}
	if strings.Trim(raw, blanks) == "" {
		raw = "{}"
	}
	d, err := read(raw, s)
	if err != nil {
		return Result{}, err
	}
	f := newFitter(raw)
	if f.fits(d.value, s) {
		return d.result(raw), nil
	}
	o := f.arguments(d.value, s)
	f.report(o)
	if f.count == 0 {
		f.check(o.value, s)
	}
	if f.exhausted() {
		f.faults, f.at = nil, nil
		f.fault("a value that takes less to check", d.value)
	}
	if f.count > 0 {
		return Result{}, f.err()
	}
	d.value, d.right = o.value, false
	result := d.result(raw)
	result.Edits = append(result.Edits, f.edits...)
	slices.SortStableFunc(result.Edits, func(a, b Edit) int { return a.Offset - b.Offset })
	result.Value = o.value.appendJSON(nil)
	return result, nil
}

// schemaOfObjects is for tools whose input has no schema.
var schemaOfObjects = schema{keywords: keywords{Type: 1 << kindObject}}

// fitter changes values into those of a schema. Values are never changed in
// place, for there may be several ways to be tried, and what is not changed is
// not copied: so no value needs to be fitted to a schema twice.
type fitter struct {
	checker
	arena
	text      string // that values are in
	outcomes  map[pair]*outcome
	edits     []Edit
	ambiguous bool // something has two readings
}

func newFitter(text string) *fitter {
	return &fitter{checker: checker{work: newWork(len(text))}, text: text, outcomes: map[pair]*outcome{}}
}

// node counts what it makes.
func (f *fitter) node(k kind, at int) *node {
	f.left--
	return f.arena.node(k, at)
}

// An outcome is what a value becomes by a schema, and what is to be said of that.
// It does not know where the value is, since that may be in several places.
type outcome struct {
	value  *node
	notes  []note
	faults bool // there are some in notes
}

// A note is an edit, a fault, or all that is to be said of a part.
type note struct {
	at    step // from the value to the part, or here
	part  *outcome
	edit  editKind
	place region // of the edit
	after string
	fault tool.Fault // if it has what was expected
}

var here = step{index: -2}

// oneReading is what is expected where there are two.
const oneReading = "one reading"

// edit notes that a value was read as another, which may be nil.
func (o *outcome) edit(kind editKind, before, after *node) {
	n := note{at: here, edit: kind, place: before.region}
	if after != nil {
		n.after = after.shown()
	}
	o.notes = append(o.notes, n)
}

// fault notes that a value has no reading.
func (o *outcome) fault(expected, found string) {
	o.notes = append(o.notes, note{at: here, fault: tool.Fault{Expected: expected, Found: found}})
	o.faults = true
}

// twoReadings notes that a value has more than one reading.
func (o *outcome) twoReadings(n *node, readings ...string) {
	o.fault(oneReading, n.found()+", which may be "+strings.Join(readings, " or "))
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
		if o.faults && n.fault.Expected == "" && (n.part == nil || !n.part.faults) || f.count >= mostFaults {
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
			f.add(n.fault.Expected, n.fault.Found)
		default:
			before := cut(f.text[n.place.at:n.place.to])
			f.edits = append(f.edits, Edit{Kind: editKinds[n.edit], Pointer: f.at.pointer(), Offset: int(n.place.at), Before: before, After: n.after})
		}
		if n.at != here {
			f.at.leave()
		}
	}
}

func (f *fitter) err() *Error {
	e := &Error{code: codeArguments, Faults: f.faults}
	if f.ambiguous {
		e.code = codeAmbiguous
	}
	words := make([]string, len(f.faults))
	for i, fault := range f.faults {
		words[i] = fault.String()
	}
	e.Message = "the arguments have no reading that fits: " + strings.Join(words, "; ")
	return e
}

// wrappers are the names that models give to an object around the arguments,
// and those of what is then beside it.
var (
	wrappers = []string{"arguments", "args", "parameters", "params", "input", "action_input", "tool_input", "kwargs", "properties"}
	labels   = []string{"name", "tool", "tool_name", "function", "action", "recipient_name", "id", "type"}
)

// arguments fits the whole.
func (f *fitter) arguments(n *node, s *schema) *outcome {
	o := &outcome{value: n}
	if n.kind == kindNull || n.kind == kindString && strings.Trim(n.text(), blanks) == "" {
		o.value = f.node(kindObject, int(n.at)).like(n)
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
func (o *outcome) unwrap(s *schema) {
	known := func(m *node) bool {
		p := s.named(m.name(), 0)
		return p != nil && !p.never
	}
	var wrapper *node
	alone := true
	for m := o.value.first; m != nil && o.value.kind == kindObject; m = m.next {
		switch {
		case !known(m) && wrapper == nil && slices.Contains(wrappers, m.name()):
			wrapper = m
		case known(m) || !slices.Contains(labels, m.name()):
			alone = false
		}
	}
	if wrapper == nil {
		return
	}
	inner := wrapper
	if inner.kind != kindObject {
		inner = parsed(wrapper)
	}
	switch {
	case inner == nil || inner.kind != kindObject:
	case alone:
		o.edit(editWrapper, o.value, inner)
		o.value = inner
	case s.named(wrapper.name(), 0) != nil: // it is never there
		for m := inner.first; m != nil; m = m.next {
			if known(m) {
				o.twoReadings(o.value, inner.shown(), "what is beside that")
				return
			}
		}
	}
}

// fit returns n as what s says; n itself if that is one of s. What cannot be done
// is left for the check that follows, but for what has two readings.
func (f *fitter) fit(n *node, s *schema) *outcome {
	p := pair{n, s}
	o := f.outcomes[p]
	if o == nil {
		o = &outcome{value: n}
		if !f.fits(n, s) {
			f.change(o, s)
		}
		f.outcomes[p] = o
	}
	return o
}

// change makes one of s of a value that is none.
func (f *fitter) change(o *outcome, s *schema) {
	defer f.leave()
	if !f.enter() {
		return
	}
	if s.target != nil {
		o.become(f.fit(o.value, s.target))
	}
	for _, inner := range s.AllOf {
		o.become(f.fit(o.value, inner))
	}
	f.convert(o, s)
	f.spell(o, s)
	switch o.value.kind {
	case kindArray:
		f.elements(o, s)
	case kindObject:
		f.members(o, s)
	}
	f.alternative(o, s.AnyOf)
	f.alternative(o, s.OneOf)
}

// alternative fits a value to one of several schemas: to none if it is one of
// them already.
func (f *fitter) alternative(o *outcome, schemas []*schema) {
	n := o.value
	if len(schemas) == 0 || slices.ContainsFunc(schemas, func(s *schema) bool { return f.fits(n, s) }) {
		return
	}
	var found []*outcome
	var values []*schema // those of more than null
	for _, s := range schemas {
		found = f.try(found, f.fit(n, s), s)
		if s.allowed(0) != 1<<kindNull {
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
func (f *fitter) try(readings []*outcome, o *outcome, s *schema) []*outcome {
	if o.faults || !f.fits(o.value, s) || slices.ContainsFunc(readings, func(other *outcome) bool { return f.same(other.value, o.value) }) {
		return readings
	}
	return append(readings, o)
}

// same tells whether two values are equal.
func (f *fitter) same(a, b *node) bool {
	if a == b {
		return true
	}
	text := canonical(a)
	f.left -= len(text) / 8
	return text == canonical(b)
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
		words[i] = r.value.shown()
	}
	o.twoReadings(o.value, words...)
}

// elements fits the elements of a list.
func (f *fitter) elements(o *outcome, s *schema) {
	if s.Items == nil && s.PrefixItems == nil {
		return
	}
	var items []*node
	before := len(o.notes)
	for e := o.value.first; e != nil; e = e.next {
		i, item := len(items), &outcome{value: e}
		switch {
		case i < len(s.PrefixItems):
			item = f.fit(e, s.PrefixItems[i])
		case s.Items != nil:
			item = f.fit(e, s.Items)
		}
		o.include(step{index: i}, item)
		items = append(items, item.value)
	}
	if len(o.notes) == before {
		return
	}
	list := f.node(kindArray, int(o.value.at)).like(o.value)
	for _, item := range items {
		list.add(f.renamed(item, ""))
	}
	o.value = list
}

var _ tool.Repair = Arguments
