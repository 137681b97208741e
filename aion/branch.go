package aion

import (
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/layout"
	"github.com/aiongen/aiongen/aion/internal/syntax"
)

// arrayBranch returns the branch of the array with its elements.
func arrayBranch(doc *Document) *layout.Branch {
	array := &layout.Branch{Span: doc.Span, Brackets: "[]"}
	for _, e := range doc.Elements {
		addChild(array, elementBranch(e))
	}
	return array
}

// promptBranches returns the branches of the prompts.
func promptBranches(doc *Document) (prompts []*layout.Branch) {
	if doc.SystemPrompt != nil {
		prompts = append(prompts, newLeaf("system_prompt", *doc.SystemPrompt))
	}
	if doc.WrappedQuery != nil {
		prompts = append(prompts, newLeaf("wrapped_query", *doc.WrappedQuery))
	}
	if doc.Rules != nil {
		rules := &layout.Branch{Span: joinSpans(doc.Rules.Key, doc.Rules.Span), Head: layout.Head("rules"), Brackets: "[]"}
		for _, rule := range doc.Rules.Texts {
			addChild(rules, &layout.Branch{Span: rule.Span, Text: &layout.Text{Value: rule.Value, Span: rule.Span}})
		}
		prompts = append(prompts, rules)
	}
	return prompts
}

// elementBranch returns the branch of an element with its properties in canonical order.
func elementBranch(e *Element) *layout.Branch {
	b := &layout.Branch{Span: e.Span, Brackets: "{}"}
	addChild(b, newLeaf("name", e.Name))
	if f := e.Function; f != nil {
		function := newLeaf("function", f.Text)
		function.Span, function.Brackets = joinSpans(f.Text.Key, f.Block), "{}"
		addEntries(function, f.Args)
		addEntries(function, f.Returns)
		addEntries(function, f.Paths)
		addChild(b, function)
	}
	if s := e.Schema; s != nil && s.Name != nil {
		addChild(b, newLeaf("args_schema", *s.Name))
	} else if s != nil {
		schema := &layout.Branch{Span: joinSpans(s.Key, s.Span), Head: layout.Head("args_schema"), Brackets: "{}"}
		addEntries(schema, s.Fields)
		addEntries(schema, s.Paths)
		addChild(b, schema)
	}
	if e.Link != nil {
		addChild(b, newLeaf("link", asLink(*e.Link)))
	}
	if e.Description != nil {
		addChild(b, newLeaf("description", *e.Description))
	}
	return b
}

// asLink returns a link as it is written: in its Markdown form if the file has one and the
// URL did not change.
func asLink(link Text) Text {
	if written := strings.Trim(syntax.TextValue(link.raw), " \t\r\n"); unwrapMarkdown(written) == link.Value {
		link.Value = written
	}
	return link
}

func newLeaf(name string, text Text) *layout.Branch {
	return &layout.Branch{Span: joinSpans(text.Key, text.Span), Head: layout.Head(name), Text: &layout.Text{Value: text.Value, Span: text.Span}}
}

// joinSpans returns the span from the start of one to the end of another, unless that is
// new and has no place.
func joinSpans(first, last diag.Span) diag.Span {
	if last.End.IsValid() {
		first.End = last.End
	}
	return first
}

func addChild(b, child *layout.Branch) { b.Children = append(b.Children, child) }

func addEntries(b *layout.Branch, entries []Entry) {
	for i := range entries {
		text, ok := entries[i].Note.text()
		text.Key = entries[i].Name.Span
		entry := newLeaf(entries[i].Name.Value, text)
		entry.OtherMeaning = !ok
		addChild(b, entry)
	}
}
