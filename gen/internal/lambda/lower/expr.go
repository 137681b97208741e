package lower

import (
	"go/ast"
	"go/token"
	"math"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
)

// operandExpr returns the expression for a use of a step: its variable, the expression that was already built for
// it, or a new expression.
func (w *writer) operandExpr(s *ir.Step) ast.Expr {
	if l := w.variables[s]; l != nil {
		return l.addUse()
	}
	if op := w.operands[s]; op != nil {
		return op.expr
	}
	return w.stepExpr(s)
}

// stepExpr returns the expression that computes a step.
func (w *writer) stepExpr(s *ir.Step) ast.Expr {
	arg := func(i int) ast.Expr { return w.operandExpr(s.Args[i]) }
	switch s.Op {
	case ir.Literal:
		return w.literalExpr(s.Constant)
	case ir.Global:
		return w.objectIdent(s.Object)
	case ir.Ref:
		return w.refExpr(s)
	case ir.Call:
		return w.callStep(s)
	case ir.Convert:
		return callExpr(w.typeExpr(s.Type), arg(0))
	case ir.Unary:
		return unaryExpr(s.Token, arg(0))
	case ir.Binary:
		x := arg(0)
		return binaryExpr(x, s.Token, arg(1))
	case ir.Select:
		return selectorExpr(arg(0), s.Fields...)
	case ir.Index:
		return &ast.IndexExpr{X: primaryParens(arg(0)), Index: intLit(int64(s.Number))}
	case ir.Rest:
		rest := &ast.SliceExpr{X: primaryParens(arg(0))}
		if s.Number > 0 {
			rest.Low = intLit(int64(s.Number))
		}
		return rest
	}
	return w.displayExpr(s)
}

func (w *writer) callStep(s *ir.Step) ast.Expr {
	x := callExpr(selectorExpr(w.operandExpr(s.Args[0]), s.Fields...))
	for _, arg := range s.Args[1:] {
		x.Args = append(x.Args, w.operandExpr(arg))
	}
	if s.Spread {
		x.Ellipsis = 1
	}
	return x
}

// displayExpr returns the composite literal for the display of a list or a dict.
func (w *writer) displayExpr(s *ir.Step) ast.Expr {
	lit := &ast.CompositeLit{Type: w.typeExpr(s.Type)}
	if ir.KindOf(s.Type) == ir.Dict {
		for i := 0; i < len(s.Args); i += 2 {
			key := w.operandExpr(s.Args[i])
			lit.Elts = append(lit.Elts, &ast.KeyValueExpr{Key: key, Value: w.operandExpr(s.Args[i+1])})
		}
		return lit
	}
	for _, arg := range s.Args {
		lit.Elts = append(lit.Elts, w.operandExpr(arg))
	}
	return lit
}

// literalExpr returns the Go literal for a constant, or nil for None.
func (w *writer) literalExpr(x any) ast.Expr {
	switch x := x.(type) {
	case int64:
		return intLit(x)
	case float64:
		return w.floatExpr(x)
	case string:
		return stringLit(x)
	case bool:
		return ast.NewIdent(strconv.FormatBool(x))
	}
	return ast.NewIdent("nil")
}

// floatExpr returns the expression for a float64. It uses package math for values that no literal can express.
func (w *writer) floatExpr(f float64) ast.Expr {
	switch {
	case math.IsNaN(f):
		return callExpr(w.refExpr(ir.PackageRef("math", "NaN")))
	case math.IsInf(f, 0):
		return callExpr(w.refExpr(ir.PackageRef("math", "Inf")), intLit(int64(math.Copysign(1, f))))
	case f == 0 && math.Signbit(f):
		return callExpr(w.refExpr(ir.PackageRef("math", "Copysign")), intLit(0), intLit(-1))
	}
	text := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return numberLit(token.FLOAT, text)
}
