package calls

import (
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// enveloped reads the calls in envelopes.
func (c *caller) enveloped() {
	for c.Pos < c.End {
		switch e, ok := c.opened(); {
		case !ok:
			c.Pos++
		case e.aside:
			end := c.behind(e, c.Pos)
			c.aside = append(c.aside, jsontext.Span{Start: int32(c.Pos), End: int32(end)})
			c.take(c.Pos, end)
			c.Pos = end
		case within(c.quotation().Doubtful, c.Pos):
			c.reject(c.Pos, "what "+e.open+" begins may be a call, or a part of the string before it")
			c.Pos++
		default:
			c.envelope(e)
		}
	}
}

// opened returns the envelope that opens at c.Pos, if it is not talked about and
// no data.
func (c *caller) opened() (e envelope, ok bool) {
	if !opensMark[c.Text[c.Pos]] {
		return envelope{}, false
	}
	if e, ok = markAt(c.Text, c.Pos); !ok {
		e, ok = c.toolMark(c.Pos)
	}
	quoted := !e.aside && c.isQuoted(e) || e.list && c.ByteAt(c.Pos+len(e.open)) != '['
	return e, ok && !quoted && !within(c.quotation().Certain, c.Pos)
}

// envelope reads the calls in an envelope that opens at c.Pos.
func (c *caller) envelope(e envelope) {
	start, requests, broken := c.Pos, len(c.requests), len(c.broken)
	if !e.kept {
		c.Pos += len(e.open)
	}
	c.payload(e)
	c.Pos = max(c.Pos, start+1)
	end := c.Pos
	if strings.HasPrefix(c.Text[end:], e.close) {
		end += len(e.close)
	}
	if c.isMentioned(start, end) {
		c.requests, c.broken = c.requests[:requests], c.broken[:broken]
		c.aside = append(c.aside, jsontext.Span{Start: int32(start), End: int32(end)})
	} else if len(c.requests) > requests {
		c.take(start, end)
	}
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
		return envelope{}, false // it is only talked about
	}
	return envelope{open: c.Text[i:t.End], close: closing, kept: true}, true
}

// isQuoted tells whether the mark at c.Pos is in backticks: it is talked about.
func (c *caller) isQuoted(e envelope) bool {
	return c.Pos > 0 && c.Text[c.Pos-1] == '`' && c.ByteAt(c.Pos+len(e.open)) == '`'
}
