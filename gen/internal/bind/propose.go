package bind

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/schemagen"
	"github.com/aiongen/aiongen/gen/internal/shape"
)

// A schema of more than largeSchema bytes is too large; members of what it is of make one
// of at most smallSchema. A model reads the schemas of all tools before it does anything.
const (
	maxSchemaSize = 32 << 10
	proposedSize  = 4 << 10
	maxProposed   = 8 // of an object are enough to leave out those of objects in it
	maxPathNames  = 4 // names
	maxPlaces     = 1000
)

// A Proposal is a note that makes the schema of a value small.
type Proposal struct {
	Entry   string      // return-1, as notes count
	Type    string      // the word for the value
	Only    []aion.Path // the selected members; empty if every member is too large
	LeftOut []string    // the members of the value, or of its elements, of which no part is selected
	Members int         // how many members there are
	Whole   bool        // the value is the whole arguments object
	Message string      // how large the schema is
}

// ProposeNotes proposes notes for the schemas of a bound tool that are larger than
// maxSchemaSize.
func ProposeNotes(t *model.Tool) (all []Proposal) {
	if t.Func == nil {
		return nil
	}
	add := func(what, entry string, size int, of *model.Type, whole bool, text func(*model.Type) string) {
		message := fmt.Sprintf("%s: the schema of the %s has %d kB, which the model reads with every request", t.Name, what, size>>10)
		p := Proposal{Entry: entry, Type: shape.TypeWord(of), Only: smallMembers(of, text), Whole: whole, Message: message}
		p.LeftOut, p.Members = leftOutMembers(of, p.Only)
		all = append(all, p)
	}
	if size := len(t.Output); size > maxSchemaSize {
		n, of := largestType(t.ResultTypes())
		add("result", fmt.Sprintf("return-%d", n), size, of, false, func(t *model.Type) string { return schemagen.Output(t, "") })
	}
	if size := len(t.Input); size > maxSchemaSize {
		n, of, whole := largestArgument(t)
		add("arguments", fmt.Sprintf("arg-%d", n), size, of, whole, func(t *model.Type) string { return schemagen.Input(t, "") })
	}
	return all
}

// A memberPlace is a value within another one and the path to it.
type memberPlace struct {
	typ  *model.Type
	path []string
}

// smallMembers returns paths to members that are not objects, as many as make a small schema.
// It takes the members of the value first, and those of nested objects only if there are few.
// A list of objects counts as its elements. The function text returns the schema of a type.
func smallMembers(t *model.Type, text func(*model.Type) string) (paths []aion.Path) {
	room := proposedSize - len(`{"properties":{},"additionalProperties":false,"type":"object","required":[]}`)
	for level := []memberPlace{{typ: t}}; len(level) > 0 && len(paths) < maxProposed; {
		var deeper []memberPlace
		for i := 0; i < min(len(level), maxPlaces); i++ {
			within, _ := findObject(level[i].typ)
			for _, f := range shownFields(within) {
				p := memberPlace{f.Type, append(slices.Clip(level[i].path), f.Name)}
				inner, listed := findObject(f.Type)
				switch {
				case inner != nil && len(p.path) == maxPathNames:
				case inner != nil && listed:
					level = append(level, p)
				case inner != nil:
					deeper = append(deeper, p)
				case !holdsObjects(f.Type):
					member := f
					if variant := generalVariant(f.Type); variant != nil {
						member, p.path = variant, append(p.path, variant.Name)
					}
					// measured as an object of its own, which is slightly larger
					size := len(text(&model.Type{Kind: model.StructKind, Fields: []*model.Field{member}}))
					if size > room {
						continue // smaller members may still fit
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

// generalVariant returns the variant with the fields of all others if a value is a union, or a list of unions, in a
// client of Stainless: the interface has its name and Union. Otherwise it returns nil.
func generalVariant(t *model.Type) *model.Field {
	for range maxPathNames {
		if t.Kind != model.Slice && t.Kind != model.Pointer {
			break
		}
		t = t.Elem
	}
	general, isUnion := strings.CutSuffix(t.Go.Name, "Union")
	if t.Kind != model.Union || !isUnion {
		return nil
	}
	for _, f := range t.ShownFields() {
		if f.Type.Go.Name == general {
			return f
		}
	}
	return nil
}

// leftOutMembers returns the members of a value, or of its elements, of which no path selects a part, and the number of
// members.
func leftOutMembers(t *model.Type, selected []aion.Path) (names []string, members int) {
	within, _ := findObject(t)
	fields := shownFields(within)
	for _, f := range fields {
		if !slices.ContainsFunc(selected, func(p aion.Path) bool { return p.Names[0] == f.Name }) {
			names = append(names, f.Name)
		}
	}
	return names, len(fields)
}

// findObject returns the struct that a value is, or that a list holds, nil if there is none.
func findObject(t *model.Type) (within *model.Type, listed bool) {
	for range maxPathNames {
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

// shownFields returns the fields that the model sees.
func shownFields(t *model.Type) []*model.Field {
	if t == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(t.Fields), func(f *model.Field) bool { return f.Hidden })
}

// holdsObjects reports whether a value is an object or a list of objects.
func holdsObjects(t *model.Type) bool {
	for seen := map[*model.Type]bool{}; t != nil; t = t.Elem {
		switch t.Kind {
		case model.StructKind, model.Map, model.Any, model.Raw, model.Custom, model.Opaque, model.Ref:
			return true
		}
		if seen[t] {
			return true // a type that contains itself
		}
		seen[t] = true
	}
	return false
}

// largestArgument returns the argument with the longest schema and its number. If one
// parameter is the arguments object, it returns that with whole set.
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
	n, of = largestType(all)
	return n, of, false
}

// largestType returns the type with the longest schema and its number, from 1.
func largestType(types []*model.Type) (n int, of *model.Type) {
	longest := 0
	for i, t := range types {
		if t == nil {
			continue
		}
		if size := len(schemagen.Output(t, "")); size > longest {
			n, of, longest = i+1, t, size
		}
	}
	return n, of
}
