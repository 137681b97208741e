package repair

import (
	"slices"
	"strings"
	"unicode"
)

// members fits the members of an object: their names, then their values.
func (f *fitter) members(o *outcome, s *schema) {
	if s.Properties == nil && s.AdditionalProperties == nil && s.patterns == nil && s.Required == nil {
		return
	}
	given := map[string]*node{}
	for m := o.value.first; m != nil; m = m.next {
		given[m.name()] = m
	}
	var kept []*node
	taken := map[string]*node{} // by the names that they are given
	before := len(o.notes)
	for m := o.value.first; m != nil; m = m.next {
		part := &outcome{value: m}
		if name, ok := f.name(part, s, given); ok && f.take(part, name, s, taken) {
			kept = append(kept, part.value)
		}
		o.include(step{m.name(), noIndex}, part)
	}
	for _, name := range s.Required {
		if p := s.Properties[name]; p != nil && taken[name] == nil && p.allowed(0).has(kindNull) {
			null := f.node(kindNull, int(o.value.at))
			null.key, null.lit = quoteText(name), "null"
			null.to = null.at
			part := &outcome{value: null}
			part.edit(editAbsent, null, null)
			o.include(step{name, noIndex}, part)
			kept = append(kept, null)
		}
	}
	if len(o.notes) == before {
		return
	}
	object := f.node(kindObject, int(o.value.at)).like(o.value)
	for _, m := range kept {
		object.add(f.renamed(m, m.key))
	}
	o.value = object
}

// take fits a member under a name that s has, and tells whether it is kept.
func (f *fitter) take(part *outcome, name string, s *schema, taken map[string]*node) bool {
	m := part.value
	if other := taken[name]; other != nil {
		if f.same(other, m) {
			part.edit(editUnknown, m, nil)
		} else {
			part.twoReadings(m, m.shown(), other.shown())
		}
		return false
	}
	if name != m.name() {
		part.value = f.renamed(m, quoteText(name))
		part.notes = append(part.notes, note{at: here, edit: editName, place: m.named, after: cut(part.value.key)})
	}
	if f.absent(m, name, s) {
		part.edit(editAbsent, m, nil)
		return false
	}
	taken[name] = m
	for _, p := range s.of(name) {
		part.become(f.fit(part.value, p))
	}
	return true
}

// absent tells whether a member stands for none.
func (f *fitter) absent(m *node, name string, s *schema) bool {
	p := s.Properties[name]
	if p == nil || !isNothing(m) || slices.Contains(s.Required, name) {
		return false
	}
	k := p.allowed(0)
	return k != 0 && !k.has(kindNull) && (m.kind == kindNull || !k.has(kindString))
}

// name returns the name that s has for a member; false if that is none, or not
// clear.
func (f *fitter) name(part *outcome, s *schema, given map[string]*node) (name string, ok bool) {
	m := part.value
	name = m.name()
	if s.Properties[name] != nil || slices.ContainsFunc(s.patterns, func(p pattern) bool { return p.MatchString(name) }) {
		return name, true
	}
	var spelled, there, near []string
	for p := range s.Properties {
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
	closed := s.AdditionalProperties != nil && s.AdditionalProperties.never
	switch {
	case len(spelled) == 1:
		return spelled[0], true
	case len(spelled) > 1:
		part.fault(oneReading, "a name that may be "+strings.Join(spelled, " or "))
		return "", false
	case len(there) > 0 && !f.same(given[there[0]], m):
		slices.Sort(there)
		part.twoReadings(m, m.shown(), given[there[0]].shown()+", which "+there[0]+" says")
		return "", false
	case !closed && len(there) == 0:
		return name, true
	case len(near) > 0 && len(there) == 0:
		part.fault("a name such as "+strings.Join(near, " or "), "the name "+quoteText(cut(name)))
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
func (f *fitter) spell(o *outcome, s *schema) {
	n := o.value
	if s.values == nil || n.first != nil || s.lists(n) {
		return
	}
	text := strings.TrimSpace(n.text())
	for _, spelling := range []func(string) string{
		func(text string) string { return text },
		strings.ToLower,
		joined,
		func(text string) string { return joined(strings.Trim(text, "*_`'\"")) },
	} {
		var found []*node
		for _, v := range s.values {
			if v.first == nil && spelling(v.text()) == spelling(text) {
				found = append(found, v)
			}
		}
		switch {
		case len(found) == 1:
			o.value = f.renamed(found[0], n.key).like(n)
			o.edit(editEnum, n, o.value)
			return
		case len(found) > 1:
			words := make([]string, len(found))
			for i, v := range found {
				words[i] = v.shown()
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
