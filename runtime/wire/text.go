package wire

import (
	"encoding"
	"reflect"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema/text"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/tape"
	"github.com/aiongen/aiongen/runtime/wire/internal/format"
	"github.com/aiongen/aiongen/runtime/wire/internal/number"
	"github.com/aiongen/aiongen/runtime/wire/internal/write"
)

// FromText reads a string as a type that reads itself from text.
func FromText[T any, P interface {
	*T
	encoding.TextUnmarshaler
}](v Value) (x T) {
	if v.refers() {
		return Ref[T](v)
	}
	e := v.expect(tape.String, "a string")
	if e == nil {
		return x
	}
	if err := P(&x).UnmarshalText([]byte(v.d.tape.Str(e))); err != nil {
		v.unreadable(reflect.TypeFor[T](), err)
	}
	return x
}

// URL reads a string as a URL, whole or relative to another, with Parse of package
// net/url; generated code brings that along, so that others need not link it.
// Backslashes and zones in addresses are faults: RFC 3986 has no place for them.
func URL[T any, P interface {
	*T
	Hostname() string
}](v Value, parse func(string) (P, error)) (x T) {
	if v.refers() {
		return Ref[T](v)
	}
	e := v.expect(tape.String, "a string")
	if e == nil {
		return x
	}
	s := v.d.tape.Str(e)
	u, err := parse(s)
	if err != nil || strings.Contains(s, `\`) || strings.Contains(u.Hostname(), ":") && strings.Contains(u.Hostname(), "%") {
		v.Fail(words.Reference)
		return x
	}
	return *u
}

// Format returns v, or records a fault and returns the absent Value if v is no
// string of the format, one that JSON Schema has a name for.
func (v Value) Format(name string) Value {
	return v.reads(text.Kind(name), func(s string) string { return text.Expected(name, s) })
}

// UUID is as [Value.Format] of uuid, and links no other.
func (v Value) UUID() Value { return v.reads("a string", text.UUID) }

// DateTime is as [Value.Format] of date-time for what package time reads: there are
// no leap seconds, and no small letters.
func (v Value) DateTime() Value {
	return v.reads(words.WithTime, func(s string) string { _, expected := format.Time(s); return expected })
}

// Text writes a value as the text that it makes of itself.
func (e *Encoder) Text(lead string, x encoding.TextMarshaler) {
	b, err := x.MarshalText()
	if err == nil {
		e.Str(lead, string(b))
	} else if e.text.Begin(lead) {
		e.text.Fail(err)
	}
}

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
	e := v.expect(tape.Number, number.Integer)
	if e == nil {
		return x
	}
	digits, expected := number.Digits(v.d.tape.Text(e))
	if expected != "" {
		v.Fail(expected)
		return x
	}
	if err := P(&x).UnmarshalText([]byte(digits)); err != nil {
		v.unreadable(reflect.TypeFor[T](), err)
	}
	return x
}

// BigInt writes an integer by its text.
func (e *Encoder) BigInt(lead string, x encoding.TextMarshaler) {
	if !e.text.Begin(lead) {
		return
	}
	digits, err := x.MarshalText()
	if err != nil {
		e.text.Fail(err)
		return
	}
	e.text.Take(write.Number(e.text.B, string(digits)))
}

// Bytes reads a string in base64, of the standard or the URL-safe alphabet, with
// padding or without.
func (v Value) Bytes() []byte {
	if v.refers() {
		return Ref[[]byte](v)
	}
	e := v.expect(tape.String, words.InBase64)
	if e == nil {
		return nil
	}
	b, err := text.Bytes(v.d.tape.Str(e))
	if err != nil {
		v.Fail(words.InBase64)
		return nil
	}
	return b
}

// Bytes reads a string in base64 as bytes of a type of their own; see
// [Value.Bytes].
func Bytes[T ~byte](v Value) []T {
	if v.refers() {
		return Ref[[]T](v)
	}
	b := v.Bytes()
	if b == nil {
		return nil
	}
	x := make([]T, len(b))
	for i, c := range b {
		x[i] = T(c)
	}
	return x
}
