package aion

import (
	"slices"

	"github.com/aiongen/aiongen/aion/diag"
)

// Format returns the text of a document in canonical form, with its comments. Parsing the
// text yields the same document, and formatting the parsed document yields the same text.
//
// The document may be created or changed in Go; new parts need no spans. Elements are
// written in the order of their slice. Comments stay where they were. A new comment follows
// the comment before it in [Document.Comments].
//
// Format rejects a document with errors, which may be incomplete; a text that neither a string
// nor a text block can hold; and a document that Parse would reject. The error is a
// [*diag.Diagnostic] with the code unformattable. It has no span if it is about a part that was
// created in Go.
func Format(doc *Document) ([]byte, error) {
	switch {
	case doc == nil:
		return nil, unformattable(diag.Span{}, "the document is nil")
	case doc.Faulty:
		return nil, unformattable(diag.Span{File: doc.Name}, "the document has errors")
	case slices.Contains(doc.Elements, nil):
		return nil, unformattable(diag.Span{File: doc.Name}, "the document has a nil element")
	}
	text, err := printBranches(doc.Span.File, arrayBranch(doc), promptBranches(doc), doc.Comments)
	if err != nil {
		return nil, err
	}
	switch parsed, list := Parse(doc.Name, text); {
	case list.Err() != nil:
		return nil, unformattable(diag.Span{File: doc.Name}, "the text of the document has errors: "+list.Err().Error())
	case !slices.Equal(outline(doc), outline(parsed)):
		return nil, unformattable(diag.Span{File: doc.Name}, "the text of the document would have another meaning")
	}
	return text, nil
}

// unformattable returns the error with which Format rejects a document.
func unformattable(at diag.Span, why string) error {
	return &diag.Diagnostic{Code: "unformattable", Span: at, Message: why}
}

// outline returns the content of a document in order, without positions and comments.
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
			entries("paths", e.Function.Paths)
		}
		if e.Schema != nil {
			add("args_schema", e.Schema.Name)
			entries("fields", e.Schema.Fields)
			entries("paths", e.Schema.Paths)
		}
	}
	return all
}
