package calls

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// noBlock is less than all indentations.
const noBlock = -1

// blocks are the words that begin a block of Python.
var blocks = []string{"async", "class", "def", "elif", "else", "except", "finally", "for", "if", "lambda", "match", "case", "try", "while", "with"}

// beginBlock notes that the line at c.Pos begins a block of Python. It rejects a line that
// names the result of a call: it is a part of a program.
func (c *caller) beginBlock() {
	indent := c.lineIndent(c.Pos)
	if indent >= 0 && !c.isInList() && c.opensItem(c.Pos) {
		c.list = indent
	}
	if indent < 0 || c.isInBlock() {
		return
	}
	if c.opensBlock(c.Pos) {
		c.block = indent
	} else if value := c.assigned(c.Pos); value > 0 {
		c.reject(value, "a call is a part of a program")
	}
}

// isInList reports whether the line of c.Pos is indented below a list item, of which it is a
// part. A line that is not ends the item.
func (c *caller) isInList() bool {
	if c.list == noBlock {
		return false
	}
	if indent := c.lineIndent(c.Pos); indent >= 0 && indent <= c.list {
		c.list = noBlock
	}
	return c.list != noBlock
}

// opensItem reports whether the mark of a list item is at i.
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

// isInBlock reports whether the line of c.Pos is in a block of Python. A line that is not
// ends the block.
func (c *caller) isInBlock() bool {
	if indent := c.lineIndent(c.Pos); indent >= 0 && indent <= c.block {
		c.block = noBlock
	}
	return c.block != noBlock
}

// opensBlock reports whether the line at i begins a block of Python, or ends what does.
func (c *cursor) opensBlock(i int) bool {
	line := c.line(i)
	code, _, _ := strings.Cut(line, "#")
	colon := strings.HasSuffix(strings.TrimRight(line, scan.Blanks), ":") || strings.HasSuffix(strings.TrimRight(code, scan.Blanks), ":")
	return colon && (c.ByteAt(i) == ')' || slices.Contains(blocks, c.Text[i:c.WordEnd(i)]))
}

// assigned returns the place of the call of a tool that was offered whose result the
// line at i gives a name; 0 if there is none.
func (c *cursor) assigned(i int) int {
	equals := c.Blank(c.WordEnd(i))
	value := c.Blank(equals + 1)
	if equals > i && c.ByteAt(equals) == '=' && c.opensOffered(value) {
		return value
	}
	return 0
}
