package wire

import (
	"encoding/json"

	"github.com/aiongen/aiongen/runtime/internal/tape"
)

// Raw returns any JSON value as it is written. A repeated key is a fault. Within
// a value that has parts, nothing is a reference.
func (p place) Raw() json.RawMessage {
	if p.d == nil {
		return nil
	}
	p.checkKeys()
	e := p.d.tape.At(p.at)
	if e.Kind == tape.Reference {
		p.Fail("a JSON value")
		return nil
	}
	return json.RawMessage(p.d.tape.Text(e))
}

// checkKeys records faults of keys that are repeated within what is there.
func (p place) checkKeys() {
	within := func(v Value) (none struct{}) {
		v.checkKeys()
		return none
	}
	switch p.d.tape.At(p.at).Kind {
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
