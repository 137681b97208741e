package wire

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// appendCanonical appends the value at an index of the tape, written so that
// equal values are equal text: 1 and 1.0, or objects whose members are in another
// order.
func (d *Decoder) appendCanonical(b []byte, at int) []byte {
	e := &d.tape[at]
	switch e.kind {
	case kindNumber:
		return append(b, jsontext.ParseDecimal(d.text[e.start:e.end]).String()...)
	case kindString:
		return jsontext.AppendQuoted(b, d.str(e))
	case kindReference: // not the same as its text
		b = append(b, '$')
	case kindArray:
		b = append(b, '[')
		for i, end := at+1, d.ends(at); i < end; i = d.ends(i) {
			b = append(d.appendCanonical(b, i), ',')
		}
		return append(b, ']')
	case kindObject:
		var members []string
		for key, end := at+1, d.ends(at); key < end; key = d.ends(key + 1) {
			member := append(jsontext.AppendQuoted(nil, d.str(&d.tape[key])), ':')
			members = append(members, string(d.appendCanonical(member, key+1)))
		}
		slices.Sort(members)
		return append(append(append(b, '{'), strings.Join(members, ",")...), '}')
	}
	return append(b, d.text[e.start:e.end]...)
}
