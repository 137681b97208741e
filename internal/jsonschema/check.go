package jsonschema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// Check returns everything in a value that the schema does not allow, in the order
// of the value. If it was given up, since the schema takes more steps than a value
// of that size is worth, in bytes, that is the only fault.
func (s *Schema) Check(v *jsontext.Node, size int) []Fault {
	return NewChecker(StepsFor(size)).Faults(v, s)
}

// Checker holds values against schemas, in a bounded number of steps for all of
// them. The values must not change while it is used.
type Checker struct {
	steps
	scopes map[scope]*scope
	told   map[pair]bool
	murky  map[*jsontext.Node]bool // what is not clear, and whether that is to be told; see [IsClear]
	trail  trail

	faults    []Fault
	pointers  int // how long theirs are in all
	inReasons int // the faults are those of an alternative, of which only the first is told
	reasons   int // how many alternatives were described
}

// NewChecker returns a checker that takes at most so many steps.
func NewChecker(most int) *Checker {
	return &Checker{steps: steps{most: most, left: most, known: map[pair]verdict{}}}
}

// Fits reports whether a value is one of a schema, as far as that looks: the whole must
// be clear, too; see [IsClear].
func (c *Checker) Fits(v *jsontext.Node, s *Schema) bool {
	ok, _ := c.fits(v, s, nil)
	return ok
}

// Faults returns why a value is not one of a schema, or that it was given up to
// find out; and where it has what readers do not agree on.
func (c *Checker) Faults(v *jsontext.Node, s *Schema) []Fault {
	c.faults, c.pointers, c.reasons, c.told, c.murky = nil, 0, 0, map[pair]bool{}, map[*jsontext.Node]bool{}
	isMurky(v, c.murky)
	if c.tell(v, s, nil); c.faults == nil {
		c.unclear(v)
	}
	if c.err != nil {
		return []Fault{{Expected: "a value that takes less to check (" + c.err.Error() + ")", Found: Found(v)}}
	}
	return c.faults
}

// enter returns the scope in a schema. All that is around it may be looked at for that,
// and for what a dynamic reference goes to.
func (c *Checker) enter(outer *scope, s *Schema) *scope {
	if !s.resource.document.scoped {
		return outer
	}
	c.Spend(outer.depth() / 8)
	if outer.has(s.resource) {
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

// fits holds a value against a schema, unless that was done.
func (c *Checker) fits(v *jsontext.Node, s *Schema, in *scope) (bool, marks) {
	in = c.enter(in, s)
	if len(v.Items) == 0 && s.isPlain() { // quicker done than looked up
		return c.hold(v, s, in, false)
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
	fits, seen := c.hold(v, s, in, false)
	c.known[p] = verdict{ok: fits, seen: seen}
	return fits, seen
}

// isPlain reports whether nothing leads to other schemas for the same value.
func (s *Schema) isPlain() bool {
	return s.Ref == nil && s.dynamic == nil && s.AllOf == nil && s.AnyOf == nil && s.OneOf == nil && s.Not == nil && s.If == nil && s.DependentSchemas == nil
}

// tell holds a value against a schema and records what is wrong with it, once.
func (c *Checker) tell(v *jsontext.Node, s *Schema, in *scope) (bool, marks) {
	ok, seen := c.fits(v, s, in)
	if ok || c.err != nil {
		return ok, seen
	}
	p := pair{v, s, c.enter(in, s)}
	if !c.told[p] {
		c.told[p] = true
		c.hold(v, s, p.scope, true)
	}
	return false, nil
}

// holding is a value that is held against a schema.
type holding struct {
	*Checker
	v      *jsontext.Node
	s      *Schema
	in     *scope
	tells  bool
	failed bool
	seen   marks
}

// hold holds a value against a schema, and returns what of it was looked at if it
// is one.
func (c *Checker) hold(v *jsontext.Node, s *Schema, in *scope, tells bool) (bool, marks) {
	defer c.Leave()
	if !c.Enter(s.cost + weight(v)) {
		return false, nil
	}
	h := holding{Checker: c, v: v, s: s, in: in, tells: tells}
	h.all()
	if h.failed {
		return false, nil
	}
	return true, h.seen
}

func (h *holding) all() {
	s := h.s
	switch {
	case s.Never:
		h.fault("nothing")
		return
	case s.Values != nil && !h.lists():
		if h.failed = true; h.pays(s.Values.spelling()) {
			h.fault(s.Values.String())
		}
		return
	case s.Types != 0 && !s.Types.Include(h.v):
		h.fault(s.kind())
		return // what else is wrong with it follows from that
	}
	switch h.v.Kind {
	case jsontext.Number:
		h.number()
	case jsontext.String:
		h.string()
	case jsontext.Array:
		h.array()
	case jsontext.Object:
		h.object()
	}
	h.combined()
	if !h.failed && h.v.Kind >= jsontext.Array {
		h.unevaluated()
	}
}

func (h *holding) lists() bool {
	ok, size := h.s.Values.lists(h.v)
	h.Spend(size / 16)
	return ok
}

// done reports whether nothing more can come of it.
func (h *holding) done() bool {
	return h.failed && (!h.tells || h.inReasons > 0 && len(h.faults) > 0) || h.err != nil
}

// pays reports whether what is wrong is told, where it takes so many steps to find
// the words.
func (h *holding) pays(steps int) bool {
	if h.tells {
		h.Spend(steps)
	}
	return h.tells && h.err == nil
}

// must holds the value against another schema that it has to be one of.
func (h *holding) must(s *Schema) {
	if s == nil || h.done() {
		return
	}
	ok, seen := h.held(h.v, s)
	h.failed = h.failed || !ok
	h.saw(seen)
}

// may reports whether the value is one of another schema.
func (h *holding) may(s *Schema) bool {
	ok, seen := h.fits(h.v, s, h.in)
	h.saw(seen)
	return ok
}

// saw adds what another schema looked at.
func (h *holding) saw(seen marks) {
	h.Spend(len(seen) / 4)
	h.seen.add(seen)
}

func (h *holding) held(v *jsontext.Node, s *Schema) (bool, marks) {
	if h.tells {
		return h.tell(v, s, h.in)
	}
	return h.fits(v, s, h.in)
}

// item holds an element or a member against a schema.
func (h *holding) item(i int, s *Schema) {
	h.mark(i)
	if h.done() {
		return
	}
	h.trail.enter(h.v, i)
	ok, _ := h.held(h.v.Items[i], s)
	h.trail.leave()
	h.failed = h.failed || !ok
}

// mark notes that an element or a member was looked at, if that is asked for.
func (h *holding) mark(i int) {
	if !h.s.resource.document.tracks {
		return
	}
	if h.seen == nil {
		h.seen = make(marks, len(h.v.Items))
		h.Spend(len(h.v.Items) / 4)
	}
	h.seen[i] = true
}

// combined holds the value against the schemas that are about all of it.
func (h *holding) combined() {
	s := h.s
	h.must(s.Ref)
	if s.dynamic != nil {
		h.must(s.dynamic.target(h.in))
	}
	for _, other := range s.AllOf {
		h.must(other)
	}
	if s.AnyOf != nil && !h.done() {
		h.alternatives(s.AnyOf, len(s.AnyOf))
	}
	if s.OneOf != nil && !h.done() {
		h.alternatives(s.OneOf, 1)
	}
	if s.Not != nil && !h.done() {
		if ok, _ := h.fits(h.v, s.Not, h.in); ok {
			h.fault(s.Not.except())
		}
	}
	if s.If != nil && !h.done() {
		if h.may(s.If) {
			h.must(s.Then)
		} else {
			h.must(s.Else)
		}
	}
}

// alternatives holds the value against schemas, at least one of which it has to be
// one of, and at most so many.
func (h *holding) alternatives(all []*Schema, most int) {
	count := 0
	for _, s := range all {
		if h.may(s) {
			count++
		}
		if count > most || count == 1 && most > 1 && !h.s.resource.document.tracks || h.err != nil {
			break // what the others say makes no difference
		}
	}
	switch {
	case count > most:
		h.faultOf("a value of exactly one of "+strconv.Itoa(len(all))+" alternatives ("+outlines(all)+")", Found(h.v)+" that more than one of them allows")
	case count > 0:
	case h.tells:
		h.nearest(all)
	default:
		h.failed = true
	}
}

// mostDescribed is how many alternatives are described although they are for another
// kind of value.
const mostDescribed = 8

// nearest tells what is wrong with the value by the only one of several schemas
// that could be meant; that it is none of them if there are more.
func (h *holding) nearest(all []*Schema) {
	var meant []*Schema
	for _, s := range all {
		if h.couldBe(s, map[*Schema]bool{}) {
			meant = append(meant, s)
		}
	}
	switch {
	case len(meant) == 1:
		h.must(meant[0])
	case len(meant) == 0 || len(all) <= mostDescribed:
		h.fault(h.describeAlternatives(all))
	default:
		h.fault(h.describeAlternatives(meant))
	}
}

// mostReasons is how many alternatives a message describes.
const mostReasons = 4

// deepestReason is how many alternatives within alternatives a message describes, and
// reasonsInAll how many all messages about a value do: nobody reads more.
const (
	deepestReason = 3
	reasonsInAll  = 1000
)

// reason returns what a schema expects instead of a value that it does not allow, in a
// few words: the first fault of the value.
func (h *holding) reason(v *jsontext.Node, s *Schema) string {
	if h.inReasons == deepestReason || h.reasons == reasonsInAll {
		return s.outline()
	}
	h.reasons++
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

// couldBe reports whether a schema is for such values: for their kind, and for
// objects with the values that members have that are one of a few. Seen are the
// schemas that were asked already.
func (h *holding) couldBe(s *Schema, seen map[*Schema]bool) bool {
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

// couldHave reports whether the members that are to have one of a few values do.
func (h *holding) couldHave(properties []Property) bool {
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

// unevaluated holds what nothing else has looked at against the schemas for that.
func (h *holding) unevaluated() {
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
			h.unwanted(i, rest)
		default:
			h.item(i, rest)
		}
	}
}
