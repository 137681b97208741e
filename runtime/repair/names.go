package repair

import (
	"slices"
	"strings"
	"unicode"
)

// members fits the members of an object: their names, then their values.
func (f *fitter) members(n *node, s *schema) *node {
	if s.Properties == nil && s.AdditionalProperties == nil && s.patterns == nil && s.Required == nil {
		return n
	}
	object := f.node(kindObject, int(n.at))
	object.key = n.key
	given := map[string]*node{}
	for m := n.first; m != nil; m = m.next {
		given[m.name()] = m
	}
	taken := map[string]*node{} // by the names that they are given
	for m := n.first; m != nil; m = m.next {
		f.at.enter(m.name())
		if name, ok := f.name(m, s, given); ok {
			f.take(object, m, name, s, taken)
		}
		f.at.leave()
	}
	for _, name := range s.Required {
		if p := s.Properties[name]; p != nil && taken[name] == nil && p.allowed(0).has(kindNull) {
			f.at.enter(name)
			null := f.node(kindNull, int(n.at))
			null.key, null.lit = quoteText(name), "null"
			f.edits = append(f.edits, Edit{Kind: editKinds[editAbsent], Pointer: f.at.pointer(), Offset: int(n.at), After: "null"})
			f.at.leave()
			object.add(null)
		}
	}
	return object
}

// take puts a member into an object, under a name that s has.
func (f *fitter) take(object, m *node, name string, s *schema, taken map[string]*node) {
	if other := taken[name]; other != nil {
		if canonical(other) == canonical(m) {
			f.edit(editUnknown, m, nil)
			return
		}
		f.twoReadings(m, cut(m.json()), cut(other.json()))
		return
	}
	value := f.renamed(m, m.key)
	if name != m.name() {
		value.key = quoteText(name)
		f.edits = append(f.edits, Edit{Kind: editKinds[editName], Pointer: f.at.pointer(), Offset: int(m.at), Before: cut(m.key), After: cut(value.key)})
	}
	if f.absent(m, name, s) {
		f.edit(editAbsent, m, nil)
		return
	}
	taken[name] = m
	for _, p := range s.of(name) {
		value = f.renamed(f.fit(value, p), value.key)
	}
	object.add(value)
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
func (f *fitter) name(m *node, s *schema, given map[string]*node) (name string, ok bool) {
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
		f.ambiguous = true
		f.add("one reading", "a name that may be "+strings.Join(spelled, " or "))
		return "", false
	case len(there) > 0 && canonical(given[there[0]]) != canonical(m):
		slices.Sort(there)
		f.twoReadings(m, cut(m.json()), cut(given[there[0]].json())+", which "+there[0]+" says")
		return "", false
	case !closed && len(there) == 0:
		return name, true
	case len(near) > 0 && len(there) == 0:
		f.add("a name such as "+strings.Join(near, " or "), "the name "+quoteText(cut(name)))
		return "", false
	}
	f.edit(editUnknown, m, nil)
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

// spell returns the value of an enum that a text is another spelling of: in
// another case, with other separators between its words, or with marks around.
func (f *fitter) spell(n *node, s *schema) *node {
	if s.values == nil || n.first != nil || s.lists(n) {
		return n
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
			v := f.renamed(found[0], n.key)
			v.at = n.at
			f.edit(editEnum, n, v)
			return v
		case len(found) > 1:
			words := make([]string, len(found))
			for i, v := range found {
				words[i] = cut(v.json())
			}
			f.twoReadings(n, words...)
			return n
		}
	}
	return n
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
