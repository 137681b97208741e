package reader

import (
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// ParseString returns the object or list in a string, such as {} in "{}", with the name and the position of the
// string. It returns nil if the string does not contain exactly one complete object or list.
func ParseString(n *jsontext.Node) *jsontext.Node {
	if n.Kind != jsontext.String {
		return nil
	}
	text := strings.Trim(TextOf(n), scan.Blanks)
	if text == "" || text[0] != '{' && text[0] != '[' {
		return nil
	}
	r := New(text, 0, len(text))
	r.Open = false
	inner := r.ReadValue(InText, nil)
	if inner == nil || r.Err != nil || r.Cut || r.Pos < r.End || HoleIn(inner) != nil {
		return nil
	}
	Relocate(inner, n.Span)
	return ReplaceNode(inner, n)
}

// ReadScalar reads a tuple, or a value that is neither an object nor a list. It returns nil if there is no such
// value.
func (r *Reader) ReadScalar(s *jsonschema.Schema) *jsontext.Node {
	switch {
	case r.Text[r.Pos] == '(':
		return r.readTuple(s)
	case r.QuoteAt(r.Pos).Size > 0:
		n := r.NewNode(jsontext.String, r.Pos)
		n.Text = r.readConcatenation(InText)
		return n
	}
	if r.End-r.Pos > scan.Longest {
		if end, ok := jsontext.NumberEnd(r.Text[:r.End], r.Pos); !ok || end < r.End {
			return nil
		}
	}
	text := r.Text[r.Pos:r.End]
	if _, _, ok := scan.ParseWord(text); !ok {
		return nil
	}
	n := r.NewNode(jsontext.String, r.Pos)
	r.classifyBare(n, r.End, text, s)
	r.Pos = r.End
	return n
}
