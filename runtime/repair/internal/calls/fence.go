package calls

import (
	"strings"

	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// openFence reads the opening mark of a fence and its label, if they are at c.Pos.
func (c *callReader) openFence() bool {
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
	c.beforeFence = [3]int{len(c.requests), len(c.failures), c.elements}
	return true
}

// fenceRun returns the mark of a fence at i, such as "```"; "" if there is none.
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

// closesFence reports whether a fence is open and its closing mark is at i.
func (c *callReader) closesFence(i int) bool {
	if c.fence == "" {
		return false
	}
	run := c.fenceRun(i)
	return strings.HasPrefix(run, c.fence) && !scan.IsWord(c.ByteAt(i+len(run)))
}

// endFence ends the open fence, if there is one, and skips its closing mark. If the fence
// is empty or contains anything besides calls, it counts as text: endFence drops the calls in it and
// those before it.
func (c *callReader) endFence() {
	if c.fence == "" {
		return
	}
	c.Pos += len(c.fenceRun(c.Pos))
	if c.program || len(c.requests) == c.beforeFence[0] && len(c.failures) == c.beforeFence[1] {
		c.requests, c.failures, c.elements = c.requests[:c.beforeFence[0]], c.failures[:c.beforeFence[1]], c.beforeFence[2]
		c.dropMentioned()
	}
	c.fence, c.program, c.inLine, c.block = "", false, len(c.requests) > 0, noBlock
}

// fenceEnd returns the position of the mark that ends the open fence, which must be alone on its line. If there
// is no such mark, the fence may be part of a thought. In that case, fenceEnd returns the position of the closing
// mark of the thought, or the end of the text.
func (c *callReader) fenceEnd(i int) int {
	for at := c.Index(c.fence[:3], i); at < c.End; {
		run := c.fenceRun(at)
		if strings.HasPrefix(run, c.fence) && c.lineIndent(at) >= 0 && strings.Trim(c.restOfLine(at+len(run)), scan.Blanks) == "" {
			return at
		}
		at = c.Index(c.fence[:3], at+len(run))
	}
	end := c.End
	for _, e := range thoughtMarks {
		if endsOpenThought(e) {
			end = min(end, c.Index(e.Close, i))
		}
	}
	return end
}

// noteFence inverts c.inFence if the text between two positions contains the mark of a fence.
func (c *callReader) noteFence(from, to int) {
	if strings.Contains(c.Text[from:to], "```") {
		c.inFence = !c.inFence
	}
}

// endInnerFence skips the closing mark of a fence that was opened in the payload.
func (c *callReader) endInnerFence() {
	if end := c.SkipBlanks(c.Pos); c.inFence && c.fenceRun(end) != "" {
		c.Pos = end + len(c.fenceRun(end))
	}
	c.inFence = false
}
