package jsonschema

import (
	"errors"
	"fmt"
	"math"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// deepest is the maximum depth of nested checks.
const deepest = 10_000

var (
	errLoop = errors.New("the schema refers to itself without end")
	errDeep = fmt.Errorf("values and references nest more than %d levels deep", deepest)
)

// steps limits the number of steps of a Checker and caches its verdicts, so that no value is checked
// against the same schema twice.
type steps struct {
	most, left int // the maximum number of steps, and the number that is left
	depth      int
	err        error // why the check was given up
	known      map[pair]verdict
}

// A pair is a value and a schema that it is checked against, in a scope.
type pair struct {
	value  *jsontext.Node
	schema *Schema
	scope  *scope
}

// verdict is the outcome of checking a pair.
type verdict struct {
	open bool // the check has not ended
	ok   bool
	seen marks // the parts of the value that were evaluated
}

// marks are the elements or members of a value that were evaluated; nil means none.
type marks []bool

// addMarks adds the marks of another schema. It does not modify or keep other.
func (m *marks) addMarks(other marks) {
	if *m == nil {
		*m = append(*m, other...)
		return
	}
	for i, seen := range other {
		(*m)[i] = (*m)[i] || seen
	}
}

// weight returns the number of steps for examining a value without its elements or members.
func weight(v *jsontext.Node) int {
	size := len(v.Text) + 2*len(v.Items)
	if v.Kind == jsontext.Object {
		for _, m := range v.Items {
			size += len(m.Key)
		}
	}
	return size / 16
}

// StepsFor returns the maximum number of steps for checking a value whose JSON has the given size in bytes.
func StepsFor(size int) int { return int(min(1<<16+64*int64(size), math.MaxInt)) }

// Enter spends steps for an operation that may contain nested operations. It returns false if the
// limit of steps or depth is exceeded. Call Leave after the operation.
func (s *steps) Enter(cost int) bool {
	s.depth++
	s.Spend(cost)
	if s.depth > deepest {
		s.giveUp(errDeep)
	}
	return s.err == nil
}

// Leave ends an operation that Enter began.
func (s *steps) Leave() { s.depth-- }

// Spend subtracts cost from the number of steps that are left. If none are left, the check is given up.
func (s *steps) Spend(cost int) {
	if s.left -= cost; s.left < 0 {
		s.giveUp(fmt.Errorf("checking the value takes more than %d steps", s.most))
	}
}

// Left returns the number of steps that are left.
func (s *steps) Left() int { return s.left }

func (s *steps) giveUp(err error) {
	if s.err == nil {
		s.err = err
	}
}

// Err returns the reason why the check was given up, or nil. If it is not nil, all results of the checker are
// meaningless.
func (s *steps) Err() error { return s.err }
