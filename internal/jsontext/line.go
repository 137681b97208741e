package jsontext

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// CompactLine returns untrusted JSON on one line, so that no part of it can look like another line of a prompt.
// If the JSON is longer than limit bytes, CompactLine returns its beginning as a string, followed by a note
// with its length. Text that is not JSON becomes a string.
func CompactLine(value json.RawMessage, limit int) string {
	headSize := longestEscape * (min(max(limit, 0), len(value)) + 2) // without min, the product could overflow
	if len(value) > headSize && json.Valid(value) {
		return cutNoted(quoteHead(value, headSize), limit, len(value)) // does not copy the whole value
	}
	var b bytes.Buffer
	if json.Compact(&b, value) != nil {
		return QuoteLine(string(value), limit)
	}
	line := lineBreaks.Replace(b.String())
	switch {
	case len(line) <= limit:
		return line
	case line[0] != '"':
		return cutNoted(Quote(line), limit, len(value))
	}
	return cutNoted(line, limit, len(value))
}

// longestEscape is the size in bytes of the longest escape of a character in JSON.
const longestEscape = len(`\ud83d\ude00`)

// quoteHead returns the first size bytes of a longer value as a string.
func quoteHead(value json.RawMessage, size int) string {
	text := string(value[:size])
	if value[0] != '"' {
		return Quote(lineBreaks.Replace(text))
	}
	return lineBreaks.Replace(CutLiteral(text+`"`, size-1-longestEscape)) // the text may end inside an escape
}

// lineBreaks escapes the line breaks that JSON allows in strings.
var lineBreaks = strings.NewReplacer("\u0085", `\u0085`, "\u2028", `\u2028`, "\u2029", `\u2029`)

// QuoteLine quotes a text as a JSON string on one line. It shortens a text of more than limit bytes like [CompactLine].
func QuoteLine(text string, limit int) string {
	return cutNoted(lineBreaks.Replace(Quote(text)), limit, len(text))
}

// cutNoted shortens a JSON string to limit bytes. If that removes anything, it appends a note that states size,
// the number of bytes of the original value.
func cutNoted(literal string, limit, size int) string {
	if shown := CutLiteral(literal, max(limit, 0)); shown != literal {
		return fmt.Sprintf("%s (cut here, it has %d bytes)", shown, size)
	}
	return literal
}
