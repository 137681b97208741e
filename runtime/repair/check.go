package repair

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/runtime/tool"
)

// checker holds values against schemas.
type checker struct {
	*work
	at     trail
	faults []tool.Fault
	count  int // of all faults
	quiet  bool
}

// A pair is a value and a schema that it is held against or fitted to.
type pair struct {
	value  *node
	schema *schema
}

// work is what may still be done for a text, and what was found out already: no
// pair is held against each other twice, however many alternatives have it.
type work struct {
	left  int // steps: a pair, or a value that is made
	depth int
	known map[pair]bool // whether the value is one of the schema
}

// Bounds of checking a value: how deeply values and references may be nested, and
// how many faults are described.
const (
	mostDepth  = 512
	mostFaults = 64
)

// newWork returns the work that may be done for a text of a size, in bytes.
func newWork(size int) *work {
	return &work{left: mostWork(size), known: map[pair]bool{}}
}

func mostWork(size int) int { return 1<<16 + 64*size }

// enter is called before a pair is looked at, and leave after that. Once there was
// too much to do, there is no more.
func (w *work) enter() bool {
	if w.left--; w.depth == mostDepth {
		w.left = -1
	}
	w.depth++
	return !w.exhausted()
}

func (w *work) leave() { w.depth-- }

// exhausted tells whether there was too much to do. What was found out then
// means nothing.
func (w *work) exhausted() bool { return w.left < 0 }

// fits tells whether a value is one of a schema.
func (c *checker) fits(n *node, s *schema) bool {
	if n.first == nil && !s.combines() { // quicker done than looked up
		return c.holds(n, s)
	}
	p := pair{n, s}
	fits, known := c.known[p]
	if !known {
		fits = c.holds(n, s)
		c.known[p] = fits
	}
	return fits
}

func (c *checker) holds(n *node, s *schema) bool {
	inner := checker{quiet: true, work: c.work}
	inner.hold(n, s)
	return inner.count == 0
}

// check records why a value is not one of a schema.
func (c *checker) check(n *node, s *schema) {
	switch {
	case !c.quiet:
		c.hold(n, s)
	case c.count == 0 && !c.fits(n, s):
		c.count++
	}
}

// hold holds a value against a schema.
func (c *checker) hold(n *node, s *schema) {
	defer c.leave()
	if !c.enter() {
		c.count++
		return
	}
	if s.never {
		c.fault("nothing", n)
		return
	}
	if s.target != nil {
		c.check(n, s.target)
	}
	if s.Type != 0 && !s.Type.include(n) {
		c.fault(s.Type.String(), n)
		return // what else is wrong with it follows from that
	}
	if s.values != nil && !s.lists(n) {
		c.fault(s.oneOfValues(), n)
		return
	}
	switch n.kind {
	case kindNumber:
		c.number(n, s)
	case kindString:
		c.string(n, s)
	case kindArray:
		c.array(n, s)
	case kindObject:
		c.object(n, s)
	}
	c.combined(n, s)
}

// include tells whether a value is of one of the kinds.
func (k kinds) include(n *node) bool {
	return k.has(n.kind) || n.kind == kindNumber && k.has(kindInteger) && parseDecimal(n.lit).isInteger()
}

// String returns the kinds as in "a string or null".
func (k kinds) String() string {
	var names []string
	for i, name := range []string{"null", "true or false", "a number", "a string", "an array", "an object", "an integer"} {
		if k.has(kind(i)) {
			names = append(names, name)
		}
	}
	return strings.Join(names, " or ")
}

func (s *schema) oneOfValues() string {
	words := make([]string, 0, len(s.values))
	for i, v := range s.values {
		if i == 16 {
			return strings.Join(words, ", ") + fmt.Sprintf(" and %d more", len(s.values)-i)
		}
		words = append(words, v.shown())
	}
	if len(words) == 1 {
		return words[0]
	}
	return "one of " + strings.Join(words, ", ")
}

func (c *checker) number(n *node, s *schema) {
	value := parseDecimal(n.lit)
	for _, bound := range []struct {
		limit    string
		fits     func(int) bool
		expected string
	}{
		{string(s.Minimum), func(order int) bool { return order >= 0 }, "a number of at least "},
		{string(s.Maximum), func(order int) bool { return order <= 0 }, "a number of at most "},
		{string(s.ExclusiveMinimum), func(order int) bool { return order > 0 }, "a number above "},
		{string(s.ExclusiveMaximum), func(order int) bool { return order < 0 }, "a number below "},
	} {
		if bound.limit != "" && !bound.fits(value.compare(parseDecimal(bound.limit))) {
			c.fault(bound.expected+bound.limit, n)
		}
	}
	if s.MultipleOf != "" && !value.isMultiple(parseDecimal(string(s.MultipleOf))) {
		c.fault("a multiple of "+string(s.MultipleOf), n)
	}
}

func (c *checker) string(n *node, s *schema) {
	if s.MinLength == nil && s.MaxLength == nil && s.Pattern == nil && s.Format == "" && s.ContentEncoding == "" {
		return
	}
	text := n.text()
	c.size(utf8.RuneCountInString(text), s.MinLength, s.MaxLength, "characters", n)
	if s.Pattern != nil && !s.Pattern.MatchString(text) {
		c.fault("text that matches "+s.Pattern.String(), n)
	}
	if !isFormat(text, s.Format) {
		c.fault("text of the format "+s.Format, n)
	}
	if !isContent(text, s.ContentEncoding) {
		c.fault("text in "+s.ContentEncoding, n)
	}
}

func (c *checker) size(size int, least, most *float64, unit string, n *node) {
	if least != nil && float64(size) < *least {
		c.fault(fmt.Sprintf("at least %v %s", *least, unit), n)
	}
	if most != nil && float64(size) > *most {
		c.fault(fmt.Sprintf("at most %v %s", *most, unit), n)
	}
}

func (c *checker) array(n *node, s *schema) {
	size, contained := 0, 0
	seen := map[string]bool{}
	for e := n.first; e != nil; e = e.next {
		c.at.enterElement(size)
		switch {
		case size < len(s.PrefixItems):
			c.check(e, s.PrefixItems[size])
		case s.Items != nil:
			c.check(e, s.Items)
		}
		if s.Contains != nil && c.fits(e, s.Contains) {
			contained++
		}
		if s.UniqueItems {
			text := canonical(e)
			c.left -= len(text) / 8
			if seen[text] {
				c.fault("an element that is not there yet", e)
			}
			seen[text] = true
		}
		c.at.leave()
		size++
	}
	c.size(size, s.MinItems, s.MaxItems, "elements", n)
	if s.Contains != nil {
		least := 1.0
		if s.MinContains != nil {
			least = *s.MinContains
		}
		c.size(contained, &least, s.MaxContains, "elements of what it has to contain", n)
	}
}

func (c *checker) object(n *node, s *schema) {
	size, given := 0, map[string]bool{}
	for m := n.first; m != nil; m = m.next {
		name := m.name()
		size, given[name] = size+1, true
		c.at.enter(name)
		c.member(m, name, s)
		c.at.leave()
	}
	for _, name := range s.Required {
		if !given[name] {
			c.missing(name)
		}
	}
	for _, trigger := range slices.Sorted(maps.Keys(s.DependentRequired)) {
		for _, name := range s.DependentRequired[trigger] {
			if given[trigger] && !given[name] {
				c.missing(name)
			}
		}
	}
	for _, trigger := range slices.Sorted(maps.Keys(s.DependentSchemas)) {
		if given[trigger] {
			c.check(n, s.DependentSchemas[trigger])
		}
	}
	c.size(size, s.MinProperties, s.MaxProperties, "members", n)
}

func (c *checker) member(m *node, name string, s *schema) {
	for _, p := range s.of(name) {
		c.check(m, p)
	}
	if s.PropertyNames != nil && !c.fits(&node{kind: kindString, lit: m.key}, s.PropertyNames) {
		c.fault("another name", m)
	}
}

// combined checks the keywords that hold a value against other schemas.
func (c *checker) combined(n *node, s *schema) {
	for _, inner := range s.AllOf {
		c.check(n, inner)
	}
	if s.AnyOf != nil && !slices.ContainsFunc(s.AnyOf, func(inner *schema) bool { return c.fits(n, inner) }) {
		c.fault(alternatives(s.AnyOf), n)
	}
	if s.OneOf != nil {
		count := 0
		for _, inner := range s.OneOf {
			if c.fits(n, inner) {
				count++
			}
		}
		if count != 1 {
			c.fault("exactly one of "+strconv.Itoa(len(s.OneOf))+" alternatives", n)
		}
	}
	if s.Not != nil && c.fits(n, s.Not) {
		c.fault("another value", n)
	}
	switch {
	case s.If == nil:
	case c.fits(n, s.If):
		if s.Then != nil {
			c.check(n, s.Then)
		}
	case s.Else != nil:
		c.check(n, s.Else)
	}
}

// alternatives returns what a value may be, as far as that can be said in a few
// words.
func alternatives(all []*schema) string {
	var k kinds
	for _, s := range all {
		k |= s.allowed(0)
	}
	if k == 0 {
		return "one of " + strconv.Itoa(len(all)) + " alternatives"
	}
	return k.String()
}

func (c *checker) fault(expected string, n *node) { c.add(expected, n.found()) }

func (c *checker) missing(name string) {
	c.at.enter(name)
	c.add("a value", "nothing")
	c.at.leave()
}

func (c *checker) add(expected, found string) {
	c.count++
	if !c.quiet && c.count <= mostFaults {
		c.faults = append(c.faults, tool.Fault{Pointer: c.at.pointer(), Expected: expected, Found: found})
	}
}

// found describes a value that is not what was expected.
func (n *node) found() string {
	switch n.kind {
	case kindObject:
		return "an object"
	case kindArray:
		return "an array"
	case kindString:
		return "the string " + cut(n.lit)
	case kindNumber:
		return "the number " + cut(n.lit)
	}
	return n.lit
}

// canonical returns a text that is the same for all values that are equal in
// JSON Schema.
func canonical(n *node) string { return string(n.appendCanonical(nil)) }

func (n *node) appendCanonical(b []byte) []byte {
	switch n.kind {
	case kindNumber:
		return append(b, parseDecimal(n.lit).String()...)
	case kindString:
		return append(b, quoteText(unquote(n.lit))...)
	case kindArray:
		b = append(b, '[')
		for e := n.first; e != nil; e = e.next {
			b = append(e.appendCanonical(b), ',')
		}
		return append(b, ']')
	case kindObject:
		var members []string
		for m := n.first; m != nil; m = m.next {
			members = append(members, quoteText(m.name())+":"+canonical(m)+",")
		}
		slices.Sort(members)
		return append(append(append(b, '{'), strings.Join(members, "")...), '}')
	}
	return append(b, n.lit...)
}
