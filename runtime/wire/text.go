package wire

import (
	"encoding"
	"reflect"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/jsontape"
)

// FromText reads a string as a type that unmarshals itself from text.
func FromText[T any, P interface {
	*T
	encoding.TextUnmarshaler
}](v Value) (x T) {
	if v.isReference() {
		return Ref[T](v)
	}
	e := v.expectKind(jsontape.String, "a string")
	if e == nil {
		return x
	}
	if err := P(&x).UnmarshalText([]byte(v.d.tape.Str(e))); err != nil {
		v.failUnmarshal(reflect.TypeFor[T](), err)
	}
	return x
}

// URL reads a string as an absolute or relative URL. Generated code passes url.Parse as parse, so that package wire
// does not import net/url. Backslashes and zones in addresses are faults, because RFC
// 3986 does not allow them.
func URL[T any, P interface {
	*T
	Hostname() string
}](v Value, parse func(string) (P, error)) (x T) {
	if v.isReference() {
		return Ref[T](v)
	}
	e := v.expectKind(jsontape.String, "a string")
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

// Format returns v. If v is not a string of the named format of JSON Schema, it records a fault and returns
// the absent Value.
func (v Value) Format(name string) Value {
	return v.checkString(jsonschema.ExpectedKind(name), func(s string) string { return jsonschema.ExpectedFormat(name, s) })
}

// UUID is like [Value.Format] for "uuid", but does not link the code of the other formats.
func (v Value) UUID() Value { return v.checkString("a string", jsonschema.ExpectedUUID) }

// DateTime is like [Value.Format] for a date-time that [Value.Time] accepts.
func (v Value) DateTime() Value {
	return v.checkString(words.WithTime, func(s string) string { _, expected := parseTime(s); return expected })
}

// Text writes the text that a value marshals to.
func (e *Encoder) Text(lead string, x encoding.TextMarshaler) {
	b, err := x.MarshalText()
	if err != nil {
		e.text.failValue(lead, err)
		return
	}
	e.Str(lead, string(b))
}

// BigInt reads an integer as a type such as big.Int that unmarshals itself from text. Like [Value.Int], it
// accepts 5.0 and 5e0 as integers. More than 10,000 digits are a fault.
func BigInt[T any, P interface {
	*T
	encoding.TextUnmarshaler
}](v Value) (x T) {
	if v.isReference() {
		return Ref[T](v)
	}
	e := v.expectKind(jsontape.Number, anInteger)
	if e == nil {
		return x
	}
	digits, expected := parseDigits(v.d.tape.Text(e))
	if expected != "" {
		v.Fail(expected)
		return x
	}
	if err := P(&x).UnmarshalText([]byte(digits)); err != nil {
		v.failUnmarshal(reflect.TypeFor[T](), err)
	}
	return x
}

// BigInt writes a value whose text is an integer, such as a big.Int, as a number.
func (e *Encoder) BigInt(lead string, x encoding.TextMarshaler) {
	if !e.text.begin(lead) {
		return
	}
	digits, err := x.MarshalText()
	if err != nil {
		e.text.fail(err)
		return
	}
	e.text.setText(appendNumber(e.text.b, string(digits)))
}

// Bytes reads a string in base64, in the standard or the URL-safe alphabet, with or without padding.
func (v Value) Bytes() []byte {
	if v.isReference() {
		return Ref[[]byte](v)
	}
	e := v.expectKind(jsontape.String, words.InBase64)
	if e == nil {
		return nil
	}
	b, err := jsonschema.DecodeBase64(v.d.tape.Str(e))
	if err != nil {
		v.Fail(words.InBase64)
		return nil
	}
	return b
}

// Bytes reads a string in base64 as bytes of a named type; see [Value.Bytes].
func Bytes[T ~byte](v Value) []T {
	if v.isReference() {
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
