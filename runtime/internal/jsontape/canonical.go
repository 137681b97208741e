package jsontape

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// AppendCanonical appends the value at an index in a form in which equal values are equal texts, such as 1
// and 1.0, or objects that differ only in the order of their members.
func (t *Tape) AppendCanonical(b []byte, at int) []byte {
	e := &t.entries[at]
	switch e.Kind {
	case Number:
		return append(b, jsontext.ParseDecimal(t.Text(e)).String()...)
	case String:
		return jsontext.AppendQuoted(b, t.Str(e))
	case Reference: // not the same as its text
		b = append(b, '$')
	case Array:
		b = append(b, '[')
		for i, end := at+1, t.EndOf(at); i < end; i = t.EndOf(i) {
			b = append(t.AppendCanonical(b, i), ',')
		}
		return append(b, ']')
	case Object:
		var members []string
		for key := range t.Keys(at) {
			member := append(jsontext.AppendQuoted(nil, t.Str(&t.entries[key])), ':')
			members = append(members, string(t.AppendCanonical(member, key+1)))
		}
		slices.Sort(members)
		return append(append(append(b, '{'), strings.Join(members, ",")...), '}')
	}
	return append(b, t.Text(e)...)
}
