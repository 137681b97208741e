package jsonschema

import (
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// truncationMark is appended to a text that was cut.
const truncationMark = "…"

// A truncatable is a value that may be shortened, with its elements or members.
type truncatable struct {
	node   *jsontext.Node
	text   string // the content of a string
	length int    // number of elements of a list, or of characters of a text; 0 if it must not be cut
	least  int    // number of elements or characters that must remain
	items  []*truncatable
}

// newTruncatable returns the truncatable of a value to which the given schemas apply.
func newTruncatable(n *jsontext.Node, schemas ...*Schema) *truncatable {
	var all []*Schema
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
	p := &truncatable{node: n}
	switch n.Kind {
	case jsontext.String:
		if p.text = n.Str(); !fixesText(all) {
			p.length = utf8.RuneCountInString(p.text)
		}
	case jsontext.Array:
		if p.length = len(n.Items); fixesValue(all) {
			return &truncatable{node: n}
		}
		for i, item := range n.Items {
			p.items = append(p.items, newTruncatable(item, elementSchemas(all, i)...))
		}
	case jsontext.Object:
		if fixesValue(all) {
			return p
		}
		for _, m := range n.Items {
			var memberSchemas []*Schema
			for _, s := range all {
				memberSchemas = s.AppendMemberSchemas(memberSchemas, m.Name())
			}
			p.items = append(p.items, newTruncatable(m, memberSchemas...))
		}
	}
	p.limitLength(all)
	return p
}

// limitLength sets p.least, so that the shortened value is not too short for the schemas.
func (p *truncatable) limitLength(schemas []*Schema) {
	for _, s := range schemas {
		least := s.Length.Least
		if p.node.Kind == jsontext.Array {
			if least = s.Count.Least; s.Contains != nil {
				least = p.length
			}
		}
		p.least = min(max(p.least, least), p.length)
	}
}

// fixesValue reports whether one of the schemas enumerates values or has the keyword "not" or "if". A shortened
// value may violate such a schema.
func fixesValue(all []*Schema) bool {
	for _, s := range all {
		if s.Values != nil || s.Not != nil || s.If != nil {
			return true
		}
	}
	return false
}

// fixesText is like fixesValue for a text, which may also have a format or a pattern.
func fixesText(all []*Schema) bool {
	for _, s := range all {
		if s.Format != "" || s.Pattern != nil || s.ContentEncoding != "" {
			return true
		}
	}
	return fixesValue(all)
}

// elementSchemas returns the schemas that apply to the element at an index of a list.
func elementSchemas(all []*Schema, i int) (schemas []*Schema) {
	for _, s := range all {
		switch {
		case i < len(s.Prefix):
			schemas = append(schemas, s.Prefix[i])
		case s.Items != nil:
			schemas = append(schemas, s.Items)
		}
	}
	return schemas
}

// keptLength returns how many elements of a list or characters of a text a truncation keeps.
func (p *truncatable) keptLength(c truncation) int {
	limit := c.list
	if p.node.Kind == jsontext.String {
		limit = c.text
	}
	return min(p.length, max(p.least, limit))
}

// appendTo appends the truncated value to b. It returns false if b then has more than limit bytes.
func (p *truncatable) appendTo(b []byte, c truncation, limit int) ([]byte, bool) {
	brackets, items := "{}", p.items
	switch {
	case p.node.Kind == jsontext.String && p.keptLength(c) < p.length:
		b = jsontext.AppendQuoted(b, p.cutText(p.keptLength(c)))
		return b, len(b) <= limit
	case len(items) == 0:
		b = p.node.AppendMost(b, limit)
		return b, len(b) <= limit
	case p.node.Kind == jsontext.Array:
		brackets, items = "[]", items[:p.keptLength(c)]
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
		if b, ok = item.appendTo(b, c, limit); !ok {
			return b, false
		}
	}
	b = append(b, brackets[1])
	return b, len(b) <= limit
}

// cutText returns the text cut to a number of characters, including the truncation mark.
func (p *truncatable) cutText(characters int) string {
	if characters == 0 {
		return ""
	}
	end := 0
	for range characters - 1 {
		_, size := utf8.DecodeRuneInString(p.text[end:])
		end += size
	}
	return p.text[:end] + truncationMark
}

// fullLength returns the truncation that removes nothing.
func (p *truncatable) fullLength() (c truncation) {
	if p.node.Kind == jsontext.String {
		c.text = p.length
	} else {
		c.list = p.length
	}
	for _, item := range p.items {
		inner := item.fullLength()
		c = truncation{max(c.list, inner.list), max(c.text, inner.text)}
	}
	return c
}

// eachKept calls f for every value that a truncation keeps, with its JSON Pointer.
func (p *truncatable) eachKept(pointer string, c truncation, f func(pointer string, p *truncatable)) {
	f(pointer, p)
	for i, item := range p.items {
		switch {
		case p.node.Kind == jsontext.Object:
			item.eachKept(jsontext.Join(pointer, item.node.Name()), c, f)
		case i < p.keptLength(c):
			item.eachKept(jsontext.JoinIndex(pointer, i), c, f)
		}
	}
}
