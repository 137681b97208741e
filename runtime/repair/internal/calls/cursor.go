package calls

import (
	"strings"

	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// cursor reads the parts of calls in a text. It knows which tools were offered; [callReader] records which calls
// were found.
type cursor struct {
	*reader.Reader
	*offeredTools
	marked bool // a string whose end is uncertain contains the mark of a call
}

// restOfLine returns the rest of the line at i.
func (c *cursor) restOfLine(i int) string { return c.Text[i:max(i, c.Index("\n", i))] }

// lineIndent returns the number of bytes before i in its line, or -1 if they are not all blanks.
func (c *cursor) lineIndent(i int) int {
	start := i
	for start > 0 && (c.Text[start-1] == ' ' || c.Text[start-1] == '\t' || c.Text[start-1] == '\r') {
		start--
	}
	c.Steps += i - start
	if start > 0 && c.Text[start-1] != '\n' {
		return -1
	}
	return i - start
}

// opensCall reports whether the name of a function and an opening parenthesis are at i.
func (c *cursor) opensCall(i int) bool {
	start := i
	for i < c.End && (scan.IsWord(c.Text[i]) && c.Text[i] < 0x80 || c.Text[i] == '.') {
		i++
	}
	c.Steps += i - start + 1
	return i > start && !scan.IsDigit(c.Text[start]) && i < c.End && c.Text[i] == '(' && isName(c.Text[start:i])
}

// opensOffered reports whether a call of an offered tool is at i.
func (c *cursor) opensOffered(i int) bool {
	return c.opensCall(i) && c.isOffered(c.Text[i:i+strings.IndexByte(c.Text[i:], '(')])
}
