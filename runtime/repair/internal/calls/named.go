package calls

import (
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/literal"
	"github.com/aiongen/aiongen/runtime/repair/internal/report"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
	"github.com/aiongen/aiongen/runtime/repair/internal/tree"
)

// halfTag reads a call whose tag is not closed, or not where its name ends:
// <function=f{"a": 1}</function>, <function(f){"a": 1}.
func (c *caller) halfTag() bool {
	start := c.Pos
	c.Pos += len("<function")
	if b := c.ByteAt(c.Pos); b == '=' || b == '(' {
		c.Pos++
		name := c.toolName()
		for c.Pos < c.End && (scan.IsBlank(c.Text[c.Pos]) || c.Text[c.Pos] == ')' || c.Text[c.Pos] == '>') {
			c.Pos++
		}
		if isName(name) && c.ByteAt(c.Pos) == '{' {
			ok := c.namedArguments(name, separator{})
			if c.ByteAt(c.Pos) == '>' {
				c.Pos++
			}
			return ok
		}
	}
	c.Pos = start
	return false
}

// named reads a call that is a name and then its arguments.
func (c *caller) named() bool {
	start := c.Pos
	wrap := ""
	if start > 0 && c.Text[start-1] == '`' {
		wrap = "`"
	}
	name := c.toolName()
	sep := c.separator()
	if name == "function" && sep.mark != "" && !sep.text && scan.IsWord(c.ByteAt(c.Blank(c.Pos))) { // DeepSeek says "function" first
		c.Pos = c.Blank(c.Pos)
		name = c.toolName()
	}
	if _, _, isWord := literal.Word(name); !isName(name) || isWord && !c.knows(name) {
		c.Pos = start
		return false
	}
	behind := c.Pos
	text := behind
	c.Pos = c.skip(c.Pos)
	c.noteFence(behind, c.Pos)
	next, another := callAt(c.Text, c.Pos)
	switch b := c.Peek(); {
	case b == '{' || b == '[' && !scan.IsLetter(c.ByteAt(c.Pos+1)): // [CALL_ID] are no arguments
		return c.namedArguments(name, sep)
	case strings.HasPrefix(c.Text[c.Pos:], "<arg_key>"):
		return c.body(name, "")
	case b == 0 && c.ended() && (c.isFirst() || c.knows(name)) || another && !next.kept && c.knows(name):
		c.add("", name, nil)
	case b == 0 && (sep.mark != "" || c.knows(name)):
		c.Cut = c.Cut || !c.takesNothing(name, behind == c.End)
		c.add("", name, nil)
	case sep.text:
		c.Pos = text
		arguments := c.plainText(name, wrap)
		if c.Err != nil {
			return false
		}
		c.add("", name, arguments)
	default:
		if b != '<' || sep.mark == "" {
			c.Pos = start
		}
		return false
	}
	return true
}

// namedArguments reads the arguments of a call as JSON. If an ID stands before them instead of
// a name, they are the whole call.
func (c *caller) namedArguments(name string, sep separator) bool {
	start := c.Pos
	arguments, clear := c.readValue()
	switch {
	case c.Err != nil || arguments == nil:
		return c.Err == nil
	case c.unpacked(arguments) != nil && c.marked:
		c.Fail(report.Ambiguous, start, unclear)
		return false
	}
	c.loose = c.loose || !clear
	if sep.mark != "" && !c.knows(name) && c.wraps(name, arguments) {
		return c.inside(arguments, parts{id: name}, true, 0)
	}
	c.add("", name, arguments)
	return true
}

// wraps reports whether arguments are a whole call, after its ID instead of its name.
func (c *cursor) wraps(id string, arguments *jsontext.Node) bool {
	p := split(arguments)
	if len(p.names) != 1 || p.arguments == nil || p.rival != nil || len(p.others) > 0 {
		return false
	}
	return c.knows(tree.TextOf(p.names[0])) || len(c.offered) == 0 && strings.HasPrefix(id, "call_")
}

// isFirst reports whether no call of the payload has been read yet.
func (c *caller) isFirst() bool { return len(c.requests)+len(c.broken) == c.payloadStart }

// ended tells whether the payload ends at c.Pos.
func (c *cursor) ended() bool {
	rest := c.Text[c.Pos:]
	_, next := callAt(c.Text, c.Pos)
	return next || c.Mark != "" && strings.HasPrefix(rest, c.Mark) || strings.HasPrefix(rest, "</") && strings.IndexByte(rest, '>') > 0
}
