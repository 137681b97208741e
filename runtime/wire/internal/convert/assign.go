package convert

import "reflect"

// AssignTo returns a value as a T if it is assignable to T. A value of a named slice type is assignable to a
// plain slice.
func AssignTo[T any](value any) (x T, ok bool) {
	if x, ok = value.(T); !ok {
		ok = setVariable(reflect.ValueOf(&x).Elem(), reflect.ValueOf(value))
	}
	return x, ok
}

// setVariable sets a variable to a value if the value is assignable. It does not convert the value first,
// because that would link all conversions.
func setVariable(variable, value reflect.Value) bool {
	ok := value.IsValid() && value.Type().AssignableTo(variable.Type())
	if ok {
		variable.Set(value)
	}
	return ok
}
