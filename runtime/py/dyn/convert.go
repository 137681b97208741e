package dyn

import (
	"fmt"

	"github.com/aiongen/aiongen/runtime/py"
)

// ToInt returns an integer as an int.
func ToInt(v any) (int, error) {
	v = plainValue(v)
	if isLarge(v) {
		return 0, overflowError()
	}
	if n, ok := v.(int); ok {
		return n, nil
	}
	return 0, unexpectedError("an int", v)
}

// ToFloat returns a number as a float64.
func ToFloat(v any) (float64, error) {
	v = plainValue(v)
	switch v.(type) {
	case int, float64:
		f, _ := asFloat(v)
		return f, nil
	}
	if isLarge(v) {
		return Float(v)
	}
	return 0, unexpectedError("a float", v)
}

// ToText returns a string.
func ToText(v any) (string, error) {
	if s, ok := plainValue(v).(string); ok {
		return s, nil
	}
	return "", unexpectedError("a str", plainValue(v))
}

// ToBool returns a bool.
func ToBool(v any) (bool, error) {
	if b, ok := plainValue(v).(bool); ok {
		return b, nil
	}
	return false, unexpectedError("a bool", plainValue(v))
}

// ToList returns a list.
func ToList(v any) ([]any, error) {
	if list, ok := plainValue(v).([]any); ok {
		return list, nil
	}
	return nil, unexpectedError("a list", plainValue(v))
}

// ToDict returns a dict.
func ToDict(v any) (map[string]any, error) {
	if dict, ok := plainValue(v).(map[string]any); ok {
		return dict, nil
	}
	return nil, unexpectedError("a dict", plainValue(v))
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

func unexpectedError(want string, v any) error {
	return typeError("expected %s, found %s", want, typeName(v))
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
	name := typeName(plainValue(v))
	if plainValue(v) == nil {
		name = "None"
	}
	return TextArgument(v, fmt.Sprintf("%s() argument %d must be str, not %s", function, number, name))
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
	if plainValue(separator) == nil {
		return py.Fields(s, limit), nil
	}
	by, err := TextArgument(separator, "must be str or None, not %s")
	if err != nil {
		return nil, err
	}
	return py.Split(s, by, limit)
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
