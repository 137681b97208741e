package wire

import (
	"fmt"
	"reflect"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// PromptData returns the text of a value for a prompt. Maps, slices, arrays and structs become JSON that is
// indented by two spaces, nil becomes "", and fmt.Sprint formats other values. PromptData returns an error if the
// JSON cannot be written, or if the text would be an address, as for a channel. Generated code calls it.
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
