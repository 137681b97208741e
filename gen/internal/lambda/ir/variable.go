package ir

import (
	"go/types"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/goname"
)

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
