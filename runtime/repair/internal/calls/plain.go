package calls

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/literal"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/repair/internal/report"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
	"github.com/aiongen/aiongen/runtime/repair/internal/tree"
)

// textMarks begin the next part of a reply in lines of their own.
var textMarks = []string{"\nThought:", "\nAction:", "\nFinal Answer:", "\n**Thought:", "\n**Action:", "\n✿"}

// resultMarks end text that is not JSON.
var resultMarks = []string{"\nObservation:", "\n**Observation:", "\n✿RESULT✿"}

// plainText reads the text at c.Pos as arguments that are not JSON: the only one of the tool,
// if it is known to have one. It ends at the mark of a result, after which nothing may
// follow: the text has no escapes, and other marks may be a part of it.
func (c *cursor) plainText(name, wrap string) *jsontext.Node {
	end, size := c.End, 0
	for _, mark := range resultMarks {
		if i := c.Index(mark, c.Pos); i < end {
			end, size = i, len(mark)
		}
	}
	for _, mark := range textMarks {
		if i := c.Index(mark, c.Pos); i < end {
			c.Fail(report.Ambiguous, i+1, "this line may be a part of the text before it"+asJSON)
			return nil
		}
	}
	_, _, isWord := literal.Word(strings.Trim(c.Text[c.Pos:end], scan.Blanks))
	if !isWord && strings.Trim(c.Text[end+size:c.End], scan.Blanks+markdown) != "" {
		c.Fail(report.Ambiguous, end+1, "the text before this line may go on after it: write nothing after the call, or its arguments as JSON")
		return nil
	}
	last := c.Text[c.Pos+max(0, strings.LastIndexByte(c.Text[c.Pos:end], '\n')) : end]
	if end == c.End && len(last) > 1 && slices.ContainsFunc(slices.Concat(textMarks, resultMarks), func(mark string) bool { return strings.HasPrefix(mark, last) }) {
		c.Cut = true
	}
	text := strings.Trim(strings.TrimPrefix(c.Text[c.Pos:end], "**"), scan.Blanks)
	if inner, ok := strings.CutPrefix(text, wrap); ok && strings.HasSuffix(inner, wrap) {
		text = strings.TrimSuffix(inner, wrap)
	}
	if jsonEnd, problem := jsontext.StringEnd(text+" ", 0); text != "" && text[0] == '"' && problem == "" && jsonEnd == len(text) {
		text = jsontext.Unquote(text)
	}
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

// typed returns text without quotes as what the schema says, or what it is like.
func (c *cursor) typed(at int, text string, s *jsonschema.Schema) *jsontext.Node {
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
