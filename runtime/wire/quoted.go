package wire

import (
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/wire/internal/number"
)

// Quoted reads a string that holds a JSON value, as encoding/json does for the
// tag option ",string".
func Quoted[T any](v Value, read func(Value) T) (x T) {
	if v.d == nil {
		return x
	}
	var inner Decoder
	text, _ := v.str()
	root := inner.Read([]byte(text), &Limits{Arguments: len(text), Depth: 1}, nil, false)
	broken := text == "" || !root.Ok() || strings.TrimSpace(text) != text
	if broken {
		inner = Decoder{} // null is none of the values, so that the reader says what it expects
		root = inner.Read([]byte("null"), &Limits{Arguments: len("null"), Depth: 1}, nil, false)
	}
	if x = read(root); broken && inner.count == 0 {
		root.Fail("a JSON value")
	}
	if inner.count > 0 {
		v.Fail(words.Quoted(inner.faults[0].Expected))
	}
	return x
}

// QuotedInt is as [Quoted] for integers, which have one form each: digits alone,
// and 0 no sign.
func QuotedInt[T any](v Value, read func(Value) T) T {
	return Quoted(v, func(inner Value) T {
		if text := inner.number(); text == "-0" || strings.ContainsAny(text, ".eE") {
			inner.Fail(number.Integer)
			inner = Value{}
		}
		return read(inner)
	})
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
