package calls

import (
	"strings"

	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// opened returns the envelope that opens at c.Pos.
func (c *caller) opened() (e envelope, ok bool) {
	if !opensMark[c.Text[c.Pos]] {
		return envelope{}, false
	}
	if e, ok = markAt(c.Text, c.Pos); !ok {
		if e, ok = c.toolMark(c.Pos); !ok {
			return envelope{}, false
		}
	}
	return e, !e.result && (!e.line || !c.inLine) && (!e.list || c.ByteAt(c.Pos+len(e.open)) == '[')
}

// envelope reads the calls in an envelope that opens at c.Pos. It returns false if there are
// none, because its mark is only mentioned.
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

// toolMark returns the envelope that opens at i if it is an element that is called
// like a tool: <get_weather><city>…
func (c *caller) toolMark(i int) (envelope, bool) {
	if len(c.offered) == 0 {
		return envelope{}, false
	}
	t, ok := c.TagAt(i)
	if !ok || t.Closing || t.Value != "" || c.offered[t.Written] == nil {
		return envelope{}, false
	}
	b, closing := c.ByteAt(c.Blank(t.End)), "</"+t.Written+">"
	if b != '<' && b != '{' || c.Index(closing, t.End) == c.End {
		return envelope{}, false // it is only mentioned
	}
	return envelope{open: c.Text[i:t.End], close: closing, kept: true}, true
}

// resultAt returns the mark of a result at i.
func (c *caller) resultAt(i int) (envelope, bool) {
	e, ok := markAt(c.Text, i)
	return e, ok && e.result
}
