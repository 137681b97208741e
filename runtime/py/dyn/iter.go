package dyn

import (
	"encoding/json"
	"math"

	"github.com/aiongen/aiongen/runtime/py"
)

// Dictionary returns v if it is a dict. Otherwise it returns Python's error for a value that does not have the
// given method.
func Dictionary(v any, method string) (any, error) {
	v = plainValue(v)
	if _, _, ok := dictEntries(v); ok {
		return v, nil
	}
	return nil, py.Errorf("AttributeError", "'%s' object has no attribute '%s'", typeName(v), method)
}

// IsInstance is isinstance(v, types) for types such as str.
func IsInstance(v any, types ...string) bool {
	v = plainValue(v)
	for _, t := range types {
		if name := jsonTypeName(v); name == t || name == "bool" && t == "int" {
			return true
		}
	}
	return false
}

// Ord is ord(v).
func Ord(v any) (int, error) {
	s, ok := plainValue(v).(string)
	if !ok {
		return 0, typeError("ord() expected string of length 1, but %s found", typeName(plainValue(v)))
	}
	return py.Ord(s)
}

// Get is dict.get(key, otherwise).
func Get(dict, key, otherwise any) (any, error) {
	key = plainValue(key)
	if err := checkHashable(key); err != nil {
		return nil, err
	}
	if _, value, ok := dictEntries(plainValue(dict)); ok {
		if v, found := value(key); found {
			return v, nil
		}
	}
	return otherwise, nil
}

// Items is sorted(dict.items()).
func Items(dict any) ([]py.Pair[any, any], error) {
	keys, value, ok := dictEntries(plainValue(dict))
	if !ok {
		return nil, typeError("'%s' object is not iterable", typeName(dict))
	}
	pairs := make([]py.Pair[any, any], len(keys))
	for i, key := range keys {
		v, _ := value(key)
		pairs[i] = py.Pair[any, any]{First: key, Second: v}
	}
	return pairs, nil
}

// Values is [dict[key] for key in sorted(dict)].
func Values(dict any) ([]any, error) {
	pairs, err := Items(dict)
	if err != nil {
		return nil, err
	}
	values := make([]any, len(pairs))
	for i, p := range pairs {
		values[i] = p.Second
	}
	return values, nil
}

// Reversible returns v if it has an order that can be reversed.
func Reversible(v any) ([]any, error) {
	list, err := Elements(v)
	if err != nil {
		return nil, typeError("'%s' object is not reversible", typeName(plainValue(v)))
	}
	return list, nil
}

// HashableValue returns v if it can be an element of a set.
func HashableValue(v any) (any, error) { return v, checkHashable(plainValue(v)) }

// Hashable returns list if its elements can be elements of a set.
func Hashable(list []any) ([]any, error) {
	for _, v := range list {
		if err := checkHashable(plainValue(v)); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// Distinct returns the elements of set(list) in the order in which they first occur.
func Distinct(list []any) ([]any, error) {
	seen := make(map[any]bool, len(list))
	distinct := make([]any, 0, len(list))
	for _, v := range list {
		key, err := hashKey(plainValue(v))
		if err != nil {
			return nil, err
		}
		if !seen[key] {
			seen[key] = true
			distinct = append(distinct, v)
		}
	}
	return distinct, nil
}

// notANumber is the key for NaN. A Go map cannot find NaN itself, because NaN is not equal to itself.
type notANumber struct{}

// hashKey returns a value that is the same for all elements that a set treats as equal.
func hashKey(v any) (any, error) {
	switch v := v.(type) {
	case nil, string, int, json.Number:
		return v, nil
	case bool:
		return py.Bool(v), nil
	case float64:
		if math.IsNaN(v) {
			return notANumber{}, nil
		}
		return floatToInt(v), nil
	}
	return nil, typeError("unhashable type: '%s'", typeName(v))
}

// Unbound returns v as a string, for a call of a method through its type, as in str.lower(v).
func Unbound(v any, method string) (string, error) {
	if s, ok := plainValue(v).(string); ok {
		return s, nil
	}
	return "", typeError("descriptor '%s' for 'str' objects doesn't apply to a '%s' object", method, typeName(plainValue(v)))
}

// IntBase is int(v, base).
func IntBase(v any, base int) (int, error) {
	if s, ok := plainValue(v).(string); ok {
		return py.ParseIntBase(s, base)
	}
	if _, err := py.ParseIntBase("0", base); err != nil {
		return 0, err
	}
	return 0, typeError("int() can't convert non-string with explicit base")
}
