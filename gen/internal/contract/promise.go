package contract

import (
	"cmp"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// A BoundPackage is a package with the documents that it was bound from.
type BoundPackage struct {
	Path     string
	Docs     []*aion.Document
	Model    *model.Package
	Repeated bool // the package was bound before, with other build tags
}

// AppendTools appends the tools of a package. It leaves out tools of a repeated package
// that are equal to earlier ones.
func AppendTools(tools []Tool, p BoundPackage) []Tool {
	for _, t := range toolsOf(p) {
		if !p.Repeated || !slices.ContainsFunc(tools, func(other Tool) bool { return isSameTool(other, t) }) {
			tools = append(tools, t)
		}
	}
	return tools
}

// isSameTool reports whether callers see no difference between two tools. Their functions may be in
// different files.
func isSameTool(a, b Tool) bool {
	a.Source, b.Source = Source{}, Source{}
	return reflect.DeepEqual(a, b)
}

// toolsOf returns the tools of a package, with their positions in its .aion files.
func toolsOf(p BoundPackage) []Tool {
	elements := map[string]*aion.Element{}
	for _, doc := range p.Docs {
		for _, el := range doc.Elements {
			elements[el.Name.Value] = el
		}
	}
	var tools []Tool
	for _, t := range p.Model.Tools() {
		el := elements[t.Name]
		tools = append(tools, Tool{
			Package:     p.Path,
			Name:        t.Name,
			Title:       t.Title,
			Description: t.Description,
			Link:        t.Link,
			Arguments:   listArguments(el, t.Input),
			Input:       json.RawMessage(t.Input),
			Output:      json.RawMessage(t.Output),
			Example:     json.RawMessage(t.Example),
			Variables:   newVariables(t),
			Annotations: Annotations(t.Annotations),
			Place:       el.Name.Span,
			ResultPlace: findResultPlace(el),
			Source:      Source{Note: t.Binding.File + ":" + strconv.Itoa(t.Binding.Line), Function: t.Binding.Function},
		})
	}
	return tools
}

// PromptsOf returns the prompts of a package, with their names and positions in .aion
// files.
func PromptsOf(p BoundPackage) (all []Prompt) {
	if p.Model.Prompts == nil {
		return nil
	}
	places := map[string]diag.Span{}
	for _, doc := range p.Docs {
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
	for _, segment := range p.Model.Prompts.Query {
		switch {
		case segment.Query:
			query.WriteString("{query}")
		case segment.Payload:
			query.WriteString("{payload}")
		}
		query.WriteString(segment.Text)
	}
	for _, prompt := range []Prompt{
		{Name: "system_prompt", Text: p.Model.Prompts.System},
		{Name: "rules", Text: strings.Join(p.Model.Prompts.Rules, "\n")},
		{Name: "wrapped_query", Text: query.String()},
	} {
		if prompt.Text != "" {
			prompt.Package = p.Path
			prompt.Place = cmp.Or(places[prompt.Name], places["rules"], places["system_prompt"], places["wrapped_query"])
			all = append(all, prompt)
		}
	}
	return all
}

// newVariables returns the arguments and results of a tool that JSON cannot carry.
func newVariables(t *model.Tool) Variables {
	v := Variables{Scope: t.TakesScope(), Arguments: findReferences(t.Args), Result: findReferences(t.Result)}
	for path := range t.RequiredReferences() {
		at := ""
		for _, name := range path {
			at = jsontext.Join(at, name)
		}
		v.Required = append(v.Required, at)
	}
	lost := map[string]string{}
	for _, f := range t.LostResults() {
		at := ""
		if f.Name != "" {
			at = jsontext.Join(at, f.Name)
		}
		collectReferences(lost, at, f.Type, nil)
	}
	v.LostResults = slices.Sorted(maps.Keys(lost))
	return v
}

// findReferences returns the Go types of the references in a type, by JSON Pointer.
func findReferences(t *model.Type) map[string]string {
	if !t.HoldsRef() {
		return nil
	}
	all := map[string]string{}
	collectReferences(all, "", t, nil)
	return all
}

// maxReferences limits the number of references listed for a tool.
const maxReferences = 1000

// collectReferences adds the references in t to all. The JSON Pointer of t is at. The types that contain t
// are passed as enclosing, so that recursion ends.
func collectReferences(all map[string]string, at string, t *model.Type, enclosing []*model.Type) {
	if !t.HoldsRef() || slices.Contains(enclosing, t) || len(all) >= maxReferences {
		return
	}
	if enclosing = append(enclosing, t); t.Kind == model.Ref {
		all[at] = t.Go.String()
	}
	switch t.Kind {
	case model.Slice, model.Array, model.Map:
		collectReferences(all, at+"/*", t.Elem, enclosing)
	default:
		collectReferences(all, at, t.Elem, enclosing)
	}
	for _, f := range t.Fields {
		switch {
		case t.Kind != model.Union:
			collectReferences(all, jsontext.Join(at, f.Name), f.Type, enclosing)
		case f.VariantObject() != nil:
			collectReferences(all, at, f.Type, enclosing)
		default:
			collectReferences(all, jsontext.Join(at, model.VariantValue), f.Type, enclosing)
		}
	}
}

// listArguments lists the arguments in a schema, which are in the order of the notes.
func listArguments(el *aion.Element, input string) []Argument {
	var schema jsonschema.Schema // keeps the order of properties
	if err := json.Unmarshal([]byte(input), &schema); err != nil {
		panic(err) // not reachable: the schema is generated
	}
	all := []Argument{}
	for p := schema.Properties.Oldest(); p != nil; p = p.Next() {
		all = append(all, Argument{Name: p.Key, Required: slices.Contains(schema.Required, p.Key)})
	}
	for i := range all {
		all[i].Place = findArgumentPlace(el, i, len(all))
	}
	return all
}

// findArgumentPlace returns the position of argument i of n: its note, or the note on the whole arguments
// object.
func findArgumentPlace(el *aion.Element, i, n int) diag.Span {
	switch f := el.Function; {
	case len(f.Args) == n:
		return f.Args[i].Note.Span
	case el.Schema != nil && len(el.Schema.Fields) == n:
		return el.Schema.Fields[i].Note.Span
	case len(f.Args) == 1: // one note on the whole object
		return f.Args[0].Note.Span
	case el.Schema != nil:
		return el.Schema.Span
	}
	return el.Function.Text.Span
}

// findResultPlace returns the position of the description of the result.
func findResultPlace(el *aion.Element) diag.Span {
	switch {
	case el.Function == nil:
		return el.Link.Span
	case len(el.Function.Returns) > 0:
		return el.Function.Returns[0].Note.Span
	}
	return el.Function.Text.Span
}
