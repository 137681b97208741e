package jsonschema

import (
	"strconv"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// array checks what is said of arrays and their elements.
func (h *holding) array() {
	s := h.s
	if n := len(h.v.Items); s.Count.Least == s.Count.Most && n != s.Count.Most {
		h.faultOf("an array of length "+strconv.Itoa(s.Count.Most), "one of length "+strconv.Itoa(n))
	} else {
		h.size(n, s.Count, "element")
	}
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
	if words := h.s.Contained.refuses(count, "element"); words != "" {
		h.fault(words + " of the kind that it has to contain")
	}
}

func (h *holding) unique() {
	seen := map[string]bool{}
	for i, item := range h.v.Items {
		text := string(item.AppendCanonical(nil))
		if h.Spend(len(text) / 8); seen[text] {
			h.faultIn(i, words.EachElement, Found(item))
		}
		seen[text] = true
	}
}

// object checks what is said of objects and their members.
func (h *holding) object() {
	s := h.s
	h.Spend(len(h.v.Items) / 8)
	h.size(len(h.v.Items), s.Members, "member")
	h.failed = h.failed || h.v.Repeated() != nil // see unclear
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
		expected = words.Key(h.v.Items[i].Name(), h.s.names())
	}
	h.faultIn(i, expected, foundKey(h.v.Items[i]))
}

// required checks what members there must be, in all or beside others.
func (h *holding) required() {
	if h.s.Required == nil && h.s.DependentRequired == nil && h.s.DependentSchemas == nil {
		return
	}
	given := map[string]bool{}
	for _, m := range h.v.Items {
		given[m.Name()] = true
	}
	missing := func(names []string) {
		for _, name := range names {
			if !given[name] {
				h.missing(name)
			}
		}
	}
	missing(h.s.Required)
	for _, d := range h.s.DependentRequired {
		if given[d.Name] {
			missing(d.Required)
		}
	}
	for _, d := range h.s.DependentSchemas {
		if given[d.Name] {
			h.must(d.Schema)
		}
	}
}
