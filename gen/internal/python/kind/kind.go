// Package kind says what types of Go are to Python: which of its kinds they are, and
// which type holds values of two others.
package kind

import "go/types"

// A Kind is what a Go type is to Python.
type Kind int

// The kinds of Go types.
const (
	Invalid Kind = iota // a fault was reported
	None
	Bool
	Int
	Float
	Str
	List
	Dict
	Any      // known when it is there
	Optional // a pointer to one of the above: None, or that
	Object   // has fields and methods, or is only handed on
	Tuple    // several results of a Go function
)

// Names are what Python calls its kinds.
var Names = map[Kind]string{
	None: "None", Bool: "bool", Int: "int", Float: "float", Str: "str", List: "list", Dict: "dict",
}

// The types of the values that Python's operations make.
var (
	GoInt    = types.Typ[types.Int]
	GoFloat  = types.Typ[types.Float64]
	GoString = types.Typ[types.String]
	GoBool   = types.Typ[types.Bool]
	GoNone   = types.Typ[types.UntypedNil]
	GoAny    = types.Universe.Lookup("any").Type()
	GoError  = types.Universe.Lookup("error").Type()
	AnyList  = types.NewSlice(GoAny)
	AnyDict  = types.NewMap(GoString, GoAny)

	// Displays without elements fit every type of list or dict.
	EmptyList = types.NewSlice(GoNone)
	EmptyDict = types.NewMap(GoString, GoNone)
)

// Of is the kind of a type, Invalid for none.
func Of(t types.Type) Kind {
	if t == nil {
		return Invalid
	}
	if IsNumberText(t) {
		return Any
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return basicKind(u)
	case *types.Slice:
		if isByte(u.Elem()) {
			return Object
		}
		return List
	case *types.Array:
		return List
	case *types.Map:
		if k := Of(u.Key()); k == Str || k == Int {
			return Dict
		}
	case *types.Interface:
		if u.Empty() {
			return Any
		}
	case *types.Pointer:
		if _, again := u.Elem().Underlying().(*types.Pointer); !again && Of(u.Elem()) != Object {
			return Optional
		}
	case *types.Tuple:
		return Tuple
	}
	return Object
}

func basicKind(t *types.Basic) Kind {
	switch info := t.Info(); {
	case t.Kind() == types.UntypedNil:
		return None
	case info&types.IsBoolean != 0:
		return Bool
	case info&types.IsInteger != 0:
		return Int
	case info&types.IsFloat != 0:
		return Float
	case info&types.IsString != 0:
		return Str
	}
	return Object
}

// IsNumberText reports whether a type is json.Number.
func IsNumberText(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == "Number" && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "encoding/json"
}

func isByte(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Kind() == types.Byte
}

// HasNil reports whether nil is a value of an object's type.
func HasNil(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Slice, *types.Map, *types.Chan, *types.Signature:
		return true
	}
	return false
}

// Plain is the type in which Python's operations see a value: int for all kinds
// of integers and so on.
func Plain(t types.Type) types.Type {
	switch Of(t) {
	case Bool:
		return GoBool
	case Int:
		return GoInt
	case Float:
		return GoFloat
	case Str:
		return GoString
	case Any:
		return GoAny
	}
	return t
}

// Elem is what an optional type points to, what a list holds, or the values of
// a dict.
func Elem(t types.Type) types.Type {
	return t.Underlying().(interface{ Elem() types.Type }).Elem()
}

// IsEmpty reports whether a type is that of a display without elements.
func IsEmpty(t types.Type) bool {
	return t != nil && (types.Identical(t, EmptyList) || types.Identical(t, EmptyDict))
}

// Join is the type that holds values of both types as Python would keep them; nil
// where one of them is not known.
func Join(a, b types.Type) types.Type {
	switch ka, kb := Of(a), Of(b); {
	case a == nil || b == nil:
		return nil
	case types.Identical(a, b):
		return a
	case ka == None:
		return OrNone(b)
	case kb == None:
		return OrNone(a)
	case types.Identical(Plain(a), Plain(b)) && ka != Object:
		return Plain(a)
	case ka == kb && IsEmpty(b):
		return a
	case ka == kb && IsEmpty(a):
		return b
	case ka == Optional && kb != Optional:
		return joinOptional(Elem(a), b)
	case kb == Optional && ka != Optional:
		return joinOptional(a, Elem(b))
	}
	return GoAny
}

func joinOptional(a, b types.Type) types.Type { return OrNone(Join(a, b)) }

// OrNone is the type for values of a type, or None.
func OrNone(t types.Type) types.Type {
	switch k := Of(t); {
	case k == Optional || k == Any || k == None || k == Object && HasNil(t):
		return t
	case IsEmpty(t):
		return GoAny
	}
	return types.NewPointer(t)
}

// MaxDepth bounds the lists within lists, of which Go's compiler can only infer so
// many.
const MaxDepth = 20

// IsContainer reports whether a value of a type is a list or a dict.
func IsContainer(t types.Type) bool { return Of(t) == List || Of(t) == Dict }

// HoldsAny reports whether a type is any, or made of it.
func HoldsAny(t types.Type) bool {
	for range MaxDepth { // a type may hold itself
		switch Of(t) {
		case Any:
			return !IsNumberText(t)
		case List, Dict, Optional:
			t = Elem(t)
		default:
			return false
		}
	}
	return false
}

// IsData reports whether a type is made of what JSON has.
func IsData(t types.Type) bool {
	return isMadeOf(t, MaxDepth, func(types.Type) bool { return false })
}

// IsEquatable reports whether values of a type can be compared: data, and structs.
func IsEquatable(t types.Type) bool {
	return isMadeOf(t, MaxDepth, func(object types.Type) bool {
		_, isStruct := object.Underlying().(*types.Struct)
		return isStruct
	})
}

// isMadeOf reports whether a type is data, or made of objects that fit.
func isMadeOf(t types.Type, depth int, fits func(types.Type) bool) bool {
	switch Of(t) {
	case None, Bool, Int, Float, Str, Any:
		return true
	case List, Optional, Dict:
		return depth > 0 && isMadeOf(Elem(t), depth-1, fits)
	case Object:
		return fits(t)
	}
	return false
}

// Settled is the type of a value that nothing else decides on.
func Settled(t types.Type) types.Type {
	switch {
	case t == nil:
		return nil
	case types.Identical(t, EmptyList):
		return AnyList
	case types.Identical(t, EmptyDict):
		return AnyDict
	}
	return t
}

// IsSimple reports whether Go compares values of a type as Python does.
func IsSimple(t types.Type) bool {
	k := Of(t)
	return k == Int || k == Str || k == Bool || k == Float
}

// IsNumber reports whether Python reckons with values of a type.
func IsNumber(t types.Type) bool {
	k := Of(t)
	return k == Int || k == Float || k == Bool
}

// IsOrdered reports whether Go orders values of a type as Python does.
func IsOrdered(t types.Type) bool {
	k := Of(t)
	return k == Int || k == Float || k == Str
}

// IsOptional reports whether values of a type are None or of a kind.
func IsOptional(t types.Type, k Kind) bool { return Of(t) == Optional && Of(Elem(t)) == k }

// IsPointer reports whether values of a type are pointers.
func IsPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// IsArray reports whether a list has a length that its type fixes.
func IsArray(t types.Type) bool {
	_, ok := t.Underlying().(*types.Array)
	return ok
}

// IsUnsigned reports whether integers of a type may be larger than an int.
func IsUnsigned(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsUnsigned != 0
}

// PythonName is the name of a type in Python's own messages.
func PythonName(t types.Type) string {
	switch k := Of(t); k {
	case None:
		return "NoneType"
	case Optional:
		return PythonName(Elem(t))
	case Bool, Int, Float, Str, List, Dict:
		return Names[k]
	}
	if pointer, ok := types.Unalias(t).(*types.Pointer); ok {
		t = pointer.Elem()
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return named.Obj().Name()
	}
	return "object"
}

// Function is an object that can be called, with its signature.
func Function(obj types.Object) (types.Object, *types.Signature) {
	switch obj.(type) {
	case *types.Func, *types.Var:
		if sig, ok := obj.Type().Underlying().(*types.Signature); ok {
			return obj, sig
		}
	}
	return nil, nil
}

// Key is the type of the keys of a dict.
func Key(t types.Type) types.Type { return t.Underlying().(*types.Map).Key() }
