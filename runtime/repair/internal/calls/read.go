package calls

import (
	"strings"

	"github.com/aiongen/aiongen/runtime/repair/internal/report"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Found are those that a text has.
type Found struct {
	Requests []tool.Request
	Failures []*report.Failure // why others cannot be read
	Steps    int               // bytes that were looked at
}

// Read reads the calls at the end of a text: each begins a line or follows another one,
// and nothing else follows them. It reads strings and other values before it looks for
// marks, so that a mark in a value is a part of the value.
func Read(text string, definitions []tool.Definition) Found {
	c := newCaller(text, 0, newOffers(definitions))
	for c.Pos < c.End {
		start := c.Pos
		c.next()
		c.Pos = max(c.Pos, start+1)
	}
	c.endFence()
	if len(c.requests) > 0 && c.interrupted != nowhere {
		c.requests = nil
		c.reject(c.interrupted, "there is text between the calls: write only those that you want to make, one after another, after all text")
	}
	if len(c.broken) > 0 {
		c.dropDoubtful()
	}
	found := Found{Steps: c.Steps}
	if len(c.requests) == 0 && len(c.broken) == 0 {
		return found
	}
	c.Cut = c.Cut || endsInMark(text)
	for i := range c.requests {
		c.requests[i].Truncated = c.Cut
	}
	found.Requests, found.Failures = c.requests, append(c.unusable, c.broken...)
	return found
}

// next reads what is at c.Pos, which is the beginning of a line or follows a call. Any text
// between calls ends in [caller.text], also where a call could not be read.
func (c *caller) next() {
	if c.Pos = c.Blank(c.Pos); c.Pos == c.End {
		return
	}
	start := c.Pos
	c.inLine = c.inLine && c.lineIndent(c.Pos) < 0
	c.isInList() // ends the list item before a line outside it
	switch b := c.Text[c.Pos]; {
	case c.fence != "" && c.closesFence(c.Pos):
		c.endFence()
	case c.thought():
	case c.isResult():
	case c.fence == "" && c.opensFence():
	case c.inLine && strings.IndexByte(",;]})", b) >= 0:
		c.Pos++
	case c.header():
	case c.call():
		c.inLine = true
	case b == '<' && c.wrapper():
	default:
		if c.Pos > start {
			c.mention() // there was a value that is not a call
		}
		c.text()
	}
}

// call reads the calls at c.Pos in one of the formats. It returns false if there are none;
// then c.Pos may be after a value that is not a call.
func (c *caller) call() bool {
	start, requests, broken, elements := c.Pos, len(c.requests), len(c.broken), c.elements
	if c.isInList() {
		return false
	}
	e, opens := c.opened()
	read := func() bool { return c.envelope(e) }
	switch {
	case opens:
	case c.opensValue(c.Pos):
		read = c.value
	case c.opensStatement():
		read = c.statements
	default:
		return false
	}
	isInDoubt := start < c.doubtful
	if isInDoubt && c.reread > mostReread*len(c.Text) {
		return false
	}
	steps := c.Steps
	ok := read()
	if isInDoubt {
		c.reread += c.Steps - steps
	}
	isCall, isBroken := len(c.requests) > requests, len(c.broken) > broken
	switch {
	case isInDoubt && (isCall || isBroken):
	case isBroken:
		c.doubtful = c.End
		c.Pos = c.Index("\n", c.Pos)
		return true
	default:
		return ok
	}
	c.requests, c.broken, c.elements = c.requests[:requests], c.broken[:broken], elements
	c.reject(start, "this may be a call, or a part of the value before it")
	return true
}

// mostReread bounds how many steps, per byte of the text, are spent on reading again what may
// be in a value that does not end.
const mostReread = 4

// text skips text that is not a call, to the end of the line, of the fence or of the
// value that it is in. Calls before it were only mentioned.
func (c *caller) text() {
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
	c.mention()
	c.prose()
}

// isLostArgument reports whether the end of an argument is at c.Pos, which follows a
// call: the call may go on there.
func (c *caller) isLostArgument() bool {
	if len(c.requests) == 0 {
		return false
	}
	t, ok := c.TagAt(c.Pos)
	if !ok || !isArgumentTag(t.Name) {
		return false
	}
	c.requests = nil
	c.reject(c.Pos, "the value of an argument may go on after what looks like the end of the call before this"+asJSON)
	c.Pos = c.End
	return true
}

// wrapper skips a tag or token that models put around calls.
func (c *cursor) wrapper() bool {
	if rest := c.Text[c.Pos:]; strings.HasPrefix(rest, "<|") || strings.HasPrefix(rest, "<｜") {
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

// isResult reports whether what follows is what the model made up for the result of a call.
// It ends the reply.
func (c *caller) isResult() bool {
	if _, ok := c.resultAt(c.Pos); !ok {
		return false
	}
	c.endFence()
	c.Pos, c.End = c.End, c.Pos
	return true
}

// value reads the JSON value at c.Pos and the calls in it. A value that has none is text:
// it is skipped, unless it is not clear where it ends.
func (c *caller) value() bool {
	start, requests, broken, cut := c.Pos, len(c.requests), len(c.broken), c.Cut
	c.Cut = false
	n, clear := c.readValue()
	bad := c.Err
	c.Err = nil
	isCall := n != nil && c.shape(n, false) || len(c.broken) > broken
	switch {
	case isCall && bad != nil:
		c.requests, c.broken = c.requests[:requests], c.broken[:broken]
		c.reject(bad.At, bad.Message)
	case isCall && c.marked:
		c.requests, c.broken = c.requests[:requests], c.broken[:broken]
		c.reject(start, unclear)
	case isCall:
		c.Cut = c.Cut || cut
		c.loose = c.loose || !clear
	case c.Cut && c.Pos == c.End && len(c.requests) > 0: // it may have become a call
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
