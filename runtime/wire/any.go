package wire

import (
	"encoding/json"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/tape"
	"github.com/aiongen/aiongen/runtime/wire/internal/faults"
)

// Raw returns any JSON value as it is written. A repeated key is a fault. Within
// a value that has parts, nothing is a reference.
func (p place) Raw() json.RawMessage {
	if p.d == nil {
		return nil
	}
	p.checkClear()
	e := p.d.tape.At(p.at)
	if e.Kind == tape.Reference {
		p.Fail("a JSON value")
		return nil
	}
	return json.RawMessage(p.d.tape.Text(e))
}

// Judged returns a JSON value as it is written, if nothing is wrong with it by a
// function, which is to look for repeated keys, too. The pointers of its faults are
// within the value. It is for tools that check their arguments by themselves.
func (p place) Judged(by func(json.RawMessage) []Fault) json.RawMessage {
	if p.d == nil {
		return nil
	}
	if p.refers() {
		p.Fail("a JSON value")
		return nil
	}
	text := json.RawMessage(p.d.tape.Text(p.d.tape.At(p.at)))
	for _, f := range by(text) {
		text = nil
		if p.d.faults.Counts() {
			p.d.add(faults.Of(p.at), words.Cut(p.d.tape.Pointer(p.at)+f.Pointer, 4*tape.LongestKey), f.Expected, f.Found)
		}
	}
	return text
}

// checkClear records faults of what readers do not agree on within what is there:
// repeated keys, and numbers with long exponents.
func (p place) checkClear() {
	within := func(v Value) (none struct{}) {
		v.checkClear()
		return none
	}
	switch p.d.tape.At(p.at).Kind {
	case tape.Number:
		p.Number()
	case tape.Array:
		Slice(Value{p}, within)
	case tape.Object:
		Map[string](Value{p}, within)
	}
}

// Any reads any JSON value as encoding/json reads it into an any: as nil, bool,
// string, []any, map[string]any, and json.Number. A repeated key is a fault. A
// reference, in a scope that was made with ReferToValues, is the variable.
func (v Value) Any() any {
	if v.d == nil {
		return nil
	}
	if e := v.d.tape.At(v.at); e.Kind == tape.Reference || e.Replaced {
		if _, ok := v.reference(); ok {
			return Ref[any](v)
		}
	}
	switch v.d.tape.At(v.at).Kind {
	case tape.Null:
		return nil
	case tape.Number:
		return v.Number()
	case tape.String:
		return v.Str()
	case tape.Array:
		return Slice(v, Value.Any)
	case tape.Object:
		return Map[string](v, Value.Any)
	default:
		return v.Bool()
	}
}
