package repair

import (
	"slices"
	"strings"
	"unicode"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// members fits the members of an object: their names, then their values.
func (f *fitter) members(o *outcome, s *jsonschema.Schema) {
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
			part.edit(editAbsent, null, null)
			o.include(step{name, noIndex}, part)
			kept = append(kept, null)
		}
	}
	if len(o.notes) == before {
		return
	}
	object := like(f.node(jsontext.Object, int(o.value.Start)), o.value)
	for _, m := range kept {
		object.Add(f.renamed(m, m.Key))
	}
	o.value = object
}

// take fits a member under a name that s has, and tells whether it is kept.
func (f *fitter) take(part *outcome, name string, s *jsonschema.Schema, taken map[string]*jsontext.Node) bool {
	m := part.value
	if other := taken[name]; other != nil {
		if f.same(other, m) {
			part.edit(editUnknown, m, nil)
		} else {
			part.twoReadings(m, shown(m), shown(other))
		}
		return false
	}
	if name != m.Name() {
		part.value = f.renamed(m, jsontext.Quote(name))
		part.notes = append(part.notes, note{at: here, edit: editName, place: m.KeySpan, after: cut(part.value.Key)})
	}
	if f.absent(m, name, s) {
		part.edit(editAbsent, m, nil)
		return false
	}
	taken[name] = m
	for _, p := range s.AppendOf(nil, name) {
		part.become(f.fit(part.value, p))
	}
	return true
}

// absent tells whether a member stands for none.
func (f *fitter) absent(m *jsontext.Node, name string, s *jsonschema.Schema) bool {
	p := s.Property(name)
	if p == nil || !isNothing(m) || slices.Contains(s.Required, name) {
		return false
	}
	k := p.Speaks()
	return k != 0 && !k.Has(jsontext.Null) && (m.Kind == jsontext.Null || !k.Has(jsontext.String))
}

// name returns the name that s has for a member; false if that is none, or not
// clear.
func (f *fitter) name(part *outcome, s *jsonschema.Schema, given map[string]*jsontext.Node) (name string, ok bool) {
	m := part.value
	name = m.Name()
	if s.Property(name) != nil || slices.ContainsFunc(s.Patterns, func(p jsonschema.PatternProperty) bool { return p.Pattern.Match(name) }) {
		return name, true
	}
	var spelled, there, near []string
	for _, x := range s.Properties {
		p := x.Name
		switch {
		case folded(p) == folded(name) && given[p] != nil:
			there = append(there, p)
		case folded(p) == folded(name):
			spelled = append(spelled, p)
		case isNear(folded(p), folded(name)) && given[p] == nil:
			near = append(near, p)
		}
	}
	slices.Sort(spelled)
	slices.Sort(near)
	closed := s.Additional != nil && s.Additional.Never
	switch {
	case len(spelled) == 1:
		return spelled[0], true
	case len(spelled) > 1:
		part.fault(oneReading, "a name that may be "+strings.Join(spelled, " or "))
		return "", false
	case len(there) > 0 && !f.same(given[there[0]], m):
		slices.Sort(there)
		part.twoReadings(m, shown(m), shown(given[there[0]])+", which "+there[0]+" says")
		return "", false
	case !closed && len(there) == 0:
		return name, true
	case len(near) > 0 && len(there) == 0:
		part.fault("a name such as "+strings.Join(near, " or "), "the name "+jsontext.Quote(cut(name)))
		return "", false
	}
	part.edit(editUnknown, m, nil)
	return "", false
}

// folded returns what is the same of a name in all spellings: userId, user_id,
// "User ID".
func folded(name string) string {
	return strings.Map(func(c rune) rune {
		if c == '_' || c == '-' || c == ' ' || c == '.' {
			return -1
		}
		return unicode.ToLower(c)
	}, name)
}

// isNear tells whether a word becomes another by one letter that is left out,
// added, replaced, or swapped with its neighbour. Short words are near none.
func isNear(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < 3 {
		return false
	}
	for a != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	common := 0
	for common < len(a) && a[len(a)-1-common] == b[len(b)-1-common] {
		common++
	}
	a, b = a[:len(a)-common], b[:len(b)-common]
	return len(b) == 1 || len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
}

// spell makes a text the value of an enum that it is another spelling of: in
// another case, with other separators between its words, or with marks around.
func (f *fitter) spell(o *outcome, s *jsonschema.Schema) {
	n := o.value
	if s.Values == nil || len(n.Items) > 0 || s.Values.Lists(n) {
		return
	}
	text := strings.TrimSpace(textOf(n))
	for _, spelling := range []func(string) string{
		func(text string) string { return text },
		strings.ToLower,
		joined,
		func(text string) string { return joined(strings.Trim(text, "*_`'\"")) },
	} {
		var found []*jsontext.Node
		for _, v := range s.Values.List {
			if len(v.Items) == 0 && spelling(textOf(v)) == spelling(text) {
				found = append(found, v)
			}
		}
		switch {
		case len(found) == 1:
			o.value = like(f.renamed(found[0], n.Key), n)
			o.edit(editEnum, n, o.value)
			return
		case len(found) > 1:
			words := make([]string, len(found))
			for i, v := range found {
				words[i] = shown(v)
			}
			o.twoReadings(n, words...)
			return
		}
	}
}

// joined returns text in lower case without what separates its words.
func joined(text string) string {
	var b, separators []rune
	for _, c := range strings.ToLower(text) {
		if len(b) > 0 && (c == '_' || c == '-' || c == ' ') {
			separators = append(separators, c)
			continue
		}
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			b = append(b, separators...)
		}
		b, separators = append(b, c), separators[:0]
	}
	return string(append(b, separators...))
}
