package tool

import (
	"slices"
	"strconv"
	"strings"
)

// appendCanonical appends the value at an index of the tape, written so that
// equal values are equal text: 1 and 1.0, or objects whose members are in another
// order.
func (d *decoder) appendCanonical(b []byte, at int) []byte {
	e := &d.tape[at]
	switch e.kind {
	case kindNumber:
		negative, digits, exponent := decimal(d.text[e.start:e.end])
		if negative && digits != "" {
			b = append(b, '-')
		}
		b = append(append(b, digits...), 'e')
		return strconv.AppendInt(b, int64(exponent), 10)
	case kindString:
		return appendString(b, d.str(e))
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
			member := append(appendString(nil, d.str(&d.tape[key])), ':')
			members = append(members, string(d.appendCanonical(member, key+1)))
		}
		slices.Sort(members)
		return append(append(append(b, '{'), strings.Join(members, ",")...), '}')
	}
	return append(b, d.text[e.start:e.end]...)
}

// decimal takes a number of JSON apart: its digits without zeros at either end,
// none for zero, and the power of ten that they are to be multiplied with.
func decimal(text string) (negative bool, digits string, exponent int) {
	text, negative = strings.CutPrefix(text, "-")
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		text, exponent = text[:i], parseExponent(text[i+1:])
	}
	whole, fraction, _ := strings.Cut(text, ".")
	digits = strings.TrimLeft(whole+fraction, "0")
	exponent -= len(fraction)
	significant := strings.TrimRight(digits, "0")
	if significant == "" {
		return negative, "", 0
	}
	return negative, significant, exponent + len(digits) - len(significant)
}

// isMultiple reports whether a number is a whole multiple of a step, which has at
// most 15 digits.
func isMultiple(text, step string) bool {
	_, digits, exponent := decimal(text)
	_, stepDigits, stepExponent := decimal(step)
	if digits == "" {
		return true
	}
	exponent -= stepExponent
	const largest = 1000 // more than the powers of ten of a float64
	if exponent < 0 || exponent > largest {
		return false // digits do not end in zeros; or the number fits no type
	}
	divisor, err := strconv.ParseUint(stepDigits, 10, 64)
	if err != nil {
		return false
	}
	rest := uint64(0)
	for _, c := range []byte(digits) {
		rest = (rest*10 + uint64(c-'0')) % divisor
	}
	for ; exponent > 0 && rest > 0; exponent-- {
		rest = rest * 10 % divisor
	}
	return rest == 0
}
