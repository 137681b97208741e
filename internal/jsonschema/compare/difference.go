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
	MemberNew              // the schema now mentions a member, which is optional
	MemberNewRequired      // the schema now mentions a member, which is required
	MemberGone             // the schema no longer mentions a member
	MemberRequired         // an optional member is now required
	MemberOptional         // a required member is now optional
	MembersOpen            // members that the schema does not mention are now allowed, with any value
	DefaultChanged         // the default changed, which does not affect the allowed values
	Uncompared             // the effect is unknown, so a person must judge it
)

// These are the limits of a comparison. Generated schemas need far less.
const (
	maxSteps = 100_000
	maxDepth = 500
)

// A comparison finds the differences of two schemas.
type comparison struct {
	sameDefinitions bool
	differences     []Difference

	open   []pair        // pairs that are being compared; a nested comparison assumes that they are equal
	done   map[pair]bool // pairs that were compared; nil if only the effect is needed, without texts
	depth  int
	budget *budget

	exclusives   map[*jsonschema.Schema]bool // see isExclusive
	alternatives *disjointness               // shared by all alternatives
}

// A pair is two schemas that are compared.
type pair struct{ before, now *jsonschema.Schema }

// budget is the number of steps that a comparison may still take.
type budget struct{ steps int }

func (b *budget) isSpent() bool { return b.steps <= 0 }

// addDifference records a difference. It formats the text only if it is needed.
func (c *comparison) addDifference(at string, e Effect, k Kind, format string, args ...any) {
	text := ""
	if c.done != nil {
		text = fmt.Sprintf(format, args...)
	}
	c.differences = append(c.differences, Difference{at, text, e, k})
}

// takeStep takes a step and reports whether the comparison may continue. If the schemas are nested too
// deeply, it spends the whole budget.
func (c *comparison) takeStep() bool {
	c.budget.steps--
	if c.depth > maxDepth {
		c.budget.steps = 0
	}
	return !c.budget.isSpent()
}
