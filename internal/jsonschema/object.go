package jsonschema

import (
	"slices"
	"strconv"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// array checks what is said of arrays and their elements.
func (h *holding) array() {
	s := h.s
	h.size(len(h.v.Items), s.Count, "element")
	for i := range h.v.Items {
		switch {
		case i < len(s.Prefix):
			h.item(i, s.Prefix[i])
		case s.Items != nil:
			h.item(i, s.Items)
		}
	}
	if s.Contains != nil && !h.done() {
		h.contains()
	}
	if s.Unique && !h.done() {
		h.unique()
	}
}

func (h *holding) contains() {
	count := 0
	for i, item := range h.v.Items {
		if ok, _ := h.fits(item, h.s.Contains, h.in); ok {
			count++
			h.mark(i)
		}
	}
	h.size(count, h.s.Contained, "element of the kind that it has to contain")
}

func (h *holding) unique() {
	seen := map[string]bool{}
	for i, item := range h.v.Items {
		text := string(item.AppendCanonical(nil))
		if h.Spend(len(text) / 8); seen[text] {
			h.faultIn(i, "each element once", Found(item))
		}
		seen[text] = true
	}
}

// object checks what is said of objects and their members.
func (h *holding) object() {
	s := h.s
	h.Spend(len(h.v.Items) / 8)
	h.size(len(h.v.Items), s.Members, "member")
	h.repeated()
	var matching []*Schema
	for i, m := range h.v.Items {
		if h.done() {
			return
		}
		name := m.Name()
		h.Spend(len(s.Patterns) * (1 + len(name)/16))
		for _, p := range s.AppendOf(matching[:0], name) {
			h.member(i, p)
		}
		if s.Names != nil && !h.isName(name, m.Key) {
			h.faultIn(i, s.Names.keys(), foundKey(m))
		}
	}
	h.required()
}

// repeated records names that are there twice: readers of JSON do not agree on
// which of the members counts.
func (h *holding) repeated() {
	if m := h.v.Repeated(); m != nil && !h.s.isEmpty() {
		h.faultIn(slices.Index(h.v.Items, m), "each key once", foundKey(m)+" again")
	}
}

// isEmpty reports whether a schema says nothing of objects.
func (s *Schema) isEmpty() bool {
	return s.isPlain() && s.Properties == nil && s.Patterns == nil && s.Additional == nil && s.Names == nil && s.Required == nil &&
		s.DependentRequired == nil && s.UnevaluatedProperties == nil && s.Members == anySize && s.Types == 0
}

func (h *holding) isName(name, key string) bool {
	ok, _ := h.fits(&jsontext.Node{Kind: jsontext.String, Text: key}, h.s.Names, h.in)
	return ok
}

// member holds a member against a schema. One that must not be there is wrong by
// its name.
func (h *holding) member(i int, s *Schema) {
	if !s.Never {
		h.item(i, s)
		return
	}
	h.mark(i)
	expected := "no such key"
	if h.tells && s == h.s.Additional {
		expected = suggested(h.v.Items[i].Name(), h.s.Properties)
	}
	h.faultIn(i, expected, foundKey(h.v.Items[i]))
}

// required checks what members there must be, in all or beside others.
func (h *holding) required() {
	if h.s.Required == nil && h.s.DependentRequired == nil && h.s.DependentSchemas == nil {
		return
	}
	given := h.given()
	missing := func(names []string) {
		for _, name := range names {
			if !given(name) {
				h.missing(name)
			}
		}
	}
	missing(h.s.Required)
	for _, d := range h.s.DependentRequired {
		if given(d.Name) {
			missing(d.Required)
		}
	}
	for _, d := range h.s.DependentSchemas {
		if given(d.Name) {
			h.must(d.Schema)
		}
	}
}

// given returns which names there are.
func (h *holding) given() func(name string) bool {
	const few = 8 // that are compared one by one
	if len(h.v.Items) <= few {
		return func(name string) bool { return h.v.Member(name) != nil }
	}
	names := map[string]bool{}
	for _, m := range h.v.Items {
		names[m.Name()] = true
	}
	return func(name string) bool { return names[name] }
}

func (h *holding) size(n int, size Size, unit string) {
	if h.v.Kind == jsontext.Array && size.Least == size.Most && n != size.Most && unit == "element" {
		h.faultOf("an array of length "+strconv.Itoa(size.Most), "one of length "+strconv.Itoa(n))
		return
	}
	if n < size.Least {
		h.fault("at least " + counted(size.Least, unit))
	}
	if n > size.Most {
		h.fault("at most " + counted(size.Most, unit))
	}
}

// counted is a count with its unit: 1 character, 2 characters.
func counted(n int, unit string) string {
	if n != 1 {
		first, rest := unit, ""
		if i := slices.Index([]byte(unit), ' '); i >= 0 {
			first, rest = unit[:i], unit[i:]
		}
		unit = first + "s" + rest
	}
	return strconv.Itoa(n) + " " + unit
}
