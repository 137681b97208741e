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
	for _, given := range v.properties() {
		if !contains(given.key, offset) {
			continue
		}
		name := string(v.text[given.key.Start.Offset:given.key.End.Offset])
		all := slices.Concat(elementProperties, arrayProperties)
		if i := slices.IndexFunc(all, func(p property) bool { return p.name == name }); i >= 0 {
			return given.key, all[i].help, true
		}
	}
	return diag.Span{}, "", false
}

// A givenProperty is a property of a document, or a text in its rules, which has no key.
type givenProperty struct {
	key, value diag.Span
	token      tokenType // of the value; noToken if it has several tokens
}

// properties returns the properties of a document, in a fixed order within each element, and the texts of its rules.
func (d *document) properties() (all []givenProperty) {
	doc := d.parse()
	add := func(key, value diag.Span, token tokenType) { all = append(all, givenProperty{key, value, token}) }
	addText := func(t *aion.Text, token tokenType) {
		if t != nil {
			add(t.Key, t.Span, token)
		}
	}
	addText(doc.SystemPrompt, stringToken)
	addText(doc.WrappedQuery, stringToken)
	if doc.Rules != nil {
		add(doc.Rules.Key, doc.Rules.Span, noToken)
		for i := range doc.Rules.Texts {
			addText(&doc.Rules.Texts[i], stringToken)
		}
	}
	for _, el := range doc.Elements {
		addText(&el.Name, functionToken)
		addText(el.Description, stringToken)
		addText(el.Link, stringToken)
		if el.Function != nil {
			addText(&el.Function.Text, noToken)
		}
		if s := el.Schema; s != nil && s.Name != nil {
			add(s.Key, s.Span, typeToken)
		} else if s != nil {
			add(s.Key, s.Span, noToken)
		}
	}
	return all
}
