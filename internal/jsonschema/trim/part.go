package trim

import (
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// mark is the end of a text that was cut.
const mark = "…"

// A part is a value, and what of it may be cut.
type part struct {
	node   *jsontext.Node
	text   string // of one that may be cut
	length int    // elements of a list, characters of a text; 0 of others
	least  int    // how many must stay
	items  []*part
}

// partOf returns a value that is to be one of some schemas.
func partOf(n *jsontext.Node, schemas ...*jsonschema.Schema) *part {
	var all []*jsonschema.Schema
	for _, s := range schemas {
		if s == nil {
			continue
		}
		for s := range s.All() {
			if s.Types == 0 || s.Types.Include(n) {
				all = append(all, s)
			}
		}
	}
	p := &part{node: n}
	switch n.Kind {
	case jsontext.String:
		if p.text = n.Str(); !fixesText(all) {
			p.length = utf8.RuneCountInString(p.text)
		}
	case jsontext.Array:
		if p.length = len(n.Items); fixes(all) {
			return &part{node: n}
		}
		for i, item := range n.Items {
			p.items = append(p.items, partOf(item, elementSchemas(all, i)...))
		}
	case jsontext.Object:
		if fixes(all) {
			return p
		}
		for _, m := range n.Items {
			var of []*jsonschema.Schema
			for _, s := range all {
				of = s.AppendOf(of, m.Name())
			}
			p.items = append(p.items, partOf(m, of...))
		}
	}
	for _, s := range all {
		least := s.Length.Least
		if n.Kind == jsontext.Array {
			if least = s.Count.Least; s.Contains != nil {
				least = p.length
			}
		}
		p.least = min(max(p.least, least), p.length)
	}
	return p
}

// fixes reports whether one of the schemas speaks of a value as a whole.
func fixes(all []*jsonschema.Schema) bool {
	for _, s := range all {
		if s.Values != nil || s.Not != nil || s.If != nil {
			return true
		}
	}
	return false
}

// fixesText reports whether one of the schemas says how a text is written.
func fixesText(all []*jsonschema.Schema) bool {
	for _, s := range all {
		if s.Format != "" || s.Pattern != nil || s.ContentEncoding != "" {
			return true
		}
	}
	return fixes(all)
}

// elementSchemas are those of an element of a list.
func elementSchemas(all []*jsonschema.Schema, i int) (of []*jsonschema.Schema) {
	for _, s := range all {
		switch {
		case i < len(s.Prefix):
			of = append(of, s.Prefix[i])
		case s.Items != nil:
			of = append(of, s.Items)
		}
	}
	return of
}

// kept is how much stays of a list or a text.
func (p *part) kept(c cut) int {
	most := c.list
	if p.node.Kind == jsontext.String {
		most = c.text
	}
	return min(p.length, max(p.least, most))
}

// append appends what a cut leaves, unless that is more than a limit in all.
func (p *part) append(b []byte, c cut, limit int) ([]byte, bool) {
	brackets, items := "{}", p.items
	switch {
	case p.node.Kind == jsontext.String && p.kept(c) < p.length:
		b = jsontext.AppendQuoted(b, p.short(p.kept(c)))
		return b, len(b) <= limit
	case len(items) == 0:
		b = p.node.AppendMost(b, limit)
		return b, len(b) <= limit
	case p.node.Kind == jsontext.Array:
		brackets, items = "[]", items[:p.kept(c)]
	}
	b = append(b, brackets[0])
	for i, item := range items {
		if i > 0 {
			b = append(b, ',')
		}
		if brackets == "{}" {
			b = append(append(b, item.node.Key...), ':')
		}
		var ok bool
		if b, ok = item.append(b, c, limit); !ok {
			return b, false
		}
	}
	b = append(b, brackets[1])
	return b, len(b) <= limit
}

// short is the text in so many characters, the mark among them.
func (p *part) short(characters int) string {
	if characters == 0 {
		return ""
	}
	end := 0
	for range characters - 1 {
		_, size := utf8.DecodeRuneInString(p.text[end:])
		end += size
	}
	return p.text[:end] + mark
}

// longest is the cut that leaves everything.
func (p *part) longest() (c cut) {
	if p.node.Kind == jsontext.String {
		c.text = p.length
	} else {
		c.list = p.length
	}
	for _, item := range p.items {
		inner := item.longest()
		c = cut{max(c.list, inner.list), max(c.text, inner.text)}
	}
	return c
}

// each calls f for every value that a cut leaves, with its JSON Pointer.
func (p *part) each(pointer string, c cut, f func(pointer string, p *part)) {
	f(pointer, p)
	for i, item := range p.items {
		switch {
		case p.node.Kind == jsontext.Object:
			item.each(jsontext.Join(pointer, item.node.Name()), c, f)
		case i < p.kept(c):
			item.each(jsontext.JoinIndex(pointer, i), c, f)
		}
	}
}
