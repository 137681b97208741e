package calls

import (
	"strings"

	"github.com/aiongen/aiongen/runtime/repair/internal/literal"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// named reads a call that is a name and then its arguments.
func (c *caller) named() bool {
	start := c.Pos
	name := c.toolName()
	sep := c.separator()
	if sep.mark != "" && !sep.text && scan.IsWord(c.ByteAt(c.Blank(c.Pos))) { // DeepSeek says "function" first
		c.Pos = c.Blank(c.Pos)
		name = c.toolName()
	}
	if _, _, isWord := literal.Word(name); !isName(name) || isWord && !c.knows(name) {
		c.Pos = start
		return false
	}
	behind := c.Pos
	c.Pos = c.skip(c.Pos)
	next, another := callAt(c.Text, c.Pos)
	switch b := c.Peek(); {
	case b == '{' || b == '[' && !scan.IsLetter(c.ByteAt(c.Pos+1)): // [CALL_ID] are no arguments
		arguments := c.Value(reader.InText, nil)
		if c.Err == nil && arguments != nil {
			c.add("", name, arguments)
		}
		return c.Err == nil
	case strings.HasPrefix(c.Text[c.Pos:], "<arg_key>"):
		return c.body(name)
	case b == 0 && c.ended() || another && !next.kept && c.knows(name):
		c.add("", name, nil)
	case b == 0 && (sep.mark != "" || c.knows(name)):
		c.Cut = c.Cut || !c.takesNothing(name, behind == c.End)
		c.add("", name, nil)
	case sep.text:
		c.add("", name, c.plainText(name))
	default:
		if b != '<' || sep.mark == "" {
			c.Pos = start
		}
		return false
	}
	return true
}

// ended tells whether the payload ends at c.Pos.
func (c *caller) ended() bool {
	rest := c.Text[c.Pos:]
	_, next := callAt(c.Text, c.Pos)
	return next || c.Mark != "" && strings.HasPrefix(rest, c.Mark) || strings.HasPrefix(rest, "</") && strings.IndexByte(rest, '>') > 0
}
