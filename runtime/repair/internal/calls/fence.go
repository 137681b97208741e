package calls

import (
	"strings"

	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// opensFence reads the mark of a fence and its label, if they are at c.Pos.
func (c *caller) opensFence() bool {
	run := c.fenceRun(c.Pos)
	if run == "" {
		return false
	}
	isInList := c.isInList()
	c.Pos += len(run)
	for c.Pos < c.End && (scan.IsWord(c.Text[c.Pos]) || c.Text[c.Pos] == '-') {
		c.Pos++
	}
	c.fence, c.program, c.inLine, c.block = run, isInList, false, noBlock
	c.fenced = [3]int{len(c.requests), len(c.broken), c.elements}
	return true
}

// fenceRun returns the mark of a fence at i; empty if there is none.
func (c *cursor) fenceRun(i int) string {
	b := c.ByteAt(i)
	if b != '`' && b != '~' {
		return ""
	}
	end := i
	for end < c.End && c.Text[end] == b {
		end++
	}
	c.Steps += end - i
	if end-i < 3 {
		return ""
	}
	return c.Text[i:end]
}

// closesFence reports whether the end of the fence is at i.
func (c *caller) closesFence(i int) bool {
	run := c.fenceRun(i)
	return strings.HasPrefix(run, c.fence) && !scan.IsWord(c.ByteAt(i+len(run)))
}

// endFence ends the fence, if one is open, with its mark. A fence that has something other
// than calls is text, and so is an empty one: then what is outside may be inside.
func (c *caller) endFence() {
	if c.fence == "" {
		return
	}
	c.Pos += len(c.fenceRun(c.Pos))
	if c.program || len(c.requests) == c.fenced[0] && len(c.broken) == c.fenced[1] {
		c.requests, c.broken, c.elements = c.requests[:c.fenced[0]], c.broken[:c.fenced[1]], c.fenced[2]
		c.mention()
	}
	c.fence, c.program, c.inLine, c.block = "", false, len(c.requests) > 0, noBlock
}

// fenceEnd returns the place of the mark in a line of its own that ends the fence. If there
// is none, the fence may be in a thought: then it ends with that.
func (c *caller) fenceEnd(i int) int {
	for at := c.Index(c.fence[:3], i); at < c.End; {
		run := c.fenceRun(at)
		if strings.HasPrefix(run, c.fence) && c.lineIndent(at) >= 0 && strings.Trim(c.line(at+len(run)), scan.Blanks) == "" {
			return at
		}
		at = c.Index(c.fence[:3], at+len(run))
	}
	end := c.End
	for _, e := range thoughts {
		if endsOpenThought(e) {
			end = min(end, c.Index(e.Close, i))
		}
	}
	return end
}

// noteFence notes that a fence in a payload begins or ends between two places.
func (c *caller) noteFence(from, to int) {
	if strings.Contains(c.Text[from:to], "```") {
		c.inFence = !c.inFence
	}
}

// endInnerFence skips the end of a fence that began in a payload.
func (c *caller) endInnerFence() {
	if end := c.Blank(c.Pos); c.inFence && c.fenceRun(end) != "" {
		c.Pos = end + len(c.fenceRun(end))
	}
	c.inFence = false
}
