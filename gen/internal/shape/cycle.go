package shape

import (
	"math"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// cycles finds the types that are made of themselves while they are read, as Tarjan's
// algorithm does. Almost all of them pass through a type with a name, which $defs can
// refer to. A struct without a name can also be made of itself, since the fields of an
// embedded type become its own; it gets a name here.
type cycles struct {
	open  map[*model.Type]int // position in stack
	stack []*model.Type       // types being read, and those that lead back to one of them
	low   int                 // lowest position that the type being read leads to
}

// meet notes that the type being read leads to one that was read or is being read.
func (c *cycles) meet(t *model.Type) {
	if position, ok := c.open[t]; ok {
		c.low = min(c.low, position)
	}
}

// enter begins a type, and returns the function that ends it.
func (c *cycles) enter(t *model.Type) (leave func()) {
	if c.open == nil {
		c.open, c.low = map[*model.Type]int{}, math.MaxInt
	}
	position, outer := len(c.stack), c.low
	c.stack, c.open[t], c.low = append(c.stack, t), position, math.MaxInt
	return func() {
		if c.low <= position && t.Kind == model.StructKind && t.Def == nil {
			t.Def = &model.Def{Stem: "Object", Name: "Object"}
		}
		if c.low >= position { // nothing above leads back to t
			for _, closed := range c.stack[position:] {
				delete(c.open, closed)
			}
			c.stack = c.stack[:position]
		}
		c.low = min(c.low, outer)
	}
}
