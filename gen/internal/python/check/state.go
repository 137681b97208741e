package check

import (
	"go/types"
	"maps"

	"github.com/aiongen/aiongen/gen/internal/python/code"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
	"github.com/aiongen/aiongen/gen/internal/python/ops"
	"github.com/aiongen/aiongen/gen/internal/python/scope"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// A checker checks one lambda.
type checker struct {
	ops.Ops
	*scope.Names
	expr     func(syntax.Expr, types.Type) *code.Value // checks an expression: what stands here is below that
	supplied []*code.Value                             // what the runtime supplies, in the order of first use
	calls    []types.Object
	checked  map[*code.Step]bool // objects that are not nil here
	returns  []*pending
}

// within makes a block of its own, behind which nothing counts as checked that is
// checked in it.
func (c *checker) within(build func()) *code.Block {
	outer := c.checked
	c.checked = maps.Clone(outer)
	b := c.Within(build)
	c.checked = outer
	return b
}

// narrowed runs build with names that are known better.
func (c *checker) narrowed(names map[string]*code.Value, build func()) {
	outer := c.Env
	c.Env = maps.Clone(outer)
	maps.Copy(c.Env, names)
	build()
	c.Env = outer
}

// single checks an expression that has one value.
func (c *checker) single(e syntax.Expr, want types.Type) *code.Value {
	v := c.expr(e, want)
	if v.Kind() == kind.Tuple {
		scope.Because(c.Mismatch(e.At(), "%s: a function with several results can only be the whole of a lambda", c.Describe(v)), v).
			WithHelp("write a Go function that returns one of them")
		return code.Bad()
	}
	return v
}

// singles checks expressions in their order.
func (c *checker) singles(list []syntax.Expr, want types.Type) (values []*code.Value) {
	for _, e := range list {
		values = append(values, c.single(e, want))
	}
	return values
}
