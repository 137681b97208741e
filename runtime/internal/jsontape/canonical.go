package jsontape

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// AppendCanonical appends the canonical text of the value at an index. Equal values have the same canonical
// text: for example 1 and 1.0, or objects that differ only in the order of their members.
func (t *Tape) AppendCanonical(b []byte, index int) []byte {
	e := &t.entries[index]
	switch e.Kind {
	case Number:
		return append(b, jsontext.ParseDecimal(t.Text(e)).String()...)
	case String:
		return jsontext.AppendQuoted(b, t.Str(e))
	case Reference: // must differ from a string with the same text
		b = append(b, '$')
	case Array:
		b = append(b, '[')
		for i, end := index+1, t.EndOf(index); i < end; i = t.EndOf(i) {
			b = append(t.AppendCanonical(b, i), ',')
		}
		return append(b, ']')
	case Object:
		var members []string
		for key := range t.Keys(index) {
			member := append(jsontext.AppendQuoted(nil, t.Str(&t.entries[key])), ':')
			members = append(members, string(t.AppendCanonical(member, key+1)))
		}
		slices.Sort(members)
		return append(append(append(b, '{'), strings.Join(members, ",")...), '}')
	}
	return append(b, t.Text(e)...)
}
