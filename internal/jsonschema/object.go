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
	seen := map[string]bool{}
	for i, item := range h.v.Items {
		if s.Unique && !h.done() {
			text := string(item.AppendCanonical(nil))
			if h.Spend(len(text) / 8); seen[text] {
				h.faultIn(i, words.EachElement, Found(item))
			}
			seen[text] = true
		}
		switch {
		case i < len(s.Prefix):
			h.item(i, s.Prefix[i])
		case s.Items != nil:
			h.item(i, s.Items)
		default:
			h.loose(i)
		}
	}
	if s.Contains != nil && !h.done() {
		h.contains()
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

// object checks what is said of objects and their members.
func (h *holding) object() {
	s := h.s
	h.size(len(h.v.Items), s.Members, "member")
	repeats := h.v.Repeated() != nil
	h.failed = h.failed || repeats
	asked := repeats || s.Required != nil || s.DependentRequired != nil || s.DependentSchemas != nil
	given := map[string]bool{}
	for i, m := range h.v.Items {
		if h.done() {
			return
		}
		name := m.Name()
		h.member(i, name, given[name])
		if asked {
			given[name] = true
		}
	}
	h.required(given)
}

// member holds the name of a member against the schema of names, and the member against
// those of its name. What has a name again is wrong by that; of a property, nothing is
// read then.
func (h *holding) member(i int, name string, again bool) {
	s := h.s
	for _, p := range s.Patterns {
		h.Spend(p.Pattern.Cost(len(name)))
	}
	switch m := h.v.Items[i]; {
	case again:
		if h.tells && (s.isPlain() || s.Types.Has(jsontext.Object)) { // else what it leads to tells it
			h.again(h.v, i)
		}
	case s.Names != nil && !h.isName(m.Key):
		if h.failed = true; h.pays(s.Names.Values.spelling()) {
			h.faultIn(i, s.Names.keys(h.reason(nameOf(m.Key), s.Names)), foundKey(m))
		}
	}
	if again && s.byName[name] != nil || h.err != nil {
		return
	}
	var few [2]*Schema
	all := s.AppendOf(few[:0], name)
	for _, of := range all {
		switch {
		case !of.Never:
			h.item(i, of)
		case !again:
			h.unwanted(i, of)
		}
	}
	if len(all) == 0 {
		h.loose(i)
	}
}

// unwanted tells of a member that must not be there, which is wrong by its name.
func (h *holding) unwanted(i int, s *Schema) {
	h.mark(i)
	expected := "no such key"
	if s == h.s.Additional && h.pays(len(h.s.Properties)) {
		expected = words.Key(h.v.Items[i].Name(), h.s.names())
	}
	h.faultIn(i, expected, foundKey(h.v.Items[i]))
}

// loose looks at an element or a member of which nothing is said, as far as it must be
// clear all the same.
func (h *holding) loose(i int) {
	if _, murky := h.murky[h.v.Items[i]]; murky && h.s.isPlain() {
		h.failed = true
		if h.tells {
			h.trail.enter(h.v, i)
			h.unclear(h.v.Items[i])
			h.trail.leave()
		}
	}
}

func (h *holding) isName(key string) bool {
	ok, _ := h.fits(nameOf(key), h.s.Names, h.in)
	return ok
}

// nameOf returns a key as a value.
func nameOf(key string) *jsontext.Node {
	return &jsontext.Node{Kind: jsontext.String, Text: key}
}

// required checks what members there must be, in all or beside others.
func (h *holding) required(given map[string]bool) {
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
