package wire

import (
	"cmp"
	"encoding"
	"reflect"
	"slices"
	"strconv"

	"github.com/aiongen/aiongen/internal/jsonschema/text"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/tape"
	"github.com/aiongen/aiongen/runtime/wire/internal/faults"
)

// firstCapacity bounds the elements that memory is reserved for before any of
// them was read: "[0,0,…" must not cost a large struct for every two bytes.
const firstCapacity = 1024

// Slice reads an array of any length, its elements with elem. It is nil only if
// v is absent or a fault.
func Slice[T any](v Value, elem func(Value) T) []T {
	if v.refers() {
		return Ref[[]T](v)
	}
	e := v.expect(tape.Array, "an array")
	if e == nil {
		return nil
	}
	x := make([]T, 0, min(int(e.Count), firstCapacity))
	for at, end := v.at+1, int(e.Next); at < end; at = int(v.d.tape.At(at).Next) {
		// With a fault anywhere, the elements are only read for theirs.
		if element := nested(v.d, at, elem); v.d.faults.Count() == 0 {
			x = append(x, element)
		}
	}
	return x
}

// Array reads an array of exactly the length of x into x.
func Array[T any](v Value, x []T, elem func(Value) T) {
	e := v.expect(tape.Array, "an array")
	if e == nil {
		return
	}
	if int(e.Count) != len(x) && v.d.faults.Counts() {
		v.d.add(faults.Of(v.at), v.d.tape.Pointer(v.at), "an array of length "+strconv.Itoa(len(x)), "one of length "+strconv.Itoa(int(e.Count)))
	}
	at := v.at + 1
	for i := range int(e.Count) {
		if element := nested(v.d, at, elem); i < len(x) { // the others are only read for their faults
			x[i] = element
		}
		at = v.d.tape.End(at)
	}
}

// Map reads an object with keys of any text, its values with elem. It is nil
// only if v is absent or a fault. A repeated key is a fault.
func Map[K ~string, V any](v Value, elem func(Value) V) map[K]V {
	return readMap(v.place, elem, func(key string) (k K, expected string) { return K(key), "" })
}

// TextMap reads an object whose keys are texts that K reads itself from, its
// values with elem. It is nil only if v is absent or a fault. A key that K
// refuses is a fault, and so are two that stand for the same value.
func TextMap[K comparable, V any, P interface {
	*K
	encoding.TextUnmarshaler
}](v Value, elem func(Value) V) map[K]V {
	seen := map[string]bool{} // times with a zone differ although they are the same
	return readMap(v.place, elem, func(key string) (k K, expected string) {
		if seen[key] {
			return k, words.EachKey
		}
		if err := P(&k).UnmarshalText([]byte(key)); err != nil {
			return k, words.OtherKey(cmp.Or(text.Parsed(reflect.TypeFor[K]().String()), err.Error()))
		}
		seen[key] = true
		return k, ""
	})
}

// Keys returns v, and records a fault for each key of the object v that is none
// of the table.
func (v Value) Keys(table []string) Value {
	if v.entry(tape.Object) == nil {
		return v
	}
	for key := range v.d.tape.Keys(v.at) {
		e := v.d.tape.At(key)
		if !slices.ContainsFunc(table, func(s string) bool { return v.d.tape.Reads(e, s) }) {
			v.d.badKey(v.at, key, words.OneKey(table))
		}
	}
	return v
}

// IntMap reads an object whose keys are decimal integers, its values with elem.
// It is nil only if v is absent or a fault. A key that does not fit K is a
// fault, and so are two that stand for the same integer.
func IntMap[K jsontext.Integer, V any](v Value, elem func(Value) V) map[K]V {
	return readMap(v.place, elem, func(key string) (k K, expected string) {
		k, ok := jsontext.ParseKey[K](key)
		if !ok {
			expected = words.IntegerKey
		}
		return k, expected
	})
}

// readMap reads an object, its keys with a function that says what it expected if
// that is not what it found.
func readMap[K comparable, V any](p place, elem func(Value) V, parse func(key string) (k K, expected string)) map[K]V {
	if p.refers() {
		return Ref[map[K]V](Value{p})
	}
	e := p.expect(tape.Object, "an object")
	if e == nil {
		return nil
	}
	x := make(map[K]V, min(int(e.Count), firstCapacity))
	for key, end := p.at+1, int(e.Next); key < end; key = p.d.tape.End(key + 1) {
		k, expected := parse(p.d.tape.Str(p.d.tape.At(key)))
		value := nested(p.d, key+1, elem)
		switch _, taken := x[k]; {
		case expected != "":
			p.d.badKey(p.at, key, expected)
		case taken:
			p.d.badKey(p.at, key, words.EachKey)
		default:
			x[k] = value
		}
	}
	return x
}

// Ptr reads what a pointer points to with elem. It is nil if v is absent. In a
// scope that was made with ReferToValues, v may refer to a pointer, or to what
// one points to.
func Ptr[T any](v Value, elem func(Value) T) *T {
	if v.d == nil {
		return nil
	}
	if v.refers() {
		return referredPtr[T](v.place)
	}
	x := elem(v)
	return &x
}

// New is as [Ptr], but points to what elem makes of nothing if v is absent.
func New[T any](v Value, elem func(Value) T) *T {
	if v.d == nil {
		x := elem(v)
		return &x
	}
	return Ptr(v, elem)
}

func referredPtr[T any](p place) *T {
	if x, ok := lookUp[*T](p); ok {
		return x
	}
	x, ok := lookUp[T](p)
	if !ok {
		p.failReference(func(value any) bool { return Fits[*T](value) || Fits[T](value) })
	}
	return &x
}
