package shape

import (
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// Older clients of Stainless, such as cloudflare-go, declare the parameters of requests with a generic struct around
// each value. The struct says whether there is a value, and belongs to an internal package, so only the fields of the
// struct can be set. It is recognized by these fields, because each client has its own copy.

// findPresence returns the fields of a struct around a value, and the type of the value. It returns nil for other types,
// for those that read their JSON themselves, and for those that generated code can name, which have the form that
// encoding/json gives them.
func findPresence(w TypeWriter, t types.Type) (value types.Type, p *model.Presence) {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.TypeArgs().Len() != 1 || hasMethod(named, unmarshalJSON) || hasMethod(named, unmarshalText) || w.CheckImport(named.Obj().Pkg()) == nil {
		return nil, nil
	}
	value, present := fieldNamed(named, "Value"), fieldNamed(named, "Present")
	if value == nil || !types.Identical(value, named.TypeArgs().At(0)) || !isBool(present) || !holdsOneValue(named) {
		return nil, nil
	}
	p = &model.Presence{Value: "Value", Present: "Present"}
	if isBool(fieldNamed(named, "Null")) {
		p.Null = "Null"
	}
	return types.Unalias(value), p
}

// holdsOneValue reports whether the fields of a struct around a value hold nothing else, except for interfaces, such as
// the field Raw of Stainless.
func holdsOneValue(t types.Type) bool {
	for f := range t.Underlying().(*types.Struct).Fields() {
		isState := f.Name() == "Value" || (f.Name() == "Present" || f.Name() == "Null") && isBool(f.Type())
		if !isState && !types.IsInterface(f.Type()) {
			return false
		}
	}
	return true
}

// fieldNamed returns the type of a field that a struct itself declares. It returns nil if there is none.
func fieldNamed(t types.Type, name string) types.Type {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for f := range s.Fields() {
		if f.Name() == name {
			return f.Type()
		}
	}
	return nil
}

func isBool(t types.Type) bool { return t != nil && types.Identical(t, types.Typ[types.Bool]) }

// findPresences finds the structs around values among the fields of an argument that generated code reads. In other
// structs, there are none.
func findPresences(w TypeWriter, fields []JSONField, generated bool) {
	if !generated {
		return
	}
	for i := range fields {
		f := &fields[i]
		if f.value, f.presence = findPresence(w, f.Variable().Type()); f.presence == nil {
			continue
		}
		if f.parameter {
			f.presence.Null = "" // only JSON has null
		}
		f.parameter = true
	}
}

// valueType returns the type of the value of a field.
func (f JSONField) valueType() types.Type {
	if f.presence != nil {
		return f.value
	}
	return types.Unalias(f.Variable().Type())
}
