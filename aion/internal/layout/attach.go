package layout

import (
	"slices"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/syntax"
)

// attach gives comments inside a branch to the child that they are about: the
// one in front of them on the same line, else the next. Children and comments that a
// blank line separates from what is before them stay apart.
func (b *Branch) attach(comments []remark) {
	children := slices.Clone(b.Children)
	slices.SortStableFunc(children, bySpan)
	p := place{Branch: b}
	for _, child := range children {
		if !child.Span.Start.IsValid() {
			continue
		}
		comments = p.between(child, comments)
		child.apart = p.isApart(child.Span)
		n := 0
		for n < len(comments) && comments[n].Span.Start.Offset < child.Span.End.Offset {
			n++
		}
		if inside := comments[:n]; child.Brackets != "" {
			child.attach(inside)
		} else if n > 0 {
			inside[0].apart, child.apart = child.apart, false
			child.lead = append(child.lead, inside...)
		}
		p.last, p.line = child, child.Span.End.Line
		comments = comments[n:]
	}
	p.between(nil, comments)
}

// A place is one between the children of a branch, in the order of the source.
type place struct {
	*Branch
	last *Branch // the child before it, if any
	line int     // on which that or the comment before it ends, or 0
}

func (p *place) isApart(at diag.Span) bool { return p.line > 0 && at.Start.Line > p.line+1 }

// between attaches the comments in front of the next child, nil for none, and
// returns those that are left.
func (p *place) between(next *Branch, comments []remark) []remark {
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

// remarks are the comments of a file in order. One without a place, as it is made
// in Go, stands on the line behind the one before it, the first at the head of the file.
func remarks(comments []syntax.Comment) []remark {
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
