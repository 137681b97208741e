// Package layout writes .aion files in canonical form. The caller builds a tree of
// branches, each with a text or with brackets around more branches, and passes it to Write
// with the comments of the file.
package layout

import (
	"cmp"
	"slices"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/syntax"
)

// A Branch is a part of a document: a line with a text, or a line that opens a bracket and
// the branches up to the closing bracket.
type Branch struct {
	Span         diag.Span // in the source, to place comments; zero if it was created in Go
	Head         string    // what is before the text or bracket: see Head
	Text         *Text     // nil before a bracket without a name
	OtherMeaning bool      // the text belongs to a note and has another meaning than the note
	Brackets     string    // "{}" or "[]", or empty
	Children     []*Branch // in canonical order
	apart        bool      // a blank line is before it

	lead  []remark // on lines of their own, before the branch
	trail []remark // at the end of its last line
	tail  []remark // before the closing bracket
}

// A Text is the value of a string or text block, with its span in the source.
type Text struct {
	Value string
	Span  diag.Span
}

// A remark is a comment and the blank line before it.
type remark struct {
	syntax.Comment
	apart bool // a blank line is before it
}

// Head returns the name and the arrow before a value.
func Head(name string) string { return name + arrow }

const arrow = " --> "

func compareSpans(x, y *Branch) int { return cmp.Compare(x.Span.Start.Offset, y.Span.Start.Offset) }

// indexAfter returns the index after the last child that is before a place in the source.
// Children may have another order in the source.
func (b *Branch) indexAfter(at diag.Span) int {
	for i, child := range slices.Backward(b.Children) {
		if child.Span.Start.IsValid() && child.Span.Start.Offset < at.Start.Offset {
			return i + 1
		}
	}
	return 0
}

// clearSpans clears the spans of branches that are not in the file.
func (b *Branch) clearSpans(file string) {
	if b.Span.File != file || !b.Span.Start.IsValid() || !b.Span.End.IsValid() {
		b.Span = diag.Span{}
	}
	for _, child := range b.Children {
		child.clearSpans(file)
	}
}
