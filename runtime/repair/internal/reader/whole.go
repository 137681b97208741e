package reader

import (
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/literal"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
	"github.com/aiongen/aiongen/runtime/repair/internal/tree"
)

// Parsed returns the object or list in a string, under its name; nil if it holds
// nothing else that is complete.
func Parsed(n *jsontext.Node) *jsontext.Node {
	if n.Kind != jsontext.String {
		return nil
	}
	text := strings.Trim(tree.TextOf(n), scan.Blanks)
	if text == "" || text[0] != '{' && text[0] != '[' {
		return nil
	}
	r := New(text, 0, len(text))
	r.Open = false
	inner := r.Value(InText, nil)
	if inner == nil || r.Err != nil || r.Cut || r.Pos < r.End || tree.HoleIn(inner) != nil {
		return nil
	}
	tree.Relocate(inner, n.Span)
	return tree.Like(inner, n)
}

// Scalar reads a value that is neither object nor list, and a tuple, or nothing.
func (r *Reader) Scalar(s *jsonschema.Schema) *jsontext.Node {
	switch {
	case r.Text[r.Pos] == '(':
		return r.tuple(s)
	case r.QuoteAt(r.Pos).Size > 0:
		n := r.Node(jsontext.String, r.Pos)
		n.Text = r.concatenation(InText)
		return n
	}
	if r.End-r.Pos > literal.Longest {
		if end, ok := jsontext.NumberEnd(r.Text[:r.End], r.Pos); !ok || end < r.End {
			return nil
		}
	}
	text := r.Text[r.Pos:r.End]
	if _, _, ok := literal.Word(text); !ok {
		return nil
	}
	n := r.Node(jsontext.String, r.Pos)
	r.classify(n, r.End, text, s)
	r.Pos = r.End
	return n
}
