package wire

import (
	"fmt"
	"reflect"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// PromptData returns a value as a prompt shows it: maps, slices, arrays and structs as JSON, indented by two
// spaces, everything else as text, nil as "". It returns an error if the JSON cannot be written, or if the
// value has no text but an address. Generated code calls it.
func PromptData(value any) (string, error) {
	v := reflect.ValueOf(value)
	for v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Invalid, reflect.Pointer:
		return "", nil
	case reflect.Map, reflect.Slice, reflect.Array, reflect.Struct:
		text, err := jsontext.Marshal(value, "  ")
		if err != nil {
			return "", fmt.Errorf("prompt data: %w", err)
		}
		return string(text), nil
	case reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return "", fmt.Errorf("prompt data: a value of type %s has no text", v.Type())
	}
	return fmt.Sprint(v.Interface()), nil
}
