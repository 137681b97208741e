package calls

import (
	"math"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// opensObject reports whether the name of an offered tool, followed by its arguments as JSON, is at i.
func (c *cursor) opensObject(i int) bool {
	if len(c.byName) == 0 {
		return false
	}
	start := c.Pos
	c.Pos = i
	name := c.readToolName()
	isTool := c.isOffered(name) && !strings.HasPrefix(name, "call:") // Gemma puts special marks around strings
	nameEnd := c.Pos
	c.Steps += nameEnd - i
	if c.Pos = start; !isTool {
		return false
	}
	i = c.skipSeparators(nameEnd)
	inside := c.SkipBlanks(i + 1)
	return c.ByteAt(i) == '{' && (c.OpensKey(inside) || c.OpensBareKey(inside) || c.ByteAt(inside) == '}')
}

// readPython reads Python calls: one, several in a row, or a list. It returns false if there are none.
func (c *callReader) readPython() bool {
	list := c.Text[c.Pos] == '['
	if list {
		c.Pos++
	}
	found := false
	for {
		c.Pos = c.skipSeparators(c.Pos)
		if list && c.ByteAt(c.Pos) == ']' {
			c.Pos++
			return found
		}
		if !c.opensCall(c.Pos) {
			if start := c.Pos; list && c.readToolName() != "" && c.Pos < c.End {
				c.Pos = start
			}
			c.Cut = c.Cut || list && c.Pos == c.End
			return found
		}
		if !c.readPythonCall() {
			return found
		}
		found = true
	}
}

// readPythonCalls reads Python calls in an envelope.
func (c *callReader) readPythonCalls() (ok bool) {
	start, requests := c.Pos, len(c.requests)
	c.Python, c.marked = true, false
	c.readInStrings(func() { ok = c.readPython() })
	c.Python = false
	if c.marked {
		c.requests = c.requests[:requests]
		c.Fail(reader.Ambiguous, start, unclearStrings)
	}
	return ok
}

// readPythonCall reads the call at c.Pos, which may be inside print(…).
func (c *callReader) readPythonCall() bool {
	printed := 0
	for strings.HasPrefix(c.Text[c.Pos:], "print(") && c.opensCall(c.SkipBlanks(c.Pos+len("print("))) {
		c.Pos = c.SkipBlanks(c.Pos + len("print("))
		printed++
	}
	start := c.Pos
	name := c.readToolName()
	c.Pos++
	arguments, problem := c.readPythonArguments(name)
	if problem == "" && c.Err != nil {
		problem, c.Err = c.Err.Message, nil
	}
	for ; printed > 0 && c.ByteAfterBlanks(c.Pos) == ')'; printed-- {
		c.Pos = c.SkipBlanks(c.Pos) + 1
	}
	if problem != "" {
		c.rejectCall(start, problem)
		return false
	}
	c.addCall("", name, arguments)
	return true
}

// readPythonArguments reads the arguments of a call after the opening parenthesis. It returns an error
// message if that fails.
func (c *cursor) readPythonArguments(name string) (n *jsontext.Node, problem string) {
	if !c.Push(scan.Parenthesis) {
		return nil, ""
	}
	defer c.Pop()
	n = c.NewNode(jsontext.Object, c.Pos)
	position, keys := 0, map[string]bool{}
	for separated := true; c.Err == nil; {
		c.SkipSpace()
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
			if separated { // an argument is missing, so the positions of the next ones are unknown
				position = math.MaxInt
			}
			c.Pos++
			separated = true
		case scan.IsCloser(b) || b == ':' || b == '=':
			return nil, "the arguments of a call cannot be read"
		default:
			separated = false
			if problem := c.readPythonArgument(n, name, &position, keys); problem != "" {
				return nil, problem
			}
		}
	}
	return nil, ""
}

// readPythonArgument reads an argument, by name or position, into n.
func (c *cursor) readPythonArgument(n *jsontext.Node, name string, position *int, keys map[string]bool) (problem string) {
	offer := c.findOffer(name)
	key := ""
	switch {
	case c.OpensArgument(c.Pos):
		end := c.WordEnd(c.Pos)
		key = c.Text[c.Pos:end]
		c.Pos = c.SkipBlanks(end) + 1
	case strings.HasPrefix(c.Text[c.Pos:c.End], "**"):
		c.Pos += len("**")
	case c.isArgumentsObject(offer):
	case *position < len(offer.parameters):
		key = offer.parameters[*position]
		*position++
	default:
		return "an argument of a call has no name"
	}
	doubts := c.Doubts
	value := c.ReadValue(reader.InCall, nil) // Python literals need no schema
	switch {
	case value == nil: // cut off
	case hasUnquoted(value) || c.Doubts > doubts && !c.Cut:
		return "an argument of a call is an expression, not a value"
	case key != "" && keys[key]:
		return "an argument of a call is given twice: " + reader.CutShown(key)
	case key != "":
		value.Key = reader.QuoteText(key)
		n.Add(value)
		keys[key] = true
	case value.Kind == jsontext.Object:
		n.Items = append(n.Items, value.Items...)
	default:
		return "an argument of a call has no name"
	}
	return ""
}

// isArgumentsObject reports whether the object at c.Pos contains all arguments of a call, as in the JavaScript
// call f({a: 1}). It returns false if the first parameter of the tool may be an object.
func (c *cursor) isArgumentsObject(o offer) bool {
	return c.Text[c.Pos] == '{' && len(o.parameters) > 0 && !reader.WantsKind(reader.PropertyOf(o.schema, o.parameters[0]), jsontext.Object)
}

// hasUnquoted reports whether a value contains strings without quotes.
func hasUnquoted(n *jsontext.Node) bool {
	if reader.HasMark(n, reader.Bare|reader.Hole) {
		return true
	}
	return slices.ContainsFunc(n.Items, hasUnquoted)
}
