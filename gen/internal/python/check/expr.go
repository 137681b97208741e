package check

import (
	"go/types"
	"math/big"

	"github.com/aiongen/aiongen/gen/internal/python/code"
	"github.com/aiongen/aiongen/gen/internal/python/ops"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// anyExpr checks an expression. The type is a wish, for displays and conditional
// expressions, whose parts else have no type in common.
func (c *checker) anyExpr(e syntax.Expr, want types.Type) *code.Value {
	switch e := e.(type) {
	case *syntax.Name:
		return c.nameExpr(e)
	case *syntax.Int:
		if !e.Value.IsInt64() {
			c.Fault("lambda-number", e.At(), "%v does not fit a 64-bit integer", e.Value)
			return code.Bad()
		}
		return c.Int(e.Value.Int64())
	case *syntax.Float:
		return c.Float(e.Value)
	case *syntax.Str:
		return c.Str(e.Value)
	case *syntax.Bool:
		return c.Bool(e.Value)
	case *syntax.None:
		return c.None()
	case *syntax.FString:
		return c.fstring(e)
	case *syntax.List:
		return c.shallow(c.list(e, want), e.At())
	case *syntax.Dict:
		return c.shallow(c.dict(e, want), e.At())
	case *syntax.Attr:
		return c.attribute(e)
	case *syntax.Call:
		return c.call(e)
	case *syntax.Index:
		x := c.single(e.X, nil)
		return c.Index(e, x, c.single(e.Index, nil))
	case *syntax.Slice:
		return c.slice(e)
	case *syntax.Cond:
		return c.cond(e, want)
	case *syntax.Unary:
		return c.unary(e)
	case *syntax.Binary:
		if e.Op.Text == "and" || e.Op.Text == "or" {
			return c.logical(e, want)
		}
		x := c.single(e.X, nil)
		return c.Arithmetic(e, x, c.single(e.Y, nil))
	case *syntax.Compare:
		return c.compare(e)
	case *syntax.Comp:
		return c.shallow(c.comprehension(e, want), e.At())
	}
	return code.Bad() // a fault was reported
}

func (c *checker) unary(e *syntax.Unary) *code.Value {
	if e.Op.Text == "not" {
		return c.condition(e).Value
	}
	if n, ok := e.X.(*syntax.Int); ok && e.Op.Text == "-" {
		if n := new(big.Int).Neg(n.Value); n.IsInt64() {
			return c.Int(n.Int64())
		}
	}
	return c.Sign(e.Op.Text, c.single(e.X, nil), e.At())
}

func (c *checker) slice(e *syntax.Slice) *code.Value {
	x := c.single(e.X, nil)
	sound := !x.Bad()
	var bounds [3]*code.Value
	for i, bound := range []syntax.Expr{e.Start, e.Stop, e.Step} {
		if bound != nil {
			bounds[i] = c.single(bound, nil)
			sound = sound && !bounds[i].Bad()
		}
	}
	if !sound {
		return code.Bad()
	}
	return c.Slice(e, x, bounds)
}

func (c *checker) fstring(e *syntax.FString) *code.Value {
	var pieces []ops.Piece
	for _, part := range e.Parts {
		piece := ops.Piece{Text: part.Text}
		if part.Value != nil {
			piece.Value = c.Formatted(c.single(part.Value, nil), part.Format, part.Value.At())
		}
		pieces = append(pieces, piece)
	}
	return c.Joined(pieces)
}
