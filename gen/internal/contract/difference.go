package contract

import (
	"fmt"
	"slices"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// A difference is one way in which two schemas are not the same.
type difference struct {
	at     string // JSON Pointer of the value, with * for any element or member
	text   string
	effect effect
	kind   kind
}

// effect says what became of the values that a schema allows. Zero is that they
// are the same.
type effect int

const (
	narrows effect = 1 << iota // some are not allowed any more
	widens                     // some are allowed that were not
)

// kind tells the differences apart that are judged or explained on their own.
type kind int

const (
	plain kind = iota
	values
	memberNew
	memberNewRequired
	memberGone
	memberRequired
	memberOptional
	membersOpen
	defaultChanged
	uncompared
)

// A comparison finds the differences of two schemas.
type comparison struct {
	before, now     *jsontext.Node // the documents that references are looked up in
	sameDefinitions bool
	found           []difference

	open   [][2]string        // pairs of references that are under way, taken for equal until they are not
	done   map[[2]string]bool // pairs whose differences are found; nil where only the effect is asked for
	depth  int
	budget *budget
}

// budget is what is left of the work that a comparison may take.
type budget struct{ steps int }

func (b *budget) spent() bool { return b.steps <= 0 }

// What a comparison may take. Schemas from generated code are far below.
const (
	maxSteps  = 100_000
	maxDepth  = 500
	maxDigits = 1000
)

func (c *comparison) add(at string, e effect, k kind, format string, args ...any) {
	c.found = append(c.found, difference{at, fmt.Sprintf(format, args...), e, k})
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
func (c *comparison) compare(a, b *jsontext.Node, at string) {
	c.depth++
	defer func() { c.depth-- }()
	if !c.spend() {
		return
	}
	c.compareWords(a, b, at)
	from, a := resolve(c.before, a)
	to, b := resolve(c.now, b)
	if from != "" || to != "" {
		c.compareWords(a, b, at)
	}
	if pair := [2]string{from, to}; from != "" && to != "" {
		if slices.Contains(c.open, pair) || c.done[pair] {
			return
		}
		c.open = append(c.open, pair)
		defer func() {
			c.open = c.open[:len(c.open)-1]
			if c.done != nil {
				c.done[pair] = true
			}
		}()
	}
	c.compareForms(c.forms(c.before, a), c.forms(c.now, b), at)
}

// effectOf is what changes from one schema to another, without a list of it.
func (c *comparison) effectOf(a, b *jsontext.Node) effect {
	return c.effect(func(inner *comparison) { inner.compare(a, b, "") })
}

func (c *comparison) effectOfForms(a, b form) effect {
	return c.effect(func(inner *comparison) { inner.compareForm(a, b, "") })
}

func (c *comparison) effect(compare func(*comparison)) (e effect) {
	inner := *c
	inner.found, inner.done = nil, nil
	compare(&inner)
	if c.budget.spent() {
		return narrows | widens
	}
	for _, f := range inner.found {
		e |= f.effect
	}
	return e
}

// compareWords compares what is said of a value. It limits nothing.
func (c *comparison) compareWords(a, b *jsontext.Node, at string) {
	for _, word := range []string{"title", "description"} {
		if !equal(a.Member(word), b.Member(word)) {
			c.add(at, 0, plain, "the %s changed", word)
		}
	}
	was, is := a.Member("default"), b.Member("default")
	switch {
	case equal(was, is):
	case is == nil:
		c.add(at, 0, defaultChanged, "there is no default, it was %s", shown(was))
	case was == nil:
		c.add(at, 0, defaultChanged, "the default is %s, there was none", shown(is))
	default:
		c.add(at, 0, defaultChanged, "the default is %s, it was %s", shown(is), shown(was))
	}
}
