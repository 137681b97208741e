package lambda

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
)

// pairType returns a struct type with the fields of py.Pair. The checker needs no other property of that type.
func pairType(first, second types.Type) types.Type {
	field := func(name string, t types.Type) *types.Var { return types.NewField(token.NoPos, nil, name, t, false) }
	return types.NewStruct([]*types.Var{field("First", first), field("Second", second)}, nil)
}

// isPairList reports whether v is a list of pairs.
func isPairList(v *ir.Value) bool { return v.Kind() == ir.List && isPair(ir.ElemType(v.Type)) }

// pairTargets returns targets, still without names, for the n elements of a tuple. A tuple of more than two elements
// is a pair of a shorter tuple and the last element: (a, b, c) is represented as ((a, b), c). pairTargets returns nil
// if the tuple does not have n elements.
func pairTargets(t types.Type, n int) []loopTarget {
	targets := make([]loopTarget, n)
	var path []string
	for i := n - 1; i > 0; i-- {
		if !isPair(t) {
			return nil
		}
		pair := t.(*types.Struct)
		targets[i] = loopTarget{fields: append(slices.Clone(path), "Second"), typ: pair.Field(1).Type()}
		path, t = append(path, "First"), pair.Field(0).Type()
	}
	if isPair(t) {
		return nil
	}
	targets[0] = loopTarget{fields: path, typ: t}
	return targets
}

// isPair reports whether a type is the result of pairType.
func isPair(t types.Type) bool {
	s, ok := t.(*types.Struct)
	return ok && s.NumFields() == 2 && s.Field(0).Name() == "First" && s.Field(1).Name() == "Second"
}
