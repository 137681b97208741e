package wire

import (
	"maps"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/runtime/internal/result"
)

// The functions in this file write what is there without a copy of it: only the
// fields that are written are read, and no lock is copied.

// From is a writer of a copy of what elem writes.
func From[T any](elem func(*Encoder, string, *T)) func(*Encoder, string, T) {
	return func(e *Encoder, lead string, x T) { elem(e, lead, &x) }
}

// WithoutSecrets is a header of HTTP without what authorizes those who know it:
// Authorization, Cookie, Set-Cookie and X-Api-Key.
func WithoutSecrets[H ~map[string][]string](header H) H {
	header = maps.Clone(header)
	maps.DeleteFunc(header, func(key string, _ []string) bool {
		return slices.ContainsFunc(secrets, func(secret string) bool { return strings.EqualFold(key, secret) })
	})
	return header
}

var secrets = []string{"Authorization", "Cookie", "Set-Cookie", "X-Api-Key"}

// EncodePtrFrom writes what x points to with elem; nil is null.
func EncodePtrFrom[T any](e *Encoder, lead string, x *T, elem func(*Encoder, string, *T)) {
	if x == nil {
		e.Null(lead)
		return
	}
	elem(e, lead, x)
}

// EncodeSure writes what x points to with elem; where x is nil, there is no result, but
// an error.
func EncodeSure[T any](e *Encoder, lead string, x *T, elem func(*Encoder, string, *T)) {
	if x == nil {
		e.Fail("", &result.NilError{})
		return
	}
	elem(e, lead, x)
}

// EncodeSliceFrom writes x as an array, its elements with elem; nil is empty.
func EncodeSliceFrom[T any](e *Encoder, lead string, x []T, elem func(*Encoder, string, *T)) {
	if !e.text.Open(lead, '[') {
		return
	}
	for i := range x {
		if !e.text.Ok() {
			break
		}
		elem(e, ",", &x[i])
	}
	e.text.Close("]")
}
