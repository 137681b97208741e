package syntax

import (
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/internal/words"
)

// SpanOf returns the span of a token.
func (r *Reader) SpanOf(t *Token) diag.Span { return r.SpanBetween(t, t) }

// SpanBetween returns the span from the start of one token to the end of another.
func (r *Reader) SpanBetween(first, last *Token) diag.Span {
	return diag.Span{File: r.file, Start: tokenPos(first), End: AdvancePos(tokenPos(last), r.sourceText(last))}
}

// sourceText returns the source text of a token, with the quotes that fixQuotedKey removed.
func (r *Reader) sourceText(t *Token) string {
	if quoted, ok := r.quoted[t]; ok {
		return quoted
	}
	return t.Value
}

func tokenPos(t *Token) diag.Pos {
	return diag.Pos{Offset: t.Pos.Offset, Line: t.Pos.Line, Column: t.Pos.Column}
}

// DescribeToken returns a token for a message, in quotes and cut to a short length.
func DescribeToken(t *Token) string {
	const longest = 40
	line := firstLine(strings.TrimRight(t.Value, "\r\n"))
	value := words.Cut(line, longest)
	if len(line) <= longest && len(line) < len(t.Value) {
		value += "…"
	}
	if t.Type == TextToken {
		return value // it has its own quotes
	}
	return `"` + value + `"`
}

// AdvancePos returns the position after a text that starts at p.
func AdvancePos(p diag.Pos, text string) diag.Pos {
	p.Offset += len(text)
	if n := strings.Count(text, "\n"); n > 0 {
		p.Line += n
		p.Column = len(text) - strings.LastIndexByte(text, '\n')
	} else {
		p.Column += len(text)
	}
	return p
}
