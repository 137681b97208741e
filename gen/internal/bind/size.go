package bind

import (
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/schema"
)

// A schema of more than largeSchema bytes is noted, with members that make one of at
// most smallSchema: a model reads the schemas of all tools before it does anything.
const (
	largeSchema = 32 << 10
	smallSchema = 4 << 10
	maxLists    = 4 // around what members are chosen of
)

// noteSizes notes schemas that cost a model more than they tell.
func (b *binder) noteSizes(el *element) {
	if el.tool.Func == nil {
		return
	}
	if size := len(el.tool.Output); size > largeSchema {
		n, of := largest(resultsOf(el.tool))
		b.noteSize(el, "result", size, fmt.Sprintf("return-%d", n), of).
			WithHelp("or leave the schema out: tool.Annotate(…, tool.NoOutputSchema)")
	}
	if size := len(el.tool.Input); size > largeSchema {
		n, of := b.object(el)+1, el.args
		if n == 0 {
			n, of = largest(b.argumentsOf(el))
		}
		b.noteSize(el, "arguments", size, fmt.Sprintf("arg-%d", n), of)
	}
}

// noteSize notes a large schema, with a note for the greatest part of it.
func (b *binder) noteSize(el *element, what string, size int, entry string, of *model.Type) *diag.Diagnostic {
	d := b.faults.Notef("large-schema", el.at(), "%s: the schema of the %s has %d kB, which a model reads with every request", el.tool.Name, what, size>>10)
	el.tool.Notes = append(el.tool.Notes, d.Message)
	word := "dict"
	for range maxLists {
		if of.Kind == model.Slice {
			word = "list"
		}
		if of.Kind == model.Pointer || of.Kind == model.Slice {
			of = of.Elem
		}
	}
	if members := scalars(of); len(members) > 0 {
		d.WithHelp(`choose what the model is to know, such as %s --> "%s | only=%s"`, entry, word, strings.Join(members, ","))
	} else {
		d.WithHelp("choose what the model is to know by paths: %s --> \"%s | only=…\"", entry, word)
	}
	return d
}

// scalars names the members of a struct that are no objects, in their order, as many
// as make a small schema.
func scalars(t *model.Type) (names []string) {
	room := smallSchema - len(`{"properties":{},"additionalProperties":false,"type":"object","required":[]}`)
	for _, f := range t.Fields {
		if f.Hidden || holdsObjects(f.Type) {
			continue
		}
		member := &model.Type{Kind: model.StructKind, Fields: []*model.Field{f}}
		room -= len(schema.Input(member)) // with what is required, it is a little more than its part
		if room < 0 {
			break
		}
		names = append(names, quotedPath(f.Name))
	}
	return names
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

// quotedPath is a name as paths have it.
func quotedPath(name string) string {
	if strings.ContainsAny(name, ".,|' *") {
		return "'" + name + "'"
	}
	return name
}

// resultsOf returns the type of each result, nil for those that are dropped.
func resultsOf(t *model.Tool) (all []*model.Type) {
	several := t.Func.Returned() > 1
	next := 0
	for _, returned := range t.Func.Results {
		switch {
		case !returned:
			all = append(all, nil)
		case several:
			all = append(all, t.Result.Fields[next].Type)
			next++
		default:
			all = append(all, t.Result)
		}
	}
	return all
}

// argumentsOf returns the type of each parameter that notes count, nil for those that
// no model gives.
func (b *binder) argumentsOf(el *element) (all []*model.Type) {
	next := 0
	for i := range el.params {
		if el.omits(i) || next == len(el.args.Fields) {
			all = append(all, nil)
			continue
		}
		all = append(all, el.args.Fields[next].Type)
		next++
	}
	return all
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
