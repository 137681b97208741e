package wire

import (
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// Quoted reads a string that holds a JSON value, as encoding/json does for the
// tag option ",string".
func Quoted[T any](v Value, read func(Value) T) (x T) {
	return quoted(v, read, func(string) bool { return true })
}

// QuotedInt is as [Quoted] for integers, which have one form each: digits alone,
// and 0 no sign.
func QuotedInt[T any](v Value, read func(Value) T) T {
	return quoted(v, read, func(text string) bool { return text != "-0" && !strings.ContainsAny(text, ".eE") })
}

// quoted reads what a string of some form holds.
func quoted[T any](v Value, read func(Value) T, hasForm func(text string) bool) (x T) {
	if v.d == nil {
		return x
	}
	inner := Decoder{inString: true}
	text, _ := v.str()
	root := inner.Read([]byte(text), &Limits{Arguments: len(text), Depth: 1}, nil, false)
	broken := text == "" || !root.Ok() || strings.TrimSpace(text) != text || !hasForm(text)
	if broken {
		inner = Decoder{inString: true} // null is none of the values, so that the reader says what it expects
		root = inner.Read([]byte("null"), &Limits{Arguments: len("null"), Depth: 1}, nil, false)
	}
	if x = read(root); broken && inner.faults.Count() == 0 {
		root.Fail("a JSON value")
	}
	if inner.faults.Count() > 0 {
		expected := inner.faults.Sorted()[0].Expected
		if !strings.HasSuffix(expected, "(strings)") && !strings.HasPrefix(expected, "the string ") {
			expected = words.Quoted(expected)
		}
		v.Fail(expected)
	}
	return x
}

// EncodeQuoted writes what elem writes of x, in a string.
func EncodeQuoted[T any](e *Encoder, lead string, x T, elem func(*Encoder, string, T)) {
	if !e.text.Begin(lead) || !e.text.Begin("") { // which drops the lead if that is too much
		return
	}
	start := len(e.text.B)
	if elem(e, "", x); e.text.Ok() {
		inner := string(e.text.B[start:])
		e.text.B = jsontext.AppendQuoted(e.text.B[:start], inner)
	}
}
