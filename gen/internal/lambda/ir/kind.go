package ir

import (
	"go/types"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/goname"
)

// Kind is the type that values of a Go type have in Python, such as Int for int64.
type Kind int

// The kinds of Go types.
const (
	Invalid Kind = iota // no type, because a fault was reported
	None
	Bool
	Int
	Float
	Str
	List
	Dict
	Any      // known only at run time
	Optional // a pointer to one of the above: None or a value
	Object   // any other type: lambdas can only use its fields and methods, or pass it to functions
	Tuple    // several results of a Go function
)

// KindNames maps kinds to Python's names for them.
var KindNames = map[Kind]string{
	None: "None", Bool: "bool", Int: "int", Float: "float", Str: "str", List: "list", Dict: "dict",
}

// The Go types of the results of Python's operations.
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

	// Empty displays fit every type of list or dict.
	EmptyList = types.NewSlice(GoNone)
	EmptyDict = types.NewMap(GoString, GoNone)
)

// KindOf returns the kind of a type, or Invalid for nil.
func KindOf(t types.Type) Kind {
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
		if types.Identical(u.Elem().Underlying(), types.Typ[types.Byte]) {
			return Object
		}
		return List
	case *types.Array:
		return List
	case *types.Map:
		if k := KindOf(u.Key()); k == Str || k == Int {
			return Dict
		}
	case *types.Interface:
		if u.Empty() {
			return Any
		}
	case *types.Pointer:
		if isOptionalPointer(u) {
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

// isOptionalPointer reports whether lambdas see a pointer as None or the value that it points to, as for *int.
// Pointers to objects and to other pointers are objects instead.
func isOptionalPointer(p *types.Pointer) bool {
	_, isPointer := p.Elem().Underlying().(*types.Pointer)
	return !isPointer && KindOf(p.Elem()) != Object
}

// IsNumberText reports whether a type is json.Number.
func IsNumberText(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == "Number" && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "encoding/json"
}

// HasNil reports whether nil is a value of t, the type of an object.
func HasNil(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Slice, *types.Map, *types.Chan, *types.Signature:
		return true
	}
	return false
}

// PlainType returns the type into which Python's operations convert values of type t, such as int for every
// integer type. For lists, dicts and objects it returns t.
func PlainType(t types.Type) types.Type {
	switch KindOf(t) {
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

// ElemType returns the element type of a list, the type of a dict's values, or the type that an optional type
// points to.
func ElemType(t types.Type) types.Type {
	return t.Underlying().(interface{ Elem() types.Type }).Elem()
}

// IsEmpty reports whether t is the type of an empty display, [] or {}.
func IsEmpty(t types.Type) bool {
	return t != nil && (types.Identical(t, EmptyList) || types.Identical(t, EmptyDict))
}

// JoinTypes returns a type that can hold values of both types unchanged, or nil if one type is nil.
func JoinTypes(a, b types.Type) types.Type {
	switch ka, kb := KindOf(a), KindOf(b); {
	case a == nil || b == nil:
		return nil
	case types.Identical(a, b):
		return a
	case ka == None:
		return OrNone(b)
	case kb == None:
		return OrNone(a)
	case types.Identical(PlainType(a), PlainType(b)) && ka != Object:
		return PlainType(a)
	case ka == kb && IsEmpty(b):
		return a
	case ka == kb && IsEmpty(a):
		return b
	case ka == kb:
	case ka == Optional:
		return OrNone(JoinTypes(ElemType(a), b))
	case kb == Optional:
		return OrNone(JoinTypes(a, ElemType(b)))
	}
	return GoAny
}

// OrNone returns a type for values of type t or None.
func OrNone(t types.Type) types.Type {
	switch k := KindOf(t); {
	case k == Optional || k == Any || k == None || k == Object && HasNil(t):
		return t
	case IsEmpty(t):
		return GoAny
	}
	return types.NewPointer(t)
}

// MaxDepth limits the nesting of lists, because the Go compiler infers type arguments only to a limited depth.
const MaxDepth = 20

// IsContainer reports whether a value of a type is a list or a dict.
func IsContainer(t types.Type) bool { return KindOf(t) == List || KindOf(t) == Dict }

// HoldsAny reports whether a type is any or contains it.
func HoldsAny(t types.Type) bool {
	for range MaxDepth { // bounded because a type may contain itself
		switch KindOf(t) {
		case Any:
			return !IsNumberText(t)
		case List, Dict, Optional:
			t = ElemType(t)
		default:
			return false
		}
	}
	return false
}

// IsData reports whether a type consists of JSON types.
func IsData(t types.Type) bool {
	return consistsOf(t, MaxDepth, func(types.Type) bool { return false })
}

// IsEquatable reports whether lambdas can compare values of a type with ==: it consists of JSON types and structs.
func IsEquatable(t types.Type) bool {
	return consistsOf(t, MaxDepth, func(object types.Type) bool {
		_, isStruct := object.Underlying().(*types.Struct)
		return isStruct
	})
}

// consistsOf reports whether a type consists of JSON types and of objects for which allowed returns true.
func consistsOf(t types.Type, depth int, allowed func(types.Type) bool) bool {
	switch KindOf(t) {
	case None, Bool, Int, Float, Str, Any:
		return true
	case List, Optional, Dict:
		return depth > 0 && consistsOf(ElemType(t), depth-1, allowed)
	case Object:
		return allowed(t)
	}
	return false
}

// SettledType returns t unless it is the type of an empty display. The types of [] and {} become []any and
// map[string]any, for a context that does not determine a type.
func SettledType(t types.Type) types.Type {
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

// IsSimple reports whether Go's == compares values of a type as Python does.
func IsSimple(t types.Type) bool {
	k := KindOf(t)
	return k == Int || k == Str || k == Bool || k == Float
}

// IsNumber reports whether values of a type are numbers in Python, which include bools.
func IsNumber(t types.Type) bool {
	k := KindOf(t)
	return k == Int || k == Float || k == Bool
}

// IsOrdered reports whether Go's < orders values of a type as Python does.
func IsOrdered(t types.Type) bool {
	k := KindOf(t)
	return k == Int || k == Float || k == Str
}

// IsOptional reports whether values of type t are None or of kind k.
func IsOptional(t types.Type, k Kind) bool { return KindOf(t) == Optional && KindOf(ElemType(t)) == k }

// IsPointer reports whether values of a type are pointers.
func IsPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// IsArray reports whether a type is an array, a list of fixed length.
func IsArray(t types.Type) bool {
	_, ok := t.Underlying().(*types.Array)
	return ok
}

// IsUnsigned reports whether a type is an unsigned integer type, whose values may be too large for an int.
func IsUnsigned(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsUnsigned != 0
}

// PythonName returns the name of a type in Python's error messages.
func PythonName(t types.Type) string {
	switch k := KindOf(t); k {
	case None:
		return "NoneType"
	case Optional:
		return PythonName(ElemType(t))
	case Bool, Int, Float, Str, List, Dict:
		return KindNames[k]
	}
	if pointer, ok := types.Unalias(t).(*types.Pointer); ok {
		t = pointer.Elem()
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return named.Obj().Name()
	}
	return "object"
}

// InferredType returns the type that Go infers for a variable initialized with a constant. It returns t if the
// constant is nil.
func InferredType(constant any, t types.Type) types.Type {
	switch constant.(type) {
	case int64:
		return GoInt
	case float64:
		return GoFloat
	case string:
		return GoString
	case bool:
		return GoBool
	}
	return t
}

// FunctionOf returns obj and its signature if obj is a function or a variable that holds one, otherwise nil.
func FunctionOf(obj types.Object) (types.Object, *types.Signature) {
	switch obj.(type) {
	case *types.Func, *types.Var:
		if sig, ok := obj.Type().Underlying().(*types.Signature); ok {
			return obj, sig
		}
	}
	return nil, nil
}

// KeyType returns the key type of a dict.
func KeyType(t types.Type) types.Type { return t.Underlying().(*types.Map).Key() }

// VariableName returns a variable name for values of a type, such as "users" for []User.
func VariableName(t types.Type) string {
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return goname.Unexported(named.Obj().Name())
	}
	switch KindOf(t) {
	case Bool:
		return "ok"
	case Int, Float:
		return "number"
	case Str:
		return "text"
	case List:
		if name := VariableName(ElemType(t)); !IsEmpty(t) && KindOf(ElemType(t)) != List && !strings.HasSuffix(name, "s") {
			return name + "s"
		}
		return "list"
	case Dict:
		return "dict"
	case Object:
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			return VariableName(p.Elem())
		}
	}
	return "value"
}
