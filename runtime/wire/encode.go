package wire

import (
	"encoding"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/reference"
	"github.com/aiongen/aiongen/runtime/internal/result"
	"github.com/aiongen/aiongen/runtime/wire/internal/bounded"
	"github.com/aiongen/aiongen/runtime/wire/internal/write"
)

// Open writes the lead of an object and opens it. If it returns false, since
// something went wrong before, there is nothing to write and to close. The
// members of the object have leads with a comma, as in `,"count":`.
//
//go:noinline
func (e *Encoder) Open(lead string) bool { return e.text.Open(lead, '{') }

// Close closes the object that was opened last.
//
//go:noinline
func (e *Encoder) Close() { e.text.Close("}") }

// EncodeInt writes an integer of any signed type.
func EncodeInt[T ~int | ~int8 | ~int16 | ~int32 | ~int64](e *Encoder, lead string, x T) {
	e.Int(lead, int64(x))
}

// EncodeUint writes an integer of any unsigned type.
func EncodeUint[T ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr](e *Encoder, lead string, x T) {
	e.Uint(lead, uint64(x))
}

// EncodeStr writes a string of any type.
func EncodeStr[T ~string](e *Encoder, lead string, x T) { e.Str(lead, string(x)) }

// EncodeStringer writes the text of x, which is a pointer or an interface; nil is null.
func EncodeStringer[T fmt.Stringer](e *Encoder, lead string, x T) {
	if write.IsNil(x) {
		e.Null(lead)
		return
	}
	e.Str(lead, x.String())
}

// EncodeSlice writes x as an array, its elements with elem; nil is empty.
func EncodeSlice[T any](e *Encoder, lead string, x []T, elem func(*Encoder, string, T)) {
	if !e.text.Open(lead, '[') {
		return
	}
	for _, element := range x {
		if !e.text.Ok() {
			break
		}
		elem(e, ",", element)
	}
	e.text.Close("]")
}

// EncodeMap writes x as an object, its values with elem, sorted by key; nil is
// empty.
func EncodeMap[K ~string, V any](e *Encoder, lead string, x map[K]V, elem func(*Encoder, string, V)) {
	encodeMap(e, lead, x, elem, func(k K) string { return string(k) })
}

// EncodeIntMap writes x as an object, its values with elem, sorted by the text of
// the keys; nil is empty.
func EncodeIntMap[K jsontext.Integer, V any](e *Encoder, lead string, x map[K]V, elem func(*Encoder, string, V)) {
	encodeMap(e, lead, x, elem, func(k K) string {
		if k < 0 {
			return strconv.FormatInt(int64(k), 10)
		}
		return strconv.FormatUint(uint64(k), 10)
	})
}

// EncodeTextMap writes x as an object, its values with elem, sorted by the text
// that the keys make of themselves; nil is empty.
func EncodeTextMap[K interface {
	comparable
	encoding.TextMarshaler
}, V any](e *Encoder, lead string, x map[K]V, elem func(*Encoder, string, V)) {
	encodeMap(e, lead, x, elem, func(k K) string {
		text, err := k.MarshalText()
		if err != nil && e.text.Ok() {
			e.text.Fail(err)
		}
		return string(text)
	})
}

// EncodeBytes writes bytes of a type of their own in base64.
func EncodeBytes[T ~byte](e *Encoder, lead string, x []T) {
	b := make([]byte, len(x))
	for i, c := range x {
		b[i] = byte(c)
	}
	e.Bytes(lead, b)
}

func encodeMap[K comparable, V any](e *Encoder, lead string, x map[K]V, elem func(*Encoder, string, V), text func(K) string) {
	if !e.text.Open(lead, '{') {
		return
	}
	type member struct {
		key   string
		value V
	}
	members := make([]member, 0, len(x))
	for k, v := range x {
		members = append(members, member{strings.Map(sameRune, text(k)), v})
	}
	slices.SortFunc(members, func(a, b member) int { return strings.Compare(a.key, b.key) })
	for i, m := range members {
		if !e.text.Ok() {
			break
		}
		if i > 0 && m.key == members[i-1].key && e.text.Begin("") {
			e.text.Fail(fmt.Errorf("two keys are written as %q", words.Cut(m.key, jsontext.LongestShown)))
			break
		}
		e.Str(",", m.key)
		elem(e, ":", m.value)
	}
	e.text.Close("}")
}

// sameRune lets strings.Map put U+FFFD in the place of what is no UTF-8, as in
// all strings that are written.
func sameRune(r rune) rune { return r }

// EncodePtr writes what x points to with elem; nil is null.
func EncodePtr[T any](e *Encoder, lead string, x *T, elem func(*Encoder, string, T)) {
	if x == nil {
		e.Null(lead)
		return
	}
	elem(e, lead, *x)
}

// IsUnset reports whether x has its zero value, also of a type that == does not take:
// encoding/json leaves such a field out for omitzero.
func IsUnset[T any](x *T) bool { return reflect.ValueOf(x).Elem().IsZero() }

// IsZero reports whether x is nil, or a nil pointer, or says of itself that it is zero:
// encoding/json leaves such a field out for omitzero.
func IsZero(x interface{ IsZero() bool }) bool {
	v := reflect.ValueOf(x)
	return x == nil || v.Kind() == reflect.Pointer && v.IsNil() || x.IsZero()
}

// EncodeRef keeps x, which JSON cannot carry, as a variable of the call, and
// writes a reference to it; nil is null.
func EncodeRef[T any](e *Encoder, lead string, x T) { e.ref(lead, x, reflect.TypeFor[T]()) }

func (e *Encoder) ref(lead string, x any, t reflect.Type) {
	if write.IsNil(x) {
		e.Null(lead)
		return
	}
	if !e.text.Begin(lead) {
		return
	}
	if e.text.Lost() { // nobody will get the reference
		e.text.Fail(bounded.ErrLong)
		return
	}
	name, description, err := e.vars.Keep(x, t)
	switch {
	case err != nil:
		e.text.Fail(err)
		return
	case name == "":
		e.Null("")
		return
	}
	e.text.B = append(e.text.B, '{')
	e.Str(`,"ref":`, reference.To(name))
	e.Str(`,"type":`, t.String())
	if description != "" {
		e.Str(`,"description":`, description)
	}
	e.Raw("}")
}

// The functions that follow write what is there without a copy of it: only the
// fields that are written are read, and no lock is copied.

// From is a writer of a copy of what elem writes.
func From[T any](elem func(*Encoder, string, *T)) func(*Encoder, string, T) {
	return func(e *Encoder, lead string, x T) { elem(e, lead, &x) }
}

// WithoutSecrets returns an HTTP header without the fields that authorize whoever knows
// them: Authorization, Cookie, the usual names of API keys and the like.
func WithoutSecrets[H ~map[string][]string](header H) H {
	header = maps.Clone(header)
	maps.DeleteFunc(header, func(key string, _ []string) bool {
		return slices.ContainsFunc(secrets, func(secret string) bool { return strings.EqualFold(key, secret) })
	})
	return header
}

var secrets = []string{
	"Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "X-Api-Key", "Api-Key", "X-Goog-Api-Key", "X-Auth-Token", "X-Amz-Security-Token",
}

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
