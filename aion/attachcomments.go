package aion

import (
	"slices"

	"github.com/aiongen/aiongen/aion/diag"
)

// attachComments attaches each comment inside a branch to a child: the one that ends on the
// same line, or else the next one. It records blank lines before children and comments.
func (b *branch) attachComments(comments []remark) {
	children := slices.Clone(b.children)
	slices.SortStableFunc(children, compareSpans)
	p := commentPlace{branch: b}
	for _, child := range children {
		if !child.span.Start.IsValid() {
			continue
		}
		comments = p.attachBefore(child, comments)
		child.blankBefore = p.hasBlankBefore(child.span)
		n := 0
		for n < len(comments) && comments[n].Span.Start.Offset < child.span.End.Offset {
			n++
		}
		if inside := comments[:n]; child.brackets != "" {
			child.attachComments(inside)
		} else if n > 0 {
			inside[0].blankBefore, child.blankBefore = child.blankBefore, false
			child.lead = append(child.lead, inside...)
		}
		p.last, p.line = child, child.span.End.Line
		comments = comments[n:]
	}
	p.attachBefore(nil, comments)
}

// A commentPlace is a position between the children of a branch, in source order.
type commentPlace struct {
	*branch
	last *branch // the child before the position, if any
	line int     // where that child or the last comment ends, or 0
}

// hasBlankBefore reports whether a blank line separates a span from the child or comment before it.
func (p *commentPlace) hasBlankBefore(span diag.Span) bool {
	return p.line > 0 && span.Start.Line > p.line+1
}

// attachBefore attaches the comments before the next child, which may be nil, and returns
// the remaining ones.
func (p *commentPlace) attachBefore(next *branch, comments []remark) []remark {
	for i, c := range comments {
		if next != nil && c.Span.Start.Offset >= next.span.Start.Offset {
			return comments[i:]
		}
		c.blankBefore = p.hasBlankBefore(c.Span)
		p.line = c.Span.Start.Line
		switch {
		case p.last != nil && c.Span.Start.Line == p.last.span.End.Line:
			p.last.trail = append(p.last.trail, c)
		case next != nil:
			next.lead = append(next.lead, c)
		default:
			p.tail = append(p.tail, c)
		}
	}
	return nil
}

// orderComments returns the comments of a file in order. A comment that was created in Go
// has no position: it follows the comment before it in the slice, or starts the file.
func orderComments(comments []Comment) []remark {
	var all []remark
	var at diag.Span
	for _, c := range comments {
		if c.Span.Start.IsValid() {
			at = c.Span
		} else {
			at.Start.Line++
			c.Span = at
		}
		all = append(all, remark{Comment: c})
	}
	return all
}
