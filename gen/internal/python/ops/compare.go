package ops

import (
	"go/token"
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/python/code"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

var goComparisons = map[string]token.Token{
	"==": token.EQL, "!=": token.NEQ, "<": token.LSS, "<=": token.LEQ, ">": token.GTR, ">=": token.GEQ,
}

// plainly is a comparison of Go, with what is fixed at the right.
func (o Ops) plainly(op string, x, y *code.Value) *code.Value {
	if isLiteral(x) && (op == "==" || op == "!=") {
		x, y = y, x
	}
	return o.Binary(kind.GoBool, x, goComparisons[op], y)
}

func isLiteral(v *code.Value) bool {
	if v.Op != code.Literal {
		return false
	}
	switch x := v.Step.Known.(type) {
	case int64:
		return x >= 0
	case float64:
		return x >= 0
	case string:
		return true
	}
	return false
}

// Compare compares two values.
func (o Ops) Compare(op string, x, y *code.Value, at syntax.Place) *code.Value {
	if code.AnyBad(x, y) {
		return code.Bad()
	}
	switch op {
	case "is", "is not":
		return o.IsNone(x, op == "is")
	case "in":
		return o.contains(x, y, at)
	case "not in":
		if found := o.contains(x, y, at); !found.Bad() {
			return o.Not(found)
		}
		return code.Bad()
	case "==", "!=":
		return o.equality(op, x, y, at)
	}
	return o.order(op, x, y, at)
}

// equality translates == and !=.
func (o Ops) equality(op string, x, y *code.Value, at syntax.Place) *code.Value {
	kx, ky := x.Kind(), y.Kind()
	not := func(equal *code.Value) *code.Value {
		if op == "!=" {
			return o.Not(equal)
		}
		return equal
	}
	switch {
	case kx == kind.None:
		return o.IsNone(y, op == "==")
	case ky == kind.None:
		return o.IsNone(x, op == "==")
	case x.IsNumber() && y.IsNumber() && !mayNotFit(x, y):
		return o.compareNumbers(op, x, y, at)
	case kx == kind.Str && ky == kind.Str, kx == kind.Bool && ky == kind.Bool:
		if x.Is(y.Type) || x.Known != nil || y.Known != nil {
			return o.plainly(op, x, y)
		}
		return o.plainly(op, o.plain(x), o.plain(y))
	case kind.IsContainer(x.Type) && x.Is(y.Type) && kind.IsSimple(kind.Elem(x.Type)) && !kind.IsArray(x.Type):
		pkg := map[kind.Kind]string{kind.List: "slices", kind.Dict: "maps"}[kx]
		if kind.Of(kind.Elem(x.Type)) == kind.Float {
			return not(o.Made(kind.GoBool, code.Std(pkg, "EqualFunc"), x, y, o.Ref(code.Py("Same"))))
		}
		return not(o.Made(kind.GoBool, code.Std(pkg, "Equal"), x, y))
	case kx == kind.Object && x.Is(y.Type) && types.Comparable(x.Type) && !kind.IsPointer(x.Type) && !types.IsInterface(x.Type):
		return o.plainly(op, x, y)
	case kind.IsEquatable(x.Type) && kind.IsEquatable(y.Type) && !neverEqual(x.Type, y.Type):
		return not(o.Do("equal", kind.GoBool, at, code.Dyn("Equal"), o.dynamic(x), o.dynamic(y)))
	}
	if kx == kind.Object || ky == kind.Object {
		o.Unfit(at, []*code.Value{x, y}, "%s and %s cannot be compared", o.Name(x.Type), o.Name(y.Type)).WithHelp("compare a field of theirs")
		return code.Bad()
	}
	d := o.Unfit(at, []*code.Value{x, y}, "%s and %s are never equal", o.Name(x.Type), o.Name(y.Type))
	if kx == kind.Str || ky == kind.Str {
		d.WithHelp("write str(…) around the other side, or int(…) or float(…) around the str")
	}
	return code.Bad()
}

// neverEqual reports whether values of two types are different whatever they are,
// so that comparing them is a mistake.
func neverEqual(x, y types.Type) bool {
	a, b := kind.Of(x), kind.Of(y)
	open := func(k kind.Kind) bool { return k == kind.Any || k == kind.Optional }
	switch {
	case open(a) || open(b) || kind.IsNumber(x) && kind.IsNumber(y):
		return false
	case a == kind.Object && b == kind.Object:
		return !types.Identical(x, y)
	}
	return a != b
}

// compareNumbers compares an integer with a float exactly.
func (o Ops) compareNumbers(op string, x, y *code.Value, at syntax.Place) *code.Value {
	if x.Kind() == kind.Bool && y.Kind() == kind.Bool && (op == "==" || op == "!=") {
		return o.plainly(op, o.plain(x), o.plain(y))
	}
	if goCompares(x, y) {
		return o.plainly(op, x, y)
	}
	x, y = o.Number(x, at), o.Number(y, at)
	switch kx, ky := x.Kind(), y.Kind(); {
	case kx == ky && x.Known != nil && y.Known != nil: // not a constant of Go, which linters suspect
		return o.plainly(op, o.Cast(kind.Plain(x.Type), x), y)
	case kx == ky:
		return o.plainly(op, x, y)
	case kx == kind.Int && (x.Bits > 0 && x.Bits <= 53):
		return o.plainly(op, o.float(x), y)
	case ky == kind.Int && (y.Bits > 0 && y.Bits <= 53):
		return o.plainly(op, x, o.float(y))
	case kx == kind.Int:
		return o.Binary(kind.GoBool, o.Made(kind.GoInt, code.Py("Compare"), x, y), goComparisons[op], o.Int(0))
	}
	return o.plainly(op, o.Int(0), o.Made(kind.GoInt, code.Py("Compare"), y, x))
}

// goCompares reports whether Go compares two integers as they are.
func goCompares(x, y *code.Value) bool {
	sameInts := x.Kind() == kind.Int && x.Is(y.Type) && x.Known == nil && y.Known == nil
	return sameInts || fitsKind(y, x.Type) || fitsKind(x, y.Type)
}

// mayNotFit reports whether one of two numbers may be an integer that fits no int, so
// that they are compared as dynamic values are.
func mayNotFit(x, y *code.Value) bool {
	wide := func(v *code.Value) bool {
		basic := v.Type.Underlying().(*types.Basic)
		switch basic.Kind() {
		case types.Uint, types.Uint64, types.Uintptr:
			return v.Known == nil
		}
		return false
	}
	return (wide(x) || wide(y)) && !goCompares(x, y)
}

// fitsKind reports whether a value is a known integer, and one that a variable of
// another type of integers can be compared with.
func fitsKind(v *code.Value, t types.Type) bool {
	n, ok := v.Known.(int64)
	return ok && v.Op != code.Global && kind.Of(t) == kind.Int && !types.Identical(t, kind.GoInt) && fits(n, t.Underlying().(*types.Basic).Kind())
}

var dynComparisons = map[string]string{"<": "Less", "<=": "LessEqual", ">": "Greater", ">=": "GreaterEqual"}

// order translates < and its like.
func (o Ops) order(op string, x, y *code.Value, at syntax.Place) *code.Value {
	complaint := "TypeError: '%s' not supported between instances of '%s' and '%s'"
	x = o.Deref(x, at, complaint, op, "NoneType", kind.PythonName(y.Type))
	y = o.Deref(y, at, complaint, op, kind.PythonName(x.Type), "NoneType")
	kx, ky := x.Kind(), y.Kind()
	switch {
	case x.IsNumber() && y.IsNumber():
		return o.compareNumbers(op, x, y, at)
	case kx == kind.Str && ky == kind.Str:
		a, b := o.plain(x), o.plain(y)
		if x.Known != nil && y.Known != nil {
			a = o.Cast(kind.GoString, a)
		}
		return o.plainly(op, a, b)
	case kx == kind.Any && kind.IsData(y.Type), ky == kind.Any && kind.IsData(x.Type), kx == kind.List && ky == kind.List && kind.IsData(x.Type) && kind.IsData(y.Type):
		return o.Do("ok", kind.GoBool, at, code.Dyn(dynComparisons[op]), o.dynamic(x), o.dynamic(y))
	}
	d := o.Unfit(at, []*code.Value{x, y}, "the operator %s does not compare %s with %s", op, o.Name(x.Type), o.Name(y.Type))
	if kx == kind.Str && y.IsNumber() || ky == kind.Str && x.IsNumber() {
		d.WithHelp("write int(…) or float(…) around the str")
	}
	return code.Bad()
}

// contains translates `x in y`.
func (o Ops) contains(x, y *code.Value, at syntax.Place) *code.Value {
	y = o.Deref(y, at, "TypeError: argument of type 'NoneType' is not iterable")
	kx, ky := x.Kind(), y.Kind()
	isOpen := ky == kind.Any || ky == kind.List || ky == kind.Dict || ky == kind.Str && (kx == kind.Any || kx == kind.Optional)
	switch {
	case ky == kind.Str && kx == kind.Str:
		return o.Made(kind.GoBool, code.Std("strings", "Contains"), o.plain(y), o.plain(x))
	case kind.IsEmpty(y.Type):
		return o.Bool(false)
	case ky == kind.List && kind.IsSimple(kind.Elem(y.Type)) && sameKind(x, kind.Elem(y.Type)) && !kind.IsArray(y.Type):
		contains := code.Std("slices", "Contains")
		if kx == kind.Float {
			contains = code.Py("Contains")
		}
		return o.Read(kind.GoBool, contains, y, o.Convert(x, kind.Elem(y.Type), at, "the left side"))
	case ky == kind.Dict && kx == kind.Str && kind.Of(kind.Key(y.Type)) == kind.Str:
		return o.Read(kind.GoBool, code.Py("Has"), y, o.Convert(x, kind.Key(y.Type), at, "the key"))
	case isOpen && kind.IsEquatable(x.Type) && kind.IsEquatable(y.Type):
		return o.Do("ok", kind.GoBool, at, code.Dyn("In"), o.dynamic(x), o.dynamic(y))
	}
	d := o.Unfit(at, []*code.Value{x, y}, "the operator in does not look for %s in %s", o.Name(x.Type), o.Name(y.Type))
	if ky == kind.Str && kind.IsData(x.Type) {
		d.WithHelp("write str(…) around the left side")
	}
	return code.Bad()
}

// sameKind reports whether a value is one that a list of a type may hold without
// another value being equal to it.
func sameKind(x *code.Value, elem types.Type) bool {
	if x.Kind() != kind.Of(elem) {
		return false
	}
	if x.Known != nil {
		n, ok := x.Known.(int64)
		return !ok || fits(n, elem.Underlying().(*types.Basic).Kind())
	}
	return x.Is(elem) || x.Kind() != kind.Int && x.Kind() != kind.Float
}
