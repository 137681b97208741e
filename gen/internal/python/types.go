package python

import (
	"go/types"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// A kind is what a Go type is to Python.
type kind int

const (
	invalidKind kind = iota // a fault was reported
	noneKind
	boolKind
	intKind
	floatKind
	strKind
	listKind
	dictKind
	anyKind      // known when it is there
	optionalKind // a pointer to one of the above: None, or that
	objectKind   // has fields and methods, or is only handed on
	tupleKind    // several results of a Go function
)

var kindNames = map[kind]string{
	noneKind: "None", boolKind: "bool", intKind: "int", floatKind: "float", strKind: "str", listKind: "list", dictKind: "dict",
}

// The types of the values that Python's operations make.
var (
	intType    = types.Typ[types.Int]
	floatType  = types.Typ[types.Float64]
	stringType = types.Typ[types.String]
	boolType   = types.Typ[types.Bool]
	noneType   = types.Typ[types.UntypedNil]
	anyType    = types.Universe.Lookup("any").Type()
	errorType  = types.Universe.Lookup("error").Type()
	anyList    = types.NewSlice(anyType)
	anyDict    = types.NewMap(stringType, anyType)

	// Displays without elements fit every type of list or dict.
	emptyList = types.NewSlice(noneType)
	emptyDict = types.NewMap(stringType, noneType)
)

func kindOf(t types.Type) kind {
	if t == nil {
		return invalidKind
	}
	if isNumberText(t) {
		return anyKind
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return basicKind(u)
	case *types.Slice:
		if isByte(u.Elem()) {
			return objectKind
		}
		return listKind
	case *types.Array:
		return listKind
	case *types.Map:
		if k := kindOf(u.Key()); k == strKind || k == intKind {
			return dictKind
		}
	case *types.Interface:
		if u.Empty() {
			return anyKind
		}
	case *types.Pointer:
		if _, again := u.Elem().Underlying().(*types.Pointer); !again && kindOf(u.Elem()) != objectKind {
			return optionalKind
		}
	case *types.Tuple:
		return tupleKind
	}
	return objectKind
}

func basicKind(t *types.Basic) kind {
	switch info := t.Info(); {
	case t.Kind() == types.UntypedNil:
		return noneKind
	case info&types.IsBoolean != 0:
		return boolKind
	case info&types.IsInteger != 0:
		return intKind
	case info&types.IsFloat != 0:
		return floatKind
	case info&types.IsString != 0:
		return strKind
	}
	return objectKind
}

// isNumberText reports whether a type is json.Number.
func isNumberText(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == "Number" && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "encoding/json"
}

func isByte(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Kind() == types.Byte
}

// isNil reports whether nil is a value of an object's type.
func isNil(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Slice, *types.Map, *types.Chan, *types.Signature:
		return true
	}
	return false
}

// plainType is the type in which Python's operations see a value: int for all kinds
// of integers and so on.
func plainType(t types.Type) types.Type {
	switch kindOf(t) {
	case boolKind:
		return boolType
	case intKind:
		return intType
	case floatKind:
		return floatType
	case strKind:
		return stringType
	case anyKind:
		return anyType
	}
	return t
}

// elemType is what an optional type points to, what a list holds, or the values of
// a dict.
func elemType(t types.Type) types.Type {
	return t.Underlying().(interface{ Elem() types.Type }).Elem()
}

func isEmpty(t types.Type) bool {
	return t != nil && (types.Identical(t, emptyList) || types.Identical(t, emptyDict))
}

// join is the type that holds values of both types as Python would keep them; nil
// where one of them is not known.
func join(a, b types.Type) types.Type {
	switch ka, kb := kindOf(a), kindOf(b); {
	case a == nil || b == nil:
		return nil
	case types.Identical(a, b):
		return a
	case ka == noneKind:
		return optional(b)
	case kb == noneKind:
		return optional(a)
	case types.Identical(plainType(a), plainType(b)) && ka != objectKind:
		return plainType(a)
	case ka == kb && isEmpty(b):
		return a
	case ka == kb && isEmpty(a):
		return b
	case ka == optionalKind && kb != optionalKind:
		return joinOptional(elemType(a), b)
	case kb == optionalKind && ka != optionalKind:
		return joinOptional(a, elemType(b))
	}
	return anyType
}

func joinOptional(a, b types.Type) types.Type { return optional(join(a, b)) }

// optional is the type for values of a type, or None.
func optional(t types.Type) types.Type {
	switch k := kindOf(t); {
	case k == optionalKind || k == anyKind || k == noneKind:
		return t
	case k == objectKind && isNil(t):
		return t
	case isEmpty(t):
		return anyType
	case k == objectKind:
		return types.NewPointer(t)
	}
	return types.NewPointer(t)
}

// holdsLists reports whether a value of a type is a list or a dict.
func holdsLists(t types.Type) bool { return kindOf(t) == listKind || kindOf(t) == dictKind }

// holdsAny reports whether a type is any, or made of it.
func holdsAny(t types.Type) bool {
	for range maxTypeDepth { // a type may hold itself
		switch kindOf(t) {
		case anyKind:
			return !isNumberText(t)
		case listKind, dictKind, optionalKind:
			t = elemType(t)
		default:
			return false
		}
	}
	return false
}

// isData reports whether a type is made of what JSON has.
func isData(t types.Type) bool {
	return isMadeOf(t, maxTypeDepth, func(types.Type) bool { return false })
}

// isEquatable reports whether values of a type can be compared: data, and structs.
func isEquatable(t types.Type) bool {
	return isMadeOf(t, maxTypeDepth, func(object types.Type) bool {
		_, isStruct := object.Underlying().(*types.Struct)
		return isStruct
	})
}

// isMadeOf reports whether a type is data, or made of objects that fit.
func isMadeOf(t types.Type, depth int, fits func(types.Type) bool) bool {
	switch kindOf(t) {
	case noneKind, boolKind, intKind, floatKind, strKind, anyKind:
		return true
	case listKind, optionalKind, dictKind:
		return depth > 0 && isMadeOf(elemType(t), depth-1, fits)
	case objectKind:
		return fits(t)
	}
	return false
}

// settled is the type of a value that nothing else decides on.
func settled(t types.Type) types.Type {
	switch {
	case t == nil:
		return nil
	case types.Identical(t, emptyList):
		return anyList
	case types.Identical(t, emptyDict):
		return anyDict
	}
	return t
}

// name is a type as messages show it: Python's names where there are some, with
// Go's behind them where that says more.
func (g *generator) name(t types.Type) string {
	switch k := kindOf(t); k {
	case noneKind, boolKind, intKind, floatKind, strKind:
		if _, named := types.Unalias(t).(*types.Named); named {
			return kindNames[k] + " (Go's " + g.scope.TypeName(t) + ")"
		}
		return kindNames[k]
	case listKind, dictKind:
		if isEmpty(t) || !strings.ContainsAny(g.scope.TypeName(t), "[") {
			return kindNames[k]
		}
		return kindNames[k] + " (Go's " + g.scope.TypeName(t) + ")"
	case anyKind:
		return "any"
	case optionalKind:
		return g.name(elemType(t)) + " or None"
	case tupleKind:
		return "several values"
	}
	return g.scope.TypeName(t)
}

// maxTypeDepth bounds the lists within lists, of which Go's compiler can only infer
// so many.
const maxTypeDepth = 20

// shallow returns a list or dict, or reports that its type nests too deep.
func (g *generator) shallow(v *value, at syntax.Place) *value {
	depth := 0
	for t := v.typ; t != nil && (kindOf(t) == listKind || kindOf(t) == dictKind) && !isEmpty(t); t = elemType(t) {
		if _, named := types.Unalias(t).(*types.Named); named {
			break // it may hold itself
		}
		depth++
	}
	if depth > maxTypeDepth {
		g.fault("too-deep", at, "lists nest deeper than %d levels", maxTypeDepth).WithHelp("write a Go function, and call it here")
		return bad()
	}
	return v
}
