package aion

import (
	"slices"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/layout"
	"github.com/aiongen/aiongen/aion/internal/syntax"
)

// Format returns the text of a document in canonical form, with its comments.
// Parsing that text yields the same document, and formatting it again the same
// text.
//
// The document may be made or changed in Go; what is new needs no spans. Elements
// are written in the order of their slice, and comments where they were, the new
// ones behind those before them. The error is a [*diag.Diagnostic] of the code
// unformattable, without a place where that was made in Go: for a document with faults,
// since it may lack something; for a text that neither a string nor a text block can
// hold; and for what Parse would report.
func Format(doc *Document) ([]byte, error) {
	switch {
	case doc == nil:
		return nil, unformattable(diag.Span{}, "there is no document")
	case doc.Faulty:
		return nil, unformattable(diag.Span{File: doc.Name}, "the document has faults")
	case slices.Contains(doc.Elements, nil):
		return nil, unformattable(diag.Span{File: doc.Name}, "the document has an element that is nil")
	}
	var comments []syntax.Comment
	for _, c := range doc.Comments {
		comments = append(comments, syntax.Comment(c))
	}
	text, refused := layout.Write(doc.Span.File, arrayBranch(doc), promptBranches(doc), comments)
	if refused != nil {
		return nil, unformattable(refused.Span, refused.Message)
	}
	switch again, list := Parse(doc.Name, text); {
	case list.Err() != nil:
		return nil, unformattable(diag.Span{File: doc.Name}, "written down, the document has faults: "+list.Err().Error())
	case !slices.Equal(outline(doc), outline(again)):
		return nil, unformattable(diag.Span{File: doc.Name}, "written down, the document would be another one")
	}
	return text, nil
}

// unformattable says why Format refuses a document.
func unformattable(at diag.Span, why string) error {
	return &diag.Diagnostic{Code: "unformattable", Span: at, Message: why}
}

// outline is what a document says, in order, without places and comments.
func outline(doc *Document) (all []string) {
	add := func(what string, text *Text) {
		if text != nil {
			all = append(all, what, text.Value)
		}
	}
	entries := func(what string, entries []Entry) {
		all = append(all, what)
		for i := range entries {
			text, _ := entries[i].Note.text()
			add(entries[i].Name.Value, &text)
		}
	}
	add("system_prompt", doc.SystemPrompt)
	add("wrapped_query", doc.WrappedQuery)
	if doc.Rules != nil {
		all = append(all, "rules")
		for i := range doc.Rules.Texts {
			add("rule", &doc.Rules.Texts[i])
		}
	}
	for _, e := range doc.Elements {
		add("name", &e.Name)
		add("description", e.Description)
		add("link", e.Link)
		if e.Function != nil {
			add("function", &e.Function.Text)
			entries("arguments", e.Function.Args)
			entries("returns", e.Function.Returns)
		}
		if e.Schema != nil {
			add("args_schema", e.Schema.Name)
			entries("fields", e.Schema.Fields)
		}
	}
	return all
}
