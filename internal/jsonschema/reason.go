package jsonschema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// mostReasons is how many alternatives a message describes.
const mostReasons = 4

// deepestReason is how many alternatives within alternatives a message describes.
const deepestReason = 3

// reason returns what a schema expects instead of a value that it does not allow, in a
// few words: the first fault of the value.
func (h *holding) reason(v *jsontext.Node, s *Schema) string {
	if h.inReasons == deepestReason {
		return s.outline()
	}
	faults, pointers, told, trail := h.faults, h.pointers, h.told, h.trail
	h.faults, h.told, h.trail = nil, map[pair]bool{}, nil
	h.inReasons++
	h.tell(v, s, h.in)
	found := h.faults
	h.faults, h.pointers, h.told, h.trail = faults, pointers, told, trail
	h.inReasons--
	if len(found) == 0 {
		return s.outline()
	}
	if missing := missingMembers(found); missing != nil {
		return "an object with " + keyList(missing)
	}
	first := found[0]
	if first.Pointer == "" {
		return first.Expected
	}
	return first.Expected + " at " + words.Cut(first.Pointer, jsontext.LongestShown)
}

// missingMembers returns the names of members that are missing in the value itself.
func missingMembers(faults []Fault) (names []string) {
	for _, f := range faults {
		if name, ok := strings.CutPrefix(f.Pointer, "/"); ok && f.Found == words.Nothing && !strings.Contains(name, "/") {
			names = append(names, jsontext.Name(name))
		}
	}
	return names
}

func keyList(names []string) string {
	if len(names) == 1 {
		return "the key " + words.List(names, "")
	}
	return "the keys " + words.List(names, " and ")
}

// describeAlternatives says what a value may be that none of several schemas allows. The values
// that single schemas list are listed together.
func (h *holding) describeAlternatives(all []*Schema) string {
	if t := kindsOf(all); t != 0 && !t.Include(h.v) {
		return t.String()
	}
	values := &Values{}
	var reasons []string
	at := -1 // where the listed values belong
	for _, s := range all {
		if h.err != nil {
			break
		}
		for s.Ref != nil && s.isOnlyRef() {
			s = s.Ref
		}
		if s.Values != nil {
			if at < 0 {
				at, reasons = len(reasons), append(reasons, "")
			}
			values.kinds |= s.Values.kinds
			values.List = append(values.List, s.Values.List...)
			h.Spend(s.Values.spelling())
			continue
		}
		if len(reasons) > mostReasons {
			continue // counted below
		}
		if reason := h.reason(h.v, s); reason != anotherValue && !slices.Contains(reasons, reason) {
			reasons = append(reasons, reason)
		}
	}
	if at >= 0 {
		reasons[at] = values.String()
	}
	if len(reasons) == 0 {
		return "a value of one of " + strconv.Itoa(len(all)) + " alternatives"
	}
	if len(reasons) > mostReasons {
		reasons = append(reasons[:mostReasons], "a value of another of the "+strconv.Itoa(len(all))+" alternatives")
	}
	return strings.Join(reasons, " or ")
}

// kindsOf returns the kinds of values that schemas allow, if this is all that matters:
// none if one of them lists values or allows all kinds.
func kindsOf(all []*Schema) (t Types) {
	for _, s := range all {
		if s.Values != nil || s.Speaks() == 0 || s.Ref != nil && s.Ref.Values != nil {
			return 0
		}
		t |= s.Speaks()
	}
	return t
}

// isOnlyRef reports whether a schema says nothing but what it refers to.
func (s *Schema) isOnlyRef() bool {
	return s.Types == 0 && s.Values == nil && !s.Never && s.AllOf == nil && s.AnyOf == nil && s.OneOf == nil && s.Not == nil && s.If == nil && s.Properties == nil && s.Required == nil
}

// outline says what a schema allows as far as it can be said without a value.
func (s *Schema) outline() string {
	switch {
	case s.Never:
		return "nothing"
	case s.Values != nil:
		return s.Values.String()
	case len(s.Required) > 0:
		return "an object with " + keyList(s.Required)
	case s.Types != 0:
		return s.kind()
	}
	if t := s.Speaks(); t != 0 {
		return t.String()
	}
	return anotherValue
}

// anotherValue is the outline of a schema of which nothing is said in a few words.
const anotherValue = "another value"

// outlines says what several schemas allow.
func outlines(all []*Schema) string {
	var texts []string
	for i, s := range all {
		text := s.outline()
		if text == anotherValue {
			text = "alternative " + strconv.Itoa(i+1)
		}
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return words.Join(texts, " or ", mostReasons)
}

// except says that a value must not be one that a schema allows.
func (s *Schema) except() string {
	if outline := s.outline(); outline != anotherValue {
		return "a value other than " + outline
	}
	return "a value that the schema in not does not allow"
}
