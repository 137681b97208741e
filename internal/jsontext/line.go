package jsontext

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// CompactLine returns foreign JSON on one line, so that nothing in a prompt can look like a line of the program
// itself. If the JSON is longer than most bytes, CompactLine returns its beginning as a string, followed by a note
// with its length. Text that is not JSON becomes a string.
func CompactLine(value json.RawMessage, most int) string {
	room := longestEscape * (min(max(most, 0), len(value)) + 2) // without min, it could overflow
	if len(value) > room && json.Valid(value) {
		return cutNoted(quoteHead(value, room), most, len(value)) // without copying the whole value
	}
	var b bytes.Buffer
	if json.Compact(&b, value) != nil {
		return QuoteLine(string(value), most)
	}
	line := lineBreaks.Replace(b.String())
	switch {
	case len(line) <= most:
		return line
	case line[0] != '"':
		return cutNoted(Quote(line), most, len(value))
	}
	return cutNoted(line, most, len(value))
}

// longestEscape is the size in bytes of the longest escape of a character in JSON.
const longestEscape = len(`\ud83d\ude00`)

// quoteHead quotes the first bytes of a longer value.
func quoteHead(value json.RawMessage, room int) string {
	text := string(value[:room])
	if value[0] != '"' {
		return Quote(lineBreaks.Replace(text))
	}
	return lineBreaks.Replace(CutLiteral(text+`"`, room-1-longestEscape)) // the text may end inside an escape
}

// lineBreaks escapes the line breaks that JSON allows in strings.
var lineBreaks = strings.NewReplacer("\u0085", `\u0085`, "\u2028", `\u2028`, "\u2029", `\u2029`)

// QuoteLine quotes a text as a JSON string on one line, cut like [CompactLine].
func QuoteLine(text string, most int) string {
	return cutNoted(lineBreaks.Replace(Quote(text)), most, len(text))
}

// cutNoted shortens a JSON string and adds a note with size, the full size in bytes.
func cutNoted(literal string, most, size int) string {
	if shown := CutLiteral(literal, max(most, 0)); shown != literal {
		return fmt.Sprintf("%s (cut here, it has %d bytes)", shown, size)
	}
	return literal
}
