// Package assign gives a value to a variable of a type, where Go would.
package assign

import "reflect"

// To returns a value as a T, if it can be assigned to one: also a named slice as a
// plain one.
func To[T any](value any) (x T, ok bool) {
	if x, ok = value.(T); !ok {
		x, ok = converted(value, reflect.TypeFor[T]()).(T)
	}
	return x, ok
}

// converted returns a value as the type that it can be assigned to; nil if it cannot.
func converted(value any, to reflect.Type) any {
	from := reflect.ValueOf(value)
	if !from.IsValid() || !from.Type().AssignableTo(to) {
		return nil
	}
	return from.Convert(to).Interface()
}
