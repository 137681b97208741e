// Package compare finds the differences of two JSON Schemas: in what is said of each
// value, and in whether more or less values are allowed than before. From top to
// bottom, where the first three call each other as schemas hold schemas:
//
//	compare     two schemas, in a bounded number of steps
//	form        their alternatives, each of one type
//	container   lists, and objects member by member
//	scalar      values that are listed, strings, numbers
//	keyword     which keywords limit values, and which are understood
package compare

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// A Difference is one way in which two schemas are not the same.
type Difference struct {
	At     string // JSON Pointer of the value, with * for any element or member
	Text   string // such as "the minimum is 2, it was 1"
	Effect Effect
	Kind   Kind
}

// Effect says what became of the values that a schema allows. Zero is that they
// are the same.
type Effect int

const (
	Narrows Effect = 1 << iota // some are not allowed any more
	Widens                     // some are allowed that were not
)

// Kind tells the differences apart that are judged or explained on their own.
type Kind int

const (
	Plain             Kind = iota
	Values                 // that are listed
	MemberNew              // a member has a schema of its own now
	MemberNewRequired      // and must be there
	MemberGone
	MemberRequired
	MemberOptional
	MembersOpen    // members that have no name may be anything now
	DefaultChanged // which no value shows
	Uncompared     // it takes a person to tell
)

// What a comparison may take. Schemas from generated code are far below.
const (
	maxSteps    = 100_000
	maxDepth    = 500
	deepestText = 10_000
)

// Texts returns the differences of two schemas; an empty text stands for any value.
// What cannot be compared is a difference of the kind Uncompared: a schema that
// package jsonschema refuses, one that is too large or too deep.
func Texts(before, now json.RawMessage) []Difference {
	a, wrongBefore := parse(before)
	b, wrongNow := parse(now)
	if wrong := cmp.Or(wrongBefore, wrongNow); wrong != nil {
		return uncomparable(fmt.Sprintf("the schema is no JSON: %v", wrong))
	}
	if jsontext.Equal(a, b) {
		return nil
	}
	x, wrongBefore := jsonschema.Read(a)
	y, wrongNow := jsonschema.Read(b)
	if wrong := cmp.Or(wrongNow, wrongBefore); wrong != nil {
		return uncomparable(fmt.Sprintf("the schema cannot be compared: %v", wrong))
	}
	c := &comparison{sameDefinitions: sameDefinitions(a, b), done: map[pair]bool{}, budget: &budget{maxSteps}}
	c.compare(x, y, "")
	if c.budget.spent() { // what was found so far may not be so
		return uncomparable("the schema is too large or too deep to be compared")
	}
	return c.found
}

func uncomparable(text string) []Difference {
	return []Difference{{Text: text, Effect: Narrows | Widens, Kind: Uncompared}}
}

func parse(text json.RawMessage) (*jsontext.Node, error) {
	if len(text) == 0 {
		text = json.RawMessage("true")
	}
	return jsontext.Parse(string(text), deepestText)
}

// A comparison finds the differences of two schemas.
type comparison struct {
	sameDefinitions bool
	found           []Difference

	open   []pair        // of references that are under way, taken for equal until they are not
	done   map[pair]bool // whose differences are found; nil where only the effect is asked for
	depth  int
	budget *budget
}

// A pair is what references lead to on both sides.
type pair struct{ before, now *jsonschema.Schema }

// budget is what is left of the work that a comparison may take.
type budget struct{ steps int }

func (b *budget) spent() bool { return b.steps <= 0 }

func (c *comparison) add(at string, e Effect, k Kind, format string, args ...any) {
	c.found = append(c.found, Difference{at, fmt.Sprintf(format, args...), e, k})
}

// spend reports whether there may be a further step. There is none any more where
// schemas nest too deep.
func (c *comparison) spend() bool {
	c.budget.steps--
	if c.depth > maxDepth {
		c.budget.steps = 0
	}
	return !c.budget.spent()
}

// compare finds the differences of two schemas, which stand for the values at a
// pointer.
func (c *comparison) compare(a, b *jsonschema.Schema, at string) {
	c.depth++
	defer func() { c.depth-- }()
	if !c.spend() {
		return
	}
	c.compareWords(a, b, at)
	x, y := resolve(a), resolve(b)
	if x != a || y != b {
		c.compareWords(x, y, at)
	}
	if p := (pair{x, y}); x != a && y != b {
		if slices.Contains(c.open, p) || c.done[p] {
			return
		}
		c.open = append(c.open, p)
		defer func() {
			c.open = c.open[:len(c.open)-1]
			if c.done != nil {
				c.done[p] = true
			}
		}()
	}
	c.compareForms(c.forms(x), c.forms(y), at)
}

// resolve follows a reference, where the schema says nothing else.
func resolve(s *jsonschema.Schema) *jsonschema.Schema {
	for range maxDepth {
		if s.Ref == nil || !only(s, "$ref") {
			break
		}
		s = s.Ref
	}
	return s
}

// effectOf is what changes from one schema to another, without a list of it.
func (c *comparison) effectOf(a, b *jsonschema.Schema) Effect {
	return c.effect(func(inner *comparison) { inner.compare(a, b, "") })
}

func (c *comparison) effect(compare func(*comparison)) (e Effect) {
	inner := *c
	inner.found, inner.done = nil, nil
	compare(&inner)
	if c.budget.spent() {
		return Narrows | Widens
	}
	for _, f := range inner.found {
		e |= f.Effect
	}
	return e
}

// compareWords compares what is said of a value. It limits nothing.
func (c *comparison) compareWords(a, b *jsonschema.Schema, at string) {
	for _, word := range []string{"title", "description"} {
		if !equal(a.Node.Member(word), b.Node.Member(word)) {
			c.add(at, 0, Plain, "the %s changed", word)
		}
	}
	was, is := a.Node.Member("default"), b.Node.Member("default")
	switch {
	case equal(was, is):
	case is == nil:
		c.add(at, 0, DefaultChanged, "there is no default, it was %s", shown(was))
	case was == nil:
		c.add(at, 0, DefaultChanged, "the default is %s, there was none", shown(is))
	default:
		c.add(at, 0, DefaultChanged, "the default is %s, it was %s", shown(is), shown(was))
	}
}
