package repair

import (
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// endsInTag tells whether the text is cut off at i, or in a tag or token there.
func (t *source) endsInTag(i int) bool {
	return i == t.end || t.text[i] == '<' && t.end-i < longestTag && strings.IndexByte(t.text[i:t.end], '>') < 0
}

// The names of elements.
var (
	callElements      = []string{"function", "invoke", "function_call", "tool_call"} // with a name
	nameElements      = []string{"tool_name", "name", "function_name"}
	argumentsElements = []string{"parameters", "arguments", "args", "input"}
	argumentElements  = []string{"parameter", "param", "argument", "arg"}
)

func among(list []string, name string) bool {
	for _, one := range list {
		if one == name {
			return true
		}
	}
	return false
}

// element reads the call that is the element at c.pos.
func (c *caller) element() bool {
	t, ok := c.tagAt(c.pos)
	switch {
	case !isName(t.value) && strings.HasPrefix(c.text[c.pos:], "<function"):
		return c.halfTag()
	case !ok || t.closing:
		return false
	case among(callElements, t.name):
		c.pos = t.end
		return c.body(t.value)
	case among(nameElements, t.name):
		return c.body("")
	case c.knows(t.name):
		c.pos = t.end
		return c.body(t.name)
	}
	return false
}

// halfTag reads a call whose tag is not closed, or not where its name ends:
// <function=f{"a": 1}</function>, <function(f){"a": 1}.
func (c *caller) halfTag() bool {
	start := c.pos
	c.pos += len("<function")
	if b := c.byteAt(c.pos); b == '=' || b == '(' {
		c.pos++
		name := c.toolName()
		for c.pos < c.end && (isBlank(c.text[c.pos]) || c.text[c.pos] == ')' || c.text[c.pos] == '>') {
			c.pos++
		}
		if isName(name) && c.byteAt(c.pos) == '{' {
			arguments := c.value(inText, nil)
			if c.err == nil {
				c.add("", name, arguments)
			}
			return c.err == nil
		}
	}
	c.pos = start
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
	start := c.pos
	b := body{name: name, arguments: c.node(jsontext.Object, c.pos)}
	for c.err == nil && c.part(&b) {
	}
	c.unvalued(&b)
	if c.err != nil {
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
	c.pos = c.blank(c.pos)
	if c.endsInTag(c.pos) {
		c.cut = true
		return false
	}
	if c.text[c.pos] == '{' && len(b.arguments.Items) == 0 {
		if n := c.value(inText, nil); n != nil {
			b.arguments = n
		}
		return true
	}
	t, ok := c.tagAt(c.pos)
	switch {
	case !ok && c.isLost():
		c.fail(codeBroken, c.pos, "there is text between the arguments of a call")
		return false
	case !ok || !t.closing && !b.within && among(callElements, t.name):
		return false
	case t.closing:
		ofArguments := among(argumentsElements, t.name) || among(argumentElements, t.name)
		if ofArguments || among(callElements, t.name) || t.name == b.name {
			c.pos = t.end
		}
		b.within = false
		return ofArguments
	case among(nameElements, t.name) && b.name == "":
		b.name = c.content(t)
	case t.name == "arg_key":
		c.unvalued(b)
		b.key = c.content(t)
		b.keyed = c.pos
	case t.name == "arg_value":
		if b.keyed == 0 {
			c.fail(codeBroken, c.pos, "an argument of a call has no name")
			return false
		}
		c.argument(b, b.key, t)
		b.keyed = 0
	case t.value != "":
		c.argument(b, t.value, t)
	case among(argumentsElements, t.name) && !b.within:
		c.pos, b.within = t.end, true
	default:
		c.argument(b, t.name, t)
	}
	return true
}

// unvalued adds what is missing, if a key was said and no value.
func (c *caller) unvalued(b *body) {
	if b.keyed > 0 && !c.cut {
		n := c.node(jsontext.Null, b.keyed)
		n.Text, n.Key, n.Mark = "null", c.quoted(b.key), void
		b.arguments.Add(n)
	}
	b.keyed = 0
}

// argument reads an element whose content is an argument.
func (c *caller) argument(b *body, key string, t tag) {
	at := c.pos
	text := c.content(t)
	n := c.typed(at, text, property(c.offer(b.name).schema, key))
	if t.text {
		n.Kind, n.Text = jsontext.String, jsontext.Quote(text)
	}
	n.Key = c.quoted(key)
	b.arguments.Add(n)
}

// content reads an element up to its end, and returns what is in it, without the
// line breaks around it. If its end is forgotten, it ends where the next one
// begins, or the call.
func (c *caller) content(t tag) string {
	closing := "</" + t.written + ">"
	end := c.index(closing, t.end)
	next := end + len(closing)
	if i := min(c.index("<"+t.written+"=", t.end), c.index("<"+t.written+" ", t.end)); i < end || end == c.end {
		end = min(i, c.index("</function>", t.end), c.index("</invoke>", t.end), c.index("</tool_call>", t.end))
		next = end
	}
	if end == c.end {
		c.cut, next = true, end
	}
	text := c.text[t.end:end]
	if next == end && (strings.Contains(text, "<function=") || strings.Contains(text, "<invoke ")) {
		c.fail(codeBroken, t.end, "what follows may be an argument, or a call")
	}
	c.pos = next
	text = strings.TrimPrefix(strings.TrimPrefix(text, "\r"), "\n")
	text = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
	if inner, ok := strings.CutPrefix(text, "<![CDATA["); ok && strings.HasSuffix(inner, "]]>") {
		return strings.TrimSuffix(inner, "]]>")
	}
	return text
}

// isLost tells whether the text at c.pos is within a call: its end, or that of an
// argument, follows before another call begins.
func (c *caller) isLost() bool {
	end := c.index("</", c.pos)
	t, ok := c.tagAt(end)
	return ok && (among(callElements, t.name) || among(argumentsElements, t.name) || among(argumentElements, t.name)) &&
		end < min(c.index("<function=", c.pos), c.index("<invoke", c.pos), c.index("<tool_call", c.pos))
}
