package wire

import (
	"cmp"
	"encoding"
	"reflect"
	"strconv"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/jsontape"
)

// firstCapacity is the maximum number of elements for which memory is reserved before they are read. Without it,
// a text such as "[0,0,…" would reserve the memory of a large struct for every two bytes.
const firstCapacity = 1024

// Slice reads an array of any length. elem reads the elements. The result is nil only if v is absent or not an
// array.
func Slice[T any](v Value, elem func(Value) T) []T {
	if v.isReference() {
		return Ref[[]T](v)
	}
	e := v.expectKind(jsontape.Array, "an array")
	if e == nil {
		return nil
	}
	x := make([]T, 0, min(int(e.Count), firstCapacity))
	for at, end := v.at+1, int(e.Next); at < end; at = int(v.d.tape.EntryAt(at).Next) {
		// After the first fault, elements are only read for their own faults.
		if element := readElement(v.d, at, elem); v.d.faults.countAll() == 0 {
			x = append(x, element)
		}
	}
	return x
}

// Array reads an array of exactly the length of x into x.
func Array[T any](v Value, x []T, elem func(Value) T) {
	e := v.expectKind(jsontape.Array, "an array")
	if e == nil {
		return
	}
	if int(e.Count) != len(x) && v.d.faults.countFault() {
		v.d.addFault(placeOf(v.at), v.d.tape.Pointer(v.at), "an array of length "+strconv.Itoa(len(x)), "one of length "+strconv.Itoa(int(e.Count)))
	}
	at := v.at + 1
	for i := range int(e.Count) {
		if element := readElement(v.d, at, elem); i < len(x) { // extra elements are only read for their faults
			x[i] = element
		}
		at = v.d.tape.EndOf(at)
	}
}

// Map reads an object with any keys. elem reads the values. The result is nil only if v is absent or not an object.
// A repeated key is a fault.
func Map[K ~string, V any](v Value, elem func(Value) V) map[K]V {
	return readMap(v.place, elem, func(key string) (k K, expected string) { return K(key), "" })
}

// TextMap reads an object as a map whose key type K unmarshals itself from the text of a key. elem reads the
// values. The result is nil only if v is absent or not an object. A key that K rejects is a fault, and so are two
// keys that unmarshal to the same value.
func TextMap[K comparable, V any, P interface {
	*K
	encoding.TextUnmarshaler
}](v Value, elem func(Value) V) map[K]V {
	seen := map[string]bool{} // texts of keys; two equal texts may unmarshal to different map keys, such as times
	return readMap(v.place, elem, func(key string) (k K, expected string) {
		if seen[key] {
			return k, words.EachKey
		}
		if err := P(&k).UnmarshalText([]byte(key)); err != nil {
			return k, words.OtherKey(cmp.Or(jsonschema.DescribeGoType(reflect.TypeFor[K]().String()), err.Error()))
		}
		seen[key] = true
		return k, ""
	})
}

// IntMap reads an object whose keys are decimal integers. elem reads the values. The result is nil only if v
// is absent or not an object. A key that does not fit K is a fault, and so are two keys for the same
// integer.
func IntMap[K jsontext.Integer, V any](v Value, elem func(Value) V) map[K]V {
	return readMap(v.place, elem, func(key string) (k K, expected string) {
		k, ok := jsontext.ParseKey[K](key)
		if !ok {
			expected = words.IntegerKey
		}
		return k, expected
	})
}

// readMap reads an object. parse reads a key, or returns what was expected instead.
func readMap[K comparable, V any](p place, elem func(Value) V, parse func(key string) (k K, expected string)) map[K]V {
	if p.isReference() {
		return Ref[map[K]V](Value{p})
	}
	e := p.expectKind(jsontape.Object, "an object")
	if e == nil {
		return nil
	}
	x := make(map[K]V, min(int(e.Count), firstCapacity))
	for key, end := p.at+1, int(e.Next); key < end; key = p.d.tape.EndOf(key + 1) {
		k, expected := parse(p.d.tape.Str(p.d.tape.EntryAt(key)))
		value := readElement(p.d, key+1, elem)
		switch _, taken := x[k]; {
		case expected != "":
			p.d.recordBadKey(p.at, key, expected)
		case taken:
			p.d.recordBadKey(p.at, key, words.EachKey)
		default:
			x[k] = value
		}
	}
	return x
}

// Ptr reads v with elem and returns a pointer to the value. The result is nil if v is absent. In a scope made
// with ReferToValues, v may refer to a pointer or to a value.
func Ptr[T any](v Value, elem func(Value) T) *T {
	return PtrInto(v, func(v Value, x *T) { *x = elem(v) })
}

// PtrOrNil is like [Ptr], but the result is nil if v is null.
func PtrOrNil[T any](v Value, elem func(Value) T) *T {
	if v.IsNull() {
		return nil
	}
	return Ptr(v, elem)
}

// New is like [Ptr], but its result is never nil. If v is absent, it points to what elem returns for an absent
// value.
func New[T any](v Value, elem func(Value) T) *T {
	if v.d == nil {
		x := elem(v)
		return &x
	}
	return Ptr(v, elem)
}

// readPointerReference reads a reference to a pointer or to a value. For a value, it returns a pointer to the
// value.
func readPointerReference[T any](p place) *T {
	if x, ok := lookupReference[*T](p); ok {
		return x
	}
	x, ok := lookupReference[T](p)
	if !ok {
		p.failReference(func(value any) bool { return Fits[*T](value) || Fits[T](value) })
	}
	return &x
}
