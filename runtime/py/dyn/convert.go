package dyn

import (
	"encoding/json"
	"fmt"

	"github.com/aiongen/aiongen/runtime/py"
)

// ToInt returns an integer as an int.
func ToInt(v any) (int, error) {
	v = plainValue(v)
	if isLarge(v) {
		return 0, overflowError()
	}
	return expectType[int](v, "an int")
}

// ToFloat returns a number as a float64.
func ToFloat(v any) (float64, error) {
	switch v := plainValue(v).(type) {
	case int, json.Number:
		return Float(v)
	default:
		return expectType[float64](v, "a float")
	}
}

// ToText returns a string.
func ToText(v any) (string, error) { return expectType[string](plainValue(v), "a str") }

// ToBool returns a bool.
func ToBool(v any) (bool, error) { return expectType[bool](plainValue(v), "a bool") }

// ToList returns a list.
func ToList(v any) ([]any, error) { return expectType[[]any](plainValue(v), "a list") }

// ToDict returns a dict.
func ToDict(v any) (map[string]any, error) {
	return expectType[map[string]any](plainValue(v), "a dict")
}

// expectType returns a plain value that has type T. want describes the type in the error.
func expectType[T any](v any, want string) (T, error) {
	t, ok := v.(T)
	if !ok {
		return t, typeError("expected %s, found %s", want, typeName(v))
	}
	return t, nil
}

// Mapping returns v as a dict, for **v in a literal such as {"a": 1, **v}.
func Mapping(v any) (map[string]any, error) {
	if dict, ok := plainValue(v).(map[string]any); ok {
		return dict, nil
	}
	if _, ok := plainValue(v).(intDict); ok {
		return nil, typeError("dict keys in lambdas are str, not int")
	}
	return nil, typeError("'%s' object is not a mapping", typeName(plainValue(v)))
}

// Key returns a key of a dict, which must be a string in lambdas.
func Key(v any) (string, error) {
	v = plainValue(v)
	if err := checkHashable(v); err != nil {
		return "", err
	}
	if s, ok := v.(string); ok {
		return s, nil
	}
	return "", typeError("dict keys in lambdas are str, not %s", typeName(v))
}

// Receiver returns the string that a method of strings is called on.
func Receiver(v any, method string) (string, error) {
	if s, ok := plainValue(v).(string); ok {
		return s, nil
	}
	return "", py.Errorf("AttributeError", "'%s' object has no attribute '%s'", typeName(plainValue(v)), method)
}

// TextArgument returns v as the string argument of a method of strings. If v is not a string, the text of the
// error is complaint, in which the type of v replaces %s.
func TextArgument(v any, complaint string) (string, error) {
	if s, ok := plainValue(v).(string); ok {
		return s, nil
	}
	return "", operandError(complaint, plainValue(v))
}

// NumberedArgument returns v as the string argument with the given number of a function.
func NumberedArgument(v any, function string, number int) (string, error) {
	return TextArgument(v, fmt.Sprintf("%s() argument %d must be str, not %s", function, number, argumentType(v)))
}

// argumentType returns the name of the type of v in errors about arguments.
func argumentType(v any) string {
	if v = plainValue(v); v != nil {
		return typeName(v)
	}
	return "None"
}

// AffixArgument returns the argument of removeprefix or removesuffix.
func AffixArgument(v any, method string) (string, error) {
	return TextArgument(v, fmt.Sprintf("%s() argument must be str, not %s", method, argumentType(v)))
}

// Chars returns the characters that a method such as strip removes. None means white space.
func Chars(v any, method string) (string, error) {
	if plainValue(v) == nil {
		return py.Space, nil
	}
	return TextArgument(v, method+" arg must be None or str")
}

// Split is s.split(separator, limit). It splits at white space if the separator is None.
func Split(s string, separator any, limit int) ([]string, error) {
	return splitWith(s, separator, limit, py.Fields, py.Split)
}

// SplitRight is s.rsplit(separator, limit). It splits at white space if the separator is None.
func SplitRight(s string, separator any, limit int) ([]string, error) {
	return splitWith(s, separator, limit, py.FieldsRight, py.SplitRight)
}

// splitWith calls split, or fields if the separator is None.
func splitWith(s string, separator any, limit int, fields func(string, int) []string, split func(string, string, int) ([]string, error)) ([]string, error) {
	if plainValue(separator) == nil {
		return fields(s, limit), nil
	}
	by, err := TextArgument(separator, "must be str or None, not %s")
	if err != nil {
		return nil, err
	}
	return split(s, by, limit)
}

// Strings returns the strings that separator.join(v) joins.
func Strings(v any) ([]string, error) {
	list, err := Elements(v)
	if err != nil {
		return nil, typeError("can only join an iterable")
	}
	texts := make([]string, len(list))
	for i, v := range list {
		s, ok := plainValue(v).(string)
		if !ok {
			return nil, typeError("sequence item %d: expected str instance, %s found", i, typeName(plainValue(v)))
		}
		texts[i] = s
	}
	return texts, nil
}
