package fit

import (
	"slices"
	"strings"
	"unicode"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/repair/internal/report"
	"github.com/aiongen/aiongen/runtime/repair/internal/tree"
)

// absent tells whether a member stands for none.
func (f *Fitter) absent(m *jsontext.Node, name string, s *jsonschema.Schema) bool {
	p := s.Property(name)
	if p == nil || !tree.IsNothing(m) || slices.Contains(s.Required, name) {
		return false
	}
	k := p.Speaks()
	return k != 0 && !k.Has(jsontext.Null) && (m.Kind == jsontext.Null || !k.Has(jsontext.String))
}

// name returns the name that s has for a member; false if that is none, or not
// clear.
func (f *Fitter) name(part *outcome, s *jsonschema.Schema, given map[string]*jsontext.Node) (name string, ok bool) {
	m := part.value
	name = m.Name()
	if s.Property(name) != nil || slices.ContainsFunc(s.Patterns, func(p jsonschema.PatternProperty) bool { return p.Pattern.Match(name) }) {
		return name, true
	}
	var spelled, there, near []string
	for _, x := range s.Properties {
		p := x.Name
		switch {
		case words.Folded(p) == words.Folded(name) && given[p] != nil:
			there = append(there, p)
		case words.Folded(p) == words.Folded(name):
			spelled = append(spelled, p)
		case Near(words.Folded(p), words.Folded(name)) && given[p] == nil:
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
	case len(there) > 0 && !f.Same(given[there[0]], m):
		slices.Sort(there)
		part.twoReadings(m, tree.Shown(m), tree.Shown(given[there[0]])+", which "+there[0]+" says")
		return "", false
	case !closed && len(there) == 0:
		return name, true
	case len(near) > 0 && len(there) == 0:
		part.fault("a name such as "+strings.Join(near, " or "), "the name "+jsontext.Quote(report.Cut(name)))
		return "", false
	}
	part.edit(report.Unknown, m, nil)
	return "", false
}

// Near tells whether a word becomes another by one letter that is left out,
// added, replaced, or swapped with its neighbour. Short words are near none.
func Near(a, b string) bool {
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
func (f *Fitter) spell(o *outcome, s *jsonschema.Schema) {
	n := o.value
	if s.Values == nil || len(n.Items) > 0 || s.Values.Lists(n) {
		return
	}
	text := strings.TrimSpace(tree.TextOf(n))
	for _, spelling := range []func(string) string{
		func(text string) string { return text },
		strings.ToLower,
		joined,
		func(text string) string { return joined(strings.Trim(text, "*_`'\"")) },
	} {
		var found []*jsontext.Node
		for _, v := range s.Values.List {
			if len(v.Items) == 0 && spelling(tree.TextOf(v)) == spelling(text) {
				found = append(found, v)
			}
		}
		switch {
		case len(found) == 1:
			o.value = tree.Like(f.renamed(found[0], n.Key), n)
			o.edit(report.Enum, n, o.value)
			return
		case len(found) > 1:
			words := make([]string, len(found))
			for i, v := range found {
				words[i] = tree.Shown(v)
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
