package calls

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// lines reads calls of Python, and names of tools before JSON, that are by
// themselves: all of the text or of a fence, or a line of the text. A fence that
// has anything else is a program, and so is a block of Python. What is indented below
// a call that cannot be read is a part of it.
func (c *caller) lines() {
	fenced, program := false, false
	block := noBlock
	requests, broken, taken := 0, 0, 0 // how many there were before the fence
	end := func() {
		if program {
			c.requests, c.broken, c.taken = c.requests[:requests], c.broken[:broken], c.taken[:taken]
		}
		program = false
	}
	first := c.Blank(c.Pos)
	for c.Pos < c.End {
		c.Pos = c.Blank(c.Pos)
		start := c.Pos
		if unsaid := c.unsaid(start); unsaid > 0 {
			c.Pos = unsaid
			continue
		}
		indent := start - 1 - strings.LastIndexByte(c.Text[:start], '\n')
		if indent <= block {
			block = noBlock
		}
		switch {
		case within(c.aside, start):
		case strings.HasPrefix(c.Text[start:], "```"):
			end()
			block = noBlock
			fenced = !fenced
			requests, broken, taken = len(c.requests), len(c.broken), len(c.taken)
		case block != noBlock:
		case c.ByteAt(start) == '[' && c.opensCall(c.Blank(start+1)) || c.opensCall(start) || c.opensObject(start):
			rejected := len(c.broken)
			if !c.statement(fenced || start == first) {
				program, block = fenced, indent
			} else if len(c.broken) > rejected {
				block = indent
			} else {
				c.take(start, c.Pos)
			}
		case c.ByteAt(start) != '#':
			program = fenced
			if c.opensBlock(start) {
				block = indent
			} else if value := c.assigned(start); !fenced && value > 0 {
				c.reject(value, "a call is a part of a program")
			}
		}
		c.Pos = max(c.Pos, c.Index("\n", start))
	}
	end()
}

// noBlock is less than all indents.
const noBlock = -1

// blocks are the words that begin a block of Python.
var blocks = []string{"async", "class", "def", "elif", "else", "except", "finally", "for", "if", "lambda", "match", "case", "try", "while", "with"}

// opensBlock tells whether the line at i begins a block of Python, or ends what does.
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

// statement reads the calls at c.Pos, if the line has nothing else, and they can
// be nothing else; it tells whether that is so. A call of a tool that was offered is
// broken if the line ends as one does.
func (c *caller) statement(alone bool) bool {
	start := c.Pos
	requests, broken, known := len(c.requests), len(c.broken), c.Strings.Kept()
	ok, named := true, false
	switch {
	case c.Text[c.Pos] == '[':
		ok = c.python()
	case c.opensCall(c.Pos):
		for ok = c.call(); ok && c.After(c.Pos) == ';' && c.opensCall(c.Blank(c.Blank(c.Pos)+1)); ok = c.call() {
			c.Pos = c.Blank(c.Blank(c.Pos) + 1)
		}
	default:
		ok, named = c.named(), true
	}
	line := strings.Trim(c.line(c.Pos), scan.Blanks+",;")
	ok = ok && (named || len(c.broken) == broken) && (line == "" || strings.HasPrefix(line, "```") || strings.HasPrefix(line, "#"))
	if !ok {
		c.Strings.Reset(known)
	}
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

// isCallLine tells whether the line at i begins with the call of a tool that was
// offered, and ends as one does, or as one that goes on.
func (c *caller) isCallLine(i int) bool {
	line := strings.TrimRight(c.line(i), scan.Blanks+";")
	if c.Text[i] == '[' {
		i = c.Blank(i + 1)
	}
	return c.opensOffered(i) && strings.IndexByte(")](,\"'", line[len(line)-1]) >= 0
}
