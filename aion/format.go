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
	case !sameContent(arrayBranch(doc), arrayBranch(parsed)) || !slices.EqualFunc(promptBranches(doc), promptBranches(parsed), sameContent):
		return nil, unformattable(diag.Span{File: doc.Name}, "the text of the document would have another meaning")
	}
	return text, nil
}

// unformattable returns the error with which Format rejects a document.
func unformattable(at diag.Span, why string) error {
	return &diag.Diagnostic{Code: "unformattable", Span: at, Message: why}
}
