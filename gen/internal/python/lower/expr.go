package lower

import (
	"go/ast"
	"go/token"
	"math"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/python/code"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
)

// operand is a step where it is used: its variable, or what it is made of.
func (w *writer) operand(s *code.Step) ast.Expr {
	if l := w.variables[s]; l != nil {
		return l.use()
	}
	if op := w.operands[s]; op != nil {
		return op.expr
	}
	return w.write(s)
}

// write writes what a step does.
func (w *writer) write(s *code.Step) ast.Expr {
	arg := func(i int) ast.Expr { return w.operand(s.Args[i]) }
	switch s.Op {
	case code.Literal:
		return w.known(s.Known)
	case code.Global:
		return w.ref(s.Object)
	case code.Ref:
		return w.imported(s)
	case code.Call:
		return w.call(s)
	case code.Convert:
		return call(w.typeExpr(s.Type), arg(0))
	case code.Unary:
		return unary(s.Token, arg(0))
	case code.Binary:
		x := arg(0)
		return binary(x, s.Token, arg(1))
	case code.Select:
		return selector(arg(0), s.Fields...)
	case code.Index:
		return &ast.IndexExpr{X: primary(arg(0)), Index: integer(int64(s.Number))}
	case code.Rest:
		rest := &ast.SliceExpr{X: primary(arg(0))}
		if s.Number > 0 {
			rest.Low = integer(int64(s.Number))
		}
		return rest
	}
	return w.display(s)
}

func (w *writer) call(s *code.Step) ast.Expr {
	x := call(selector(w.operand(s.Args[0]), s.Fields...))
	for _, arg := range s.Args[1:] {
		x.Args = append(x.Args, w.operand(arg))
	}
	if s.Spread {
		x.Ellipsis = 1
	}
	return x
}

func (w *writer) display(s *code.Step) ast.Expr {
	lit := &ast.CompositeLit{Type: w.typeExpr(s.Type)}
	if kind.Of(s.Type) == kind.Dict {
		for i := 0; i < len(s.Args); i += 2 {
			key := w.operand(s.Args[i])
			lit.Elts = append(lit.Elts, &ast.KeyValueExpr{Key: key, Value: w.operand(s.Args[i+1])})
		}
		return lit
	}
	for _, arg := range s.Args {
		lit.Elts = append(lit.Elts, w.operand(arg))
	}
	return lit
}

// known is a literal.
func (w *writer) known(x any) ast.Expr {
	switch x := x.(type) {
	case int64:
		return integer(x)
	case float64:
		return w.float(x)
	case string:
		return quoted(x)
	case bool:
		return ast.NewIdent(strconv.FormatBool(x))
	}
	return ast.NewIdent("nil")
}

// float is a float64; those that no literal can be are made by package math.
func (w *writer) float(f float64) ast.Expr {
	switch {
	case math.IsNaN(f):
		return call(w.imported(code.Std("math", "NaN")))
	case math.IsInf(f, 0):
		return call(w.imported(code.Std("math", "Inf")), integer(int64(math.Copysign(1, f))))
	case f == 0 && math.Signbit(f):
		return call(w.imported(code.Std("math", "Copysign")), integer(0), integer(-1))
	}
	text := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return numeral(token.FLOAT, text)
}
