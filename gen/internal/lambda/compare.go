package lambda

import (
	"go/token"
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

var goComparisons = map[string]token.Token{
	"==": token.EQL, "!=": token.NEQ, "<": token.LSS, "<=": token.LEQ, ">": token.GTR, ">=": token.GEQ,
}

// goComparison compares two values with a Go operator. For == and !=, it moves a literal to the right side.
func (o operators) goComparison(op string, x, y *ir.Value) *ir.Value {
	if isLiteral(x) && (op == "==" || op == "!=") {
		x, y = y, x
	}
	return o.BinaryOp(ir.GoBool, x, goComparisons[op], y)
}

func isLiteral(v *ir.Value) bool {
	if v.Op != ir.Literal {
		return false
	}
	switch x := v.Step.Constant.(type) {
	case int64:
		return x >= 0
	case float64:
		return x >= 0
	case string:
		return true
	}
	return false
}

// compareValues translates a comparison of two values.
func (o operators) compareValues(op string, x, y *ir.Value, at pysyntax.Place) *ir.Value {
	if ir.HasBad(x, y) {
		return ir.NewBad()
	}
	switch op {
	case "is", "is not":
		return o.isNone(x, op == "is")
	case "in", "not in":
		return o.equalBool(o.containsValue(x, y, at), op == "in")
	case "==", "!=":
		return o.compareEqual(op, x, y, at)
	}
	return o.compareOrder(op, x, y, at)
}

// compareEqual translates == and !=.
func (o operators) compareEqual(op string, x, y *ir.Value, at pysyntax.Place) *ir.Value {
	kx, ky := x.Kind(), y.Kind()
	switch {
	case kx == ir.None:
		return o.isNone(y, op == "==")
	case ky == ir.None:
		return o.isNone(x, op == "==")
	case x.IsNumber() && y.IsNumber() && !mayExceedInt(x, y):
		return o.compareNumbers(op, x, y, at)
	case kx == ir.Str && ky == ir.Str, kx == ir.Bool && ky == ir.Bool:
		return o.comparePlain(op, x, y)
	case isSimpleContainer(x.Type) && x.HasType(y.Type):
		return o.equalBool(o.equalContainers(x, y), op == "==")
	case isComparableObject(x.Type) && x.HasType(y.Type):
		return o.goComparison(op, x, y)
	case mayBeEqual(x.Type, y.Type):
		return o.equalBool(o.callHelper("equal", ir.GoBool, at, ir.DynRef("Equal"), o.toDynamic(x), o.toDynamic(y)), op == "==")
	}
	o.reportUnequal(x, y, at)
	return ir.NewBad()
}

// comparePlain compares two strings or two bools, which may have different Go types.
func (o operators) comparePlain(op string, x, y *ir.Value) *ir.Value {
	if x.HasType(y.Type) || x.Constant != nil || y.Constant != nil {
		return o.goComparison(op, x, y)
	}
	return o.goComparison(op, o.toPlain(x), o.toPlain(y))
}

// isSimpleContainer reports whether t is a slice or map whose elements Go's == compares as Python does.
func isSimpleContainer(t types.Type) bool {
	return ir.IsContainer(t) && ir.IsSimple(ir.ElemType(t)) && !ir.IsArray(t)
}

// equalContainers compares two containers of the same type with a function of package slices or maps.
func (o operators) equalContainers(x, y *ir.Value) *ir.Value {
	pkg := map[ir.Kind]string{ir.List: "slices", ir.Dict: "maps"}[x.Kind()]
	if ir.KindOf(ir.ElemType(x.Type)) == ir.Float {
		return o.CallPure(ir.GoBool, ir.PackageRef(pkg, "EqualFunc"), x, y, o.RefValue(ir.PyRef("Same")))
	}
	return o.CallPure(ir.GoBool, ir.PackageRef(pkg, "Equal"), x, y)
}

// isComparableObject reports whether Go's == compares the contents of objects of type t, and not their addresses.
func isComparableObject(t types.Type) bool {
	return ir.KindOf(t) == ir.Object && types.Comparable(t) && !ir.IsPointer(t) && !types.IsInterface(t)
}

// reportUnequal reports two values that cannot be compared, or are never equal.
func (o operators) reportUnequal(x, y *ir.Value, at pysyntax.Place) {
	kx, ky := x.Kind(), y.Kind()
	if kx == ir.Object || ky == ir.Object {
		o.addIncompatible(at, []*ir.Value{x, y}, "%s and %s cannot be compared", o.describeType(x.Type), o.describeType(y.Type)).WithHelp("compare one of their fields")
		return
	}
	d := o.addIncompatible(at, []*ir.Value{x, y}, "%s and %s are never equal", o.describeType(x.Type), o.describeType(y.Type))
	if kx == ir.Str || ky == ir.Str {
		d.WithHelp("wrap the other side in str(…), or the str in int(…) or float(…)")
	}
}

// mayBeEqual reports whether values of two types can be compared and can be equal. If they always differ, the
// comparison is reported as a mistake.
func mayBeEqual(x, y types.Type) bool {
	if !ir.IsEquatable(x) || !ir.IsEquatable(y) {
		return false
	}
	a, b := ir.KindOf(x), ir.KindOf(y)
	isOpen := func(k ir.Kind) bool { return k == ir.Any || k == ir.Optional }
	switch {
	case isOpen(a) || isOpen(b) || ir.IsNumber(x) && ir.IsNumber(y):
		return true
	case a == ir.Object && b == ir.Object:
		return types.Identical(x, y)
	}
	return a == b
}

// compareNumbers compares two numbers. Like Python, it compares an integer with a float exactly, without rounding
// the integer.
func (o operators) compareNumbers(op string, x, y *ir.Value, at pysyntax.Place) *ir.Value {
	if x.Kind() == ir.Bool && y.Kind() == ir.Bool && (op == "==" || op == "!=") {
		return o.goComparison(op, o.toPlain(x), o.toPlain(y))
	}
	if comparableInGo(x, y) {
		return o.goComparison(op, x, y)
	}
	x, y = o.toNumber(x, at), o.toNumber(y, at)
	switch kx, ky := x.Kind(), y.Kind(); {
	case kx == ky && x.Constant != nil && y.Constant != nil: // linters report comparisons of constants
		return o.goComparison(op, o.CastTo(ir.PlainType(x.Type), x), y)
	case kx == ky:
		return o.goComparison(op, x, y)
	case fitsFloat(x):
		return o.goComparison(op, o.toGoFloat(x), y)
	case fitsFloat(y):
		return o.goComparison(op, x, o.toGoFloat(y))
	case kx == ir.Int:
		return o.BinaryOp(ir.GoBool, o.CallPure(ir.GoInt, ir.PyRef("Compare"), x, y), goComparisons[op], o.IntLiteral(0))
	}
	return o.goComparison(op, o.IntLiteral(0), o.CallPure(ir.GoInt, ir.PyRef("Compare"), y, x))
}

// comparableInGo reports whether Go can compare two integers without a conversion.
func comparableInGo(x, y *ir.Value) bool {
	sameInts := x.Kind() == ir.Int && x.HasType(y.Type) && x.Constant == nil && y.Constant == nil
	return sameInts || fitsKind(y, x.Type) || fitsKind(x, y.Type)
}

// mayExceedInt reports whether one of two numbers may be too large for an int, so that package dyn must compare
// them.
func mayExceedInt(x, y *ir.Value) bool {
	isWide := func(v *ir.Value) bool {
		basic := v.Type.Underlying().(*types.Basic)
		switch basic.Kind() {
		case types.Uint, types.Uint64, types.Uintptr:
			return v.Constant == nil
		}
		return false
	}
	return (isWide(x) || isWide(y)) && !comparableInGo(x, y)
}

// fitsKind reports whether v is a constant that Go can compare with a variable of integer type t.
func fitsKind(v *ir.Value, t types.Type) bool {
	n, ok := v.Constant.(int64)
	return ok && v.Op != ir.Global && ir.KindOf(t) == ir.Int && !types.Identical(t, ir.GoInt) && fitsBasic(n, t.Underlying().(*types.Basic).Kind())
}

var dynComparisons = map[string]string{"<": "Less", "<=": "LessEqual", ">": "Greater", ">=": "GreaterEqual"}

// fitsFloat reports whether v is an integer that a float64 always represents exactly.
func fitsFloat(v *ir.Value) bool { return v.Kind() == ir.Int && v.Bits > 0 && v.Bits <= 53 }

// compareOrder translates <, <=, > and >=.
func (o operators) compareOrder(op string, x, y *ir.Value, at pysyntax.Place) *ir.Value {
	message := "TypeError: '%s' not supported between instances of '%s' and '%s'"
	x = o.dereference(x, at, message, op, "NoneType", ir.PythonName(y.Type))
	y = o.dereference(y, at, message, op, ir.PythonName(x.Type), "NoneType")
	kx, ky := x.Kind(), y.Kind()
	switch {
	case x.IsNumber() && y.IsNumber():
		return o.compareNumbers(op, x, y, at)
	case kx == ir.Str && ky == ir.Str:
		a, b := o.toPlain(x), o.toPlain(y)
		if x.Constant != nil && y.Constant != nil {
			a = o.CastTo(ir.GoString, a)
		}
		return o.goComparison(op, a, b)
	case isDynamic(x, y), kx == ir.List && ky == ir.List && ir.IsData(x.Type) && ir.IsData(y.Type):
		return o.callHelper("ok", ir.GoBool, at, ir.DynRef(dynComparisons[op]), o.toDynamic(x), o.toDynamic(y))
	}
	d := o.addIncompatible(at, []*ir.Value{x, y}, "the operator %s does not compare %s with %s", op, o.describeType(x.Type), o.describeType(y.Type))
	if kx == ir.Str && y.IsNumber() || ky == ir.Str && x.IsNumber() {
		d.WithHelp("wrap the str in int(…) or float(…)")
	}
	return ir.NewBad()
}

// containsValue translates `x in y`.
func (o operators) containsValue(x, y *ir.Value, at pysyntax.Place) *ir.Value {
	y = o.dereference(y, at, "TypeError: argument of type 'NoneType' is not iterable")
	kx, ky := x.Kind(), y.Kind()
	switch {
	case ky == ir.Str && kx == ir.Str:
		return o.CallPure(ir.GoBool, ir.PackageRef("strings", "Contains"), o.toPlain(y), o.toPlain(x))
	case ir.IsEmpty(y.Type):
		return o.BoolLiteral(false)
	case ky == ir.List && isSimpleContainer(y.Type) && keepsEquality(x, ir.ElemType(y.Type)):
		return o.listContains(x, y, at)
	case ky == ir.Dict && kx == ir.Str && ir.KindOf(ir.KeyType(y.Type)) == ir.Str:
		return o.CallInTurn(ir.GoBool, ir.PyRef("Has"), y, o.convertTo(x, ir.KeyType(y.Type), at, "the key"))
	case mayContain(ky, kx) && ir.IsEquatable(x.Type) && ir.IsEquatable(y.Type):
		return o.callHelper("ok", ir.GoBool, at, ir.DynRef("In"), o.toDynamic(x), o.toDynamic(y))
	}
	d := o.addIncompatible(at, []*ir.Value{x, y}, "the operator in cannot search for %s in %s", o.describeType(x.Type), o.describeType(y.Type))
	if ky == ir.Str && ir.IsData(x.Type) {
		d.WithHelp("wrap the left side in str(…)")
	}
	return ir.NewBad()
}

// listContains translates `x in y` for a list whose elements Go can compare with x.
func (o operators) listContains(x, y *ir.Value, at pysyntax.Place) *ir.Value {
	contains := ir.PackageRef("slices", "Contains")
	if x.Kind() == ir.Float {
		contains = ir.PyRef("Contains")
	}
	return o.CallInTurn(ir.GoBool, contains, y, o.convertTo(x, ir.ElemType(y.Type), at, "the left side"))
}

// mayContain reports whether package dyn can check if a container of one kind contains an element of another.
func mayContain(container, element ir.Kind) bool {
	switch container {
	case ir.Any, ir.List, ir.Dict:
		return true
	case ir.Str:
		return element == ir.Any || element == ir.Optional
	}
	return false
}

// keepsEquality reports whether a search for x in a list finds the same elements after x is converted to elem,
// the type of the elements. It is false for 300 and int8, for example.
func keepsEquality(x *ir.Value, elem types.Type) bool {
	if x.Kind() != ir.KindOf(elem) {
		return false
	}
	if x.Constant != nil {
		n, ok := x.Constant.(int64)
		return !ok || fitsBasic(n, elem.Underlying().(*types.Basic).Kind())
	}
	return x.HasType(elem) || x.Kind() != ir.Int && x.Kind() != ir.Float
}
