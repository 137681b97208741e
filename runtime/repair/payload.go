package repair

import (
	"slices"
	"strings"
	"unicode"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/tool"
)

// payload reads what is in an envelope, from c.pos on. Marks around nothing that
// is like a call are only talked about, unless they are closed: then there is a
// call that cannot be read.
func (c *caller) payload(e envelope) {
	start, requests := c.pos, len(c.requests)
	found := requests + len(c.broken)
	c.mark = e.close
	for c.err == nil && c.one() {
	}
	if e.line {
		final := func(r tool.Request) bool { return c.isFinal(r.Name) }
		c.requests = c.requests[:requests+len(slices.DeleteFunc(c.requests[requests:], final))]
	}
	c.mark = ""
	if c.err != nil {
		c.reject(c.err.at, c.err.message)
		c.err = nil
	}
	if len(c.requests)+len(c.broken) > found || e.close == "" || e.line {
		return
	}
	if _, nested := callAt(c.text, c.pos); nested && c.pos > start {
		return
	}
	end := c.index(e.close, c.pos)
	if end < c.end && end > c.pos && c.index(e.open, c.pos) > end {
		c.reject(start, "there is no call between "+e.open+" and "+e.close)
		c.pos = end
	}
}

// skip returns the place behind blanks, separators and marks of Markdown, with
// the label of a fence.
func (c *caller) skip(i int) int {
	for i < c.end {
		switch {
		case strings.HasPrefix(c.text[i:c.end], "```"):
			for i += 3; i < c.end && isWord(c.text[i]); i++ {
			}
		case isBlank(c.text[i]) || isSeparator(c.text[i]) || isMarkdown(c.text[i]):
			i++
		default:
			return i
		}
	}
	return i
}

const markdown = "`*"

func isMarkdown(b byte) bool { return strings.IndexByte(markdown, b) >= 0 }

// one reads the next calls of a payload; false if there are none.
func (c *caller) one() bool {
	next := c.skip(c.pos)
	if next == c.end || c.mark != "" && strings.HasPrefix(c.text[next:], c.mark) {
		return false
	}
	if e, ok := markAt(c.text, next); ok && !e.kept {
		return false
	}
	c.pos = next
	switch b := c.text[c.pos]; {
	case b == '<':
		return c.element()
	case b == '[' && c.opensCall(c.blank(c.pos+1)) || c.opensCall(c.pos):
		return c.python()
	case b == '{' || b == '[':
		return c.json()
	case isWord(b):
		return c.named()
	}
	return false
}

// json reads calls that are JSON.
func (c *caller) json() bool {
	start := c.pos
	n := c.value(inText, nil)
	if n == nil || c.err != nil {
		return false
	}
	if n.Kind == jsontext.Array && len(n.Items) == 0 {
		return true // no calls at all
	}
	if found := len(c.requests) + len(c.broken); !c.shape(n, true) && len(c.requests)+len(c.broken) == found {
		c.reject(start, "a call has no name")
	}
	return true
}

// named reads a call that is a name and then its arguments.
func (c *caller) named() bool {
	start := c.pos
	name := c.toolName()
	sep := c.separator()
	if sep.mark != "" && !sep.text && isWord(c.byteAt(c.blank(c.pos))) { // DeepSeek says "function" first
		c.pos = c.blank(c.pos)
		name = c.toolName()
	}
	if _, _, isWord := word(name); !isName(name) || isWord && !c.knows(name) {
		c.pos = start
		return false
	}
	behind := c.pos
	c.pos = c.skip(c.pos)
	next, another := callAt(c.text, c.pos)
	switch b := c.peek(); {
	case b == '{' || b == '[' && !isLetter(c.byteAt(c.pos+1)): // [CALL_ID] are no arguments
		arguments := c.value(inText, nil)
		if c.err == nil && arguments != nil {
			c.add("", name, arguments)
		}
		return c.err == nil
	case strings.HasPrefix(c.text[c.pos:], "<arg_key>"):
		return c.body(name)
	case b == 0 && c.ended() || another && !next.kept && c.knows(name):
		c.add("", name, nil)
	case b == 0 && (sep.mark != "" || c.knows(name)):
		c.cut = c.cut || !c.isWhole(name, behind)
		c.add("", name, nil)
	case sep.text:
		c.add("", name, c.plainText(name))
	default:
		if b != '<' || sep.mark == "" {
			c.pos = start
		}
		return false
	}
	return true
}

// isWhole tells whether a call without arguments, whose name ends at a place, is one
// although the text ends: the tool takes none, and no other tool is called like that
// and more.
func (c *caller) isWhole(name string, end int) bool {
	s, name := c.offer(name).schema, c.name(name)
	if s == nil || len(s.Properties) > 0 || s.Additional == nil || !s.Additional.Never {
		return false
	}
	for other := range c.offered {
		if end == c.end && other != name && strings.HasPrefix(other, name) {
			return false
		}
	}
	return true
}

// isFinal tells whether a name stands for none: the model says that it is done.
func (c *caller) isFinal(name string) bool { return folded(name) == "finish" && !c.knows(name) }

// ended tells whether the payload ends at c.pos.
func (c *caller) ended() bool {
	rest := c.text[c.pos:]
	_, next := callAt(c.text, c.pos)
	return next || c.mark != "" && strings.HasPrefix(rest, c.mark) || strings.HasPrefix(rest, "</") && strings.IndexByte(rest, '>') > 0
}

// toolName reads the name of a tool.
func (c *caller) toolName() string {
	start := c.pos
	end := strings.IndexFunc(c.text[start:c.end], func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_$.-:/", r)
	})
	if end < 0 {
		end = c.end - start
	}
	c.pos += end
	return c.text[start:c.pos]
}

// longestLabel bounds how far a separator is looked for.
const longestLabel = 128

// separator skips what is between a name and its arguments, with the separator. It
// is not beyond an opening brace, or the next call.
func (c *caller) separator() separator {
	named := true // nothing but the name and Markdown came
	for i := c.pos; i < min(c.end, c.pos+longestLabel) && c.text[i] != '{'; i++ {
		b := c.text[i]
		if opensMark[b] || opensSeparator[b] {
			if _, ok := callAt(c.text, i); ok {
				break
			}
			for _, s := range separators {
				if strings.HasPrefix(c.text[i:c.end], s.mark) && (named || !s.text) {
					c.pos = i + len(s.mark)
					return s
				}
			}
		}
		named = named && (isBlank(b) || isMarkdown(b))
	}
	return separator{}
}

// textMarks end text that is no JSON.
var textMarks = []string{"\nObservation:", "\nThought:", "\nAction:", "\nFinal Answer:", "\n**Observation:", "\n**Thought:", "\n**Action:", "\n✿"}

// plainText reads the text at c.pos, up to the next mark, as arguments that are no
// JSON: the only one of the tool, if it is known to have one.
func (c *caller) plainText(name string) *jsontext.Node {
	end := c.index(c.mark, c.pos)
	for _, mark := range textMarks {
		end = min(end, c.index(mark, c.pos))
	}
	last := c.text[c.pos+max(0, strings.LastIndexByte(c.text[c.pos:end], '\n')) : end]
	if end == c.end && len(last) > 1 && slices.ContainsFunc(textMarks, func(mark string) bool { return strings.HasPrefix(mark, last) }) {
		c.cut = true
	}
	text := unquoted(strings.Trim(c.text[c.pos:end], blanks+markdown))
	at := c.pos
	c.pos = end
	offer := c.offer(name)
	if len(offer.parameters) != 1 {
		n := c.typed(at, text, nil)
		if n.Kind == jsontext.Null {
			return nil
		}
		return n
	}
	n := c.node(jsontext.Object, at)
	only := c.typed(at, text, property(offer.schema, offer.parameters[0]))
	only.Key = jsontext.Quote(offer.parameters[0])
	n.Add(only)
	return n
}

// unquoted returns what a text says that is a string.
func unquoted(text string) string {
	r := newReader(text, 0, len(text))
	if r.quoteAt(0).size == 0 {
		return text
	}
	if n := r.value(inText, nil); r.pos == r.end && !r.cut {
		return textOf(n)
	}
	return text
}

// typed returns text without quotes as what the schema says, or what it is like.
func (c *caller) typed(at int, text string, s *jsonschema.Schema) *jsontext.Node {
	n := c.node(jsontext.String, at)
	n.Text = c.quoted(text)
	trimmed := strings.Trim(text, blanks)
	var allowed jsonschema.Types
	if s != nil {
		allowed = s.Speaks()
	}
	if k, lit, ok := word(trimmed); ok && (allowed == 0 || wants(s, k)) {
		n.Kind, n.Text = k, lit
	} else if inner := parsed(n); inner != nil && (allowed == 0 || wants(s, inner.Kind)) {
		return inner
	}
	return n
}
