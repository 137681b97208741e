package wire

import (
	"encoding/json"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/jsontape"
)

// Raw returns the text of any JSON value. A repeated key is a fault. Raw does not resolve references inside the
// value.
func (p place) Raw() json.RawMessage {
	if p.d == nil {
		return nil
	}
	p.rejectAmbiguous()
	e := p.d.tape.EntryAt(p.at)
	if e.Kind == jsontape.Reference {
		p.Fail("a JSON value")
		return nil
	}
	return json.RawMessage(p.d.tape.Text(e))
}

// RawChecked returns the text of a JSON value. It calls check with the text, and records the faults that check
// returns. Their pointers are relative to the value. check must also reject repeated keys. RawChecked is for
// tools that check their arguments themselves.
func (p place) RawChecked(check func(json.RawMessage) []Fault) json.RawMessage {
	if p.d == nil {
		return nil
	}
	if p.isReference() {
		p.Fail("a JSON value")
		return nil
	}
	text := json.RawMessage(p.d.tape.Text(p.d.tape.EntryAt(p.at)))
	for _, f := range check(text) {
		text = nil
		if p.d.faults.countFault() {
			p.d.addFault(placeOf(p.at), words.Cut(p.d.tape.Pointer(p.at)+f.Pointer, 4*jsontape.LongestKey), f.Expected, f.Found)
		}
	}
	return text
}

// rejectAmbiguous records faults for content that JSON readers interpret differently: repeated keys, and
// numbers with long exponents.
func (p place) rejectAmbiguous() {
	rejectInner := CheckerOf(func(v Value) { v.rejectAmbiguous() })
	switch p.d.tape.EntryAt(p.at).Kind {
	case jsontape.Number:
		p.Number()
	case jsontape.Array:
		Slice(Value{p}, rejectInner)
	case jsontape.Object:
		Map[string](Value{p}, rejectInner)
	}
}

// Any reads any JSON value as nil, bool, string, []any, map[string]any or json.Number, like a [json.Decoder]
// after UseNumber. A repeated key is a fault. In a scope made with ReferToValues, a reference becomes the value
// of the variable.
func (v Value) Any() any {
	if v.d == nil {
		return nil
	}
	if e := v.d.tape.EntryAt(v.at); e.Kind == jsontape.Reference || e.Replaced {
		if _, ok := v.referenceName(); ok {
			return Ref[any](v)
		}
	}
	switch v.d.tape.EntryAt(v.at).Kind {
	case jsontape.Null:
		return nil
	case jsontape.Number:
		return v.Number()
	case jsontape.String:
		return v.Str()
	case jsontape.Array:
		return Slice(v, Value.Any)
	case jsontape.Object:
		return Map[string](v, Value.Any)
	default:
		return v.Bool()
	}
}
