package calls

import (
	"strings"

	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// cursor reads the parts of calls in a text. It knows the tools that were offered, but not
// which calls were found: that is the job of [caller].
type cursor struct {
	*reader.Reader
	*offers
	marked bool // a string that may end elsewhere has a mark in it
}

// line returns the rest of the line at i.
func (c *cursor) line(i int) string { return c.Text[i:max(i, c.Index("\n", i))] }

// lineIndent returns how many bytes are before i in its line; -1 if they are not all blanks.
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

// opensCall tells whether the call of a function is at i.
func (c *cursor) opensCall(i int) bool {
	start := i
	for i < c.End && (scan.IsWord(c.Text[i]) && c.Text[i] < 0x80 || c.Text[i] == '.') {
		i++
	}
	c.Steps += i - start + 1
	return i > start && !scan.IsDigit(c.Text[start]) && i < c.End && c.Text[i] == '(' && isName(c.Text[start:i])
}

// opensOffered tells whether the call of a tool that was offered is at i.
func (c *cursor) opensOffered(i int) bool {
	return c.opensCall(i) && c.knows(c.Text[i:i+strings.IndexByte(c.Text[i:], '(')])
}
