package schema

import "github.com/aiongen/aiongen/gen/internal/model"

// Clients of models strip $defs of arguments, or break on them, and so they hold
// what cannot be without: types that hold themselves; and where that makes more
// than maxInline bytes, whatever is used more than once. In results they hold that
// always.
const (
	maxInline = 32 << 10
	leastNode = len(`{"type":"null"},`) // about what a schema takes at least
)

// Recursive returns the types within t that hold themselves, each cycle by one: they
// stand in $defs, whatever their size.
func Recursive(t *model.Type) map[*model.Type]bool {
	found := map[*model.Type]bool{}
	var met model.Met
	var path []*model.Type
	var visit func(t *model.Type)
	visit = func(t *model.Type) {
		if t.Elem == nil && len(t.Fields) == 0 {
			return // most types, and within none
		}
		for _, outer := range path {
			if outer == t {
				found[named(path, t)] = true
				return
			}
		}
		if !met.First(t) {
			return // all of it is known
		}
		path = append(path, t)
		parts(t, visit)
		path = path[:len(path)-1]
	}
	visit(t)
	return found
}

// named picks the type that a cycle is cut at: the first one with a name. Types without
// one have one part only, as a list does: structs that are made of themselves always have
// a name. All cycles through from therefore lead through the type that is picked.
func named(path []*model.Type, from *model.Type) *model.Type {
	inside := false
	for _, t := range path {
		inside = inside || t == from
		if inside && t.Def != nil {
			return t
		}
	}
	return from
}

// shared returns the types that hold themselves, and the named ones that are made of
// others and stand in more than one place.
func shared(t *model.Type) map[*model.Type]bool {
	found := Recursive(t)
	uses := map[*model.Type]int{}
	var visit func(t *model.Type)
	visit = func(t *model.Type) {
		if uses[t]++; uses[t] > 1 && isDefinable(t) {
			found[t] = true
		}
		if uses[t] == 1 || !found[t] {
			parts(t, visit)
		}
	}
	visit(t)
	return found
}

func isDefinable(t *model.Type) bool {
	switch t.Kind {
	case model.StructKind, model.Slice, model.Array, model.Map:
		return t.Def != nil && !t.Narrowed
	}
	return false
}

// nodes returns how many schemas a type takes where only the given types are defined,
// each the first time that it is met; or no more than say that it is too much.
func nodes(t *model.Type, defined map[*model.Type]bool, known map[*model.Type]int) int {
	if n, ok := known[t]; ok {
		return n
	}
	known[t] = 1
	n := 1
	parts(t, func(part *model.Type) { n = min(n+nodes(part, defined, known), maxInline) })
	if !defined[t] {
		known[t] = n
	}
	return n
}

// parts calls do for each type that the schema of t is made of.
func parts(t *model.Type, do func(*model.Type)) {
	if t.Elem != nil {
		do(t.Elem)
	}
	for _, f := range t.Fields {
		do(f.Type)
	}
}
