// Package assign gives a value to a variable of a type, where Go would.
package assign

import "reflect"

// To returns a value as a T, if it can be assigned to one: also a named slice as a
// plain one.
func To[T any](value any) (x T, ok bool) {
	if x, ok = value.(T); !ok {
		ok = set(reflect.ValueOf(&x).Elem(), reflect.ValueOf(value))
	}
	return x, ok
}

// set sets a variable to a value, if that can be assigned to it. It does not convert
// the value first, which would link all conversions that there are.
func set(variable, value reflect.Value) bool {
	ok := value.IsValid() && value.Type().AssignableTo(variable.Type())
	if ok {
		variable.Set(value)
	}
	return ok
}
