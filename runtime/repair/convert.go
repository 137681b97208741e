package repair

import (
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// convert makes a value one of the types of s.
func (f *fitter) convert(o *outcome, s *jsonschema.Schema) {
	n := o.value
	if s.Types == 0 || s.Types.Include(n) {
		return
	}
	var found []*outcome
	conversions := f.conversions(n, s)
	for _, other := range conversions {
		converted := &outcome{value: other}
		converted.edit(editType, n, other)
		converted.become(f.fit(other, s))
		found = f.try(found, converted, s)
	}
	if len(found) == 0 && len(conversions) == 1 && len(conversions[0].Items) == 0 {
		o.edit(editType, n, conversions[0]) // to find what is wrong with it
		o.value = conversions[0]
		return
	}
	o.choose(found)
}

// conversions returns what a value may be of other types.
func (f *fitter) conversions(n *jsontext.Node, s *jsonschema.Schema) (all []*jsontext.Node) {
	add := func(k jsontext.Kind, lit string, ok bool) {
		if ok && wants(s, k) {
			c := like(f.node(k, int(n.Start)), n)
			c.Text = lit
			all = append(all, c)
		}
	}
	switch n.Kind {
	case jsontext.Null:
		return nil
	case jsontext.Number:
		add(jsontext.String, jsontext.Quote(n.Text), true)
		add(jsontext.Bool, truths[n.Text], truths[n.Text] != "")
	case jsontext.Bool:
		add(jsontext.String, jsontext.Quote(n.Text), true)
	case jsontext.String:
		f.Spend(len(n.Text) / 8)
		text := strings.TrimSpace(textOf(n))
		lit, ok := amount(text)
		add(jsontext.Number, lit, ok)
		lit, ok = truths[strings.ToLower(text)]
		add(jsontext.Bool, lit, ok)
		add(jsontext.Null, "null", isNothing(n))
		if inner := parsed(n); inner != nil && wants(s, inner.Kind) {
			return append(all, inner)
		}
	case jsontext.Array:
		if only := only(n); only != nil && f.Err() == nil {
			only = f.renamed(only, n.Key)
			if s.Types.Include(only) {
				return []*jsontext.Node{only}
			}
			return f.conversions(only, s)
		}
	}
	if wants(s, jsontext.Array) && !is(n, listed) {
		list, only := like(f.node(jsontext.Array, int(n.Start)), n), f.renamed(n, "")
		only.Mark |= listed // else there was no end to lists in lists
		list.Add(only)
		all = append(all, list)
	}
	return all
}

// renamed returns a copy of a value under another name.
func (f *fitter) renamed(n *jsontext.Node, key string) *jsontext.Node {
	c := f.node(n.Kind, int(n.Start))
	*c = *n
	c.Key = key
	return c
}

// parsed returns the object or list in a string, under its name; nil if it holds
// nothing else that is complete.
func parsed(n *jsontext.Node) *jsontext.Node {
	if n.Kind != jsontext.String {
		return nil
	}
	text := strings.Trim(textOf(n), blanks)
	if text == "" || text[0] != '{' && text[0] != '[' {
		return nil
	}
	r := newReader(text, 0, len(text))
	r.open = false
	inner := r.value(inText, nil)
	if inner == nil || r.err != nil || r.cut || r.pos < r.end || holeIn(inner) != nil {
		return nil
	}
	relocate(inner, n.Span)
	return like(inner, n)
}

// relocate sets the place of all that is in n.
func relocate(n *jsontext.Node, p jsontext.Span) {
	n.Span, n.KeySpan = p, p
	for _, m := range n.Items {
		relocate(m, p)
	}
}

// isNothing tells whether a value, or what a string says, is null or empty.
func isNothing(n *jsontext.Node) bool {
	if n.Kind != jsontext.String {
		return n.Kind == jsontext.Null
	}
	switch strings.TrimSpace(textOf(n)) {
	case "", "null", "None":
		return true
	}
	return false
}
