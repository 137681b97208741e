package xgrammar

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// Canonical returns a value as a constrained model writes it: without spaces, with the members in the
// order of the schema, and with escapes only where they are necessary.
func Canonical(schema, value *jsontext.Node) string {
	c := canonical{schema}
	return c.text(schema, value)
}

type canonical struct{ root *jsontext.Node }

func (c canonical) text(s, v *jsontext.Node) string {
	s = c.resolve(s, v)
	switch {
	case v.Is(jsontext.Object):
		return "{" + strings.Join(c.members(s, v), ",") + "}"
	case v.Is(jsontext.Array):
		parts := make([]string, len(v.Items))
		for i, item := range v.Items {
			parts[i] = c.text(s.Member("items"), item)
		}
		return "[" + strings.Join(parts, ",") + "]"
	case v.Is(jsontext.String):
		return jsontext.Quote(v.Str())
	case v.Is(jsontext.Number):
		return plainInteger(v.Text)
	}
	return v.Text
}

// plainInteger writes integers without fraction and exponent. It does not change other numbers.
func plainInteger(number string) string {
	d := jsontext.ParseDecimal(number)
	switch {
	case d.Digits == "":
		return "0"
	case d.Exponent < 0 || d.Exponent > 5000:
		return number
	case d.Negative:
		d.Digits = "-" + d.Digits
	}
	return d.Digits + strings.Repeat("0", int(d.Exponent))
}

// members returns the members of an object in the order of the schema, and after them the others.
func (c canonical) members(s, v *jsontext.Node) (parts []string) {
	add := func(schema, member *jsontext.Node) {
		parts = append(parts, jsontext.Quote(member.Name())+":"+c.text(schema, member))
	}
	properties := s.Member("properties")
	if properties != nil {
		for _, p := range properties.Items {
			if member := v.Member(p.Name()); member != nil {
				add(p, member)
			}
		}
	}
	for _, member := range v.Items {
		if properties.Member(member.Name()) == nil {
			add(s.Member("additionalProperties"), member)
		}
	}
	return parts
}

// resolve follows references, and in a union also to the branch that fits a value best.
func (c canonical) resolve(s, v *jsontext.Node) *jsontext.Node {
	for range 100 {
		if pointer, ok := jsonschema.LocalPointer(s.Member("$ref").Str()); ok && s.Member("$ref") != nil {
			s = c.root.At(pointer)
			continue
		}
		branches := s.Member("anyOf")
		if branches == nil {
			branches = s.Member("oneOf")
		}
		if branches == nil || len(branches.Items) == 0 {
			return s
		}
		s = slices.MaxFunc(branches.Items, func(a, b *jsontext.Node) int { return c.similarity(a, v) - c.similarity(b, v) })
	}
	return s
}

// similarity counts what a schema and a value have in common.
func (c canonical) similarity(s, v *jsontext.Node) (n int) {
	s = c.resolve(s, v)
	if v.Is(jsontext.Array) && s.Member("items") != nil {
		return 1
	}
	properties := s.Member("properties")
	if !v.Is(jsontext.Object) || properties == nil {
		return 0
	}
	for _, member := range v.Items {
		p := properties.Member(member.Name())
		if p != nil {
			n++
		}
		if p != nil && p.Member("const") != nil && jsontext.Equal(p.Member("const"), member) {
			n += 100 // it names the variant
		}
	}
	return n
}
