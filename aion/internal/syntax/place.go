package syntax

import (
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/internal/words"
)

// At is the span of a token.
func (r *Reader) At(t *Token) diag.Span { return r.Between(t, t) }

// Between is the span from the start of one token to the end of another.
func (r *Reader) Between(first, last *Token) diag.Span {
	return diag.Span{File: r.file, Start: pos(first), End: Moved(pos(last), r.written(last))}
}

// written returns a token as it stands in the file: a name in quotes has lost these.
func (r *Reader) written(t *Token) string {
	if quoted, ok := r.quoted[t]; ok {
		return quoted
	}
	return t.Value
}

func pos(t *Token) diag.Pos {
	return diag.Pos{Offset: t.Pos.Offset, Line: t.Pos.Line, Column: t.Pos.Column}
}

// Found is a token in the words of a message.
func Found(t *Token) string {
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

// Moved is the position behind a text that starts at p.
func Moved(p diag.Pos, text string) diag.Pos {
	p.Offset += len(text)
	if n := strings.Count(text, "\n"); n > 0 {
		p.Line += n
		p.Column = len(text) - strings.LastIndexByte(text, '\n')
	} else {
		p.Column += len(text)
	}
	return p
}
