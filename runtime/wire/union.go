package wire

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/jsontape"
)

// A union is an interface with known implementations, its variants. A value of a union is an object in which one
// member names the variant. If the variant is a struct, the other members are its fields, as in
// {"type":"circle","radius":1}. Otherwise there is one other member, named value, as in
// {"type":"text","value":"x"}.

// Variant returns the name of the variant of a union. The name is the value of the given member, and must be one
// of names. If v is absent or has no such name, Variant returns "". Otherwise the caller must read v as that
// variant; the methods that do so ignore the member. The member may be anywhere in the object.
//
//go:noinline
func (v Value) Variant(member string, names ...string) string {
	e := v.expectKind(jsontape.Object, "an object")
	if e == nil {
		return ""
	}
	key := v.d.tape.FindKey(v.at, v.at+1, member)
	if key < 0 {
		v.d.recordMissing(v.at, member, words.OneString(slices.Clone(names)))
		return ""
	}
	v.d.readOpaque = true // encoding/json does not write the member
	name := v.d.valueAt(key + 1).Enum(names)
	if k := v.d.tape.EntryAt(key); name != "" && !k.Taken {
		k.Taken, e.Taken = true, true
	}
	return name
}

// VariantValue returns the member "value" of a union that [Value.Variant] has read. It records a fault if the member is
// missing or there are other members.
func (v Value) VariantValue() Value {
	o := v.Object()
	value := o.Get("value")
	o.Done()
	return value
}

// EncodeVariant uses write to write a variant that is a struct. named is the member that names the variant, such
// as `"type":"circle"`. A nil pointer is null.
func EncodeVariant[T any](e *Encoder, lead, named string, x *T, write func(*Encoder, string, *T)) {
	if x == nil {
		e.Null(lead)
		return
	}
	e.variant = named
	write(e, lead, x)
	e.variant = "" // it is still set if write failed before it opened the object
}

// openVariant is [Encoder.Open] for an object that begins with the member that names a variant.
func (e *Encoder) openVariant(lead string) bool {
	named := e.variant
	e.variant = ""
	if !e.text.open(lead, '{') {
		return false
	}
	e.Raw(named)
	return true
}

// EncodeVariantValue is like [EncodeVariant] for a variant that is not a struct. It uses write to write x as the
// member "value".
func EncodeVariantValue[T any](e *Encoder, lead, named string, x *T, write func(*Encoder, string, *T)) {
	if x == nil {
		e.Null(lead)
		return
	}
	if e.variant = named; !e.Open(lead) {
		return
	}
	write(e, `,"value":`, x)
	e.Close()
}

// UnknownVariant makes the encoder fail because x, a value of the union T, is not one of the variants of T. A nil
// pointer is null.
func UnknownVariant[T any](e *Encoder, lead string, x T) {
	if isNil(x) {
		e.Null(lead)
		return
	}
	e.text.failValue(lead, fmt.Errorf("%T is not a variant of %v", x, reflect.TypeFor[T]()))
}
