package wire

import "encoding/json"

// Raw returns any JSON value as it is written. A repeated key is a fault. Within
// a value that has parts, nothing is a reference.
func (v Value) Raw() json.RawMessage {
	if v.d == nil {
		return nil
	}
	v.checkKeys()
	e := &v.d.tape[v.at]
	if e.kind == kindReference {
		v.Fail("a JSON value")
		return nil
	}
	return json.RawMessage(v.d.text[e.start:e.end])
}

// checkKeys records faults of keys that are repeated within v.
func (v Value) checkKeys() (none struct{}) {
	switch v.d.tape[v.at].kind {
	case kindArray:
		Slice(v, Value.checkKeys)
	case kindObject:
		Map[string](v, Value.checkKeys)
	}
	return none
}

// Any reads any JSON value as encoding/json reads it into an any: as nil, bool,
// string, []any, map[string]any, and json.Number. A repeated key is a fault. A
// reference, in a scope that was made with [ReferToValues], is the variable.
func (v Value) Any() any {
	if v.d == nil {
		return nil
	}
	if e := &v.d.tape[v.at]; e.kind == kindReference || e.replaced {
		if _, ok := v.reference(); ok {
			return Ref[any](v)
		}
	}
	switch v.d.tape[v.at].kind {
	case kindNull:
		return nil
	case kindNumber:
		return v.Number()
	case kindString:
		return v.Str()
	case kindArray:
		return Slice(v, Value.Any)
	case kindObject:
		return Map[string](v, Value.Any)
	default:
		return v.Bool()
	}
}
