package syntax

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
)

// replaceToken returns the edit that replaces a token by a text.
func (r *Reader) replaceToken(t *Token, text string) diag.Edit {
	return diag.Edit{Span: r.SpanOf(t), Text: text}
}

// insertBefore returns the edit that inserts a text before a token.
func (r *Reader) insertBefore(t *Token, text string) diag.Edit {
	at := r.SpanOf(t)
	at.End = at.Start
	return diag.Edit{Span: at, Text: text}
}

// insertAfter returns the edit that inserts a text after a token.
func (r *Reader) insertAfter(t *Token, text string) diag.Edit { return r.SpanOf(t).Insert(text) }

// replaceByArrow returns the edit that replaces a token by an arrow.
func (r *Reader) replaceByArrow(t *Token) diag.Edit {
	return diag.Edit{Span: r.SpanOf(t), Text: r.spacedArrow(t.Pos.Offset, t.Pos.Offset+len(t.Value))}
}

// insertArrowAfter returns the edit that inserts an arrow after a token.
func (r *Reader) insertArrowAfter(t *Token) diag.Edit {
	end := t.Pos.Offset + len(r.sourceText(t))
	return r.SpanOf(t).Insert(r.spacedArrow(end, end))
}

// spacedArrow returns the arrow that replaces a range of the source. It begins or ends with a blank where
// the source has none.
func (r *Reader) spacedArrow(from, to int) string {
	arrow := "-->"
	if from > 0 && !isBlank(r.src[from-1]) || from == to {
		arrow = " " + arrow
	}
	if to < len(r.src) && !isBlank(r.src[to]) {
		arrow += " "
	}
	return arrow
}

// deleteTokens returns the edit that deletes the tokens from first to last and the blanks
// before them. If nothing else is on the line, it deletes the line.
func (r *Reader) deleteTokens(first, last *Token) diag.Edit {
	at := r.SpanBetween(first, last)
	from, to := at.Start.Offset, at.End.Offset
	blanks := from - len(strings.TrimRight(r.src[:from], " \t"))
	alone := from == blanks || r.src[from-blanks-1] == '\n'
	if rest := strings.TrimLeft(r.src[to:], " \t\r"); alone && strings.HasPrefix(rest, "\n") {
		at.End = AdvancePos(at.End, r.src[to:len(r.src)-len(rest)+1])
	} else if alone {
		blanks = 0 // keep the indentation of the rest of the line
	}
	at.Start.Offset -= blanks
	at.Start.Column -= blanks
	return diag.Edit{Span: at}
}

// LineIndent returns a line break and the indentation of the line of a token.
func (r *Reader) LineIndent(t *Token) string {
	start := t.Pos.Offset - t.Pos.Column + 1
	line := r.src[start:min(t.Pos.Offset, start+maxIndent)]
	return "\n" + line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// RemoveItem returns the edit that deletes an item and its comma.
func (r *Reader) RemoveItem(it *Item) diag.Edit {
	if it.Comma != nil {
		return r.deleteTokens(it.FirstToken(), it.Comma)
	}
	return r.deleteTokens(it.FirstToken(), it.LastToken())
}

// MoveToSchema returns the edit that turns an interface block into a block of args_schema.
func (r *Reader) MoveToSchema(b *Group) diag.Edit {
	return r.insertBefore(b.Open, "{}, args_schema --> ")
}

// RemoveBlock adds a fix that deletes the arrow and the block after a text. The fix is a guess
// unless the block is empty.
func (r *Reader) RemoveBlock(d *diag.Diagnostic, it *Item) {
	first := it.BlockArrow
	if first == nil {
		first = it.Block.Open
	}
	d.WithFixIf(it.Block == nil || len(it.Block.Items) == 0, r.deleteTokens(first, it.LastToken()))
}

// WrapText adds a fix that turns a text into a list.
func (r *Reader) WrapText(d *diag.Diagnostic, it *Item) {
	if it.Text != nil && it.BlockArrow == nil && it.Block == nil {
		d.WithFix(r.insertBefore(it.Text, "[ "), r.insertAfter(it.Text, " ]"))
	}
}

// AddProperty returns the edit that adds a property at the end of an element. If the last
// property of the element begins a line, the new one is added on a new line.
func (r *Reader) AddProperty(b *Group, property string) diag.Edit {
	if len(b.Items) == 0 {
		return r.insertAfter(b.Open, " "+property+" ")
	}
	it := b.Items[len(b.Items)-1]
	first := it.FirstToken().Pos
	line := r.src[first.Offset-first.Column+1 : first.Offset]
	gap := " "
	if strings.Trim(line, " \t") == "" {
		gap = "\n" + line
	}
	if it.Comma != nil {
		return r.insertAfter(it.Comma, gap+property)
	}
	return r.insertAfter(it.LastToken(), ","+gap+property)
}

// RemoveProperty returns the edit that deletes a property of an element.
func (r *Reader) RemoveProperty(b *Group, name string) diag.Edit {
	for i, it := range b.Items {
		switch {
		case it.Key == nil || it.Key.Value != name:
		case it.Comma != nil:
			return r.deleteTokens(it.FirstToken(), it.Comma)
		case i > 0 && b.Items[i-1].Comma != nil:
			return r.deleteTokens(b.Items[i-1].Comma, it.LastToken())
		default:
			return r.deleteTokens(it.FirstToken(), it.LastToken())
		}
	}
	return diag.Edit{}
}

// addCloseFix adds a fix that inserts a closing bracket after a token, and a comma if comma is
// set. If the token is a Markdown fence (```), the fix is a guess, because the scanner takes the
// rest of the line as a part of the fence.
func (r *Reader) addCloseFix(d *diag.Diagnostic, last *Token, end string, comma bool) *diag.Diagnostic {
	gap := " "
	if end == "]" {
		gap = "\n"
	}
	if end = gap + end; comma {
		end += ","
	}
	isFence := func(mark string) bool { return strings.HasPrefix(last.Value, mark) }
	return d.WithFixIf(!slices.ContainsFunc(fenceMarks, isFence), r.insertAfter(last, end))
}
