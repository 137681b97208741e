// Package slim proposes notes that make the schemas of a tool small, where they cost a
// model more than they tell.
package slim

import (
	"fmt"
	"slices"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/schema"
	"github.com/aiongen/aiongen/gen/internal/shape"
)

// A schema of more than largeSchema bytes is too large; members of what it is of make one
// of at most smallSchema. A model reads the schemas of all tools before it does anything.
const (
	largeSchema = 32 << 10
	smallSchema = 4 << 10
	someMembers = 8 // of an object are enough to leave out those of objects in it
	deepestPath = 4 // names
	mostPlaces  = 1000
)

// A Proposal is what a note says to make the schema of a value small.
type Proposal struct {
	Entry   string      // return-1, as notes count
	Type    string      // the word for the value
	Only    []aion.Path // what is left of it; nothing where all would be too much
	Whole   bool        // the value is all the arguments
	Message string      // what the schema costs
}

// Proposals are about the schemas of a bound tool that cost a model more than they tell.
func Proposals(t *model.Tool) (all []Proposal) {
	if t.Func == nil {
		return nil
	}
	add := func(what, entry string, size int, of *model.Type, whole bool, text func(*model.Type) string) {
		message := fmt.Sprintf("%s: the schema of the %s has %d kB, which a model reads with every request", t.Name, what, size>>10)
		all = append(all, Proposal{entry, shape.Word(of), members(of, text), whole, message})
	}
	if size := len(t.Output); size > largeSchema {
		n, of := largest(t.Returns())
		add("result", fmt.Sprintf("return-%d", n), size, of, false, func(t *model.Type) string { return schema.Output(t, "") })
	}
	if size := len(t.Input); size > largeSchema {
		n, of, whole := largestArgument(t)
		add("arguments", fmt.Sprintf("arg-%d", n), size, of, whole, func(t *model.Type) string { return schema.Input(t, "") })
	}
	return all
}

// A place is a value in another, with the path to it.
type place struct {
	of   *model.Type
	path []string
}

// members are paths to what is no object, as many as make a small schema: what a value
// has itself, and only where that is little, what the objects in it have. A list of
// objects counts as what is in it. Text is the schema as it is printed.
func members(t *model.Type, text func(*model.Type) string) (paths []aion.Path) {
	room := smallSchema - len(`{"properties":{},"additionalProperties":false,"type":"object","required":[]}`)
	for level := []place{{of: t}}; len(level) > 0 && len(paths) < someMembers; {
		var deeper []place
		for i := 0; i < min(len(level), mostPlaces); i++ {
			within, _ := object(level[i].of)
			for _, f := range fields(within) {
				p := place{f.Type, append(slices.Clip(level[i].path), f.Name)}
				inner, listed := object(f.Type)
				switch {
				case inner != nil && len(p.path) == deepestPath:
				case inner != nil && listed:
					level = append(level, p)
				case inner != nil:
					deeper = append(deeper, p)
				case !holdsObjects(f.Type):
					// with what is required, it is a little more than its part
					size := len(text(&model.Type{Kind: model.StructKind, Fields: []*model.Field{f}}))
					if size > room {
						continue // others tell more for less
					}
					room -= size
					paths = append(paths, aion.Path{Names: p.path})
				}
			}
		}
		level = deeper
	}
	return paths
}

// object is the struct that a value is, or that a list has, nil if there is none.
func object(t *model.Type) (within *model.Type, listed bool) {
	for range deepestPath {
		switch t.Kind {
		case model.StructKind:
			return t, listed
		case model.Slice, model.Array:
			listed = true
		case model.Pointer:
		default:
			return nil, false
		}
		t = t.Elem
	}
	return nil, false
}

// fields are those that a model sees.
func fields(t *model.Type) []*model.Field {
	if t == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(t.Fields), func(f *model.Field) bool { return f.Hidden })
}

// holdsObjects reports whether a value is an object, or a list of some.
func holdsObjects(t *model.Type) bool {
	for seen := map[*model.Type]bool{}; t != nil; t = t.Elem {
		switch t.Kind {
		case model.StructKind, model.Map, model.Any, model.Raw, model.Custom, model.Opaque, model.Ref:
			return true
		}
		if seen[t] {
			return true // a list of itself
		}
		seen[t] = true
	}
	return false
}

// largestArgument returns the argument with the longest schema, and its number. It is
// all of them where one parameter is the arguments object.
func largestArgument(t *model.Tool) (n int, of *model.Type, whole bool) {
	var all []*model.Type // by parameters that notes count, nil for those that no model gives
	for _, a := range t.Func.Args {
		switch a.Source {
		case model.FromArgs, model.FromArgsPtr:
			return len(all) + 1, t.Args, true
		case model.FromZero:
			all = append(all, nil)
		case model.FromField:
			i := slices.IndexFunc(t.Args.Fields, func(f *model.Field) bool { return f.Path[0] == a.Field })
			all = append(all, t.Args.Fields[i].Type)
		}
	}
	n, of = largest(all)
	return n, of, false
}

// largest returns the type with the longest schema, and its number, from 1.
func largest(types []*model.Type) (n int, of *model.Type) {
	longest := 0
	for i, t := range types {
		if t == nil {
			continue
		}
		if size := len(schema.Output(t, "")); size > longest {
			n, of, longest = i+1, t, size
		}
	}
	return n, of
}
