package lsp

import (
	"slices"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
)

// A property is what completion and hover show about a property of the notation.
type property struct {
	name    string
	snippet string // the text that completion inserts, including the name
	help    string
}

// The properties of an element and of the array.
var (
	elementProperties = []property{
		{"name", `name --> "$1"`, "the name by which a model calls the tool"},
		{"function", `function --> "$1" --> {$2}`, "the Go function or method, the lambda or the function literal that the tool calls; the block describes its arguments and results"},
		{"args_schema", `args_schema --> {$1}`, "the arguments by name: a struct type, or a block of fields"},
		{"link", `link --> "$1"`, "a URL, which is added to the description; a tool without a function returns it"},
		{"description", `description --> "$1"`, "what the tool does, for the model; the default is the comment of the function"},
	}
	arrayProperties = []property{
		{"{", "{\n  name --> \"$1\",\n  function --> \"$2\" --> {$3},\n  description --> \"$4\"\n}", "a tool"},
		{"system_prompt", `system_prompt --> "$1"`, "the instructions for the model, available as the constant SystemPrompt"},
		{"wrapped_query", `wrapped_query --> "$1 {query}"`, "the text around a request, available as the function WrapQuery; {query} is replaced by the request and {payload} by additional data"},
		{"rules", "rules --> [\n  \"$1\"\n]", "rules that the system prompt ends with"},
	}
)

// propertyAt returns the span and the help of the property name at an offset. It returns false if there is no
// property name there.
func (v *view) propertyAt(offset int) (at diag.Span, help string, ok bool) {
	doc := v.parse()
	var keys []diag.Span
	add := func(texts ...*aion.Text) {
		for _, t := range texts {
			if t != nil {
				keys = append(keys, t.Key)
			}
		}
	}
	add(doc.SystemPrompt, doc.WrappedQuery)
	if doc.Rules != nil {
		keys = append(keys, doc.Rules.Key)
	}
	for _, el := range doc.Elements {
		add(&el.Name, el.Description, el.Link)
		if el.Function != nil {
			add(&el.Function.Text)
		}
		if el.Schema != nil {
			keys = append(keys, el.Schema.Key)
		}
	}
	for _, key := range keys {
		if !contains(key, offset) {
			continue
		}
		name := string(v.text[key.Start.Offset:key.End.Offset])
		all := slices.Concat(elementProperties, arrayProperties)
		if i := slices.IndexFunc(all, func(p property) bool { return p.name == name }); i >= 0 {
			return key, all[i].help, true
		}
	}
	return diag.Span{}, "", false
}
