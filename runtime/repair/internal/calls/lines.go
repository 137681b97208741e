package calls

import (
	"slices"
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
func (c *caller) fenceRun(i int) string {
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

// endFence ends the open fence, if there is one, and skips its mark. A fence with anything
// other than calls is text. So is an empty fence: its marks may surround the text before it.
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

// lineIndent returns how many bytes are before i in its line; -1 if they are not all blanks.
func (c *caller) lineIndent(i int) int {
	start := i
	for start > 0 && (c.Text[start-1] == ' ' || c.Text[start-1] == '\t' || c.Text[start-1] == '\r') {
		start--
	}
	c.Steps += i - start
	if start > 0 && c.Text[start-1] != '\n' {
		return -1
	}
	return i - start
}

// prose skips the rest of a line of text, and the further lines of a value that begins in it.
func (c *caller) prose() {
	c.beginBlock()
	c.inLine = false
	for c.Pos < c.End {
		switch b := c.Text[c.Pos]; {
		case b == '\n':
			return
		case b == '`':
			c.codeSpan()
		case opensThought[b] && !c.isQuoted(c.Pos) && c.thought():
			if c.afterThought {
				return // the answer begins
			}
		case b == '<' && !c.isQuoted(c.Pos):
			c.mentionedMark()
		case (b == '"' || b == '\'') && c.tripleQuote():
		case b == '<' || c.Pos < c.doubtful || !c.opensValue(c.Pos):
			c.Pos++
		default:
			start, cut := c.Pos, c.Cut
			_, clear := c.readValue()
			c.Err, c.Cut = nil, cut
			if !clear {
				c.doubtful = c.Pos
				c.Pos = start + 1
			}
			c.Pos = max(c.Pos, start+1)
		}
	}
}

// codeSpan skips code in backticks: within the line, or in a fence that begins in it, as in
// a list item.
func (c *caller) codeSpan() {
	size := 0
	for c.ByteAt(c.Pos+size) == '`' {
		size++
	}
	c.Steps += size
	run := c.Text[c.Pos : c.Pos+size]
	c.Pos += size
	line := c.line(c.Pos)
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

// longestSpan bounds how long code in backticks is, in bytes.
const longestSpan = 256

// tripleQuote skips a string between three quotes, which may have many lines.
func (c *caller) tripleQuote() bool {
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

// mentionedMark skips the mark of a call within a line, and the call, which is text. If the
// call cannot be read, it is not clear where the text ends.
func (c *caller) mentionedMark() {
	start := c.Pos
	if t, ok := c.TagAt(start); ok && (t.Name == "arg_key" || t.Name == "arg_value" || t.Value != "" && slices.Contains(argumentElements, t.Name)) {
		c.doubtful = c.End // an argument of a call whose beginning is lost
	}
	e, ok := c.opened()
	if !ok || start < c.doubtful {
		c.Pos++
		return
	}
	requests, broken, elements, cut := len(c.requests), len(c.broken), c.elements, c.Cut
	ok = c.envelope(e)
	if len(c.broken) > broken || ok && c.Cut && !cut {
		c.doubtful, ok = c.End, false
	}
	c.requests, c.broken, c.elements, c.Cut = c.requests[:requests], c.broken[:broken], elements, cut
	if !ok {
		c.Pos = start + len(e.open)
	}
}

// isQuoted reports whether the tag at i is in quotes or backticks: it is mentioned.
func (c *caller) isQuoted(i int) bool {
	end := c.TagEnd(i)
	if i == 0 || end == 0 {
		return false
	}
	before, after := c.Text[i-1], c.ByteAt(end)
	return before == after && strings.IndexByte("`'\"", before) >= 0
}

// noBlock is less than any indentation.
const noBlock = -1

// blocks are the words that begin a block of Python.
var blocks = []string{"async", "class", "def", "elif", "else", "except", "finally", "for", "if", "lambda", "match", "case", "try", "while", "with"}

// beginBlock notes that the line at c.Pos begins a block of Python. It rejects a line that
// names the result of a call: it is a part of a program.
func (c *caller) beginBlock() {
	indent := c.lineIndent(c.Pos)
	if indent >= 0 && !c.isInList() && c.opensItem(c.Pos) {
		c.list = indent
	}
	if indent < 0 || c.isInBlock() {
		return
	}
	if c.opensBlock(c.Pos) {
		c.block = indent
	} else if value := c.assigned(c.Pos); value > 0 {
		c.reject(value, "a call is a part of a program")
	}
}

// isInList reports whether the line of c.Pos is indented below a list item, of which it is a
// part. A line that is not ends the item.
func (c *caller) isInList() bool {
	if c.list == noBlock {
		return false
	}
	if indent := c.lineIndent(c.Pos); indent >= 0 && indent <= c.list {
		c.list = noBlock
	}
	return c.list != noBlock
}

// opensItem reports whether the mark of a list item is at i.
func (c *caller) opensItem(i int) bool {
	end := i
	for end < c.End && end < i+9 && scan.IsDigit(c.Text[end]) {
		end++
	}
	marks := "-*+"
	if end > i {
		marks = ".)"
	}
	return strings.IndexByte(marks, c.ByteAt(end)) >= 0 && scan.IsBlank(c.ByteAt(end+1))
}

// isInBlock reports whether the line of c.Pos is in a block of Python. A line that is not
// ends the block.
func (c *caller) isInBlock() bool {
	if indent := c.lineIndent(c.Pos); indent >= 0 && indent <= c.block {
		c.block = noBlock
	}
	return c.block != noBlock
}

// opensBlock reports whether the line at i begins a block of Python, or ends what does.
func (c *caller) opensBlock(i int) bool {
	line := c.line(i)
	code, _, _ := strings.Cut(line, "#")
	colon := strings.HasSuffix(strings.TrimRight(line, scan.Blanks), ":") || strings.HasSuffix(strings.TrimRight(code, scan.Blanks), ":")
	return colon && (c.ByteAt(i) == ')' || slices.Contains(blocks, c.Text[i:c.WordEnd(i)]))
}

// assigned returns the place of the call of a tool that was offered whose result the
// line at i gives a name; 0 if there is none.
func (c *caller) assigned(i int) int {
	equals := c.Blank(c.WordEnd(i))
	value := c.Blank(equals + 1)
	if equals > i && c.ByteAt(equals) == '=' && c.opensOffered(value) {
		return value
	}
	return 0
}

// opensStatement reports whether a call of Python, or a name and JSON, begins at c.Pos.
func (c *caller) opensStatement() bool {
	start := c.Pos
	return !c.isInBlock() && (c.ByteAt(start) == '[' && c.opensCall(c.Blank(start+1)) || c.opensCall(start) || c.opensObject(start))
}

// statements reads the calls at c.Pos. What is indented below a call that cannot be read is
// a part of it.
func (c *caller) statements() bool {
	start, broken := c.Pos, len(c.broken)
	indent := max(0, c.lineIndent(start))
	if !c.statement(c.fence != "" || strings.Trim(c.Text[:start], scan.Blanks) == "") {
		c.block = indent
		return false
	}
	if len(c.broken) > broken {
		c.block = indent
		c.Pos = max(c.Pos, c.Index("\n", start))
	}
	return true
}

// statement reads the calls at c.Pos, and reports whether the line has nothing else and can
// mean nothing else. A line that begins with the call of an offered tool and ends like a call,
// but cannot be read, is rejected.
func (c *caller) statement(alone bool) bool {
	start := c.Pos
	requests, broken := len(c.requests), len(c.broken)
	ok, withName := true, false
	c.marked, c.Python = false, true
	c.inStrings(func() {
		switch {
		case c.Text[c.Pos] == '[':
			ok = c.python()
		case c.opensCall(c.Pos):
			for ok = c.pythonCall(); ok && c.After(c.Pos) == ';' && c.opensCall(c.Blank(c.Blank(c.Pos)+1)); ok = c.pythonCall() {
				c.Pos = c.Blank(c.Blank(c.Pos) + 1)
			}
		default:
			c.Python, c.inFence = false, false
			ok, withName = c.named(), true
			c.endInnerFence()
		}
	})
	c.Python = false
	if bad := c.Err; bad != nil {
		c.reject(bad.At, bad.Message)
		c.Err, ok = nil, false
	}
	ok = ok && !c.marked && (withName || len(c.broken) == broken) && c.endsStatement()
	for _, r := range c.requests[requests:] {
		ok = ok && (c.offered[r.Name] != nil || len(c.offered) == 0 && (alone || r.Arguments != nil))
	}
	if ok {
		return true
	}
	c.requests = c.requests[:requests]
	if !c.isCallLine(start) {
		c.broken = c.broken[:broken]
		return false
	}
	if len(c.broken) == broken {
		c.reject(start, "there is more in the line than calls of tools")
	}
	return true
}

// endsStatement reports whether nothing follows in the line but what may follow a call.
func (c *caller) endsStatement() bool {
	line := strings.Trim(c.line(c.Pos), scan.Blanks+",;")
	if strings.HasPrefix(line, "#") && c.fence != "" {
		c.Pos = c.Index("\n", c.Pos)
		return true
	}
	return line == "" || strings.HasPrefix(line, "```") || strings.HasPrefix(line, "<")
}

// isCallLine reports whether the line at i begins with the call of a tool that was
// offered, and ends as one does, or as one that goes on.
func (c *caller) isCallLine(i int) bool {
	line := strings.TrimRight(c.line(i), scan.Blanks+";")
	if c.Text[i] == '[' {
		i = c.Blank(i + 1)
	}
	return c.opensOffered(i) && strings.IndexByte(")](,\"'", line[len(line)-1]) >= 0
}
