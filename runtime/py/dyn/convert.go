package dyn

import (
	"fmt"
	"strconv"

	"github.com/aiongen/aiongen/runtime/py"
)

// ToInt returns an integer as an int.
func ToInt(v any) (int, error) {
	v = plain(v)
	if isLarge(v) {
		return 0, tooLarge()
	}
	if n, ok := v.(int); ok {
		return n, nil
	}
	return 0, unexpected("an int", v)
}

// ToFloat returns a number as a float64.
func ToFloat(v any) (float64, error) {
	v = plain(v)
	switch v.(type) {
	case int, float64:
		f, _ := float(v)
		return f, nil
	}
	if isLarge(v) {
		return Float(v)
	}
	return 0, unexpected("a float", v)
}

// ToText returns a string.
func ToText(v any) (string, error) {
	if s, ok := plain(v).(string); ok {
		return s, nil
	}
	return "", unexpected("a str", plain(v))
}

// ToBool returns a bool.
func ToBool(v any) (bool, error) {
	if b, ok := plain(v).(bool); ok {
		return b, nil
	}
	return false, unexpected("a bool", plain(v))
}

// ToList returns a list.
func ToList(v any) ([]any, error) {
	if list, ok := plain(v).([]any); ok {
		return list, nil
	}
	return nil, unexpected("a list", plain(v))
}

// ToDict returns a dict.
func ToDict(v any) (map[string]any, error) {
	if dict, ok := plain(v).(map[string]any); ok {
		return dict, nil
	}
	return nil, unexpected("a dict", plain(v))
}

// Key returns the key of a dict, which here is a string.
func Key(v any) (string, error) {
	v = plain(v)
	if err := hashable(v); err != nil {
		return "", err
	}
	if s, ok := v.(string); ok {
		return s, nil
	}
	return "", typeError("a key of a dict is a str here, not %s", typeName(v))
}

func unexpected(want string, v any) error {
	return typeError("expected %s, found %s", want, typeName(v))
}

// Receiver returns the string that a method of strings is called on.
func Receiver(v any, method string) (string, error) {
	if s, ok := plain(v).(string); ok {
		return s, nil
	}
	return "", py.Errorf("AttributeError", "'%s' object has no attribute '%s'", typeName(plain(v)), method)
}

// TextArgument returns the text that a method of strings takes. The complaint about
// another value may hold %s for its type.
func TextArgument(v any, complaint string) (string, error) {
	if s, ok := plain(v).(string); ok {
		return s, nil
	}
	return "", complain(complaint, plain(v))
}

// ReplaceArgument returns the text that replace takes as the argument of a number.
func ReplaceArgument(v any, number int) (string, error) {
	name := typeName(plain(v))
	if plain(v) == nil {
		name = "None"
	}
	return TextArgument(v, fmt.Sprintf("replace() argument %d must be str, not %s", number, name))
}

// Chars returns the characters that a method such as strip removes: white space
// for None.
func Chars(v any, method string) (string, error) {
	if plain(v) == nil {
		return py.Space, nil
	}
	return TextArgument(v, method+" arg must be None or str")
}

// Split is s.split(separator, limit), by white space where the separator is None.
func Split(s string, separator any, limit int) ([]string, error) {
	if plain(separator) == nil {
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
		s, ok := plain(v).(string)
		if !ok {
			return nil, typeError("sequence item %d: expected str instance, %s found", i, typeName(plain(v)))
		}
		texts[i] = s
	}
	return texts, nil
}

// Digits is format(v, 'd').
func Digits(v any) (string, error) {
	n, ok := integer(plain(v))
	switch {
	case isLarge(plain(v)):
		return Text(v)
	case !ok:
		return "", badFormat("d", v)
	}
	return strconv.Itoa(n), nil
}

// Fixed is format(v, '.2f'), with any number of digits.
func Fixed(v any, digits int) (string, error) {
	if isLarge(plain(v)) {
		return "", tooLarge()
	}
	f, ok := float(plain(v))
	if !ok {
		return "", badFormat("f", v)
	}
	return py.Fixed(f, digits), nil
}

// PlainText is format(v, 's').
func PlainText(v any) (string, error) {
	if s, ok := plain(v).(string); ok {
		return s, nil
	}
	return "", badFormat("s", v)
}

func badFormat(code string, v any) error {
	switch name := typeName(plain(v)); name {
	case "NoneType", "list", "dict":
		return typeError("unsupported format string passed to %s.__format__", name)
	default:
		return py.Errorf("ValueError", "Unknown format code '%s' for object of type '%s'", code, name)
	}
}
