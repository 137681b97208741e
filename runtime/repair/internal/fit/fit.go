package fit

import (
	"slices"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/report"
	"github.com/aiongen/aiongen/runtime/repair/internal/tree"
)

// CanFit tells whether a value is one of a schema, or may be changed to be one.
func (f *Fitter) CanFit(n *jsontext.Node, s *jsonschema.Schema) bool {
	return f.Reading(n, s) != nil
}

// Reading returns what a value is by a schema: itself, or what it may be changed to
// in one way; nil if there is none.
func (f *Fitter) Reading(n *jsontext.Node, s *jsonschema.Schema) *jsontext.Node {
	o := f.fit(n, s)
	if o.faults || !f.Fits(o.value, s) {
		return nil
	}
	return o.value
}

// fit returns n as what s says; n itself if that is one of s. What cannot be done
// is left for the check that follows, but for what has two readings.
func (f *Fitter) fit(n *jsontext.Node, s *jsonschema.Schema) *outcome {
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
func (f *Fitter) change(o *outcome, s *jsonschema.Schema) {
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
func (f *Fitter) alternative(o *outcome, schemas []*jsonschema.Schema) {
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

// elements fits the elements of a list.
func (f *Fitter) elements(o *outcome, s *jsonschema.Schema) {
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
	list := tree.Like(f.node(jsontext.Array, int(o.value.Start)), o.value)
	for _, item := range items {
		list.Add(f.renamed(item, ""))
	}
	o.value = list
}

// convert makes a value one of the types of s.
func (f *Fitter) convert(o *outcome, s *jsonschema.Schema) {
	n := o.value
	if s.Types == 0 || s.Types.Include(n) {
		return
	}
	var found []*outcome
	conversions := f.conversions(n, s)
	for _, other := range conversions {
		converted := &outcome{value: other}
		converted.edit(report.Type, n, other)
		converted.become(f.fit(other, s))
		found = f.try(found, converted, s)
	}
	if len(found) == 0 && len(conversions) == 1 && len(conversions[0].Items) == 0 {
		o.edit(report.Type, n, conversions[0]) // to find what is wrong with it
		o.value = conversions[0]
		return
	}
	o.choose(found)
}

// members fits the members of an object: their names, then their values.
func (f *Fitter) members(o *outcome, s *jsonschema.Schema) {
	if s.Properties == nil && s.Additional == nil && s.Patterns == nil && s.Required == nil {
		return
	}
	given := map[string]*jsontext.Node{}
	for _, m := range o.value.Items {
		given[m.Name()] = m
	}
	var kept []*jsontext.Node
	taken := map[string]*jsontext.Node{} // by the names that they are given
	before := len(o.notes)
	for _, m := range o.value.Items {
		part := &outcome{value: m}
		if name, ok := f.name(part, s, given); ok && f.take(part, name, s, taken) {
			kept = append(kept, part.value)
		}
		o.include(step{m.Name(), noIndex}, part)
	}
	for _, name := range s.Required {
		if p := s.Property(name); p != nil && taken[name] == nil && p.Speaks().Has(jsontext.Null) {
			null := f.node(jsontext.Null, int(o.value.Start))
			null.Key, null.Text = jsontext.Quote(name), "null"
			null.End = null.Start
			part := &outcome{value: null}
			part.edit(report.Absent, null, null)
			o.include(step{name, noIndex}, part)
			kept = append(kept, null)
		}
	}
	if len(o.notes) == before {
		return
	}
	object := tree.Like(f.node(jsontext.Object, int(o.value.Start)), o.value)
	for _, m := range kept {
		object.Add(f.renamed(m, m.Key))
	}
	o.value = object
}

// take fits a member under a name that s has, and tells whether it is kept.
func (f *Fitter) take(part *outcome, name string, s *jsonschema.Schema, taken map[string]*jsontext.Node) bool {
	m := part.value
	if other := taken[name]; other != nil {
		if f.Same(other, m) {
			part.edit(report.Unknown, m, nil)
		} else {
			part.twoReadings(m, tree.Shown(m), tree.Shown(other))
		}
		return false
	}
	if name != m.Name() {
		part.value = f.renamed(m, jsontext.Quote(name))
		part.notes = append(part.notes, note{at: here, edit: report.Name, place: m.KeySpan, after: report.Cut(part.value.Key)})
	}
	if f.absent(m, name, s) {
		part.edit(report.Absent, m, nil)
		return false
	}
	taken[name] = m
	for _, p := range s.AppendOf(nil, name) {
		part.become(f.fit(part.value, p))
	}
	return true
}
