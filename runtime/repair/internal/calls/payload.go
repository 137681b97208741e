package calls

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/report"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
	"github.com/aiongen/aiongen/runtime/tool"
)

// envelope reads the calls in an envelope that opens at c.Pos; false if there are none, for
// its mark is only mentioned.
func (c *caller) envelope(e envelope) bool {
	start, requests, broken, cut := c.Pos, len(c.requests), len(c.broken), c.Cut
	if !e.kept {
		c.Pos += len(e.open)
	}
	c.inFence = false
	ok := c.payload(e)
	c.endInnerFence()
	if !ok && len(c.requests) == requests && len(c.broken) == broken {
		c.Pos, c.Cut = start, cut
		return false
	}
	c.Pos = max(c.Pos, start+1)
	if len(c.broken) > broken {
		c.Pos = min(c.End, c.Index(e.close, c.Pos)+len(e.close))
		return true
	}
	end := c.Pos
	for end < c.End && isMarkdown(c.Text[end]) {
		end++
	}
	if closing := c.skip(c.Pos); !e.line && strings.HasPrefix(c.Text[closing:], e.close) {
		c.Pos = closing + len(e.close)
	} else if c.fence == "" && strings.Trim(c.line(end), scan.Blanks) == "" {
		c.Pos = end
	}
	return true
}

// payload reads what is in an envelope, from c.Pos on. Marks around nothing that
// is like a call are only mentioned, unless they are closed: then there is a
// call that cannot be read. It reports whether there is something else to read in the
// envelope, or nothing at all.
func (c *caller) payload(e envelope) (nested bool) {
	start, requests := c.Pos, len(c.requests)
	found := requests + len(c.broken)
	c.payloadStart = found
	c.Mark, c.Delimiter = e.close, e.quote
	for c.Err == nil && c.one() {
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
		c.reject(bad.At, bad.Message)
		c.Err = nil
		if c.inElement {
			c.Pos = c.End // nobody knows where the value ends
		}
	}
	c.inElement = false
	if len(c.requests)+len(c.broken) > found || e.close == "" || e.line {
		return nested
	}
	if _, another := callAt(c.Text, c.Pos); another && c.Pos > start {
		return true
	}
	end := c.Index(e.close, c.Pos)
	first := c.ByteAt(c.Blank(c.Pos))
	isTried := c.Pos == start && strings.IndexByte("<{[", first) >= 0 && first != 0 || c.Index(e.open, min(c.End, max(c.Pos, start+1))) > end
	if end < c.End && end > c.Pos && isTried {
		c.reject(start, "there is no call between "+e.open+" and "+e.close+asJSON)
		c.Pos = end
	}
	return false
}

// one reads the next calls of a payload; false if there are none.
func (c *caller) one() bool {
	next := c.skip(c.Pos)
	if next == c.End || c.Mark != "" && strings.HasPrefix(c.Text[next:], c.Mark) {
		return false
	}
	if e, ok := markAt(c.Text, next); ok && !e.kept {
		return false
	}
	if c.fence != "" && c.closesFence(next) {
		return false
	}
	c.noteFence(c.Pos, next)
	c.Pos = next
	switch b := c.Text[c.Pos]; {
	case b == '<':
		return c.element()
	case b == '[' && c.opensCall(c.Blank(c.Pos+1)) || c.opensCall(c.Pos):
		return c.pythonCalls()
	case b == '{' || b == '[':
		return c.json()
	case scan.IsWord(b):
		return c.named()
	}
	return false
}

// element reads the call that is the element at c.Pos.
func (c *caller) element() bool {
	t, ok := c.TagAt(c.Pos)
	switch {
	case !isName(t.Value) && strings.HasPrefix(c.Text[c.Pos:], "<function"):
		return c.halfTag()
	case !ok || t.Closing:
		return false
	case (slices.Contains(callElements, t.Name) || c.knows(t.Name)) && c.hasExtra(t):
		return false
	case slices.Contains(callElements, t.Name):
		c.Pos = t.End
		return c.body(t.Value, t.Name)
	case slices.Contains(nameElements, t.Name):
		return c.body("", "")
	case c.knows(t.Name):
		c.Pos = t.End
		return c.body(t.Name, t.Name)
	}
	return false
}

// json reads calls that are JSON.
func (c *caller) json() bool {
	start := c.Pos
	n, clear := c.readValue()
	if n == nil || c.Err != nil {
		return false
	}
	if n.Kind == jsontext.Array && len(n.Items) == 0 {
		return true // no calls at all
	}
	requests, broken := len(c.requests), len(c.broken)
	isCall := c.shape(n, true)
	switch {
	case c.marked:
		c.requests, c.broken = c.requests[:requests], c.broken[:broken]
		c.Fail(report.Ambiguous, start, unclear)
		return false
	case !isCall && len(c.broken) == broken && len(c.requests) == requests:
		c.loose = c.loose || !c.isFirst() // it may be a part of the call before it
		c.reject(start, "a call has no name")
	}
	c.loose = c.loose || isCall && !clear
	return true
}

// unclear says that strings have two readings.
const unclear = "it is not clear where the strings in this call end" + asJSON

// asJSON tells a model how to write a call that can only be read in one way.
const asJSON = `: write the call as JSON in one line, {"name": …, "arguments": {…}}, with quotes and line breaks in strings escaped`
