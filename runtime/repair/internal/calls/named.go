package calls

import (
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// readHalfTag reads a call whose opening tag has no closing bracket, or has it in the wrong place, as
// in <function=f{"a": 1}</function> and <function(f){"a": 1}.
func (c *callReader) readHalfTag() bool {
	start := c.Pos
	c.Pos += len("<function")
	if b := c.ByteAt(c.Pos); b == '=' || b == '(' {
		c.Pos++
		name := c.readToolName()
		for c.Pos < c.End && (scan.IsBlank(c.Text[c.Pos]) || c.Text[c.Pos] == ')' || c.Text[c.Pos] == '>') {
			c.Pos++
		}
		if isName(name) && c.ByteAt(c.Pos) == '{' {
			ok := c.readNamedArguments(name, separator{})
			if c.ByteAt(c.Pos) == '>' {
				c.Pos++
			}
			return ok
		}
	}
	c.Pos = start
	return false
}

// readNamed reads a call that consists of a name followed by arguments.
func (c *callReader) readNamed() bool {
	start := c.Pos
	name, sep, ok := c.readLabel()
	if !ok {
		c.Pos = start
		return false
	}
	nameEnd := c.Pos
	c.Pos = c.skipSeparators(c.Pos)
	c.noteFence(nameEnd, c.Pos)
	switch b := c.Peek(); {
	case b == '{' || b == '[' && !scan.IsLetter(c.ByteAt(c.Pos+1)): // [CALL_ID] is not an argument list
		return c.readNamedArguments(name, sep)
	case strings.HasPrefix(c.Text[c.Pos:], "<arg_key>"):
		return c.readBody(name, "")
	case c.endsAfterName(name):
		c.addCall("", name, nil)
	case b == 0 && (sep.mark != "" || c.isOffered(name)):
		c.Cut = c.Cut || !c.takesNothing(name, nameEnd == c.End)
		c.addCall("", name, nil)
	case sep.text:
		c.Pos = nameEnd
		arguments := c.readPlainText(name, start)
		if c.Err != nil {
			return false
		}
		c.addCall("", name, arguments)
	default:
		if b != '<' || sep.mark == "" {
			c.Pos = start
		}
		return false
	}
	return true
}

// readLabel reads the name of a tool and the separator between the name and the arguments. It returns false if
// there is no name.
func (c *cursor) readLabel() (name string, sep separator, ok bool) {
	name = c.readToolName()
	sep = c.skipSeparator()
	if name == "function" && sep.mark != "" && !sep.text && scan.IsWord(c.ByteAt(c.SkipBlanks(c.Pos))) { // DeepSeek says "function" first
		c.Pos = c.SkipBlanks(c.Pos)
		name = c.readToolName()
	}
	_, _, isWord := scan.ParseWord(name)
	return name, sep, isName(name) && (!isWord || c.isOffered(name))
}

// endsAfterName reports whether the call of a tool ends at c.Pos, without arguments: at the end of its payload,
// or before another call.
func (c *callReader) endsAfterName(name string) bool {
	if c.Peek() == 0 && c.atPayloadEnd() && (c.isFirst() || c.isOffered(name)) {
		return true
	}
	next, another := callAt(c.Text, c.Pos)
	return another && !next.keepOpen && c.isOffered(name)
}

// readNamedArguments reads the arguments of a call as JSON. If the text before them is an ID instead
// of a name, the JSON is the whole call.
func (c *callReader) readNamedArguments(name string, sep separator) bool {
	start := c.Pos
	arguments, clear := c.readValue()
	switch {
	case c.Err != nil || arguments == nil:
		return c.Err == nil
	case c.unpackArguments(arguments) != nil && c.marked:
		c.Fail(reader.Ambiguous, start, unclearStrings)
		return false
	}
	c.repaired = c.repaired || !clear
	if sep.mark != "" && !c.isOffered(name) && c.isCallAfterID(name, arguments) {
		return c.addCallsIn(arguments, callParts{id: name}, true, 0)
	}
	c.addCall("", name, arguments)
	return true
}

// isCallAfterID reports whether arguments are a whole call, such as {"name": "f", "arguments": {}}, because the text
// before it is the call's ID instead of its name.
func (c *cursor) isCallAfterID(id string, arguments *jsontext.Node) bool {
	p := splitParts(arguments)
	if len(p.names) != 1 || p.arguments == nil || p.otherArguments != nil || len(p.others) > 0 {
		return false
	}
	return c.isOffered(reader.TextOf(p.names[0])) || len(c.byName) == 0 && strings.HasPrefix(id, "call_")
}

// isFirst reports whether no call of the payload has been read yet.
func (c *callReader) isFirst() bool { return len(c.requests)+len(c.failures) == c.foundBefore }

// atPayloadEnd reports whether the payload ends at c.Pos.
func (c *cursor) atPayloadEnd() bool {
	rest := c.Text[c.Pos:]
	_, next := callAt(c.Text, c.Pos)
	return next || c.Mark != "" && strings.HasPrefix(rest, c.Mark) || strings.HasPrefix(rest, "</") && strings.IndexByte(rest, '>') > 0
}
