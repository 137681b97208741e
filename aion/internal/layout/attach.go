package layout

import (
	"slices"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/syntax"
)

// attachComments gives the comments inside a branch to the children that they belong to:
// the child before them on the same line, or else the next one. Blank lines before
// children and comments are kept.
func (b *Branch) attachComments(comments []remark) {
	children := slices.Clone(b.Children)
	slices.SortStableFunc(children, compareSpans)
	p := place{Branch: b}
	for _, child := range children {
		if !child.Span.Start.IsValid() {
			continue
		}
		comments = p.attachBefore(child, comments)
		child.apart = p.isApart(child.Span)
		n := 0
		for n < len(comments) && comments[n].Span.Start.Offset < child.Span.End.Offset {
			n++
		}
		if inside := comments[:n]; child.Brackets != "" {
			child.attachComments(inside)
		} else if n > 0 {
			inside[0].apart, child.apart = child.apart, false
			child.lead = append(child.lead, inside...)
		}
		p.last, p.line = child, child.Span.End.Line
		comments = comments[n:]
	}
	p.attachBefore(nil, comments)
}

// A place is a position between the children of a branch, in source order.
type place struct {
	*Branch
	last *Branch // the child before the position, if any
	line int     // on which that child or the last comment ends, or 0
}

func (p *place) isApart(at diag.Span) bool { return p.line > 0 && at.Start.Line > p.line+1 }

// attachBefore attaches the comments before the next child, which may be nil, and returns
// the remaining ones.
func (p *place) attachBefore(next *Branch, comments []remark) []remark {
	for i, c := range comments {
		if next != nil && c.Span.Start.Offset >= next.Span.Start.Offset {
			return comments[i:]
		}
		c.apart = p.isApart(c.Span)
		p.line = c.Span.Start.Line
		switch {
		case p.last != nil && c.Span.Start.Line == p.last.Span.End.Line:
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
// has no place: it follows the one before it, or is the first of the file.
func orderComments(comments []syntax.Comment) []remark {
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
