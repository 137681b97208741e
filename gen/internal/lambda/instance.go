package lambda

import "github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"

// typeNames returns the names of the types in a call such as isinstance(x, (int, str)). ok is false if
// checkInstance does not support the call.
func typeNames(e *pysyntax.Call) (names []string, ok bool) {
	if len(e.Args) != 2 || e.Args[0].Star || countPositional(e) != 2 {
		return nil, false
	}
	list := []pysyntax.Expr{e.Args[1].Value}
	if tuple, ok := list[0].(*pysyntax.List); ok {
		list = tuple.Elems
	}
	for _, e := range list {
		name, ok := e.(*pysyntax.Name)
		if !ok || !instanceTypes[name.Name] {
			return nil, false
		}
		names = append(names, name.Name)
	}
	return names, len(names) > 0
}

// instanceTypes are the types that isinstance supports. For those in the second line the result is always
// False, because no value in a lambda has such a type.
var instanceTypes = map[string]bool{
	"str": true, "int": true, "float": true, "bool": true, "list": true, "dict": true,
	"tuple": true, "set": true, "frozenset": true, "bytes": true, "complex": true,
}
