package calls

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// textMarks are the beginnings of lines that start a new section of a ReAct reply.
var textMarks = []string{"\nThought:", "\nAction:", "\nFinal Answer:", "\n**Thought:", "\n**Action:", "\n✿"}

// resultMarks are the beginnings of lines that end arguments in plain text.
var resultMarks = []string{"\nObservation:", "\n**Observation:", "\n✿RESULT✿"}

// readPlainText reads the text at c.Pos as arguments that are not JSON. If the tool has exactly one parameter, the
// text is its value. The call begins at start.
func (c *cursor) readPlainText(name string, start int) *jsontext.Node {
	at := c.Pos
	end, ok := c.plainTextEnd()
	if !ok {
		return nil
	}
	c.Pos = end
	text := strings.Trim(strings.TrimPrefix(c.Text[at:end], "**"), scan.Blanks)
	if start > 0 && c.Text[start-1] == '`' && strings.HasPrefix(text, "`") && strings.HasSuffix(text[1:], "`") {
		text = text[1 : len(text)-1]
	}
	if jsonEnd, problem := jsontext.StringEnd(text+" ", 0); text != "" && text[0] == '"' && problem == "" && jsonEnd == len(text) {
		text = jsontext.Unquote(text)
	}
	offer := c.findOffer(name)
	if len(offer.parameters) != 1 {
		n := c.typedText(at, text, nil)
		if n.Kind == jsontext.Null {
			return nil
		}
		return n
	}
	n := c.NewNode(jsontext.Object, at)
	only := c.typedText(at, text, reader.PropertyOf(offer.schema, offer.parameters[0]))
	only.Key = jsontext.Quote(offer.parameters[0])
	n.Add(only)
	return n
}

// plainTextEnd returns the end of the arguments at c.Pos, which is before a result or at the end of the text.
// Such arguments have no escapes, so plainTextEnd fails if they may contain the next mark or the text after the
// result.
func (c *cursor) plainTextEnd() (end int, ok bool) {
	end, size := c.End, 0
	for _, mark := range resultMarks {
		if i := c.Index(mark, c.Pos); i < end {
			end, size = i, len(mark)
		}
	}
	for _, mark := range textMarks {
		if i := c.Index(mark, c.Pos); i < end {
			c.Fail(reader.Ambiguous, i+1, "this line may be part of the text before it"+asJSON)
			return 0, false
		}
	}
	_, _, isWord := scan.ParseWord(strings.Trim(c.Text[c.Pos:end], scan.Blanks))
	if !isWord && strings.Trim(c.Text[end+size:c.End], scan.Blanks+markdownMarks) != "" {
		c.Fail(reader.Ambiguous, end+1, "the text before this line may continue after it: write nothing after the call, or write its arguments as JSON")
		return 0, false
	}
	last := c.Text[c.Pos+max(0, strings.LastIndexByte(c.Text[c.Pos:end], '\n')) : end]
	if end == c.End && len(last) > 1 && slices.ContainsFunc(slices.Concat(textMarks, resultMarks), func(mark string) bool { return strings.HasPrefix(mark, last) }) {
		c.Cut = true
	}
	return end, true
}

// typedText converts text without quotes to a value. The value has a type that s allows; without a schema, it has
// the type that the text looks like, so that 5 is a number.
func (c *cursor) typedText(at int, text string, s *jsonschema.Schema) *jsontext.Node {
	n := c.NewNode(jsontext.String, at)
	n.Text = reader.QuoteText(text)
	trimmed := strings.Trim(text, scan.Blanks)
	var allowed jsonschema.Types
	if s != nil {
		allowed = s.Kinds()
	}
	if k, lit, ok := scan.ParseWord(trimmed); ok && (allowed == 0 || reader.WantsKind(s, k)) {
		n.Kind, n.Text = k, lit
	} else if inner := reader.ParseString(n); inner != nil && (allowed == 0 || reader.WantsKind(s, inner.Kind)) {
		return inner
	}
	return n
}
