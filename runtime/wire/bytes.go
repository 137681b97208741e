package wire

import (
	"github.com/aiongen/aiongen/internal/jsonschema/text"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/tape"
)

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
