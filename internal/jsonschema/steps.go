package jsonschema

import (
	"errors"
	"fmt"
	"math"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// deepest bounds how deeply values are held against schemas within each other.
const deepest = 10_000

var (
	errLoop = errors.New("the schema refers to itself without an end")
	errDeep = fmt.Errorf("values and references nest more than %d levels deep", deepest)
)

// steps is what may still be done, and what was found out already: no value is
// held against a schema twice, however many ways lead there.
type steps struct {
	most, left int
	depth      int
	err        error // why it was given up
	known      map[pair]verdict
}

// A pair is a value and a schema that it is held against, after others.
type pair struct {
	value  *jsontext.Node
	schema *Schema
	scope  *scope
}

// verdict is what is known of a pair.
type verdict struct {
	open bool // it is being looked at
	ok   bool
	seen marks
}

// marks tell which elements or members of a value were looked at; nil is none.
type marks []bool

// add adds what others looked at.
func (m *marks) add(other marks) {
	if *m == nil {
		*m = append(*m, other...) // which may be changed
		return
	}
	for i, seen := range other {
		(*m)[i] = (*m)[i] || seen
	}
}

// weight is how many steps it takes to look at a value, beside what is in its parts.
func weight(v *jsontext.Node) int {
	size := len(v.Text) + 2*len(v.Items)
	if v.Kind == jsontext.Object {
		for _, m := range v.Items {
			size += len(m.Key)
		}
	}
	return size / 16
}

// StepsFor returns how many steps a text of a size is worth, in bytes.
func StepsFor(size int) int { return int(min(1<<16+64*int64(size), math.MaxInt)) }

// Enter is called before something is done that takes some steps and may lead to
// more of it, and Leave after that. It returns false if there was too much to do.
func (s *steps) Enter(cost int) bool {
	s.depth++
	s.Spend(cost)
	if s.depth > deepest {
		s.giveUp(errDeep)
	}
	return s.err == nil
}

// Leave is called after Enter.
func (s *steps) Leave() { s.depth-- }

// Spend takes steps away.
func (s *steps) Spend(cost int) {
	if s.left -= cost; s.left < 0 {
		s.giveUp(fmt.Errorf("it takes more than %d steps to check the value", s.most))
	}
}

// Left returns how many steps there are.
func (s *steps) Left() int { return s.left }

func (s *steps) giveUp(err error) {
	if s.err == nil {
		s.err = err
	}
}

// Err returns why it was given up; nil if it was not. What was found out then
// means nothing.
func (s *steps) Err() error { return s.err }
