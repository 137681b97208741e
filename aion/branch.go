package aion

import (
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/layout"
	"github.com/aiongen/aiongen/aion/internal/syntax"
)

// arrayBranch returns the array with its elements.
func arrayBranch(doc *Document) *layout.Branch {
	array := &layout.Branch{Span: doc.Span, Brackets: "[]"}
	for _, e := range doc.Elements {
		add(array, elementBranch(e))
	}
	return array
}

// promptBranches returns the properties of the array.
func promptBranches(doc *Document) (prompts []*layout.Branch) {
	if doc.SystemPrompt != nil {
		prompts = append(prompts, leaf("system_prompt", *doc.SystemPrompt))
	}
	if doc.WrappedQuery != nil {
		prompts = append(prompts, leaf("wrapped_query", *doc.WrappedQuery))
	}
	if doc.Rules != nil {
		rules := &layout.Branch{Span: join(doc.Rules.Key, doc.Rules.Span), Head: layout.Head("rules"), Brackets: "[]"}
		for _, rule := range doc.Rules.Texts {
			add(rules, &layout.Branch{Span: rule.Span, Text: &layout.Text{Value: rule.Value, Span: rule.Span}})
		}
		prompts = append(prompts, rules)
	}
	return prompts
}

// elementBranch returns an element with its properties in canonical order.
func elementBranch(e *Element) *layout.Branch {
	b := &layout.Branch{Span: e.Span, Brackets: "{}"}
	add(b, leaf("name", e.Name))
	if f := e.Function; f != nil {
		function := leaf("function", f.Text)
		function.Span, function.Brackets = join(f.Text.Key, f.Block), "{}"
		addEntries(function, f.Args)
		addEntries(function, f.Returns)
		add(b, function)
	}
	if s := e.Schema; s != nil && s.Name != nil {
		add(b, leaf("args_schema", *s.Name))
	} else if s != nil {
		schema := &layout.Branch{Span: join(s.Key, s.Span), Head: layout.Head("args_schema"), Brackets: "{}"}
		addEntries(schema, s.Fields)
		add(b, schema)
	}
	if e.Link != nil {
		add(b, leaf("link", asLink(*e.Link)))
	}
	if e.Description != nil {
		add(b, leaf("description", *e.Description))
	}
	return b
}

// asLink is the text of a link as it is written: with the Markdown around it, if the
// file has that and the URL is still the same.
func asLink(link Text) Text {
	if written := strings.Trim(syntax.Value(link.raw), " \t\r\n"); unwrapMarkdown(written) == link.Value {
		link.Value = written
	}
	return link
}

func leaf(name string, text Text) *layout.Branch {
	return &layout.Branch{Span: join(text.Key, text.Span), Head: layout.Head(name), Text: &layout.Text{Value: text.Value, Span: text.Span}}
}

// join is the span from one to another, which may be new.
func join(first, last diag.Span) diag.Span {
	if last.End.IsValid() {
		first.End = last.End
	}
	return first
}

func add(b, child *layout.Branch) { b.Children = append(b.Children, child) }

func addEntries(b *layout.Branch, entries []Entry) {
	for i := range entries {
		text, ok := entries[i].Note.text()
		text.Key = entries[i].Name.Span
		entry := leaf(entries[i].Name.Value, text)
		entry.Unsaid = !ok
		add(b, entry)
	}
}
