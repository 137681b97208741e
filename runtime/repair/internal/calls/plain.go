package calls

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/literal"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
	"github.com/aiongen/aiongen/runtime/repair/internal/tree"
)

// textMarks end text that is no JSON.
var textMarks = []string{"\nObservation:", "\nThought:", "\nAction:", "\nFinal Answer:", "\n**Observation:", "\n**Thought:", "\n**Action:", "\n✿"}

// plainText reads the text at c.Pos, up to the next mark, as arguments that are no
// JSON: the only one of the tool, if it is known to have one.
func (c *caller) plainText(name string) *jsontext.Node {
	end := c.Index(c.Mark, c.Pos)
	for _, mark := range textMarks {
		end = min(end, c.Index(mark, c.Pos))
	}
	last := c.Text[c.Pos+max(0, strings.LastIndexByte(c.Text[c.Pos:end], '\n')) : end]
	if end == c.End && len(last) > 1 && slices.ContainsFunc(textMarks, func(mark string) bool { return strings.HasPrefix(mark, last) }) {
		c.Cut = true
	}
	text := unquoted(strings.Trim(c.Text[c.Pos:end], scan.Blanks+markdown))
	at := c.Pos
	c.Pos = end
	offer := c.offer(name)
	if len(offer.parameters) != 1 {
		n := c.typed(at, text, nil)
		if n.Kind == jsontext.Null {
			return nil
		}
		return n
	}
	n := c.Node(jsontext.Object, at)
	only := c.typed(at, text, tree.Property(offer.schema, offer.parameters[0]))
	only.Key = jsontext.Quote(offer.parameters[0])
	n.Add(only)
	return n
}

// unquoted returns what a text says that is a string.
func unquoted(text string) string {
	r := reader.New(text, 0, len(text))
	if r.QuoteAt(0).Size == 0 {
		return text
	}
	if n := r.Value(reader.InText, nil); r.Pos == r.End && !r.Cut {
		return tree.TextOf(n)
	}
	return text
}

// typed returns text without quotes as what the schema says, or what it is like.
func (c *caller) typed(at int, text string, s *jsonschema.Schema) *jsontext.Node {
	n := c.Node(jsontext.String, at)
	n.Text = c.Quoted(text)
	trimmed := strings.Trim(text, scan.Blanks)
	var allowed jsonschema.Types
	if s != nil {
		allowed = s.Speaks()
	}
	if k, lit, ok := literal.Word(trimmed); ok && (allowed == 0 || tree.Wants(s, k)) {
		n.Kind, n.Text = k, lit
	} else if inner := reader.Parsed(n); inner != nil && (allowed == 0 || tree.Wants(s, inner.Kind)) {
		return inner
	}
	return n
}
