package fit

import (
	"slices"
	"strings"
	"unicode"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
)

// standsForAbsent reports whether a member should be absent: it is optional, and its value is null or "" although
// the schema does not allow that.
func (f *Fitter) standsForAbsent(m *jsontext.Node, name string, s *jsonschema.Schema) bool {
	p := s.Property(name)
	if p == nil || !reader.IsNothing(m) || slices.Contains(s.Required, name) {
		return false
	}
	k := p.Kinds()
	return k != 0 && !k.Has(jsontext.Null) && (m.Kind == jsontext.Null || !k.Has(jsontext.String))
}

// memberName returns the property of s that the name of a member stands for. If the name is "userID", that may be
// the property "user_id". A name that s does not declare but allows is returned unchanged. memberName returns
// false if there is no such name, or more than one.
func (f *Fitter) memberName(part *outcome, s *jsonschema.Schema, given map[string]*jsontext.Node) (name string, ok bool) {
	m := part.value
	name = m.Name()
	if s.Property(name) != nil || slices.ContainsFunc(s.Patterns, func(p jsonschema.PatternProperty) bool { return p.Pattern.Match(name) }) {
		return name, true
	}
	spellings, present, near := similarNames(name, s, given)
	closed := s.Additional != nil && s.Additional.Never
	switch {
	case len(spellings) == 1:
		return spellings[0], true
	case len(spellings) > 1:
		part.addFault(oneReading, "a name that may be "+strings.Join(spellings, " or "))
		return "", false
	case len(present) > 0 && !f.isSameValue(given[present[0]], m):
		slices.Sort(present)
		part.addAmbiguity(m, reader.ShowValue(m), reader.ShowValue(given[present[0]])+", which "+present[0]+" says")
		return "", false
	case !closed && len(present) == 0:
		return name, true
	case len(near) > 0 && len(present) == 0:
		part.addFault("a name such as "+strings.Join(near, " or "), "the name "+jsontext.Quote(reader.CutShown(name)))
		return "", false
	}
	part.addEdit(reader.Unknown, m, nil)
	return "", false
}

// similarNames returns the names in s that are similar to name. Names in spellings and present differ from it
// only in spelling; a given member has each name in present, and none has a name in spellings. Names in near
// differ from it by one letter, and no given member has them.
func similarNames(name string, s *jsonschema.Schema, given map[string]*jsontext.Node) (spellings, present, near []string) {
	folded := words.FoldName(name)
	for _, x := range s.Properties {
		p := x.Name
		switch other := words.FoldName(p); {
		case other == folded && given[p] != nil:
			present = append(present, p)
		case other == folded:
			spellings = append(spellings, p)
		case isNear(other, folded) && given[p] == nil:
			near = append(near, p)
		}
	}
	slices.Sort(spellings)
	slices.Sort(near)
	return spellings, present, near
}

// isNear reports whether two words differ only by one letter, which is missing or different, or by two swapped
// letters. It returns false for words of fewer than three letters.
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

// matchEnum replaces a text with the enum value that differs from it only in case, separators, or quotes and
// Markdown around it.
func (f *Fitter) matchEnum(o *outcome, s *jsonschema.Schema) {
	n := o.value
	if s.Values == nil || len(n.Items) > 0 || s.Values.Lists(n) {
		return
	}
	text := strings.TrimSpace(reader.TextOf(n))
	for _, spelling := range []func(string) string{
		func(text string) string { return text },
		strings.ToLower,
		joinWords,
		func(text string) string { return joinWords(strings.Trim(text, "*_`'\"")) },
	} {
		var found []*jsontext.Node
		for _, v := range s.Values.List {
			if len(v.Items) == 0 && spelling(reader.TextOf(v)) == spelling(text) {
				found = append(found, v)
			}
		}
		switch {
		case len(found) == 1:
			o.value = reader.ReplaceNode(f.copyAs(found[0], n.Key), n)
			o.addEdit(reader.Enum, n, o.value)
			return
		case len(found) > 1:
			words := make([]string, len(found))
			for i, v := range found {
				words[i] = reader.ShowValue(v)
			}
			o.addAmbiguity(n, words...)
			return
		}
	}
}

// joinWords returns text in lower case without separators between words.
func joinWords(text string) string {
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
