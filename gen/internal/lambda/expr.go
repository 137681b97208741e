package lambda

import (
	"go/types"
	"math/big"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// checkExpr checks an expression and returns its value. want is the type to choose for a display or a conditional
// expression whose parts have different types, or nil.
//
//nolint:gocyclo // one case per kind of expression
func (c *checker) checkExpr(e pysyntax.Expr, want types.Type) *ir.Value {
	switch e := e.(type) {
	case *pysyntax.Name:
		return c.checkName(e)
	case *pysyntax.Int:
		if !e.Value.IsInt64() {
			c.addFault("lambda-number", e.Location(), "%v does not fit a 64-bit integer", e.Value)
			return ir.NewBad()
		}
		return c.IntLiteral(e.Value.Int64())
	case *pysyntax.Float:
		return c.FloatLiteral(e.Value)
	case *pysyntax.Str:
		return c.StrLiteral(e.Value)
	case *pysyntax.Bool:
		return c.BoolLiteral(e.Value)
	case *pysyntax.None:
		return c.NoneLiteral()
	case *pysyntax.FString:
		return c.checkFString(e)
	case *pysyntax.List:
		return c.checkNesting(c.checkList(e, want), e.Location())
	case *pysyntax.Dict:
		return c.checkNesting(c.checkDict(e, want), e.Location())
	case *pysyntax.Attr:
		return c.checkAttribute(e)
	case *pysyntax.Call:
		return c.checkCall(e)
	case *pysyntax.Index:
		return c.indexValue(e, c.checkSingle(e.X, nil), c.checkSingle(e.Index, nil))
	case *pysyntax.Slice:
		return c.checkSlice(e)
	case *pysyntax.Cond:
		return c.checkCond(e, want)
	case *pysyntax.Unary:
		return c.checkUnary(e)
	case *pysyntax.Binary:
		if e.Op.Text == "and" || e.Op.Text == "or" {
			return c.checkLogical(e, want)
		}
		x := c.checkSingle(e.X, nil)
		return c.applyArithmetic(e, x, c.checkSingle(e.Y, nil))
	case *pysyntax.Compare:
		return c.checkCompare(e)
	case *pysyntax.Comp:
		if e.Key != nil {
			return c.checkNesting(c.checkDictComp(e, want), e.Location())
		}
		return c.checkNesting(c.checkComprehension(e, want), e.Location())
	case *pysyntax.Iter:
		return pythonCall{c, e.Call}.checkIterValue(e)
	case *pysyntax.Lambda: // the argument key of a Go function
		c.addUnsupported(e.Location(), "a lambda as an argument of a Go function").WithHelp("write a Go function and call it here")
	}
	return ir.NewBad() // a fault was reported
}

func (c *checker) checkUnary(e *pysyntax.Unary) *ir.Value {
	if e.Op.Text == "not" {
		return c.checkCondition(e).Value
	}
	if n, ok := e.X.(*pysyntax.Int); ok && e.Op.Text == "-" {
		if n := new(big.Int).Neg(n.Value); n.IsInt64() {
			return c.IntLiteral(n.Int64())
		}
	}
	return c.applySign(e.Op.Text, c.checkSingle(e.X, nil), e.Location())
}

func (c *checker) checkSlice(e *pysyntax.Slice) *ir.Value {
	x := c.checkSingle(e.X, nil)
	valid := !x.IsBad()
	var bounds [3]*ir.Value
	for i, bound := range []pysyntax.Expr{e.Start, e.Stop, e.Step} {
		if bound != nil {
			bounds[i] = c.checkSingle(bound, nil)
			valid = valid && !bounds[i].IsBad()
		}
	}
	if !valid {
		return ir.NewBad()
	}
	return c.sliceValue(e, x, bounds)
}
