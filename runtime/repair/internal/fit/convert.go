package fit

import (
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/literal"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/repair/internal/tree"
)

// conversions returns what a value may be of other types.
func (f *Fitter) conversions(n *jsontext.Node, s *jsonschema.Schema) (all []*jsontext.Node) {
	add := func(k jsontext.Kind, lit string, ok bool) {
		if ok && tree.Wants(s, k) {
			c := tree.Like(f.node(k, int(n.Start)), n)
			c.Text = lit
			all = append(all, c)
		}
	}
	switch n.Kind {
	case jsontext.Null:
		return nil
	case jsontext.Number:
		add(jsontext.String, jsontext.Quote(n.Text), true)
		add(jsontext.Bool, literal.Truths[n.Text], literal.Truths[n.Text] != "")
	case jsontext.Bool:
		add(jsontext.String, jsontext.Quote(n.Text), true)
	case jsontext.String:
		f.Spend(len(n.Text) / 8)
		text := strings.TrimSpace(tree.TextOf(n))
		if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
			f.Spend(3 * len(text)) // it is read, with what is in the strings in it
		}
		lit, ok := literal.Amount(text)
		add(jsontext.Number, lit, ok)
		lit, ok = literal.Truths[strings.ToLower(text)]
		add(jsontext.Bool, lit, ok)
		add(jsontext.Null, "null", tree.IsNothing(n))
		if inner := reader.Parsed(n); inner != nil && tree.Wants(s, inner.Kind) {
			return append(all, inner)
		}
	case jsontext.Array:
		if only := tree.Only(n); only != nil && f.Err() == nil {
			only = f.renamed(only, n.Key)
			if s.Types.Include(only) {
				return []*jsontext.Node{only}
			}
			return f.conversions(only, s)
		}
	}
	if tree.Wants(s, jsontext.Array) && !tree.Is(n, tree.Listed) {
		list, only := tree.Like(f.node(jsontext.Array, int(n.Start)), n), f.renamed(n, "")
		only.Mark |= tree.Listed // else there was no end to lists in lists
		list.Add(only)
		all = append(all, list)
	}
	return all
}
