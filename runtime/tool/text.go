package tool

import (
	"encoding"
	"fmt"
	"strings"
)

// FromText reads a string as a type that reads itself from text.
func FromText[T any, P interface {
	*T
	encoding.TextUnmarshaler
}](v Value) (x T) {
	if v.refers() {
		return Ref[T](v)
	}
	e := v.expect(kindString, "a string")
	if e == nil {
		return x
	}
	if err := P(&x).UnmarshalText([]byte(v.d.str(e))); err != nil {
		v.unreadable(err)
	}
	return x
}

// Parsed reads a string with a function that parses it.
func Parsed[T any](v Value, parse func(string) (*T, error)) (x T) {
	if v.refers() {
		return Ref[T](v)
	}
	e := v.expect(kindString, "a string")
	if e == nil {
		return x
	}
	parsed, err := parse(v.d.str(e))
	if err != nil {
		v.unreadable(err)
		return x
	}
	return *parsed
}

// unreadable records that a parser refused the string v, in its own words.
func (v Value) unreadable(err error) {
	v.Fail("another string (" + cut(err.Error(), longestKey) + ")")
}

// Text writes a value as the text that it makes of itself.
func (e *Encoder) Text(lead string, x encoding.TextMarshaler) {
	text, err := x.MarshalText()
	if err == nil {
		e.Str(lead, string(text))
	} else if e.begin(lead) {
		e.fail(err)
	}
}

// longestBigInt bounds the digits of a [BigInt]. To read one costs the square of
// its length.
const longestBigInt = 10_000

// BigInt reads an integer as a type that reads itself from its digits, such as
// big.Int. As for all kinds of integer, 5.0 and 5e0 are integers; one with more
// than 10,000 digits is a fault.
func BigInt[T any, P interface {
	*T
	encoding.TextUnmarshaler
}](v Value) (x T) {
	if v.refers() {
		return Ref[T](v)
	}
	e := v.expect(kindNumber, "an integer")
	if e == nil {
		return x
	}
	text := v.d.text[e.start:e.end]
	digits, state := wholeDigits(strings.TrimPrefix(text, "-"), longestBigInt)
	switch state {
	case integerNot:
		v.Fail("an integer")
		return x
	case integerOver:
		v.Fail(fmt.Sprintf("an integer of at most %d digits", longestBigInt))
		return x
	}
	if text[0] == '-' {
		digits = "-" + digits
	}
	if err := P(&x).UnmarshalText([]byte(digits)); err != nil {
		v.unreadable(err)
	}
	return x
}

// BigInt writes an integer by its text.
func (e *Encoder) BigInt(lead string, x encoding.TextMarshaler) {
	if !e.begin(lead) {
		return
	}
	text, err := x.MarshalText()
	if end, ok := numberEnd(string(text), 0); err == nil && (!ok || end != len(text)) {
		err = fmt.Errorf("%q is no JSON number", cut(string(text), longestFound))
	}
	if err != nil {
		e.fail(err)
		return
	}
	e.b = append(e.b, text...)
}
