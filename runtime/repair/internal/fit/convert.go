package fit

import (
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// listConversions converts a value to other types and returns the results that s allows. For "5", they may be 5
// and ["5"].
func (f *Fitter) listConversions(n *jsontext.Node, s *jsonschema.Schema) (all []*jsontext.Node) {
	add := func(k jsontext.Kind, lit string, ok bool) {
		if ok && reader.WantsKind(s, k) {
			c := reader.ReplaceNode(f.newNode(k, int(n.Start)), n)
			c.Text = lit
			all = append(all, c)
		}
	}
	switch n.Kind {
	case jsontext.Null:
		return nil
	case jsontext.Number:
		add(jsontext.String, jsontext.Quote(n.Text), true)
		add(jsontext.Bool, scan.BooleanWords[n.Text], scan.BooleanWords[n.Text] != "")
	case jsontext.Bool:
		add(jsontext.String, jsontext.Quote(n.Text), true)
	case jsontext.String:
		text := strings.TrimSpace(reader.TextOf(n))
		f.spendOnText(text, len(n.Text))
		lit, ok := scan.ParseAmount(text)
		add(jsontext.Number, lit, ok)
		lit, ok = scan.BooleanWords[strings.ToLower(text)]
		add(jsontext.Bool, lit, ok)
		add(jsontext.Null, "null", reader.IsNothing(n))
		if inner := reader.ParseString(n); inner != nil && reader.WantsKind(s, inner.Kind) {
			return append(all, inner)
		}
	case jsontext.Array:
		if only := reader.OnlyItem(n); only != nil && f.Err() == nil {
			only = f.copyAs(only, n.Key)
			if s.Types.Include(only) {
				return []*jsontext.Node{only}
			}
			return f.listConversions(only, s)
		}
	}
	if reader.WantsKind(s, jsontext.Array) && !reader.HasMark(n, reader.Listed) {
		list, only := reader.ReplaceNode(f.newNode(jsontext.Array, int(n.Start)), n), f.copyAs(n, "")
		only.Mark |= reader.Listed // prevents endless nesting of lists
		list.Add(only)
		all = append(all, list)
	}
	return all
}

// spendOnText spends the steps for reading the content of a string as another value. text is the trimmed content,
// and size is the length of the string in JSON.
func (f *Fitter) spendOnText(text string, size int) {
	f.Spend(size / 8)
	if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
		f.Spend(3 * len(text)) // reading the value also reads strings inside it
	}
}
