package syntax

import (
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
)

// replace is the edit that writes a text in the place of a token.
func (r *Reader) replace(t *Token, text string) diag.Edit {
	return diag.Edit{Span: r.At(t), Text: text}
}

// insertBefore is the edit that inserts a text in front of a token.
func (r *Reader) insertBefore(t *Token, text string) diag.Edit {
	at := r.At(t)
	at.End = at.Start
	return diag.Edit{Span: at, Text: text}
}

// insertBehind is the edit that inserts a text behind a token.
func (r *Reader) insertBehind(t *Token, text string) diag.Edit { return r.At(t).Insert(text) }

// arrowFor is the edit that writes an arrow in the place of a token.
func (r *Reader) arrowFor(t *Token) diag.Edit {
	return diag.Edit{Span: r.At(t), Text: r.spaced(t.Pos.Offset, t.Pos.Offset+len(t.Value))}
}

// arrowBehind is the edit that inserts an arrow behind a token.
func (r *Reader) arrowBehind(t *Token) diag.Edit {
	end := t.Pos.Offset + len(r.written(t))
	return r.At(t).Insert(r.spaced(end, end))
}

// spaced is an arrow for a stretch of the source, with blanks where it has none around.
func (r *Reader) spaced(from, to int) string {
	arrow := "-->"
	if from > 0 && !isBlank(r.src[from-1]) || from == to {
		arrow = " " + arrow
	}
	if to < len(r.src) && !isBlank(r.src[to]) {
		arrow += " "
	}
	return arrow
}

// without is the edit that takes out what stands from one token to another, with the
// blanks in front of it; with its line, where nothing else stands there.
func (r *Reader) without(first, last *Token) diag.Edit {
	at := r.Between(first, last)
	from, to := at.Start.Offset, at.End.Offset
	blanks := from - len(strings.TrimRight(r.src[:from], " \t"))
	alone := from == blanks || r.src[from-blanks-1] == '\n'
	if rest := strings.TrimLeft(r.src[to:], " \t\r"); alone && strings.HasPrefix(rest, "\n") {
		at.End = Moved(at.End, r.src[to:len(r.src)-len(rest)+1])
	} else if alone {
		blanks = 0 // what follows keeps its indentation
	}
	at.Start.Offset -= blanks
	at.Start.Column -= blanks
	return diag.Edit{Span: at}
}

// RemoveBlock adds the edit that takes the arrow and the block from behind a text: a guess,
// where the block holds something.
func (r *Reader) RemoveBlock(d *diag.Diagnostic, it *Item) {
	first := it.Then
	if first == nil {
		first = it.Block.Open
	}
	d.WithFixIf(it.Block == nil || len(it.Block.Items.All) == 0, r.without(first, it.Last()))
}

// WrapText adds the edit that makes a list of a text.
func (r *Reader) WrapText(d *diag.Diagnostic, it *Item) {
	if it.Text != nil && it.Then == nil && it.Block == nil {
		d.WithFix(r.insertBefore(it.Text, "[ "), r.insertBehind(it.Text, " ]"))
	}
}

// AddProperty is the edit that adds a property at the end of an element: on a line of its
// own, where its last one is.
func (r *Reader) AddProperty(b *Block, property string) diag.Edit {
	if len(b.Items.All) == 0 {
		return r.insertBehind(b.Open, " "+property+" ")
	}
	it := b.Items.All[len(b.Items.All)-1]
	first := it.First().Pos
	line := r.src[first.Offset-first.Column+1 : first.Offset]
	gap := " "
	if strings.Trim(line, " \t") == "" {
		gap = "\n" + line
	}
	if it.Comma != nil {
		return r.insertBehind(it.Comma, gap+property)
	}
	return r.insertBehind(it.Last(), ","+gap+property)
}

// Remove is the edit that takes a property out of an element.
func (r *Reader) Remove(b *Block, name string) diag.Edit {
	for i, it := range b.Items.All {
		switch {
		case it.Key == nil || it.Key.Value != name:
		case it.Comma != nil:
			return r.without(it.First(), it.Comma)
		case i > 0 && b.Items.All[i-1].Comma != nil:
			return r.without(b.Items.All[i-1].Comma, it.Last())
		default:
			return r.without(it.First(), it.Last())
		}
	}
	return diag.Edit{}
}

// closeBehind adds the edit that closes a bracket behind a token, which a comma may
// follow.
func (r *Reader) closeBehind(d *diag.Diagnostic, last *Token, end string, comma bool) *diag.Diagnostic {
	switch {
	case end == "]":
		end = "\n]"
	default:
		end = " " + end
	}
	if comma {
		end += ","
	}
	return d.WithFix(r.insertBehind(last, end))
}
