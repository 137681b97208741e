package jsonschema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// Check returns all faults of a value, in the order of the value's parts. size is the size of the value in bytes, which
// determines the maximum number of steps; see StepsFor. If the check needs more steps, Check returns a
// single fault that says so.
func (s *Schema) Check(v *jsontext.Node, size int) []Fault {
	return NewChecker(StepsFor(size)).Faults(v, s)
}

// A Checker checks values against schemas. The maximum number of steps limits the cost of all its checks
// together. The values must not change while the checker is used.
type Checker struct {
	steps
	scopes   map[scope]*scope
	reported map[pair]bool
	unclear  map[*jsontext.Node]bool // true for values with unclear parts, see [IsClear], until these are reported
	trail    trail

	faults    []Fault
	pointers  int // total length of the pointers of the faults
	inReasons int // depth of describeReason calls, in which only the first fault is needed
	reasons   int // number of alternatives that describeReason has described
}

// NewChecker returns a checker that takes at most maxSteps steps.
func NewChecker(maxSteps int) *Checker {
	return &Checker{steps: steps{most: maxSteps, left: maxSteps, known: map[pair]verdict{}}}
}

// Fits reports whether a value matches a schema. It does not examine parts of the value that the
// schema does not restrict, so the caller must also check that the whole value is clear; see [IsClear].
func (c *Checker) Fits(v *jsontext.Node, s *Schema) bool {
	ok, _ := c.fitsPair(v, s, nil)
	return ok
}

// Faults returns the reasons why a value does not match a schema. If it matches, Faults returns faults for the unclear
// parts of the value; see [IsClear]. If the check needs too many steps, Faults returns a single fault that
// says so.
func (c *Checker) Faults(v *jsontext.Node, s *Schema) []Fault {
	c.faults, c.pointers, c.reasons, c.reported, c.unclear = nil, 0, 0, map[pair]bool{}, map[*jsontext.Node]bool{}
	isUnclear(v, c.unclear)
	if c.reportFaults(v, s, nil); c.faults == nil {
		c.reportUnclear(v)
	}
	if c.err != nil {
		return []Fault{{Expected: "a value that is easier to check (" + c.err.Error() + ")", Found: Found(v)}}
	}
	return c.faults
}

// enterScope returns the dynamic scope inside a schema. Its cost is linear in the depth of the outer
// scope.
func (c *Checker) enterScope(outer *scope, s *Schema) *scope {
	if !s.resource.document.scoped {
		return outer
	}
	c.Spend(outer.depth() / 8)
	if outer.hasResource(s.resource) {
		return outer
	}
	inner := scope{outer, s.resource, 1 + outer.depth()}
	if c.scopes[inner] == nil {
		if c.scopes == nil {
			c.scopes = map[scope]*scope{}
		}
		c.scopes[inner] = &inner
	}
	return c.scopes[inner]
}

// fitsPair checks a value against a schema, or returns the cached verdict.
func (c *Checker) fitsPair(v *jsontext.Node, s *Schema, in *scope) (bool, marks) {
	in = c.enterScope(in, s)
	if len(v.Items) == 0 && s.isPlain() { // faster than the cache
		return c.validate(v, s, in, false)
	}
	p := pair{v, s, in}
	known, ok := c.known[p]
	if known.open {
		c.giveUp(errLoop)
	}
	if ok {
		return known.ok, known.seen
	}
	c.known[p] = verdict{open: true}
	fits, seen := c.validate(v, s, in, false)
	c.known[p] = verdict{ok: fits, seen: seen}
	return fits, seen
}

// isPlain reports whether the schema has no subschemas or references for the same value, such as those of allOf.
func (s *Schema) isPlain() bool {
	return s.Ref == nil && s.dynamic == nil && s.AllOf == nil && s.AnyOf == nil && s.OneOf == nil && s.Not == nil && s.If == nil && s.DependentSchemas == nil
}

// reportFaults checks a value against a schema and records its faults, unless an earlier call
// has recorded them.
func (c *Checker) reportFaults(v *jsontext.Node, s *Schema, in *scope) (bool, marks) {
	ok, seen := c.fitsPair(v, s, in)
	if ok || c.err != nil {
		return ok, seen
	}
	p := pair{v, s, c.enterScope(in, s)}
	if !c.reported[p] {
		c.reported[p] = true
		c.validate(v, s, p.scope, true)
	}
	return false, nil
}

// validation is the check of a value against a schema.
type validation struct {
	*Checker
	v       *jsontext.Node
	s       *Schema
	in      *scope
	reports bool
	failed  bool
	seen    marks
}

// validate checks a value against a schema, and records the faults if reports is true. If the value matches, it
// returns which elements or members were evaluated.
func (c *Checker) validate(v *jsontext.Node, s *Schema, in *scope, reports bool) (bool, marks) {
	defer c.Leave()
	if !c.Enter(s.cost + weight(v)) {
		return false, nil
	}
	h := validation{Checker: c, v: v, s: s, in: in, reports: reports}
	h.checkAll()
	if h.failed {
		return false, nil
	}
	return true, h.seen
}

func (h *validation) checkAll() {
	s := h.s
	switch {
	case s.Never:
		h.reportFault("nothing")
		return
	case s.Values != nil && !h.checkValues():
		if h.failed = true; h.canDescribe(s.Values.describeCost()) {
			h.reportFault(s.Values.String())
		}
		return
	case s.Types != 0 && !s.Types.Include(h.v):
		h.reportFault(s.describeKinds())
		return // this fault would cause all others
	}
	switch h.v.Kind {
	case jsontext.Number:
		h.checkNumber()
	case jsontext.String:
		h.checkString()
	case jsontext.Array:
		h.checkArray()
	case jsontext.Object:
		h.checkObject()
	}
	h.checkCombined()
	if !h.failed && h.v.Kind >= jsontext.Array {
		h.checkUnevaluated()
	}
}

func (h *validation) checkValues() bool {
	ok, size := h.s.Values.findValue(h.v)
	h.Spend(size / 16)
	return ok
}

// isDone reports whether the rest of the check cannot change the outcome.
func (h *validation) isDone() bool {
	return h.failed && (!h.reports || h.inReasons > 0 && len(h.faults) > 0) || h.err != nil
}

// canDescribe reports whether the caller may describe a fault. It spends the steps that the description takes.
func (h *validation) canDescribe(steps int) bool {
	if h.reports {
		h.Spend(steps)
	}
	return h.reports && h.err == nil
}

// require checks the value against a schema that it must match.
func (h *validation) require(s *Schema) {
	if s == nil || h.isDone() {
		return
	}
	ok, seen := h.checkNested(h.v, s)
	h.failed = h.failed || !ok
	h.addSeen(seen)
}

// matches reports whether the value matches another schema. If it does, matches marks in h.seen the parts that this
// schema evaluated.
func (h *validation) matches(s *Schema) bool {
	ok, seen := h.fitsPair(h.v, s, h.in)
	h.addSeen(seen)
	return ok
}

// addSeen marks in h.seen the parts that another schema evaluated.
func (h *validation) addSeen(seen marks) {
	h.Spend(len(seen) / 4)
	h.seen.addMarks(seen)
}

func (h *validation) checkNested(v *jsontext.Node, s *Schema) (bool, marks) {
	if h.reports {
		return h.reportFaults(v, s, h.in)
	}
	return h.fitsPair(v, s, h.in)
}

// checkPart checks the element or member at an index against a schema.
func (h *validation) checkPart(i int, s *Schema) {
	h.markPart(i)
	if h.isDone() {
		return
	}
	h.trail.enter(h.v, i)
	ok, _ := h.checkNested(h.v.Items[i], s)
	h.trail.leave()
	h.failed = h.failed || !ok
}

// markPart records that the element or member at an index was evaluated, if the document has keywords that depend on
// this, such as unevaluatedItems.
func (h *validation) markPart(i int) {
	if !h.s.resource.document.tracks {
		return
	}
	if h.seen == nil {
		h.seen = make(marks, len(h.v.Items))
		h.Spend(len(h.v.Items) / 4)
	}
	h.seen[i] = true
}

// checkCombined checks the value against the subschemas and references that apply to the value itself, such as allOf.
func (h *validation) checkCombined() {
	s := h.s
	h.require(s.Ref)
	if s.dynamic != nil {
		h.require(s.dynamic.target(h.in))
	}
	for _, other := range s.AllOf {
		h.require(other)
	}
	if s.AnyOf != nil && !h.isDone() {
		h.checkAlternatives(s.AnyOf, len(s.AnyOf))
	}
	if s.OneOf != nil && !h.isDone() {
		h.checkAlternatives(s.OneOf, 1)
	}
	if s.Not != nil && !h.isDone() {
		if ok, _ := h.fitsPair(h.v, s.Not, h.in); ok {
			h.reportFault(s.Not.describeNot())
		}
	}
	if s.If != nil && !h.isDone() {
		if h.matches(s.If) {
			h.require(s.Then)
		} else {
			h.require(s.Else)
		}
	}
}

// checkAlternatives checks that the value matches at least one and at most the given number
// of schemas.
func (h *validation) checkAlternatives(all []*Schema, most int) {
	count := 0
	for _, s := range all {
		if h.matches(s) {
			count++
		}
		if count > most || count == 1 && most > 1 && !h.s.resource.document.tracks || h.err != nil {
			break // the rest makes no difference
		}
	}
	switch {
	case count > most:
		h.reportFound("a value of exactly one of "+strconv.Itoa(len(all))+" alternatives ("+outlineAll(all)+")", Found(h.v)+" that more than one of them allows")
	case count > 0:
	case h.reports:
		h.reportNearest(all)
	default:
		h.failed = true
	}
}

// If there are at most maxDescribed alternatives, a message considers all of them, not only those that the author
// of the value may have meant.
const maxDescribed = 8

// reportNearest reports the faults of the value against the schema that its author probably meant: the variant that
// the value names, or the only schema for which [validation.couldBe] returns true.
// If there is not exactly one such schema, it describes the alternatives.
func (h *validation) reportNearest(all []*Schema) {
	if h.v.Is(jsontext.Object) {
		if variants := h.variantsOf(all); variants != nil {
			h.reportVariant(variants)
			return
		}
	}
	var possible []*Schema
	for _, s := range all {
		if h.couldBe(s, map[*Schema]bool{}) {
			possible = append(possible, s)
		}
	}
	switch {
	case len(possible) == 1:
		h.require(possible[0])
	case len(possible) == 0 || len(all) <= maxDescribed:
		h.reportFault(h.describeAlternatives(all))
	default:
		h.reportFault(h.describeAlternatives(possible))
	}
}

// maxReasons is the maximum number of alternatives that a message describes.
const maxReasons = 4

// deepestReason is the maximum depth of alternatives inside alternatives in a message. reasonsInAll is the maximum
// number of alternatives in all messages about a value.
const (
	deepestReason = 3
	reasonsInAll  = 1000
)

// describeReason describes what a schema expects instead of a value, using the first fault of
// the value, as in "a string at /name".
func (h *validation) describeReason(v *jsontext.Node, s *Schema) string {
	if h.inReasons == deepestReason || h.reasons == reasonsInAll {
		return s.outline()
	}
	h.reasons++
	faults, pointers, reported, trail := h.faults, h.pointers, h.reported, h.trail
	h.faults, h.reported, h.trail = nil, map[pair]bool{}, nil
	h.inReasons++
	h.reportFaults(v, s, h.in)
	found := h.faults
	h.faults, h.pointers, h.reported, h.trail = faults, pointers, reported, trail
	h.inReasons--
	if len(found) == 0 {
		return s.outline()
	}
	if missing := missingMembers(found); missing != nil {
		return "an object with " + listKeys(missing)
	}
	first := found[0]
	if first.Pointer == "" {
		return first.Expected
	}
	return first.Expected + " at " + words.Cut(first.Pointer, jsontext.LongestShown)
}

// missingMembers returns the names of the members that are missing in the value itself, not in its parts.
func missingMembers(faults []Fault) (names []string) {
	for _, f := range faults {
		if name, ok := strings.CutPrefix(f.Pointer, "/"); ok && f.Found == words.Nothing && !strings.Contains(name, "/") {
			names = append(names, jsontext.Name(name))
		}
	}
	return names
}

// describeAlternatives describes the values that at least one of the schemas accepts, for a message
// about a value that matches none of them. It merges the values that the schemas enumerate.
func (h *validation) describeAlternatives(all []*Schema) string {
	if t := kindsOf(all); t != 0 && !t.Include(h.v) {
		return t.String()
	}
	values := &Values{}
	var reasons []string
	at := -1 // where reasons describes the merged values
	for _, s := range all {
		if h.err != nil {
			break
		}
		s = s.followRefs()
		if s.Values != nil {
			if at < 0 {
				at, reasons = len(reasons), append(reasons, "")
			}
			values.kinds |= s.Values.kinds
			values.List = append(values.List, s.Values.List...)
			h.Spend(s.Values.describeCost())
			continue
		}
		if len(reasons) > maxReasons {
			continue // the message ends with "another of the alternatives"
		}
		if reason := h.describeReason(h.v, s); reason != anotherValue && !slices.Contains(reasons, reason) {
			reasons = append(reasons, reason)
		}
	}
	if at >= 0 {
		reasons[at] = values.String()
	}
	if len(reasons) == 0 {
		return "a value of one of " + strconv.Itoa(len(all)) + " alternatives"
	}
	if len(reasons) > maxReasons {
		reasons = append(reasons[:maxReasons], "a value of another of the "+strconv.Itoa(len(all))+" alternatives")
	}
	return strings.Join(reasons, " or ")
}

// couldBe reports whether the author of the value may have meant the schema s: s must accept values
// of the same kind, and if it enumerates the values of a member, the member must have one of them. seen contains the
// schemas that have already been examined.
func (h *validation) couldBe(s *Schema, seen map[*Schema]bool) bool {
	if s == nil || seen[s] || h.err != nil {
		return true
	}
	seen[s] = true
	h.Spend(1)
	if s.Never || s.Types != 0 && !s.Types.Has(h.v.Kind) && (!s.Types.Has(Integer) || h.v.Kind != jsontext.Number) {
		return false
	}
	if s.Values != nil && !s.Values.kinds.Has(h.v.Kind) {
		return false
	}
	if h.v.Kind == jsontext.Object && !h.couldHave(s.Properties) {
		return false
	}
	return h.couldBe(s.Ref, seen) && !slices.ContainsFunc(s.AllOf, func(other *Schema) bool { return !h.couldBe(other, seen) })
}

// couldHave reports whether the members of an object fit those properties whose schemas enumerate values.
func (h *validation) couldHave(properties []Property) bool {
	h.Spend(len(properties) / 16)
	for _, p := range properties {
		if p.Schema.Values == nil || h.err != nil {
			continue
		}
		h.Spend(1 + 8*weight(h.v))
		if m := h.v.Member(p.Name); m != nil && !p.Schema.Values.Lists(m) {
			return false
		}
	}
	return true
}

// checkUnevaluated checks the elements or members that no other schema evaluated.
func (h *validation) checkUnevaluated() {
	rest := h.s.UnevaluatedItems
	if h.v.Kind == jsontext.Object {
		rest = h.s.UnevaluatedProperties
	}
	if rest == nil {
		return
	}
	for i := range h.v.Items {
		switch {
		case h.seen != nil && h.seen[i]:
		case rest.Never && h.v.Kind == jsontext.Object:
			h.reportUnwanted(i, rest)
		default:
			h.checkPart(i, rest)
		}
	}
}
