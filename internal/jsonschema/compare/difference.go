package compare

import (
	"fmt"

	"github.com/aiongen/aiongen/internal/jsonschema"
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
	maxSteps = 100_000
	maxDepth = 500
)

// A comparison finds the differences of two schemas.
type comparison struct {
	sameDefinitions bool
	found           []Difference

	open   []pair        // of references that are under way, taken for equal until they are not
	done   map[pair]bool // whose differences are found; nil where only the effect is asked for
	depth  int
	budget *budget

	exclusives   map[*jsonschema.Schema]bool // see exclusive
	alternatives *disjointness               // of all of them
}

// A pair is what references lead to on both sides.
type pair struct{ before, now *jsonschema.Schema }

// budget is what is left of the work that a comparison may take.
type budget struct{ steps int }

func (b *budget) spent() bool { return b.steps <= 0 }

// add records a difference, in words unless only the effect is asked for.
func (c *comparison) add(at string, e Effect, k Kind, format string, args ...any) {
	text := ""
	if c.done != nil {
		text = fmt.Sprintf(format, args...)
	}
	c.found = append(c.found, Difference{at, text, e, k})
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
