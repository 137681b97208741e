package jsonschema

import (
	"strconv"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// checkArray checks the keywords for arrays and their elements.
func (h *validation) checkArray() {
	s := h.s
	if n := len(h.v.Items); s.Count.Least == s.Count.Most && n != s.Count.Most {
		h.reportFound("an array of length "+strconv.Itoa(s.Count.Most), "one of length "+strconv.Itoa(n))
	} else {
		h.checkSize(n, s.Count, "element")
	}
	seen := map[string]bool{}
	for i, item := range h.v.Items {
		if s.Unique && !h.isDone() {
			text := string(item.AppendCanonical(nil))
			if h.Spend(len(text) / 8); seen[text] {
				h.reportPart(i, words.EachElement, Found(item))
			}
			seen[text] = true
		}
		switch {
		case i < len(s.Prefix):
			h.checkPart(i, s.Prefix[i])
		case s.Items != nil:
			h.checkPart(i, s.Items)
		default:
			h.checkClear(i)
		}
	}
	if s.Contains != nil && !h.isDone() {
		h.checkContains()
	}
}

func (h *validation) checkContains() {
	count := 0
	for i, item := range h.v.Items {
		if ok, _ := h.fitsPair(item, h.s.Contains, h.in); ok {
			count++
			h.markPart(i)
		}
	}
	if words := h.s.Contained.expectedCount(count, "element"); words != "" {
		h.reportFault(words + " of the kind that it has to contain")
	}
}

// checkObject checks the keywords for objects and their members.
func (h *validation) checkObject() {
	s := h.s
	h.checkSize(len(h.v.Items), s.Members, "member")
	repeats := h.v.FirstRepeated() != nil
	h.failed = h.failed || repeats
	needsNames := repeats || s.Required != nil || s.DependentRequired != nil || s.DependentSchemas != nil
	given := map[string]bool{} // filled only if needsNames
	for i, m := range h.v.Items {
		if h.isDone() {
			return
		}
		name := m.Name()
		h.checkMember(i, name, given[name])
		if needsNames {
			given[name] = true
		}
	}
	h.checkRequired(given)
}

// checkMember checks the name of a member against propertyNames, and the member against
// the schemas for its name. repeated means that an earlier member has the same name, which is a fault; a repeated
// property is not checked further.
func (h *validation) checkMember(i int, name string, repeated bool) {
	s := h.s
	for _, p := range s.Patterns {
		h.Spend(p.Pattern.cost(len(name)))
	}
	switch m := h.v.Items[i]; {
	case repeated:
		h.checkRepeated(i)
	case s.Names != nil && !h.isAllowedName(m.Key):
		if h.failed = true; h.canDescribe(s.Names.Values.describeCost()) {
			h.reportPart(i, s.Names.describeKeys(h.describeReason(nameOf(m.Key), s.Names)), describeKey(m))
		}
	}
	if repeated && s.byName[name] != nil || h.err != nil {
		return
	}
	var few [2]*Schema // avoids an allocation
	all := s.AppendMemberSchemas(few[:0], name)
	for _, member := range all {
		switch {
		case !member.Never:
			h.checkPart(i, member)
		case !repeated:
			h.reportUnwanted(i, member)
		}
	}
	if len(all) == 0 {
		h.checkClear(i)
	}
}

// checkRepeated reports a member whose name is repeated, unless the check of a subschema, such as one in allOf,
// reports it.
func (h *validation) checkRepeated(i int) {
	if h.reports && (h.s.isPlain() || h.s.Types.Has(jsontext.Object)) {
		h.reportRepeated(h.v, i)
	}
}

// reportUnwanted reports a member whose name is not allowed.
func (h *validation) reportUnwanted(i int, s *Schema) {
	h.markPart(i)
	expected := "no such key"
	if s == h.s.Additional && h.canDescribe(len(h.s.Properties)) {
		expected = words.ExpectedKey(h.v.Items[i].Name(), h.s.propertyNames())
	}
	h.reportPart(i, expected, describeKey(h.v.Items[i]))
}

// checkClear checks that an element or a member without a schema is clear; see [IsClear].
func (h *validation) checkClear(i int) {
	if _, unclear := h.unclear[h.v.Items[i]]; unclear && h.s.isPlain() {
		h.failed = true
		if h.reports {
			h.trail.enter(h.v, i)
			h.reportUnclear(h.v.Items[i])
			h.trail.leave()
		}
	}
}

func (h *validation) isAllowedName(key string) bool {
	ok, _ := h.fitsPair(nameOf(key), h.s.Names, h.in)
	return ok
}

// nameOf returns a key as a string value.
func nameOf(key string) *jsontext.Node {
	return &jsontext.Node{Kind: jsontext.String, Text: key}
}

// checkRequired checks that all required members are present.
func (h *validation) checkRequired(given map[string]bool) {
	reportAbsent := func(names []string) {
		for _, name := range names {
			if !given[name] {
				h.reportMissing(name)
			}
		}
	}
	reportAbsent(h.s.Required)
	for _, d := range h.s.DependentRequired {
		if given[d.Name] {
			reportAbsent(d.Required)
		}
	}
	for _, d := range h.s.DependentSchemas {
		if given[d.Name] {
			h.require(d.Schema)
		}
	}
}
