package shape

import (
	"math"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// A cycleFinder finds recursive types while they are read, with Tarjan's algorithm. Almost all cycles
// contain a named type, which has an entry in $defs. A struct without a name can also be recursive,
// because the fields of an embedded type become its own. The cycleFinder names such a struct.
type cycleFinder struct {
	open  map[*model.Type]int // position in stack
	stack []*model.Type       // types being read, and those that lead back to one of them
	low   int                 // lowest position that the type being read leads to
}

// meetType records that the type being read contains a type that was read or is being read.
func (c *cycleFinder) meetType(t *model.Type) {
	if position, ok := c.open[t]; ok {
		c.low = min(c.low, position)
	}
}

// enterType records that t is being read. It returns the function to call when all parts of t have been read.
func (c *cycleFinder) enterType(t *model.Type) (leave func()) {
	if c.open == nil {
		c.open, c.low = map[*model.Type]int{}, math.MaxInt
	}
	position, outer := len(c.stack), c.low
	c.stack, c.open[t], c.low = append(c.stack, t), position, math.MaxInt
	return func() {
		if c.low <= position && t.Kind == model.StructKind && t.Def == nil {
			t.Def = &model.Def{Stem: "Object", Name: "Object"}
		}
		if c.low >= position { // no part of t leads back to a type before t
			for _, closed := range c.stack[position:] {
				delete(c.open, closed)
			}
			c.stack = c.stack[:position]
		}
		c.low = min(c.low, outer)
	}
}
