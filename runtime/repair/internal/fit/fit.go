package fit

import (
	"slices"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
)

// readAs returns n if it matches the schema, and otherwise n changed to match in the only possible way. It returns
// nil if there is no way, or more than one.
func (f *Fitter) readAs(n *jsontext.Node, s *jsonschema.Schema) *jsontext.Node {
	o := f.fitValue(n, s)
	if o.faults || !f.Fits(o.value, s) {
		return nil
	}
	return o.value
}

// fitValue changes n to match s, if n does not match already. The outcome has faults only for ambiguities, so the
// caller must check whether the value matches.
func (f *Fitter) fitValue(n *jsontext.Node, s *jsonschema.Schema) *outcome {
	p := pair{n, s}
	o := f.outcomes[p]
	if o == nil {
		o = &outcome{value: n}
		if !f.Fits(n, s) {
			f.changeValue(o, s)
		}
		f.outcomes[p] = o
	}
	return o
}

// changeValue changes a value to match s.
func (f *Fitter) changeValue(o *outcome, s *jsonschema.Schema) {
	defer f.Leave()
	if !f.Enter(1) {
		return
	}
	if s.Ref != nil {
		o.applyOutcome(f.fitValue(o.value, s.Ref))
	}
	for _, inner := range s.AllOf {
		o.applyOutcome(f.fitValue(o.value, inner))
	}
	f.convertValue(o, s)
	f.matchEnum(o, s)
	switch o.value.Kind {
	case jsontext.Array:
		f.fitElements(o, s)
	case jsontext.Object:
		f.fitMembers(o, s)
	}
	f.fitAlternative(o, s.AnyOf)
	f.fitAlternative(o, s.OneOf)
}

// fitAlternative changes a value to match one of several schemas, such as those of anyOf, unless it already
// matches one.
func (f *Fitter) fitAlternative(o *outcome, schemas []*jsonschema.Schema) {
	n := o.value
	if len(schemas) == 0 || slices.ContainsFunc(schemas, func(s *jsonschema.Schema) bool { return f.Fits(n, s) }) {
		return
	}
	var found []*outcome
	var values []*jsonschema.Schema // schemas that allow more than null
	for _, s := range schemas {
		found = f.addReading(found, f.fitValue(n, s), s)
		if s.Kinds() != jsonschema.TypesOf(jsontext.Null) {
			values = append(values, s)
		}
	}
	if len(found) == 0 && len(values) == 1 {
		o.applyOutcome(f.fitValue(n, values[0])) // so that the later check reports what is wrong
		return
	}
	o.chooseReading(found)
}

// fitElements fits the elements of a list.
func (f *Fitter) fitElements(o *outcome, s *jsonschema.Schema) {
	if s.Items == nil && s.Prefix == nil {
		return
	}
	var items []*jsontext.Node
	before := len(o.notes)
	for _, e := range o.value.Items {
		i, item := len(items), &outcome{value: e}
		switch {
		case i < len(s.Prefix):
			item = f.fitValue(e, s.Prefix[i])
		case s.Items != nil:
			item = f.fitValue(e, s.Items)
		}
		o.includePart(step{index: i}, item)
		items = append(items, item.value)
	}
	if len(o.notes) == before {
		return
	}
	list := reader.ReplaceNode(f.newNode(jsontext.Array, int(o.value.Start)), o.value)
	for _, item := range items {
		list.Add(f.copyAs(item, ""))
	}
	o.value = list
}

// convertValue converts a value to one of the types of s.
func (f *Fitter) convertValue(o *outcome, s *jsonschema.Schema) {
	n := o.value
	if s.Types == 0 || s.Types.Include(n) {
		return
	}
	var found []*outcome
	conversions := f.listConversions(n, s)
	for _, other := range conversions {
		converted := &outcome{value: other}
		converted.addEdit(reader.Type, n, other)
		converted.applyOutcome(f.fitValue(other, s))
		found = f.addReading(found, converted, s)
	}
	if len(found) == 0 && len(conversions) == 1 && len(conversions[0].Items) == 0 {
		o.addEdit(reader.Type, n, conversions[0]) // so that the later check reports what is wrong
		o.value = conversions[0]
		return
	}
	o.chooseReading(found)
}

// fitMembers fits the members of an object: first their names, then their values. It never adds a missing member,
// not even one with the value null, because the model did not send it.
func (f *Fitter) fitMembers(o *outcome, s *jsonschema.Schema) {
	if s.Properties == nil && s.Additional == nil && s.Patterns == nil && s.Required == nil {
		return
	}
	given := map[string]*jsontext.Node{}
	for _, m := range o.value.Items {
		given[m.Name()] = m
	}
	var members []*jsontext.Node
	fitted := map[string]*jsontext.Node{} // the original members, by their final names
	before := len(o.notes)
	for _, m := range o.value.Items {
		part := &outcome{value: m}
		if name, ok := f.memberName(part, s, given); ok && f.fitMember(part, name, s, fitted) {
			members = append(members, part.value)
		}
		o.includePart(step{m.Name(), noIndex}, part)
	}
	if len(o.notes) == before {
		return
	}
	object := reader.ReplaceNode(f.newNode(jsontext.Object, int(o.value.Start)), o.value)
	for _, m := range members {
		object.Add(f.copyAs(m, m.Key))
	}
	o.value = object
}

// fitMember renames a member to name, fits its value, and reports whether the object keeps the member. fitted
// contains the members that were fitted before, by their final names.
func (f *Fitter) fitMember(part *outcome, name string, s *jsonschema.Schema, fitted map[string]*jsontext.Node) bool {
	m := part.value
	if other := fitted[name]; other != nil {
		if f.isSameValue(other, m) {
			part.addEdit(reader.Unknown, m, nil)
		} else {
			part.addAmbiguity(m, reader.ShowValue(m), reader.ShowValue(other))
		}
		return false
	}
	if name != m.Name() {
		part.value = f.copyAs(m, jsontext.Quote(name))
		part.notes = append(part.notes, note{at: sameValue, edit: reader.Name, place: m.KeySpan, after: reader.CutShown(part.value.Key)})
	}
	if f.standsForAbsent(m, name, s) {
		part.addEdit(reader.Absent, m, nil)
		return false
	}
	fitted[name] = m
	for _, p := range s.AppendMemberSchemas(nil, name) {
		part.applyOutcome(f.fitValue(part.value, p))
	}
	return true
}
