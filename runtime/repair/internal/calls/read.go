package calls

import (
	"strings"

	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Found is the result of Read.
type Found struct {
	Requests []tool.Request
	Failures []*reader.Failure // calls that cannot be read, and schemas that cannot be used
	Steps    int               // number of examined bytes; a byte that is examined twice counts twice
}

// Read reads the calls at the end of a text. Each call must begin a line or follow another call, and
// no text may follow the last one. The mark of a call inside a string or another value is part of the value.
func Read(text string, definitions []tool.Definition) Found {
	c := newCallReader(text, 0, newOfferedTools(definitions))
	for c.Pos < c.End {
		start := c.Pos
		c.readNext()
		c.Pos = max(c.Pos, start+1)
	}
	c.endFence()
	if len(c.requests) > 0 && c.interrupted != nowhere {
		c.requests = nil
		c.rejectCall(c.interrupted, "there is text between the calls: write all text first, then only the calls that you want to make, one after another")
	}
	if len(c.failures) > 0 && (c.elements > 0 || c.repaired) {
		c.requests = nil // the text that cannot be read may belong to a call without escapes, or to a repaired one
	}
	found := Found{Steps: c.Steps}
	if len(c.requests) == 0 && len(c.failures) == 0 {
		return found
	}
	c.Cut = c.Cut || endsInMark(text)
	for i := range c.requests {
		c.requests[i].Truncated = c.Cut
	}
	found.Requests, found.Failures = c.requests, append(c.unusable, c.failures...)
	return found
}

// readNext reads the next call or text at c.Pos, which is at the beginning of a line or after a
// call.
func (c *callReader) readNext() {
	if c.Pos = c.SkipBlanks(c.Pos); c.Pos == c.End {
		return
	}
	start := c.Pos
	c.inLine = c.inLine && c.lineIndent(c.Pos) < 0
	c.isInList() // ends the list item before a line outside it
	switch b := c.Text[c.Pos]; {
	case c.closesFence(c.Pos):
		c.endFence()
	case c.skipThought():
	case c.skipResult():
	case c.fence == "" && c.openFence():
	case c.inLine && strings.IndexByte(",;]})", b) >= 0:
		c.Pos++
	case c.skipHeader():
	case c.readCall():
		c.inLine = true
	case b == '<' && c.skipWrapper():
	default:
		if c.Pos > start {
			c.dropMentioned() // readCall read a value that is not a call
		}
		c.skipText()
	}
}

// readCall reads the calls at c.Pos in one of the formats. It returns false if there are none;
// in that case, it may have skipped a value that is not a call.
func (c *callReader) readCall() bool {
	start, requests, broken, elements := c.Pos, len(c.requests), len(c.failures), c.elements
	if c.isInList() {
		return false
	}
	e, opens := c.openingEnvelope()
	read := func() bool { return c.readEnvelope(e) }
	switch {
	case opens:
	case c.opensValue(c.Pos):
		read = c.readCallValue
	case c.opensStatement():
		read = c.readStatements
	default:
		return false
	}
	isDoubtful := start < c.doubtful
	if isDoubtful && c.reread > maxReread*len(c.Text) {
		return false
	}
	steps := c.Steps
	ok := read()
	if isDoubtful {
		c.reread += c.Steps - steps
	}
	isCall, isBroken := len(c.requests) > requests, len(c.failures) > broken
	switch {
	case isDoubtful && (isCall || isBroken):
	case isBroken:
		c.doubtful = c.End
		c.Pos = c.Index("\n", c.Pos)
		return true
	default:
		return ok
	}
	c.requests, c.failures, c.elements = c.requests[:requests], c.failures[:broken], elements
	c.rejectCall(start, "this may be a call, or part of the value before it")
	return true
}

// maxReread limits the work for text that is read again because it may be inside a value whose end is unclear. In
// total, about maxReread times the length of the text may be read again.
const maxReread = 4

// skipText skips text that is not a call, up to the end of the line or fence. It drops the calls before the text,
// because calls that are followed by text are only mentioned.
func (c *callReader) skipText() {
	switch {
	case c.Pos >= c.End || c.isLostArgument():
		return
	case len(c.requests) > 0 && c.EndsInTag(c.Pos):
		c.Cut, c.Pos = true, c.End
		return
	}
	if c.fence != "" {
		if c.isComment() {
			c.Pos = c.Index("\n", c.Pos)
			return
		}
		c.Pos = c.fenceEnd(c.Pos)
		c.program = true
		return
	}
	c.dropMentioned()
	c.skipProse()
}

// isLostArgument reports whether the tag of an argument is at c.Pos, although the calls before it have ended. If
// so, the end tag of the last call may be part of a value, so isLostArgument drops all calls and records a
// failure.
func (c *callReader) isLostArgument() bool {
	if len(c.requests) == 0 {
		return false
	}
	t, ok := c.TagAt(c.Pos)
	if !ok || !isArgumentTag(t.Name) {
		return false
	}
	c.requests = nil
	c.rejectCall(c.Pos, "the value of an argument may continue after the apparent end of the call before this tag"+asJSON)
	c.Pos = c.End
	return true
}

// skipWrapper skips a tag or token that models put around calls.
func (c *cursor) skipWrapper() bool {
	if opensToken(c.Text[c.Pos:]) {
		if end := c.tokenEnd(c.Pos); end > 0 && !isThoughtToken(c.Text[c.Pos:end]) {
			c.Pos = end
			return true
		}
	}
	t, ok := c.TagAt(c.Pos)
	if ok && isWrapper(t.Name) {
		c.Pos = t.End
	}
	return ok && isWrapper(t.Name)
}

// skipResult reports whether a result that the model made up is at c.Pos. If so, it ignores the
// rest of the reply.
func (c *callReader) skipResult() bool {
	if e, ok := markAt(c.Text, c.Pos); !ok || !e.result {
		return false
	}
	c.endFence()
	c.Pos, c.End = c.End, c.Pos
	return true
}

// readCallValue reads the JSON value at c.Pos and the calls in it. It skips a value without calls,
// unless the end of the value is unclear.
func (c *callReader) readCallValue() bool {
	start, requests, broken, cut := c.Pos, len(c.requests), len(c.failures), c.Cut
	c.Cut = false
	n, clear := c.readValue()
	bad := c.Err
	c.Err = nil
	isCall := n != nil && c.addCalls(n, false) || len(c.failures) > broken
	switch {
	case isCall && bad != nil:
		c.requests, c.failures = c.requests[:requests], c.failures[:broken]
		c.rejectCall(bad.At, bad.Message)
	case isCall && c.marked:
		c.requests, c.failures = c.requests[:requests], c.failures[:broken]
		c.rejectCall(start, unclearStrings)
	case isCall:
		c.Cut = c.Cut || cut
		c.repaired = c.repaired || !clear
	case c.Cut && c.Pos == c.End && len(c.requests) > 0: // the text was cut off, and the value might have become a call
		return true
	default:
		c.Cut = cut
		if !clear {
			c.doubtful = max(c.doubtful, c.Pos)
			c.Pos = start
		}
	}
	return isCall
}

// isComment reports whether a comment of a program is at c.Pos.
func (c *cursor) isComment() bool {
	return c.Text[c.Pos] == '#' || strings.HasPrefix(c.Text[c.Pos:], "//") && !scan.IsWord(c.ByteAt(c.Pos+2))
}
