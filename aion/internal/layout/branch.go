// Package layout writes documents in canonical form: what stands on which line, how
// deep, and where the comments go that were in the file. What a document is made of it
// does not know; it has branches, with a text or with brackets around more of them.
//
// From top to bottom:
//
//	write   the text of a file
//	attach  which branch a comment is about
//	branch  the parts of a file
package layout

import (
	"cmp"
	"slices"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/syntax"
)

// A Branch is a part of a document: a line with a text,
// or a line that opens a bracket, and the branches up to the closing one.
type Branch struct {
	Span     diag.Span // in the source, to find the place of comments; zero if it was made in Go
	Head     string    // what stands before the text or bracket: see Head
	Text     *Text     // nil in front of a block without a name
	Unsaid   bool      // the text is of a note, and does not say what that says
	Brackets string    // "{}" or "[]", or empty
	Children []*Branch // in canonical order
	apart    bool      // a blank line stands before it

	lead  []remark // on lines of their own, before the branch
	trail []remark // at the end of its last line
	tail  []remark // before the closing bracket
}

// A Text is what a string or text block says, and where it stands in the source.
type Text struct {
	Value string
	Span  diag.Span
}

// A remark is a comment and what is before it.
type remark struct {
	syntax.Comment
	apart bool // a blank line stands before it
}

// Head is what stands before the value of a name.
func Head(name string) string { return name + arrow }

const arrow = " --> "

func bySpan(x, y *Branch) int { return cmp.Compare(x.Span.Start.Offset, y.Span.Start.Offset) }

// behind returns the index behind the last child that stands before a place in the
// source. Children may stand in another order than there.
func (b *Branch) behind(at diag.Span) int {
	for i, child := range slices.Backward(b.Children) {
		if child.Span.Start.IsValid() && child.Span.Start.Offset < at.Start.Offset {
			return i + 1
		}
	}
	return 0
}

// locate forgets the places of what does not stand in a file.
func (b *Branch) locate(file string) {
	if b.Span.File != file || !b.Span.Start.IsValid() || !b.Span.End.IsValid() {
		b.Span = diag.Span{}
	}
	for _, child := range b.Children {
		child.locate(file)
	}
}
