package agenttest

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/aiongen/aiongen/internal/words"
)

const (
	maxShown = 200  // bytes of a text in a timeline
	maxLine  = 2000 // bytes of a line in an error
)

// showCall returns a call for the timeline.
func showCall(name string, arguments []byte) string {
	return words.Cut(writeCall(name, arguments), maxShown)
}

// quoteShort returns the beginning of a text in quotation marks.
func quoteShort(text string) string { return strconv.Quote(words.Cut(text, maxShown)) }

// visibleLine returns a text in one line, cut if it is long.
func visibleLine(text string) string {
	if len(text) > maxLine {
		text = words.Cut(text, maxLine) + "…"
	}
	return visible(text)
}

// visibleLines returns a text in which all lines except the first are indented.
func visibleLines(text string) string {
	lines := strings.Split(words.Cut(text, maxLine), "\n")
	for i, line := range lines {
		lines[i] = visible(line)
	}
	return strings.Join(lines, "\n     ")
}

// visible returns a text in which line breaks and characters that are invisible or control a
// terminal are written as in JSON.
func visible(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case strconv.IsPrint(r):
			b.WriteRune(r)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}
