package wire

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/jsontape"
)

// A union is an interface with known implementations, its variants. A value is an object in which one member
// names the variant. If the variant is a struct, the other members are its fields; otherwise there is one other
// member, value.

// Variant reads v as a union: it returns the name in the given member, which is one of names. It returns "" if v
// is absent or a fault. The reader of the variant then reads the same v; for it, the member does not exist. The
// member may be anywhere in the object.
//
//go:noinline
func (v Value) Variant(member string, names ...string) string {
	e := v.expectKind(jsontape.Object, "an object")
	if e == nil {
		return ""
	}
	key := v.d.tape.FindKey(v.at, v.at+1, member)
	if key < 0 {
		if v.d.faults.countFault() {
			pointer := string(jsontape.AppendToken([]byte(v.d.tape.Pointer(v.at)), member))
			v.d.addFault(missingPlace(v.at, v.d.tape.EndOf(v.at)), pointer, words.OneString(slices.Clone(names)), words.Nothing)
		}
		return ""
	}
	v.d.readOpaque = true // encoding/json does not write the member
	name := v.d.valueAt(key + 1).Enum(names)
	if k := v.d.tape.EntryAt(key); name != "" && !k.Taken {
		k.Taken, k.Count = true, 0 // before the members that are requested
		e.Taken = true
	}
	return name
}

// VariantValue returns the member value of a union that [Value.Variant] has read. If it is missing, or there are other
// members, it records a fault.
func (v Value) VariantValue() Value {
	o := v.Object()
	value := o.Get("value")
	o.Done()
	return value
}

// EncodeVariant writes a variant that is a struct, with write. The text named is the member that names the
// variant, such as `"type":"circle"`. A nil pointer is null.
func EncodeVariant[T any](e *Encoder, lead, named string, x *T, write func(*Encoder, string, *T)) {
	if x == nil {
		e.Null(lead)
		return
	}
	e.variant = named
	write(e, lead, x)
	e.variant = "" // if write failed at once
}

// openVariant implements [Encoder.Open] for an object that begins with the name of a variant.
func (e *Encoder) openVariant(lead string) bool {
	named := e.variant
	e.variant = ""
	if !e.text.open(lead, '{') {
		return false
	}
	e.Raw(named)
	return true
}

// EncodeVariantValue is like [EncodeVariant] for a variant that is not a struct: its member value is written with
// write.
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

// UnknownVariant makes the encoder fail because of a value of the interface T that is not one of its variants. A nil
// pointer is null.
func UnknownVariant[T any](e *Encoder, lead string, x T) {
	if isNil(x) {
		e.Null(lead)
		return
	}
	if e.text.begin(lead) {
		e.text.fail(fmt.Errorf("%T is not a variant of %v", x, reflect.TypeFor[T]()))
	}
}
