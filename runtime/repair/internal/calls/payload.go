package calls

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
	"github.com/aiongen/aiongen/runtime/tool"
)

// readEnvelope reads the calls in an envelope that opens at c.Pos. It returns false if there are none. In that
// case, the text only mentions the mark of the envelope.
func (c *callReader) readEnvelope(e envelope) bool {
	start, requests, broken, cut := c.Pos, len(c.requests), len(c.failures), c.Cut
	if !e.keepOpen {
		c.Pos += len(e.open)
	}
	c.inFence = false
	ok := c.readPayload(e)
	c.endInnerFence()
	if !ok && len(c.requests) == requests && len(c.failures) == broken {
		c.Pos, c.Cut = start, cut
		return false
	}
	c.Pos = max(c.Pos, start+1)
	if len(c.failures) > broken {
		c.Pos = min(c.End, c.Index(e.close, c.Pos)+len(e.close))
		return true
	}
	end := c.Pos
	for end < c.End && isMarkdown(c.Text[end]) {
		end++
	}
	if closing := c.skipSeparators(c.Pos); !e.line && strings.HasPrefix(c.Text[closing:], e.close) {
		c.Pos = closing + len(e.close)
	} else if c.fence == "" && strings.Trim(c.restOfLine(end), scan.Blanks) == "" {
		c.Pos = end
	}
	return true
}

// readPayload reads the content of an envelope at c.Pos. If the content contains no call, the text only mentions
// the mark of the envelope. But if the envelope is closed and its content looks like a call, readPayload rejects
// that call. It reports whether the envelope has other content, such as a nested call.
func (c *callReader) readPayload(e envelope) (nested bool) {
	start, requests := c.Pos, len(c.requests)
	found := requests + len(c.failures)
	c.foundBefore = found
	c.Mark, c.Delimiter = e.close, e.quote
	for more := true; more && c.Err == nil; {
		more = c.readNextCalls()
	}
	if e.line {
		count := len(c.requests)
		final := func(r tool.Request) bool { return c.isFinal(r.Name) }
		c.requests = c.requests[:requests+len(slices.DeleteFunc(c.requests[requests:], final))]
		nested = len(c.requests) < count
	}
	c.Mark, c.Delimiter = "", ""
	if e.quote != "" {
		c.elements += len(c.requests) - requests
	}
	if bad := c.Err; bad != nil {
		c.rejectCall(bad.At, bad.Message)
		c.Err = nil
		if c.inElement {
			c.Pos = c.End // the end of the value is unknown
		}
	}
	c.inElement = false
	if len(c.requests)+len(c.failures) > found || e.close == "" || e.line {
		return nested
	}
	if _, another := callAt(c.Text, c.Pos); another && c.Pos > start {
		return true
	}
	c.rejectEmptyPayload(e, start)
	return false
}

// rejectEmptyPayload is called for a payload that begins at start and contains no call. It rejects the payload if it
// is closed and something in it looks like a call.
func (c *callReader) rejectEmptyPayload(e envelope, start int) {
	end := c.Index(e.close, c.Pos)
	looksLikeCall := c.Pos == start && strings.IndexByte("<{[", c.ByteAt(c.SkipBlanks(c.Pos))) >= 0 || c.Index(e.open, min(c.End, max(c.Pos, start+1))) > end
	if end < c.End && end > c.Pos && looksLikeCall {
		c.rejectCall(start, "there is no call between "+e.open+" and "+e.close+asJSON)
		c.Pos = end
	}
}

// readNextCalls reads the next calls of a payload; it returns false if there are none.
func (c *callReader) readNextCalls() bool {
	next := c.skipSeparators(c.Pos)
	if next == c.End || c.Mark != "" && strings.HasPrefix(c.Text[next:], c.Mark) {
		return false
	}
	if e, ok := markAt(c.Text, next); ok && !e.keepOpen {
		return false
	}
	if c.closesFence(next) {
		return false
	}
	c.noteFence(c.Pos, next)
	c.Pos = next
	switch b := c.Text[c.Pos]; {
	case b == '<':
		return c.readElement()
	case b == '[' && c.opensCall(c.SkipBlanks(c.Pos+1)) || c.opensCall(c.Pos):
		return c.readPythonCalls()
	case b == '{' || b == '[':
		return c.readJSON()
	case scan.IsWord(b):
		return c.readNamed()
	}
	return false
}

// readElement reads the call in the element at c.Pos.
func (c *callReader) readElement() bool {
	t, ok := c.TagAt(c.Pos)
	switch {
	case !isName(t.Value) && strings.HasPrefix(c.Text[c.Pos:], "<function"):
		return c.readHalfTag()
	case !ok || t.Closing:
		return false
	case (slices.Contains(callElements, t.Name) || c.isOffered(t.Name)) && c.failExtra(t):
		return false
	case slices.Contains(callElements, t.Name):
		c.Pos = t.End
		return c.readBody(t.Value, t.Name)
	case slices.Contains(nameElements, t.Name):
		return c.readBody("", "")
	case c.isOffered(t.Name):
		c.Pos = t.End
		return c.readBody(t.Name, t.Name)
	}
	return false
}

// readJSON reads calls written as JSON.
func (c *callReader) readJSON() bool {
	start := c.Pos
	n, clear := c.readValue()
	if n == nil || c.Err != nil {
		return false
	}
	if n.Kind == jsontext.Array && len(n.Items) == 0 {
		return true // an empty list is a valid payload
	}
	requests, broken := len(c.requests), len(c.failures)
	isCall := c.addCalls(n, true)
	switch {
	case c.marked:
		c.requests, c.failures = c.requests[:requests], c.failures[:broken]
		c.Fail(reader.Ambiguous, start, unclearStrings)
		return false
	case !isCall && len(c.failures) == broken && len(c.requests) == requests:
		c.repaired = c.repaired || !c.isFirst() // this may be part of the call before it
		c.rejectCall(start, "a call has no name")
	}
	c.repaired = c.repaired || isCall && !clear
	return true
}

// unclearStrings is the message for strings with two readings.
const unclearStrings = "it is not clear where the strings in this call end" + asJSON

// asJSON tells a model how to write a call that has only one reading.
const asJSON = `: write the call as JSON in one line, {"name": …, "arguments": {…}}, with quotes and line breaks in strings escaped`
