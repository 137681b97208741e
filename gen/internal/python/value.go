package python

import (
	"go/ast"
	"go/types"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// A value is what an expression became.
type value struct {
	expr     ast.Expr
	several  []ast.Expr // several results of a Go function, in the place of expr
	typ      types.Type // nil after a fault
	known    any        // an int64, a float64, a string or a bool, where it is known
	hint     string     // a name for a variable that holds it
	local    *local     // the variable that it is, if it is one
	bits     int        // how large an integer may be; 0 is not known
	fixed    bool       // it may be evaluated several times, at any time
	pure     bool       // it may be evaluated at any time, or never
	spent    bool       // a statement evaluates it
	narrowed bool       // it is what an optional variable points to
	present  bool       // an object that is not nil
	linear   bool       // a list that is no larger than what it is made of
	whole    bool       // a list or dict that is not nil, nor any in it
	origin   origin
}

// An origin says where a type comes from.
type origin struct {
	what    string // such as `parameter x`, empty for an operation
	why     string
	help    string // where it may be meant to be another one
	related []diag.Related
}

func (v *value) bad() bool { return v.typ == nil }

func (v *value) kind() kind { return kindOf(v.typ) }

// pending reports whether it matters when a value is evaluated, and that is not
// settled yet.
func (v *value) pending() bool { return !v.pure && !v.spent && !v.bad() && v.expr != nil }

// bad is the value of an expression that a fault was reported for.
func bad() *value { return &value{} }

// describe is a value as messages mention it.
func (g *generator) describe(v *value) string {
	text := g.name(v.typ)
	if v.origin.what != "" {
		text = v.origin.what + " is " + text
		if v.origin.why != "" {
			text += ", " + v.origin.why
		}
	}
	return text
}

// fault reports an error at a place of the lambda.
func (g *generator) fault(code diag.Code, at syntax.Place, format string, args ...any) *diag.Diagnostic {
	return g.faults.Errorf(code, g.scope.At(at), format, args...)
}

// mismatch reports types that do not fit.
func (g *generator) mismatch(at syntax.Place, format string, args ...any) *diag.Diagnostic {
	return g.fault("lambda-type", at, format, args...)
}

// unsupported reports what Python has and lambdas here do not.
func (g *generator) unsupported(at syntax.Place, construct string) *diag.Diagnostic {
	return g.fault(syntax.Unsupported, at, "a lambda here cannot hold %s", construct)
}

// because adds where the types of values come from.
func because(d *diag.Diagnostic, values ...*value) *diag.Diagnostic {
	for _, v := range values {
		if help := v.origin.help; help != "" && !slices.Contains(d.Help, help) {
			d.Help = append(d.Help, help)
		}
		for _, r := range v.origin.related {
			if !slices.Contains(d.Related, r) {
				d.Related = append(d.Related, r)
			}
		}
	}
	return d
}

// unfit reports values that do not fit together: what each of them is, and why.
func (g *generator) unfit(at syntax.Place, values []*value, format string, args ...any) *diag.Diagnostic {
	d := g.mismatch(at, format, args...)
	var sides []string
	for _, v := range values {
		if side := g.describe(v); v.origin.what != "" && !slices.Contains(sides, side) {
			sides = append(sides, side)
		}
	}
	if len(sides) > 0 {
		d.Message += ": " + strings.Join(sides, "; ")
	}
	return because(d, values...)
}

// maxPlainBits bounds the integers that are added without a check: sums of them fit
// an int of 32 bits, and sums of a few lengths, which count as lengthBits, fit the
// int of the machine that the list is in.
const (
	maxPlainBits = 31
	lengthBits   = 30
)

// The makers of values.

func (g *generator) intConst(n int64) *value {
	return &value{expr: integer(n), typ: intType, known: n, bits: max(1, big.NewInt(n).BitLen()), fixed: true, pure: true}
}

func (g *generator) floatConst(f float64) *value {
	return &value{expr: g.float(f), typ: floatType, known: f, fixed: true, pure: true}
}

func (g *generator) strConst(s string) *value {
	return &value{expr: quoted(s), typ: stringType, known: s, fixed: true, pure: true}
}

func (g *generator) boolConst(b bool) *value {
	return &value{expr: ast.NewIdent(strconv.FormatBool(b)), typ: boolType, known: b, fixed: true, pure: true}
}

func (g *generator) none() *value {
	return &value{expr: ast.NewIdent("nil"), typ: noneType, fixed: true, pure: true}
}

// made is a value that an operation makes of others, pure if they all are.
func made(x ast.Expr, t types.Type, of ...*value) *value {
	v := &value{expr: x, typ: t, pure: true}
	for _, part := range of {
		v.pure = v.pure && part.pure
	}
	return v
}

// remade is a new list with elements of another.
func (g *generator) remade(list, of *value) *value {
	list.whole = of.whole || !g.mayHoldNil(elemType(of.typ))
	return list
}

// fromGo notes that a value of a type comes from Go code, not from an argument.
func (g *generator) fromGo(t types.Type) { g.anyOfGo = g.anyOfGo || holdsAny(t) }

// mayHoldNil reports whether values of a type may be lists or dicts that are nil, or
// hold such: an any can only where the lambda uses one of Go.
func (g *generator) mayHoldNil(t types.Type) bool { return holdsLists(t) || g.anyOfGo && holdsAny(t) }

// read is like made, for what is read from a list or dict, which functions may
// change in the meantime.
func read(x ast.Expr, t types.Type) *value { return &value{expr: x, typ: t} }

// number returns an int, a float or a bool as the type in which Python reckons.
func (g *generator) number(v *value, at syntax.Place) *value {
	switch v.kind() {
	case boolKind:
		return g.boolInt(v)
	case intKind:
		return g.toInt(v, at)
	case floatKind:
		return g.toFloat(v, at)
	}
	return v
}

func (g *generator) boolInt(v *value) *value {
	if b, ok := v.known.(bool); ok {
		return g.intConst(map[bool]int64{true: 1}[b])
	}
	n := made(call(g.py("Bool"), g.plainExpr(v)), intType, v)
	n.bits = 1
	return n
}

// plainExpr is a value of a named type as one of the type that Go's operators and
// functions ask for.
func (g *generator) plainExpr(v *value) ast.Expr {
	plain := plainType(v.typ)
	if types.Identical(v.typ, plain) || v.known != nil {
		return v.expr
	}
	return call(ast.NewIdent(plain.(*types.Basic).Name()), v.expr)
}

// smallInts are the kinds of integers that fit an int on every machine.
var smallInts = map[types.BasicKind]int{types.Int8: 8, types.Int16: 16, types.Int32: 31, types.Uint8: 8, types.Uint16: 16}

// toInt returns an integer of any kind as an int.
func (g *generator) toInt(v *value, at syntax.Place) *value {
	kind := v.typ.Underlying().(*types.Basic).Kind()
	if types.Identical(v.typ, intType) {
		return v
	}
	if v.known != nil {
		n := *v
		n.typ = intType
		return &n
	}
	if bits, small := smallInts[kind]; small || kind == types.Int {
		n := made(call(ast.NewIdent("int"), v.expr), intType, v)
		n.bits = bits
		return n
	}
	whole := &ast.IndexExpr{X: g.py("Whole"), Index: ast.NewIdent("int")}
	return g.try("number", call(whole, v.expr), intType, at)
}

// toFloat returns a number as a float64.
func (g *generator) toFloat(v *value, at syntax.Place) *value {
	switch known := v.known.(type) {
	case int64:
		return g.floatConst(float64(known))
	case bool:
		return g.toFloat(g.boolInt(v), at)
	case float64:
		f := *v
		f.typ = floatType
		return &f
	}
	switch {
	case types.Identical(v.typ, floatType):
		return v
	case v.kind() == boolKind:
		v = g.boolInt(v)
	}
	f := made(call(ast.NewIdent("float64"), v.expr), floatType, v)
	f.origin = v.origin
	return f
}
