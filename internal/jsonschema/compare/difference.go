package compare

import (
	"fmt"

	"github.com/aiongen/aiongen/internal/jsonschema"
)

// A Difference is one difference of two schemas.
type Difference struct {
	At     string // JSON Pointer of the value, with * for any element or member
	Text   string // such as "the minimum is 2, it was 1"
	Effect Effect
	Kind   Kind
}

// Effect is the effect of a difference on the allowed values. Zero means none.
type Effect int

// The effects of a difference. A difference may have both.
const (
	Narrows Effect = 1 << iota // some values are no longer allowed
	Widens                     // some values are newly allowed
)

// Kind distinguishes differences that are judged or explained in a special way.
type Kind int

// The kinds of differences. Most are Plain.
const (
	Plain             Kind = iota
	Values                 // the list of allowed values changed
	MemberNew              // a member has its own schema now
	MemberNewRequired      // and is required
	MemberGone
	MemberRequired
	MemberOptional
	MembersOpen    // other members may now have any value
	DefaultChanged // does not affect which values are allowed
	Uncompared     // a person must decide
)

// Limits of a comparison. Generated schemas are far below them.
const (
	maxSteps = 100_000
	maxDepth = 500
)

// A comparison finds the differences of two schemas.
type comparison struct {
	sameDefinitions bool
	differences     []Difference

	open   []pair        // references being compared, which are assumed to be equal
	done   map[pair]bool // pairs that were compared; nil if only the effect is needed
	depth  int
	budget *budget

	exclusives   map[*jsonschema.Schema]bool // see isExclusive
	alternatives *disjointness               // shared by all alternatives
}

// A pair is the targets of references on both sides.
type pair struct{ before, now *jsonschema.Schema }

// budget is the work that is left to a comparison.
type budget struct{ steps int }

func (b *budget) isSpent() bool { return b.steps <= 0 }

// addDifference records a difference. It builds the text only if it is needed.
func (c *comparison) addDifference(at string, e Effect, k Kind, format string, args ...any) {
	text := ""
	if c.done != nil {
		text = fmt.Sprintf(format, args...)
	}
	c.differences = append(c.differences, Difference{at, text, e, k})
}

// takeStep takes a step and reports whether the comparison may continue. It may not if schemas
// nest too deep.
func (c *comparison) takeStep() bool {
	c.budget.steps--
	if c.depth > maxDepth {
		c.budget.steps = 0
	}
	return !c.budget.isSpent()
}
