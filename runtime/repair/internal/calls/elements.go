package calls

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/repair/internal/report"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
	"github.com/aiongen/aiongen/runtime/repair/internal/tree"
)

// The names of elements.
var (
	callElements      = []string{"function", "invoke", "function_call", "tool_call"} // with a name
	nameElements      = []string{"tool_name", "name", "function_name"}
	argumentsElements = []string{"parameters", "arguments", "args", "input"}
	argumentElements  = []string{"parameter", "param", "argument", "arg"}
)

// element reads the call that is the element at c.Pos.
func (c *caller) element() bool {
	t, ok := c.TagAt(c.Pos)
	switch {
	case !isName(t.Value) && strings.HasPrefix(c.Text[c.Pos:], "<function"):
		return c.halfTag()
	case !ok || t.Closing:
		return false
	case slices.Contains(callElements, t.Name):
		c.Pos = t.End
		return c.body(t.Value)
	case slices.Contains(nameElements, t.Name):
		return c.body("")
	case c.knows(t.Name):
		c.Pos = t.End
		return c.body(t.Name)
	}
	return false
}

// halfTag reads a call whose tag is not closed, or not where its name ends:
// <function=f{"a": 1}</function>, <function(f){"a": 1}.
func (c *caller) halfTag() bool {
	start := c.Pos
	c.Pos += len("<function")
	if b := c.ByteAt(c.Pos); b == '=' || b == '(' {
		c.Pos++
		name := c.toolName()
		for c.Pos < c.End && (scan.IsBlank(c.Text[c.Pos]) || c.Text[c.Pos] == ')' || c.Text[c.Pos] == '>') {
			c.Pos++
		}
		if isName(name) && c.ByteAt(c.Pos) == '{' {
			arguments := c.Value(reader.InText, nil)
			if c.Err == nil {
				c.add("", name, arguments)
			}
			return c.Err == nil
		}
	}
	c.Pos = start
	return false
}

// A body is what is read of a call whose arguments are elements.
type body struct {
	name      string
	arguments *jsontext.Node
	key       string // whose value comes next
	keyed     int    // behind it, 0 if there is none
	within    bool   // an element with all arguments
}

// body reads the arguments of a call that are elements, up to its end.
func (c *caller) body(name string) bool {
	start := c.Pos
	b := body{name: name, arguments: c.Node(jsontext.Object, c.Pos)}
	for c.Err == nil && c.part(&b) {
	}
	c.unvalued(&b)
	if c.Err != nil {
		return false
	}
	if !isName(b.name) {
		c.reject(start, "a call has no name")
		return true
	}
	if len(b.arguments.Items) == 0 {
		b.arguments = nil
	}
	c.add("", b.name, b.arguments)
	return true
}

// part reads the next part of a call; false if there is none.
func (c *caller) part(b *body) bool {
	c.Pos = c.Blank(c.Pos)
	if c.EndsInTag(c.Pos) {
		c.Cut = true
		return false
	}
	if c.Text[c.Pos] == '{' && len(b.arguments.Items) == 0 {
		if n := c.Value(reader.InText, nil); n != nil {
			b.arguments = n
		}
		return true
	}
	t, ok := c.TagAt(c.Pos)
	switch {
	case !ok && c.isLost():
		c.Fail(report.Broken, c.Pos, "there is text between the arguments of a call")
		return false
	case !ok || !t.Closing && !b.within && slices.Contains(callElements, t.Name):
		return false
	case t.Closing:
		ofArguments := slices.Contains(argumentsElements, t.Name) || slices.Contains(argumentElements, t.Name)
		if ofArguments || slices.Contains(callElements, t.Name) || t.Name == b.name {
			c.Pos = t.End
		}
		b.within = false
		return ofArguments
	case slices.Contains(nameElements, t.Name) && b.name == "":
		b.name = c.content(t)
	case t.Name == "arg_key":
		c.unvalued(b)
		b.key = c.content(t)
		b.keyed = c.Pos
	case t.Name == "arg_value":
		if b.keyed == 0 {
			c.Fail(report.Broken, c.Pos, "an argument of a call has no name")
			return false
		}
		c.argument(b, b.key, t)
		b.keyed = 0
	case t.Value != "":
		c.argument(b, t.Value, t)
	case slices.Contains(argumentsElements, t.Name) && !b.within:
		c.Pos, b.within = t.End, true
	default:
		c.argument(b, t.Name, t)
	}
	return true
}

// unvalued adds what is missing, if a key was said and no value.
func (c *caller) unvalued(b *body) {
	if b.keyed > 0 && !c.Cut {
		n := c.Node(jsontext.Null, b.keyed)
		n.Text, n.Key, n.Mark = "null", c.Quoted(b.key), tree.Void
		b.arguments.Add(n)
	}
	b.keyed = 0
}

// argument reads an element whose content is an argument.
func (c *caller) argument(b *body, key string, t scan.Tag) {
	at := c.Pos
	text := c.content(t)
	n := c.typed(at, text, tree.Property(c.offer(b.name).schema, key))
	if t.Text {
		n.Kind, n.Text = jsontext.String, jsontext.Quote(text)
	}
	n.Key = c.Quoted(key)
	b.arguments.Add(n)
}

// content reads an element up to its end, and returns what is in it, without the
// line breaks around it. If its end is forgotten, it ends where the next one
// begins, or the call.
func (c *caller) content(t scan.Tag) string {
	closing := "</" + t.Written + ">"
	end := c.Index(closing, t.End)
	next := end + len(closing)
	if i := min(c.Index("<"+t.Written+"=", t.End), c.Index("<"+t.Written+" ", t.End)); i < end || end == c.End {
		end = min(i, c.Index("</function>", t.End), c.Index("</invoke>", t.End), c.Index("</tool_call>", t.End))
		next = end
	}
	if end == c.End {
		c.Cut, next = true, end
	}
	text := c.Text[t.End:end]
	if next == end && (strings.Contains(text, "<function=") || strings.Contains(text, "<invoke ")) {
		c.Fail(report.Broken, t.End, "what follows may be an argument, or a call")
	}
	c.Pos = next
	text = strings.TrimPrefix(strings.TrimPrefix(text, "\r"), "\n")
	text = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
	if inner, ok := strings.CutPrefix(text, "<![CDATA["); ok && strings.HasSuffix(inner, "]]>") {
		return strings.TrimSuffix(inner, "]]>")
	}
	return text
}

// isLost tells whether the text at c.Pos is within a call: its end, or that of an
// argument, follows before another call begins.
func (c *caller) isLost() bool {
	end := c.Index("</", c.Pos)
	t, ok := c.TagAt(end)
	return ok && (slices.Contains(callElements, t.Name) || slices.Contains(argumentsElements, t.Name) || slices.Contains(argumentElements, t.Name)) &&
		end < min(c.Index("<function=", c.Pos), c.Index("<invoke", c.Pos), c.Index("<tool_call", c.Pos))
}
