package calls

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// noBlock is the value of callReader.block and callReader.list if no block or list item is open. It is less than
// any indentation.
const noBlock = -1

// blockKeywords are the words that begin a block of Python.
var blockKeywords = []string{"async", "class", "def", "elif", "else", "except", "finally", "for", "if", "lambda", "match", "case", "try", "while", "with"}

// beginBlock records whether the line at c.Pos begins a list item or a block of Python. It rejects a call in an
// assignment such as x = f(1), because that is part of a program.
func (c *callReader) beginBlock() {
	indent := c.lineIndent(c.Pos)
	if indent >= 0 && !c.isInList() && c.opensItem(c.Pos) {
		c.list = indent
	}
	if indent < 0 || c.isInBlock() {
		return
	}
	if c.opensBlock(c.Pos) {
		c.block = indent
	} else if value := c.assignedCall(c.Pos); value > 0 {
		c.rejectCall(value, "a call is part of a program")
	}
}

// isInList reports whether a list item is open and the line at c.Pos belongs to it, because the line is indented
// more deeply. Any other line closes the item.
func (c *callReader) isInList() bool {
	if c.list == noBlock {
		return false
	}
	if indent := c.lineIndent(c.Pos); indent >= 0 && indent <= c.list {
		c.list = noBlock
	}
	return c.list != noBlock
}

// opensItem reports whether the mark of a list item, such as "- " or "1. ", is at i.
func (c *cursor) opensItem(i int) bool {
	end := i
	for end < c.End && end < i+9 && scan.IsDigit(c.Text[end]) {
		end++
	}
	marks := "-*+"
	if end > i {
		marks = ".)"
	}
	return strings.IndexByte(marks, c.ByteAt(end)) >= 0 && scan.IsBlank(c.ByteAt(end+1))
}

// isInBlock reports whether a block of Python is open and the line at c.Pos belongs to it. Any other line closes
// the block.
func (c *callReader) isInBlock() bool {
	if indent := c.lineIndent(c.Pos); indent >= 0 && indent <= c.block {
		c.block = noBlock
	}
	return c.block != noBlock
}

// opensBlock reports whether the line at i begins a block of Python, such as "if a:", or is the last line of a
// statement that begins one, such as "):".
func (c *cursor) opensBlock(i int) bool {
	line := c.restOfLine(i)
	code, _, _ := strings.Cut(line, "#")
	colon := strings.HasSuffix(strings.TrimRight(line, scan.Blanks), ":") || strings.HasSuffix(strings.TrimRight(code, scan.Blanks), ":")
	return colon && (c.ByteAt(i) == ')' || slices.Contains(blockKeywords, c.Text[i:c.WordEnd(i)]))
}

// assignedCall returns the position of the call in a line such as "x = f(1)" at i, if f is an offered tool;
// otherwise 0.
func (c *cursor) assignedCall(i int) int {
	equals := c.SkipBlanks(c.WordEnd(i))
	value := c.SkipBlanks(equals + 1)
	if equals > i && c.ByteAt(equals) == '=' && c.opensOffered(value) {
		return value
	}
	return 0
}
