package repair

import (
	"math"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// opensCall tells whether the call of a function is at i.
func (c *caller) opensCall(i int) bool {
	start := i
	for i < c.end && (isWord(c.text[i]) && c.text[i] < 0x80 || c.text[i] == '.') {
		i++
	}
	c.steps += i - start + 1
	return i > start && !isDigit(c.text[start]) && i < c.end && c.text[i] == '(' && isName(c.text[start:i])
}

// opensObject tells whether the name of a tool that was offered is at i, and then
// its arguments as JSON.
func (c *caller) opensObject(i int) bool {
	if len(c.offered) == 0 {
		return false
	}
	start := c.pos
	c.pos = i
	known := c.knows(c.toolName())
	i = c.skip(c.pos)
	c.steps += c.pos - start
	c.pos = start
	inside := c.blank(i + 1)
	return known && c.byteAt(i) == '{' && (c.opensKey(inside) || c.opensBareKey(inside) || c.byteAt(inside) == '}')
}

// python reads calls as Python writes them, alone, one after another, or in a
// list; false if there is none.
func (c *caller) python() bool {
	list := c.text[c.pos] == '['
	if list {
		c.pos++
	}
	any := false
	for {
		c.pos = c.skip(c.pos)
		if list && c.byteAt(c.pos) == ']' {
			c.pos++
			return any
		}
		if !c.opensCall(c.pos) {
			if start := c.pos; list && c.toolName() != "" && c.pos < c.end {
				c.pos = start
			}
			c.cut = c.cut || list && c.pos == c.end
			return any
		}
		if !c.call() {
			return any
		}
		any = true
	}
}

// call reads the call at c.pos, also within print.
func (c *caller) call() bool {
	printed := 0
	for strings.HasPrefix(c.text[c.pos:], "print(") && c.opensCall(c.blank(c.pos+len("print("))) {
		c.pos = c.blank(c.pos + len("print("))
		printed++
	}
	start := c.pos
	name := c.toolName()
	c.pos++
	arguments, problem := c.arguments(name)
	if problem == "" && c.err != nil {
		problem, c.err = c.err.message, nil
	}
	for ; printed > 0 && c.after(c.pos) == ')'; printed-- {
		c.pos = c.blank(c.pos) + 1
	}
	if problem != "" {
		c.reject(start, problem)
		return false
	}
	c.add("", name, arguments)
	return true
}

// arguments reads the arguments of a call in parentheses, of which the first was
// read; it returns also what is wrong with them.
func (c *caller) arguments(name string) (n *jsontext.Node, problem string) {
	if !c.push(parenthesis) {
		return nil, ""
	}
	defer c.pop()
	n = c.node(jsontext.Object, c.pos)
	position := 0
	for separated := true; c.err == nil; {
		c.space()
		switch b := c.peek(); {
		case b == 0:
			c.cut = c.cut || c.pos == c.end
			return n, ""
		case b == ')':
			c.pos++
			if len(n.Items) == 0 {
				return nil, ""
			}
			return n, ""
		case isSeparator(b):
			if separated { // what is behind a missing argument is not in its place
				position = math.MaxInt
			}
			c.pos++
			separated = true
		case isCloser(b) || b == ':' || b == '=':
			return nil, "the arguments of a call cannot be read"
		default:
			separated = false
			if problem := c.pythonArgument(n, name, &position); problem != "" {
				return nil, problem
			}
		}
	}
	return nil, ""
}

// pythonArgument reads an argument into n, by its name or its position.
func (c *caller) pythonArgument(n *jsontext.Node, name string, position *int) (problem string) {
	offer := c.offer(name)
	key := ""
	switch {
	case c.opensArgument(c.pos):
		end := c.wordEnd(c.pos)
		key = c.text[c.pos:end]
		c.pos = c.blank(end) + 1
	case strings.HasPrefix(c.text[c.pos:c.end], "**"):
		c.pos += len("**")
	case c.isAll(offer):
	case *position < len(offer.parameters):
		key = offer.parameters[*position]
		*position++
	default:
		return "an argument of a call has no name"
	}
	doubts := c.doubts
	value := c.value(inCall, nil) // what Python writes has its types
	switch {
	case value == nil: // cut off
	case isBare(value) || c.doubts > doubts && !c.cut:
		return "an argument of a call is no value, but an expression"
	case key != "":
		value.Key = c.quoted(key)
		n.Add(value)
	case value.Kind == jsontext.Object:
		n.Items = append(n.Items, value.Items...)
	default:
		return "an argument of a call has no name"
	}
	return ""
}

// isAll tells whether the object at c.pos is all arguments of a call, as
// JavaScript has them: f({a: 1}). It is not if the first argument may be one.
func (c *caller) isAll(o offer) bool {
	return c.text[c.pos] == '{' && len(o.parameters) > 0 && !wants(property(o.schema, o.parameters[0]), jsontext.Object)
}

// isBare tells whether there are strings without quotes in a value.
func isBare(n *jsontext.Node) bool {
	if is(n, bare|void) {
		return true
	}
	return slices.ContainsFunc(n.Items, isBare)
}

// lines reads calls of Python, and names of tools before JSON, that are by
// themselves: all of the text or of a fence, or a line of the text. A fence that
// has anything else is a program, and so is a block of Python. What is indented below
// a call that cannot be read is a part of it.
func (c *caller) lines() {
	fenced, program := false, false
	block := noBlock
	requests, broken := 0, 0 // how many there were before the fence
	end := func() {
		if program {
			c.requests, c.broken = c.requests[:requests], c.broken[:broken]
		}
		program = false
	}
	first := c.blank(c.pos)
	for c.pos < c.end {
		c.pos = c.blank(c.pos)
		start := c.pos
		if unsaid := c.unsaid(start); unsaid > 0 {
			c.pos = unsaid
			continue
		}
		indent := start - 1 - strings.LastIndexByte(c.text[:start], '\n')
		if indent <= block {
			block = noBlock
		}
		switch {
		case within(c.aside, start):
		case strings.HasPrefix(c.text[start:], "```"):
			end()
			block = noBlock
			fenced = !fenced
			requests, broken = len(c.requests), len(c.broken)
		case block != noBlock:
		case c.byteAt(start) == '[' && c.opensCall(c.blank(start+1)) || c.opensCall(start) || c.opensObject(start):
			rejected := len(c.broken)
			if !c.statement(fenced || start == first) {
				program, block = fenced, indent
			} else if len(c.broken) > rejected {
				block = indent
			}
		case c.byteAt(start) != '#':
			program = fenced
			if c.opensBlock(start) {
				block = indent
			} else if value := c.assigned(start); !fenced && value > 0 {
				c.reject(value, "a call is a part of a program")
			}
		}
		c.pos = max(c.pos, c.index("\n", start))
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
	colon := strings.HasSuffix(strings.TrimRight(line, blanks), ":") || strings.HasSuffix(strings.TrimRight(code, blanks), ":")
	return colon && (c.byteAt(i) == ')' || among(blocks, c.text[i:c.wordEnd(i)]))
}

// line returns the rest of the line at i.
func (c *caller) line(i int) string { return c.text[i:max(i, c.index("\n", i))] }

// assigned returns the place of the call of a tool that was offered whose result the
// line at i gives a name; 0 if there is none.
func (c *caller) assigned(i int) int {
	equals := c.blank(c.wordEnd(i))
	value := c.blank(equals + 1)
	if equals > i && c.byteAt(equals) == '=' && c.opensOffered(value) {
		return value
	}
	return 0
}

// opensOffered tells whether the call of a tool that was offered is at i.
func (c *caller) opensOffered(i int) bool {
	return c.opensCall(i) && c.knows(c.text[i:i+strings.IndexByte(c.text[i:], '(')])
}

// statement reads the calls at c.pos, if the line has nothing else, and they can
// be nothing else; it tells whether that is so. A call of a tool that was offered is
// broken if the line ends as one does.
func (c *caller) statement(alone bool) bool {
	start := c.pos
	requests, broken, known := len(c.requests), len(c.broken), c.strings.now()
	ok, named := true, false
	switch {
	case c.text[c.pos] == '[':
		ok = c.python()
	case c.opensCall(c.pos):
		for ok = c.call(); ok && c.after(c.pos) == ';' && c.opensCall(c.blank(c.blank(c.pos)+1)); ok = c.call() {
			c.pos = c.blank(c.blank(c.pos) + 1)
		}
	default:
		ok, named = c.named(), true
	}
	line := strings.Trim(c.line(c.pos), blanks+",;")
	ok = ok && (named || len(c.broken) == broken) && (line == "" || strings.HasPrefix(line, "```") || strings.HasPrefix(line, "#"))
	if !ok {
		c.strings.back(known)
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
	line := strings.TrimRight(c.line(i), blanks+";")
	if c.text[i] == '[' {
		i = c.blank(i + 1)
	}
	return c.opensOffered(i) && strings.IndexByte(")](,\"'", line[len(line)-1]) >= 0
}
