package calls

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// prose skips the rest of a line that is text. Values in it may have more lines, which are
// a part of them.
func (c *caller) prose() {
	c.beginBlock()
	c.inLine = false
	for c.Pos < c.End {
		switch b := c.Text[c.Pos]; {
		case b == '\n':
			return
		case b == '`':
			c.codeSpan()
		case opensThought[b] && !c.isQuoted(c.Pos) && c.thought():
			if c.afterThought {
				return // the answer begins
			}
		case b == '<' && !c.isQuoted(c.Pos):
			c.mentionedMark()
		case (b == '"' || b == '\'') && c.tripleQuote():
		case b == '<' || c.Pos < c.doubtful || !c.opensValue(c.Pos):
			c.Pos++
		default:
			start, cut := c.Pos, c.Cut
			_, clear := c.readValue()
			c.Err, c.Cut = nil, cut
			if !clear {
				c.doubtful = c.Pos
				c.Pos = start + 1
			}
			c.Pos = max(c.Pos, start+1)
		}
	}
}

// codeSpan skips code in backticks: within the line, or in a fence that begins in it, as in
// a list item.
func (c *caller) codeSpan() {
	size := 0
	for c.ByteAt(c.Pos+size) == '`' {
		size++
	}
	c.Steps += size
	run := c.Text[c.Pos : c.Pos+size]
	c.Pos += size
	line := c.line(c.Pos)
	if end := strings.Index(line[:min(len(line), longestSpan)], run); end >= 0 {
		c.Pos += end + size
	} else if size >= 3 && (c.noFence == 0 || size < c.noFence) {
		outer := c.fence
		c.fence = run
		if end := c.fenceEnd(c.Pos); strings.HasPrefix(c.Text[end:], run) {
			c.Pos = end + size
		} else {
			c.noFence = size
		}
		c.fence = outer
	}
}

// longestSpan bounds how long code in backticks is, in bytes.
const longestSpan = 256

// tripleQuote skips a string between three quotes, which may have many lines.
func (c *cursor) tripleQuote() bool {
	mark := c.Text[c.Pos:min(c.End, c.Pos+3)]
	if mark != `"""` && mark != "'''" {
		return false
	}
	end := c.Index(mark, c.Pos+3)
	if end == c.End {
		return false
	}
	c.Pos = end + 3
	return true
}

// mentionedMark skips the mark of a call within a line, and the call, which is text. If the
// call cannot be read, it is not clear where the text ends.
func (c *caller) mentionedMark() {
	start := c.Pos
	if t, ok := c.TagAt(start); ok && (t.Name == "arg_key" || t.Name == "arg_value" || t.Value != "" && slices.Contains(argumentElements, t.Name)) {
		c.doubtful = c.End // an argument of a call whose beginning is lost
	}
	e, ok := c.opened()
	if !ok || start < c.doubtful {
		c.Pos++
		return
	}
	requests, broken, elements, cut := len(c.requests), len(c.broken), c.elements, c.Cut
	ok = c.envelope(e)
	if len(c.broken) > broken || ok && c.Cut && !cut {
		c.doubtful, ok = c.End, false
	}
	c.requests, c.broken, c.elements, c.Cut = c.requests[:requests], c.broken[:broken], elements, cut
	if !ok {
		c.Pos = start + len(e.open)
	}
}

// isQuoted reports whether the tag at i is in quotes or backticks: it is mentioned.
func (c *cursor) isQuoted(i int) bool {
	end := c.TagEnd(i)
	if i == 0 || end == 0 {
		return false
	}
	before, after := c.Text[i-1], c.ByteAt(end)
	return before == after && strings.IndexByte("`'\"", before) >= 0
}

// opensStatement reports whether a call of Python, or a name and JSON, begins at c.Pos.
func (c *caller) opensStatement() bool {
	start := c.Pos
	return !c.isInBlock() && (c.ByteAt(start) == '[' && c.opensCall(c.Blank(start+1)) || c.opensCall(start) || c.opensObject(start))
}

// statements reads the calls at c.Pos. What is indented below a call that cannot be read is
// a part of it.
func (c *caller) statements() bool {
	start, broken := c.Pos, len(c.broken)
	indent := max(0, c.lineIndent(start))
	if !c.statement(c.fence != "" || strings.Trim(c.Text[:start], scan.Blanks) == "") {
		c.block = indent
		return false
	}
	if len(c.broken) > broken {
		c.block = indent
		c.Pos = max(c.Pos, c.Index("\n", start))
	}
	return true
}

// statement reads the calls at c.Pos, and reports whether the line has nothing else and can
// mean nothing else. A line that begins with the call of an offered tool and ends like a call,
// but cannot be read, is rejected.
func (c *caller) statement(alone bool) bool {
	start := c.Pos
	requests, broken := len(c.requests), len(c.broken)
	ok, withName := true, false
	c.marked, c.Python = false, true
	c.inStrings(func() {
		switch {
		case c.Text[c.Pos] == '[':
			ok = c.python()
		case c.opensCall(c.Pos):
			for ok = c.pythonCall(); ok && c.After(c.Pos) == ';' && c.opensCall(c.Blank(c.Blank(c.Pos)+1)); ok = c.pythonCall() {
				c.Pos = c.Blank(c.Blank(c.Pos) + 1)
			}
		default:
			c.Python, c.inFence = false, false
			ok, withName = c.named(), true
			c.endInnerFence()
		}
	})
	c.Python = false
	if bad := c.Err; bad != nil {
		c.reject(bad.At, bad.Message)
		c.Err, ok = nil, false
	}
	ok = ok && !c.marked && (withName || len(c.broken) == broken) && c.endsStatement()
	for _, r := range c.requests[requests:] {
		ok = ok && (c.offered[r.Name] != nil || len(c.offered) == 0 && (alone || r.Arguments != nil))
	}
	if ok {
		return true
	}
	c.requests = c.requests[:requests]
	if !c.isCallLine(start) {
		c.broken = c.broken[:broken]
		return false
	}
	if len(c.broken) == broken {
		c.reject(start, "there is more in the line than calls of tools")
	}
	return true
}

// endsStatement reports whether nothing follows in the line but what may follow a call.
func (c *caller) endsStatement() bool {
	line := strings.Trim(c.line(c.Pos), scan.Blanks+",;")
	if strings.HasPrefix(line, "#") && c.fence != "" {
		c.Pos = c.Index("\n", c.Pos)
		return true
	}
	return line == "" || strings.HasPrefix(line, "```") || strings.HasPrefix(line, "<")
}

// isCallLine reports whether the line at i begins with the call of a tool that was
// offered, and ends as one does, or as one that goes on.
func (c *cursor) isCallLine(i int) bool {
	line := strings.TrimRight(c.line(i), scan.Blanks+";")
	if c.Text[i] == '[' {
		i = c.Blank(i + 1)
	}
	return c.opensOffered(i) && strings.IndexByte(")](,\"'", line[len(line)-1]) >= 0
}
