package shape

import (
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// Older clients of Stainless, such as cloudflare-go, wrap each parameter of a request in a generic struct that says
// whether there is a value. The struct belongs to an internal package, so generated code cannot name it, but can set its
// fields. This package recognizes such a wrapper by its fields, because each client has its own copy of the struct.

// findPresence returns the type of the value in a wrapper, and the names of the fields of the wrapper. It returns nil for
// types that are not wrappers. Types that read their own JSON, and types that generated code can name, do not count as
// wrappers: the JSON of the latter is that of encoding/json.
func findPresence(w TypeWriter, t types.Type) (value types.Type, p *model.Presence) {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.TypeArgs().Len() != 1 || hasMethod(named, unmarshalJSON) || hasMethod(named, unmarshalText) || w.CheckImport(named.Obj().Pkg()) == nil {
		return nil, nil
	}
	value, present := lookupFieldType(named, "Value"), lookupFieldType(named, "Present")
	if value == nil || !types.Identical(value, named.TypeArgs().At(0)) || !isBool(present) || !holdsOneValue(named) {
		return nil, nil
	}
	p = &model.Presence{Value: "Value", Present: "Present"}
	if isBool(lookupFieldType(named, "Null")) {
		p.Null = "Null"
	}
	return types.Unalias(value), p
}

// holdsOneValue reports whether a struct has only the fields of a wrapper, and possibly interfaces, such as the field Raw
// of Stainless.
func holdsOneValue(t types.Type) bool {
	for f := range t.Underlying().(*types.Struct).Fields() {
		isState := f.Name() == "Value" || (f.Name() == "Present" || f.Name() == "Null") && isBool(f.Type())
		if !isState && !types.IsInterface(f.Type()) {
			return false
		}
	}
	return true
}

// lookupFieldType returns the type of the field with a name that a struct itself declares. It returns nil
// if there is none.
func lookupFieldType(t types.Type, name string) types.Type {
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

// findPresences finds the wrappers among the fields of an argument. If generated is false, generated code does not read
// the fields of the argument, so findPresences does nothing.
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
			f.presence.Null = "" // a parameter that is not JSON cannot be null
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
