package calls

import (
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
)

// readValue reads the value at c.Pos, and reports whether the ends of the value and of its strings are
// clear.
func (c *callReader) readValue() (n *jsontext.Node, clear bool) {
	c.marked = false
	if n := c.ReadJSON(); n != nil {
		return n, true
	}
	outer := c.Mark
	if c.fence != "" && c.Mark == "" {
		c.Mark = "\n" + c.fence
	}
	doubts := c.Doubts
	c.readInStrings(func() { n = c.ReadValue(reader.InText, nil) })
	c.Mark = outer
	return n, c.Err == nil && !c.Cut && c.Doubts == doubts
}

// readInStrings calls read, which reads values. It sets c.marked if one of their strings contains the mark of a
// call and may end elsewhere.
func (c *cursor) readInStrings(read func()) {
	outer, guesses := c.Strings, c.Guesses
	c.Strings = &reader.Quotation{}
	read()
	c.marked = c.Guesses > guesses
	for _, s := range c.Strings.Doubtful {
		for i := int(s.Start); i < int(s.End) && !c.marked; i++ {
			if opensMark[c.Text[i]] {
				_, c.marked = callAt(c.Text, i)
			}
		}
		c.Steps += int(s.End - s.Start)
	}
	c.Strings = outer
}

// opensValue reports whether brackets at i begin a JSON value that may be a call.
func (c *cursor) opensValue(i int) bool {
	for range 4 {
		b := c.ByteAt(i)
		if b != '{' && b != '[' {
			return false
		}
		inside := c.SkipBlanks(i + 1)
		if b == '{' && (c.OpensKey(inside) || c.OpensBareKey(inside) || c.ByteAt(inside) == '"' || c.ByteAt(inside) == '\'' || c.ByteAt(inside) == '}') {
			return true
		}
		if b == '[' && (c.ByteAt(inside) == '"' || c.ByteAt(inside) == '\'') {
			return true
		}
		i = inside
	}
	return false
}
