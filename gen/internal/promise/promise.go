// Package promise says what bound packages promise those who call their tools, and
// which places in .aion files say so.
//
// Its layers, from top to bottom:
//
//	compare   what has changed since a snapshot or a revision
//	revision  what was promised there
//	promise   what bound packages promise
package promise

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/contract"
	"github.com/aiongen/aiongen/gen/internal/find"
	"github.com/aiongen/aiongen/gen/internal/gotype"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// Of returns what packages promise, in the order of packages and .aion files;
// nothing when the list holds an error. What generated files would clash with does
// not matter, nor does the output.
func Of(ctx context.Context, cfg find.Config) (promises contract.Promises, faults diag.List) {
	cfg.Output, cfg.Anywhere = "", true
	f := find.New(cfg)
	for _, s := range f.Sources(ctx) {
		if m, ok := f.Bind(s, gotype.Target{Path: s.Package.Path, Name: s.Package.Name}); ok {
			promises.Tools = AddTools(promises.Tools, s, m)
			promises.Costs = append(promises.Costs, m.Notes()...)
			if !s.Again { // tags change no prompts
				promises.Prompts = append(promises.Prompts, prompts(s, m)...)
			}
		}
	}
	f.Faults = append(f.Faults, f.Failures...)
	f.Faults.Sort()
	if f.Faults.Err() != nil {
		return contract.Promises{}, f.Faults
	}
	return promises, f.Faults
}

// AddTools adds what the tools of a package promise to what those of others do. One that is
// generated several times mostly has the same each time.
func AddTools(tools []contract.Tool, s *find.Source, m *model.Package) []contract.Tool {
	for _, t := range toolsOf(s, m) {
		if !s.Again || !slices.ContainsFunc(tools, func(other contract.Tool) bool { return reflect.DeepEqual(other, t) }) {
			tools = append(tools, t)
		}
	}
	return tools
}

// toolsOf returns what the tools of a package promise their callers, with the
// places in its .aion files that say so.
func toolsOf(s *find.Source, m *model.Package) []contract.Tool {
	elements := map[string]*aion.Element{}
	for _, doc := range s.Docs {
		for _, el := range doc.Elements {
			elements[el.Name.Value] = el
		}
	}
	var tools []contract.Tool
	for _, t := range m.Tools() {
		el := elements[t.Name]
		tools = append(tools, contract.Tool{
			Package:     s.Package.Path,
			Name:        t.Name,
			Title:       t.Title,
			Description: t.Description,
			Link:        t.Link,
			Arguments:   arguments(el, t.Input),
			Input:       json.RawMessage(t.Input),
			Output:      json.RawMessage(t.Output),
			Example:     json.RawMessage(t.Example),
			Variables:   variables(t),
			Annotations: contract.Annotations(t.Annotations),
			Place:       el.Name.Span,
			Result:      resultPlace(el),
		})
	}
	return tools
}

// prompts returns what callers can ask for beside the tools of a package, under
// the names that .aion files have for it, with the places that say so.
func prompts(s *find.Source, m *model.Package) (all []contract.Prompt) {
	if m.Prompts == nil {
		return nil
	}
	places := map[string]diag.Span{}
	for _, doc := range s.Docs {
		for name, text := range map[string]*aion.Text{"system_prompt": doc.SystemPrompt, "wrapped_query": doc.WrappedQuery} {
			if text != nil {
				places[name] = text.Key
			}
		}
		if doc.Rules != nil {
			places["rules"] = doc.Rules.Key
		}
	}
	var query strings.Builder
	for _, segment := range m.Prompts.Query {
		switch {
		case segment.Query:
			query.WriteString("{query}")
		case segment.Payload:
			query.WriteString("{payload}")
		}
		query.WriteString(segment.Text)
	}
	for _, p := range []contract.Prompt{
		{Name: "system_prompt", Text: m.Prompts.System},
		{Name: "rules", Text: strings.Join(m.Prompts.Rules, "\n")},
		{Name: "wrapped_query", Text: query.String()},
	} {
		if p.Text != "" {
			p.Package = s.Package.Path
			p.Place = cmp.Or(places[p.Name], places["rules"], places["system_prompt"], places["wrapped_query"])
			all = append(all, p)
		}
	}
	return all
}

// variables returns what a tool takes and returns that JSON cannot carry.
func variables(t *model.Tool) contract.Variables {
	v := contract.Variables{Scope: t.TakesScope(), Arguments: references(t.Args), Result: references(t.Result)}
	for path := range t.Required() {
		at := ""
		for _, name := range path {
			at = jsontext.Join(at, name)
		}
		v.Required = append(v.Required, at)
	}
	lost := map[string]string{}
	for _, f := range t.Lost() {
		at := ""
		if f.Name != "" {
			at = jsontext.Join(at, f.Name)
		}
		collect(lost, at, f.Type, nil)
	}
	v.Lost = slices.Sorted(maps.Keys(lost))
	return v
}

// references returns the Go types that are referred to in a type, by JSON Pointer.
func references(t *model.Type) map[string]string {
	if !t.HoldsRef() {
		return nil
	}
	all := map[string]string{}
	collect(all, "", t, nil)
	return all
}

// maxReferences limits how many references are told of a tool, each by all ways to it.
const maxReferences = 1000

// collect adds the Go types that are referred to in a type, which stands at a JSON
// Pointer, in others.
func collect(all map[string]string, at string, t *model.Type, in []*model.Type) {
	if !t.HoldsRef() || slices.Contains(in, t) || len(all) >= maxReferences {
		return
	}
	if in = append(in, t); t.Kind == model.Ref {
		all[at] = t.Go.String()
	}
	switch t.Kind {
	case model.Slice, model.Array, model.Map:
		collect(all, at+"/*", t.Elem, in)
	default:
		collect(all, at, t.Elem, in)
	}
	for _, f := range t.Fields {
		collect(all, jsontext.Join(at, f.Name), f.Type, in)
	}
}

// arguments lists those of a schema, which has them in the order of the notes.
func arguments(el *aion.Element, input string) []contract.Argument {
	var schema jsonschema.Schema // keeps the order of properties
	if err := json.Unmarshal([]byte(input), &schema); err != nil {
		panic(err) // it was printed by the same package
	}
	all := []contract.Argument{}
	for p := schema.Properties.Oldest(); p != nil; p = p.Next() {
		all = append(all, contract.Argument{Name: p.Key, Required: slices.Contains(schema.Required, p.Key)})
	}
	for i := range all {
		all[i].Place = argumentPlace(el, i, len(all))
	}
	return all
}

// argumentPlace is where an element speaks of one of its n arguments: the note,
// or what stands for all of them.
func argumentPlace(el *aion.Element, i, n int) diag.Span {
	switch f := el.Function; {
	case len(f.Args) == n:
		return f.Args[i].Note.Span
	case el.Schema != nil && len(el.Schema.Fields) == n:
		return el.Schema.Fields[i].Note.Span
	case len(f.Args) == 1: // it describes the object as a whole
		return f.Args[0].Note.Span
	case el.Schema != nil:
		return el.Schema.Span
	}
	return el.Function.Text.Span
}

// resultPlace is where an element speaks of what its tool returns.
func resultPlace(el *aion.Element) diag.Span {
	switch {
	case el.Function == nil:
		return el.Link.Span
	case len(el.Function.Returns) > 0:
		return el.Function.Returns[0].Note.Span
	}
	return el.Function.Text.Span
}
