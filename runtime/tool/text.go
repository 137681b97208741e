package tool

import "encoding"

// FromText reads a string as a type that reads itself from text.
func FromText[T any, P interface {
	*T
	encoding.TextUnmarshaler
}](v Value) (x T) {
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
