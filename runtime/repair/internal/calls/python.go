package calls

import (
	"math"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/repair/internal/report"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
	"github.com/aiongen/aiongen/runtime/repair/internal/tree"
)

// opensObject tells whether the name of a tool that was offered is at i, and then
// its arguments as JSON.
func (c *cursor) opensObject(i int) bool {
	if len(c.offered) == 0 {
		return false
	}
	start := c.Pos
	c.Pos = i
	name := c.toolName()
	known := c.knows(name) && !strings.HasPrefix(name, "call:") // whose strings have marks of their own
	behind := c.Pos
	c.Steps += behind - i
	if c.Pos = start; !known {
		return false
	}
	i = c.skip(behind)
	inside := c.Blank(i + 1)
	return c.ByteAt(i) == '{' && (c.OpensKey(inside) || c.OpensBareKey(inside) || c.ByteAt(inside) == '}')
}

// python reads calls as Python writes them, alone, one after another, or in a
// list; false if there is none.
func (c *caller) python() bool {
	list := c.Text[c.Pos] == '['
	if list {
		c.Pos++
	}
	any := false
	for {
		c.Pos = c.skip(c.Pos)
		if list && c.ByteAt(c.Pos) == ']' {
			c.Pos++
			return any
		}
		if !c.opensCall(c.Pos) {
			if start := c.Pos; list && c.toolName() != "" && c.Pos < c.End {
				c.Pos = start
			}
			c.Cut = c.Cut || list && c.Pos == c.End
			return any
		}
		if !c.pythonCall() {
			return any
		}
		any = true
	}
}

// pythonCalls reads calls of Python in an envelope.
func (c *caller) pythonCalls() (ok bool) {
	start, requests := c.Pos, len(c.requests)
	c.Python, c.marked = true, false
	c.inStrings(func() { ok = c.python() })
	c.Python = false
	if c.marked {
		c.requests = c.requests[:requests]
		c.Fail(report.Ambiguous, start, unclear)
	}
	return ok
}

// pythonCall reads the call at c.Pos, also within print.
func (c *caller) pythonCall() bool {
	printed := 0
	for strings.HasPrefix(c.Text[c.Pos:], "print(") && c.opensCall(c.Blank(c.Pos+len("print("))) {
		c.Pos = c.Blank(c.Pos + len("print("))
		printed++
	}
	start := c.Pos
	name := c.toolName()
	c.Pos++
	arguments, problem := c.arguments(name)
	if problem == "" && c.Err != nil {
		problem, c.Err = c.Err.Message, nil
	}
	for ; printed > 0 && c.After(c.Pos) == ')'; printed-- {
		c.Pos = c.Blank(c.Pos) + 1
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
func (c *cursor) arguments(name string) (n *jsontext.Node, problem string) {
	if !c.Push(scan.Parenthesis) {
		return nil, ""
	}
	defer c.Pop()
	n = c.Node(jsontext.Object, c.Pos)
	position, keys := 0, map[string]bool{}
	for separated := true; c.Err == nil; {
		c.Space()
		switch b := c.Peek(); {
		case b == 0 && c.Pos < c.End:
			return nil, "the arguments of a call have no closing parenthesis"
		case b == 0:
			c.Cut = true
			return n, ""
		case b == ')':
			c.Pos++
			if len(n.Items) == 0 {
				return nil, ""
			}
			return n, ""
		case scan.IsSeparator(b):
			if separated { // what is behind a missing argument is not in its place
				position = math.MaxInt
			}
			c.Pos++
			separated = true
		case scan.IsCloser(b) || b == ':' || b == '=':
			return nil, "the arguments of a call cannot be read"
		default:
			separated = false
			if problem := c.pythonArgument(n, name, &position, keys); problem != "" {
				return nil, problem
			}
		}
	}
	return nil, ""
}

// pythonArgument reads an argument into n, by its name or its position.
func (c *cursor) pythonArgument(n *jsontext.Node, name string, position *int, keys map[string]bool) (problem string) {
	offer := c.offer(name)
	key := ""
	switch {
	case c.OpensArgument(c.Pos):
		end := c.WordEnd(c.Pos)
		key = c.Text[c.Pos:end]
		c.Pos = c.Blank(end) + 1
	case strings.HasPrefix(c.Text[c.Pos:c.End], "**"):
		c.Pos += len("**")
	case c.isAll(offer):
	case *position < len(offer.parameters):
		key = offer.parameters[*position]
		*position++
	default:
		return "an argument of a call has no name"
	}
	doubts := c.Doubts
	value := c.Value(reader.InCall, nil) // what Python writes has its types
	switch {
	case value == nil: // cut off
	case isBare(value) || c.Doubts > doubts && !c.Cut:
		return "an argument of a call is no value, but an expression"
	case key != "" && keys[key]:
		return "an argument of a call is given twice: " + report.Cut(key)
	case key != "":
		value.Key = c.Quoted(key)
		n.Add(value)
		keys[key] = true
	case value.Kind == jsontext.Object:
		n.Items = append(n.Items, value.Items...)
	default:
		return "an argument of a call has no name"
	}
	return ""
}

// isAll tells whether the object at c.Pos is all arguments of a call, as
// JavaScript has them: f({a: 1}). It is not if the first argument may be one.
func (c *cursor) isAll(o offer) bool {
	return c.Text[c.Pos] == '{' && len(o.parameters) > 0 && !tree.Wants(tree.Property(o.schema, o.parameters[0]), jsontext.Object)
}

// isBare tells whether there are strings without quotes in a value.
func isBare(n *jsontext.Node) bool {
	if tree.Is(n, tree.Bare|tree.Void) {
		return true
	}
	return slices.ContainsFunc(n.Items, isBare)
}
