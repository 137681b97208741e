package calls

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
	"github.com/aiongen/aiongen/runtime/tool"
)

// payload reads what is in an envelope, from c.Pos on. Marks around nothing that
// is like a call are only talked about, unless they are closed: then there is a
// call that cannot be read.
func (c *caller) payload(e envelope) {
	start, requests := c.Pos, len(c.requests)
	found := requests + len(c.broken)
	c.Mark = e.close
	for c.Err == nil && c.one() {
	}
	if e.line {
		final := func(r tool.Request) bool { return c.isFinal(r.Name) }
		c.requests = c.requests[:requests+len(slices.DeleteFunc(c.requests[requests:], final))]
	}
	c.Mark = ""
	if c.Err != nil {
		c.reject(c.Err.At, c.Err.Message)
		c.Err = nil
	}
	if len(c.requests)+len(c.broken) > found || e.close == "" || e.line {
		return
	}
	if _, nested := callAt(c.Text, c.Pos); nested && c.Pos > start {
		return
	}
	end := c.Index(e.close, c.Pos)
	if end < c.End && end > c.Pos && c.Index(e.open, c.Pos) > end {
		c.reject(start, "there is no call between "+e.open+" and "+e.close)
		c.Pos = end
	}
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
	c.Pos = next
	switch b := c.Text[c.Pos]; {
	case b == '<':
		return c.element()
	case b == '[' && c.opensCall(c.Blank(c.Pos+1)) || c.opensCall(c.Pos):
		return c.python()
	case b == '{' || b == '[':
		return c.json()
	case scan.IsWord(b):
		return c.named()
	}
	return false
}

// json reads calls that are JSON.
func (c *caller) json() bool {
	start := c.Pos
	n := c.Value(reader.InText, nil)
	if n == nil || c.Err != nil {
		return false
	}
	if n.Kind == jsontext.Array && len(n.Items) == 0 {
		return true // no calls at all
	}
	if found := len(c.requests) + len(c.broken); !c.shape(n, true) && len(c.requests)+len(c.broken) == found {
		c.reject(start, "a call has no name")
	}
	return true
}
