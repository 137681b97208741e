package schemagen

import "github.com/aiongen/aiongen/gen/internal/model"

// Some clients of models strip $defs of arguments or fail on them. Therefore only recursive types
// go to $defs and, if the schema would otherwise have more than maxInline bytes, types that are
// used more than once. In results, all types that are used more than once go to $defs.
const (
	maxInline     = 32 << 10
	minSchemaSize = len(`{"type":"null"},`) // approximate minimum size of a schema
)

// RecursiveTypes returns one type of each cycle within t. These types always go to $defs.
func RecursiveTypes(t *model.Type) map[*model.Type]bool {
	found := map[*model.Type]bool{}
	var visited model.TypeSet
	var path []*model.Type
	var visit func(t *model.Type)
	visit = func(t *model.Type) {
		if t.Elem == nil && len(t.Fields) == 0 {
			return // most types have no parts
		}
		for _, outer := range path {
			if outer == t {
				found[pickCutType(path, t)] = true
				return
			}
		}
		if !visited.Add(t) {
			return // already visited
		}
		path = append(path, t)
		visitParts(t, visit)
		path = path[:len(path)-1]
	}
	visit(t)
	return found
}

// pickCutType returns the type at which a cycle is cut: the first type with a name on the path, beginning
// with start. A type without a name in a cycle, such as a list, has only one part. If start has no name, all
// cycles through it therefore reach the same named type first.
func pickCutType(path []*model.Type, start *model.Type) *model.Type {
	inside := false
	for _, t := range path {
		inside = inside || t == start
		if inside && t.Def != nil {
			return t
		}
	}
	return start
}

// findShared returns the recursive types, and those types that have a name and parts and occur more
// than once.
func findShared(t *model.Type) map[*model.Type]bool {
	found := RecursiveTypes(t)
	uses := map[*model.Type]int{}
	var visit func(t *model.Type)
	visit = func(t *model.Type) {
		if uses[t]++; uses[t] > 1 && isDefinable(t) {
			found[t] = true
		}
		if uses[t] == 1 || !found[t] {
			visitParts(t, visit)
		}
	}
	visit(t)
	return found
}

func isDefinable(t *model.Type) bool {
	switch t.Kind {
	case model.StructKind, model.Union, model.Slice, model.Array, model.Map:
		return t.Def != nil && !t.Narrowed
	}
	return false
}

// countSchemas returns how many schemas a type takes if the types in defined go to $defs, so that they
// count only once. It stops counting at maxInline.
func countSchemas(t *model.Type, defined map[*model.Type]bool, counts map[*model.Type]int) int {
	if n, ok := counts[t]; ok {
		return n
	}
	counts[t] = 1
	n := 1
	visitParts(t, func(part *model.Type) { n = min(n+countSchemas(part, defined, counts), maxInline) })
	if !defined[t] {
		counts[t] = n
	}
	return n
}

// visitParts calls do for each type that the schema of t refers to.
func visitParts(t *model.Type, do func(*model.Type)) {
	if t.Elem != nil {
		do(t.Elem)
	}
	for _, f := range t.Fields {
		if object := f.VariantObject(); t.Kind == model.Union && object != nil {
			visitParts(object, do) // its members are those of the variant
		} else {
			do(f.Type)
		}
	}
}
