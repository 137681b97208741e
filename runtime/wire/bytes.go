package wire

import (
	"encoding/base64"
	"strings"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/wire/internal/tape"
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
	text, encoding := v.d.tape.Str(e), base64.StdEncoding
	if strings.ContainsAny(text, "-_") {
		encoding = base64.URLEncoding
	}
	if !strings.Contains(text, "=") {
		encoding = encoding.WithPadding(base64.NoPadding)
	}
	b, err := encoding.DecodeString(text)
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
