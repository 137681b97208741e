package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// PromptData is a value as a prompt shows it: maps, slices, arrays and structs
// as JSON, indented by two spaces, everything else as text, nil as nothing. It is
// an error if the JSON cannot be written, or if there is no text but an address.
// Generated code calls it.
func PromptData(value any) (string, error) {
	v := reflect.ValueOf(value)
	for v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Invalid, reflect.Pointer:
		return "", nil
	case reflect.Map, reflect.Slice, reflect.Array, reflect.Struct:
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		if err := enc.Encode(value); err != nil {
			return "", fmt.Errorf("prompt data: %w", err)
		}
		return strings.TrimSuffix(b.String(), "\n"), nil
	case reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return "", fmt.Errorf("prompt data: a value of type %s has no text", v.Type())
	}
	return fmt.Sprint(v.Interface()), nil
}
