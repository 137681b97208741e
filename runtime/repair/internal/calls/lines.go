package calls

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
	"github.com/aiongen/aiongen/runtime/tool"
)

// skipProse skips the rest of a line of text. If a value begins in the line and has several lines, skipProse
// skips all of them.
func (c *callReader) skipProse() {
	c.beginBlock()
	c.inLine = false
	for c.Pos < c.End {
		switch b := c.Text[c.Pos]; {
		case b == '\n':
			return
		case b == '`':
			c.skipCodeSpan()
		case opensThought[b] && !c.isQuoted(c.Pos) && c.skipThought():
			if c.afterThought {
				return // the answer begins
			}
		case b == '<' && !c.isQuoted(c.Pos):
			c.skipMentionedCall()
		case (b == '"' || b == '\'') && c.skipTripleQuoted():
		default:
			c.skipProseValue()
		}
	}
}

// skipProseValue skips the value at c.Pos. If there is none, or its end is not clear, it skips one byte.
func (c *callReader) skipProseValue() {
	start, cut := c.Pos, c.Cut
	if c.Text[start] == '<' || start < c.doubtful || !c.opensValue(start) {
		c.Pos++
		return
	}
	_, clear := c.readValue()
	c.Err, c.Cut = nil, cut
	if !clear {
		c.doubtful = c.Pos
		c.Pos = start + 1
	}
	c.Pos = max(c.Pos, start+1)
}

// skipCodeSpan skips code in backticks that ends in the same line. It also skips a fence that begins in the
// middle of the line, for example after the mark of a list item.
func (c *callReader) skipCodeSpan() {
	size := 0
	for c.ByteAt(c.Pos+size) == '`' {
		size++
	}
	c.Steps += size
	run := c.Text[c.Pos : c.Pos+size]
	c.Pos += size
	line := c.restOfLine(c.Pos)
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

// longestSpan limits the length of code in backticks, in bytes.
const longestSpan = 256

// skipTripleQuoted skips a string between triple quotes, which may have several lines. It returns false if there
// is none at c.Pos.
func (c *cursor) skipTripleQuoted() bool {
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

// skipMentionedCall skips a call in the middle of a line, which is only mentioned. If the call
// cannot be read, its end is unclear, and skipMentionedCall marks the rest of the text as doubtful.
func (c *callReader) skipMentionedCall() {
	start := c.Pos
	if t, ok := c.TagAt(start); ok && (t.Name == "arg_key" || t.Name == "arg_value" || t.Value != "" && slices.Contains(argumentElements, t.Name)) {
		c.doubtful = c.End // an argument without the beginning of its call
	}
	e, ok := c.openingEnvelope()
	if !ok || start < c.doubtful {
		c.Pos++
		return
	}
	requests, broken, elements, cut := len(c.requests), len(c.failures), c.elements, c.Cut
	ok = c.readEnvelope(e)
	if len(c.failures) > broken || ok && c.Cut && !cut {
		c.doubtful, ok = c.End, false
	}
	c.requests, c.failures, c.elements, c.Cut = c.requests[:requests], c.failures[:broken], elements, cut
	if !ok {
		c.Pos = start + len(e.open)
	}
}

// isQuoted reports whether the tag at i is in quotes or backticks. Such a tag is only mentioned.
func (c *cursor) isQuoted(i int) bool {
	end := c.TagEnd(i)
	if i == 0 || end == 0 {
		return false
	}
	before, after := c.Text[i-1], c.ByteAt(end)
	return before == after && strings.IndexByte("`'\"", before) >= 0
}

// opensStatement reports whether a statement begins at c.Pos: calls in Python such as f(1) or [f(1)], or the name
// of a tool followed by JSON. It returns false in a block of Python.
func (c *callReader) opensStatement() bool {
	start := c.Pos
	return !c.isInBlock() && (c.ByteAt(start) == '[' && c.opensCall(c.SkipBlanks(start+1)) || c.opensCall(start) || c.opensObject(start))
}

// readStatements reads the calls at c.Pos. If a call cannot be read, the lines below it count as part of it as
// long as they are indented more deeply.
func (c *callReader) readStatements() bool {
	start, broken := c.Pos, len(c.failures)
	indent := max(0, c.lineIndent(start))
	if !c.readStatement(c.fence != "" || strings.Trim(c.Text[:start], scan.Blanks) == "") {
		c.block = indent
		return false
	}
	if len(c.failures) > broken {
		c.block = indent
		c.Pos = max(c.Pos, c.Index("\n", start))
	}
	return true
}

// readStatement reads the calls at c.Pos; alone states that no text is before them. It returns false if the line
// may be something other than a call. If the line looks like a call of an offered tool but cannot be read,
// readStatement rejects the call and returns true.
func (c *callReader) readStatement(alone bool) bool {
	start := c.Pos
	requests, broken := len(c.requests), len(c.failures)
	ok, withName := true, false
	c.marked, c.Python = false, true
	c.readInStrings(func() {
		switch {
		case c.Text[c.Pos] == '[':
			ok = c.readPython()
		case c.opensCall(c.Pos):
			for ok = c.readPythonCall(); ok && c.ByteAfterBlanks(c.Pos) == ';' && c.opensCall(c.SkipBlanks(c.SkipBlanks(c.Pos)+1)); ok = c.readPythonCall() {
				c.Pos = c.SkipBlanks(c.SkipBlanks(c.Pos) + 1)
			}
		default:
			c.Python, c.inFence = false, false
			ok, withName = c.readNamed(), true
			c.endInnerFence()
		}
	})
	c.Python = false
	if bad := c.Err; bad != nil {
		c.rejectCall(bad.At, bad.Message)
		c.Err, ok = nil, false
	}
	ok = ok && !c.marked && (withName || len(c.failures) == broken) && c.endsStatement()
	if ok && c.areCalls(c.requests[requests:], alone) {
		return true
	}
	c.requests = c.requests[:requests]
	if !c.isCallLine(start) {
		c.failures = c.failures[:broken]
		return false
	}
	if len(c.failures) == broken {
		c.rejectCall(start, "the line contains other text than tool calls")
	}
	return true
}

// areCalls reports whether all tools in requests were offered. If the offered tools are unknown, it reports
// whether requests are certainly calls, because no text is before them, or all of them have arguments.
func (c *cursor) areCalls(requests []tool.Request, alone bool) bool {
	for _, r := range requests {
		if c.byName[r.Name] == nil && (len(c.byName) > 0 || !alone && r.Arguments == nil) {
			return false
		}
	}
	return true
}

// endsStatement reports whether the rest of the line may follow a call.
func (c *callReader) endsStatement() bool {
	line := strings.Trim(c.restOfLine(c.Pos), scan.Blanks+",;")
	if strings.HasPrefix(line, "#") && c.fence != "" {
		c.Pos = c.Index("\n", c.Pos)
		return true
	}
	return line == "" || strings.HasPrefix(line, "```") || strings.HasPrefix(line, "<")
}

// isCallLine reports whether the line at i begins with a call of an offered tool and ends with a character, such
// as a parenthesis or a comma, that may end a line of a call.
func (c *cursor) isCallLine(i int) bool {
	line := strings.TrimRight(c.restOfLine(i), scan.Blanks+";")
	if c.Text[i] == '[' {
		i = c.SkipBlanks(i + 1)
	}
	return c.opensOffered(i) && strings.IndexByte(")](,\"'", line[len(line)-1]) >= 0
}
