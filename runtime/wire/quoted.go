package wire

import (
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/internal/tape"
)

// Quoted reads a string that holds a JSON value, as encoding/json does for the
// tag option ",string".
func Quoted[T any](v Value, read func(Value) T) (x T) {
	e := v.expect(tape.String, "a string with a JSON value in it")
	if e == nil {
		return x
	}
	text := v.d.tape.Str(e)
	if text == "" || strings.TrimSpace(text) != text {
		v.Fail("a string with a JSON value in it")
		return x
	}
	var inner Decoder
	root := inner.Read([]byte(text), &Limits{Arguments: len(text), Depth: 1}, nil, false)
	x = read(root)
	switch {
	case !root.Ok():
		v.Fail("a string with a JSON value in it")
	case inner.count > 0:
		v.Fail(inner.faults[0].Expected + " in a string")
	}
	return x
}

// QuotedInt is as [Quoted] for integers, which have one form each: digits alone,
// and 0 no sign.
func QuotedInt[T any](v Value, read func(Value) T) (x T) {
	e := v.expect(tape.String, "a string with an integer in it")
	if e == nil {
		return x
	}
	if text := v.d.tape.Str(e); text == "-0" || strings.ContainsAny(text, ".eE") {
		v.Fail("an integer in a string")
		return x
	}
	return Quoted(v, read)
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
