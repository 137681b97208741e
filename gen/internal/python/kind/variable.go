package kind

import (
	"go/types"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/goname"
)

// Variable is a name for a variable of a type.
func Variable(t types.Type) string {
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return goname.Unexported(named.Obj().Name())
	}
	switch Of(t) {
	case Bool:
		return "ok"
	case Int, Float:
		return "number"
	case Str:
		return "text"
	case List:
		if name := Variable(Elem(t)); !IsEmpty(t) && Of(Elem(t)) != List && !strings.HasSuffix(name, "s") {
			return name + "s"
		}
		return "list"
	case Dict:
		return "dict"
	case Object:
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			return Variable(p.Elem())
		}
	}
	return "value"
}
