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
)

// Open writes lead, which is the text before an object (see [Encoder]), and then its opening brace. If it returns false, an earlier error has
// occurred, and the object must be neither written nor closed. The members of the object have leads that start with a
// comma, as in `,"count":`.
//
//go:noinline
func (e *Encoder) Open(lead string) bool {
	if e.variant != "" {
		return e.openVariant(lead)
	}
	return e.text.open(lead, '{')
}

// Close closes the object that was opened last.
//
//go:noinline
func (e *Encoder) Close() { e.text.close("}") }

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

// EncodeStringer writes the String of x, which is a pointer or an interface; nil is null.
func EncodeStringer[T fmt.Stringer](e *Encoder, lead string, x T) {
	if isNil(x) {
		e.Null(lead)
		return
	}
	e.Str(lead, x.String())
}

// EncodeSlice writes x as an array. elem writes the elements. A nil slice is an empty array.
func EncodeSlice[T any](e *Encoder, lead string, x []T, elem func(*Encoder, string, T)) {
	if !e.text.open(lead, '[') {
		return
	}
	for _, element := range x {
		if !e.text.ok() {
			break
		}
		elem(e, ",", element)
	}
	e.text.close("]")
}

// EncodeMap writes x as an object, sorted by key. elem writes the values. A nil map is an empty object.
func EncodeMap[K ~string, V any](e *Encoder, lead string, x map[K]V, elem func(*Encoder, string, V)) {
	encodeMap(e, lead, x, elem, func(k K) string { return string(k) })
}

// EncodeIntMap writes x as an object, sorted by the text of the keys. elem writes the values. A nil map is an
// empty object.
func EncodeIntMap[K jsontext.Integer, V any](e *Encoder, lead string, x map[K]V, elem func(*Encoder, string, V)) {
	encodeMap(e, lead, x, elem, func(k K) string {
		if k < 0 {
			return strconv.FormatInt(int64(k), 10)
		}
		return strconv.FormatUint(uint64(k), 10)
	})
}

// EncodeTextMap writes x as an object, sorted by the text that the keys marshal to. elem writes the values. A
// nil map is an empty object.
func EncodeTextMap[K interface {
	comparable
	encoding.TextMarshaler
}, V any](e *Encoder, lead string, x map[K]V, elem func(*Encoder, string, V)) {
	encodeMap(e, lead, x, elem, func(k K) string {
		text, err := k.MarshalText()
		if err != nil {
			e.text.fail(err)
		}
		return string(text)
	})
}

// EncodeBytes writes bytes of a named type in base64; nil is null.
func EncodeBytes[T ~byte](e *Encoder, lead string, x []T) {
	if x == nil {
		e.Null(lead)
		return
	}
	b := make([]byte, len(x))
	for i, c := range x {
		b[i] = byte(c)
	}
	e.Bytes(lead, b)
}

func encodeMap[K comparable, V any](e *Encoder, lead string, x map[K]V, elem func(*Encoder, string, V), text func(K) string) {
	if !e.text.open(lead, '{') {
		return
	}
	type member struct {
		key   string
		value V
	}
	members := make([]member, 0, len(x))
	for k, v := range x {
		members = append(members, member{strings.Map(keepRune, text(k)), v})
	}
	slices.SortFunc(members, func(a, b member) int { return strings.Compare(a.key, b.key) })
	for i, m := range members {
		if !e.text.ok() {
			break
		}
		if i > 0 && m.key == members[i-1].key && e.text.begin("") {
			e.text.fail(fmt.Errorf("two keys are written as %q", words.Cut(m.key, jsontext.LongestShown)))
			break
		}
		e.Str(",", m.key)
		elem(e, ":", m.value)
	}
	e.text.close("}")
}

// keepRune makes strings.Map replace invalid UTF-8 with U+FFFD, as in all strings that are written.
func keepRune(r rune) rune { return r }

// EncodePtr calls elem to write the value that x points to. A nil pointer is written as null.
func EncodePtr[T any](e *Encoder, lead string, x *T, elem func(*Encoder, string, T)) {
	if x == nil {
		e.Null(lead)
		return
	}
	elem(e, lead, *x)
}

// IsUnset reports whether x points to a zero value. T need not be comparable. encoding/json omits a field with
// such a value if the field has the option omitzero.
func IsUnset[T any](x *T) bool { return reflect.ValueOf(x).Elem().IsZero() }

// IsZero reports whether x is nil, is a nil pointer, or has a method IsZero that returns true. encoding/json
// omits a field with such a value if the field has the option omitzero.
func IsZero(x interface{ IsZero() bool }) bool {
	v := reflect.ValueOf(x)
	return x == nil || v.Kind() == reflect.Pointer && v.IsNil() || x.IsZero()
}

// EncodeRef stores x, which JSON cannot represent, in a variable and writes a reference to the variable; nil is
// null.
func EncodeRef[T any](e *Encoder, lead string, x T) { e.writeReference(lead, x, reflect.TypeFor[T]()) }

func (e *Encoder) writeReference(lead string, x any, t reflect.Type) {
	if isNil(x) {
		e.Null(lead)
		return
	}
	if !e.text.begin(lead) {
		return
	}
	if e.text.isOverLimit() { // the caller will not get the reference
		e.text.fail(errLong)
		return
	}
	name, description, err := e.variables.StoreResult(x, t)
	switch {
	case err != nil:
		e.text.fail(err)
		return
	case name == "":
		e.Null("")
		return
	}
	e.text.b = append(e.text.b, '{')
	e.Str(`,"ref":`, reference.Format(name))
	e.Str(`,"type":`, t.String())
	if description != "" {
		e.Str(`,"description":`, description)
	}
	e.Raw("}")
}

// Most of the following functions take pointers to values, so that a struct with a lock is not copied.

// WriterOf returns a writer that takes a value and passes a pointer to it to elem.
func WriterOf[T any](elem func(*Encoder, string, *T)) func(*Encoder, string, T) {
	return func(e *Encoder, lead string, x T) { elem(e, lead, &x) }
}

// WithoutSecrets returns a copy of an HTTP header without the fields that contain credentials, such as Authorization,
// Cookie and X-Api-Key.
func WithoutSecrets[H ~map[string][]string](header H) H {
	header = maps.Clone(header)
	maps.DeleteFunc(header, func(key string, _ []string) bool {
		return slices.ContainsFunc(secretHeaders, func(secret string) bool { return strings.EqualFold(key, secret) })
	})
	return header
}

var secretHeaders = []string{
	"Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "X-Api-Key", "Api-Key", "X-Goog-Api-Key", "X-Auth-Token", "X-Amz-Security-Token",
}

// EncodePtrFrom calls elem to write the value that x points to. A nil pointer is written as null.
func EncodePtrFrom[T any](e *Encoder, lead string, x *T, elem func(*Encoder, string, *T)) {
	if x == nil {
		e.Null(lead)
		return
	}
	elem(e, lead, x)
}

// EncodeNonNil calls elem to write the value that x points to. If x is nil, the encoder fails.
func EncodeNonNil[T any](e *Encoder, lead string, x *T, elem func(*Encoder, string, *T)) {
	if x == nil {
		e.Fail("", &result.NilError{})
		return
	}
	elem(e, lead, x)
}

// EncodeAs calls write to write x, which the tool declares to be a T. Nil is written as null. If x is of another type,
// EncodeAs marshals it with encoding/json and calls read to read the JSON. The encoder fails if read records a fault
// or is nil.
func EncodeAs[T any](e *Encoder, lead string, x any, read func(Value) T, write func(*Encoder, string, T)) {
	if x == nil {
		e.Null(lead)
		return
	}
	v, ok := x.(T)
	if !ok && e.text.ok() {
		var err error
		if v, err = convertTo(x, read, e.text.remainingDepth()); err != nil {
			e.text.failValue(lead, err)
			return
		}
	}
	write(e, lead, v)
}

// convertTo converts a value that is not a T for [EncodeAs].
func convertTo[T any](x any, read func(Value) T, depth int) (v T, err error) {
	if read == nil {
		return v, fmt.Errorf("it is of type %T in Go, not %v as its note says", x, reflect.TypeFor[T]())
	}
	text, err := appendJSON(nil, x, depth)
	if err != nil {
		return v, err
	}
	var d Decoder
	v = read(d.Read(text, &Limits{Arguments: len(text), Depth: depth}, nil, false))
	if faults, _, _ := d.Done(); len(faults) > 0 {
		f := faults[0]
		where := strings.TrimPrefix(f.Pointer+": ", ": ")
		return v, fmt.Errorf("it is of type %T in Go, not %v as its note says: %sexpected %s, found %s", x, reflect.TypeFor[T](), where, f.Expected, f.Found)
	}
	return v, nil
}

// EncodeSliceFrom writes x as an array. elem writes the elements. A nil slice is an empty array.
func EncodeSliceFrom[T any](e *Encoder, lead string, x []T, elem func(*Encoder, string, *T)) {
	if !e.text.open(lead, '[') {
		return
	}
	for i := range x {
		if !e.text.ok() {
			break
		}
		elem(e, ",", &x[i])
	}
	e.text.close("]")
}
