// Package dyn implements Python's operators and functions for values whose type is known only at run
// time, such as decoded JSON. Like the functions of package py, its functions return Python's exceptions as errors and
// do not panic. It is for generated code only.
//
// The functions accept nil, bools, integers, floats, strings, [json.Number], slices, and maps with strings or
// integers as keys. The types of these values may be named Go types. All other values are objects, which can only
// be passed to other functions.
package dyn

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"math/bits"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/runtime/py"
)

// plainValue converts a value to nil, bool, int, float64, string, []any, map[string]any or intDict. It
// returns all other values unchanged.
func plainValue(v any) any {
	switch v := v.(type) {
	case nil, bool, int, float64, string, []any, map[string]any:
		return v
	case json.Number:
		return parseNumber(v)
	}
	return reflectPlain(v)
}

// parseNumber converts a number to int or float64. An integer that does not fit an int remains a json.Number,
// which can be passed to other functions, but not used in arithmetic.
func parseNumber(n json.Number) any {
	if strings.ContainsAny(string(n), ".eE") {
		f, _ := strconv.ParseFloat(string(n), 64) // infinite if out of range, as in Python
		return f
	}
	if i, err := strconv.Atoi(string(n)); err == nil {
		return i
	}
	return n
}

// floatToInt converts a float without a fraction to an integer. It returns all other values unchanged.
func floatToInt(v any) any {
	f, ok := v.(float64)
	if !ok || f != math.Trunc(f) || math.IsInf(f, 0) {
		return v
	}
	return parseNumber(json.Number(strconv.FormatFloat(f, 'f', 0, 64)))
}

func reflectPlain(v any) any {
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Bool:
		return r.Bool()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return parseNumber(json.Number(strconv.FormatInt(r.Int(), 10)))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return parseNumber(json.Number(strconv.FormatUint(r.Uint(), 10)))
	case reflect.Float32, reflect.Float64:
		return r.Float()
	case reflect.String:
		return r.String()
	case reflect.Slice, reflect.Array:
		list := make([]any, r.Len())
		for i := range list {
			list[i] = fillTyped(r.Index(i))
		}
		return list
	case reflect.Map:
		if r.Type().Key().Kind() != reflect.String {
			return newIntDict(r)
		}
		dict := make(map[string]any, r.Len())
		for key, value := range r.Seq2() {
			dict[key.String()] = fillTyped(value)
		}
		return dict
	case reflect.Pointer:
		if r.IsNil() {
			return nil
		}
		if r.Elem().Kind() != reflect.Struct {
			return plainValue(r.Elem().Interface())
		}
	}
	return v
}

// intDict is a dict with integer keys, converted from a Go map.
type intDict struct {
	keys   []any // sorted
	values map[any]any
}

// newIntDict converts a map with integer keys to an intDict. It returns other maps unchanged.
func newIntDict(dict reflect.Value) any {
	keys := dict.MapKeys()
	switch zero := reflect.Zero(dict.Type().Key()); {
	case zero.CanInt():
		slices.SortFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(a.Int(), b.Int()) })
	case zero.CanUint():
		slices.SortFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(a.Uint(), b.Uint()) })
	default:
		return dict.Interface()
	}
	n := intDict{make([]any, len(keys)), make(map[any]any, len(keys))}
	for i, key := range keys {
		n.keys[i] = plainValue(key.Interface())
		n.values[n.keys[i]] = fillTyped(dict.MapIndex(key))
	}
	return n
}

// lookUp returns the value of a key. As in Python, True and 1.0 are the same key as 1.
func (n intDict) lookUp(key any) (any, bool) {
	switch k := key.(type) {
	case bool:
		key = py.Bool(k)
	case float64:
		key = floatToInt(k)
	case int, json.Number:
	default:
		return nil, false
	}
	value, ok := n.values[key]
	return value, ok
}

// typeName returns Python's name for the type of a plain value.
func typeName(v any) string {
	if name := jsonTypeName(v); name != "" {
		return name
	}
	return objectName(reflect.TypeOf(v))
}

// jsonTypeName is like typeName, but returns "" for an object.
func jsonTypeName(v any) string {
	switch v.(type) {
	case nil:
		return "NoneType"
	case bool:
		return "bool"
	case int, json.Number:
		return "int"
	case float64:
		return "float"
	case string:
		return "str"
	case []any:
		return "list"
	case map[string]any, intDict:
		return "dict"
	}
	return ""
}

// objectName returns the name of a Go type without its package, its pointer and its type arguments.
func objectName(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	name, _, _ := strings.Cut(t.Name(), "[") // without type arguments
	return cmp.Or(name, t.String())
}

func typeError(format string, args ...any) error { return py.Errorf("TypeError", format, args...) }

// overflowError returns the error of arithmetic with an integer that does not fit an int.
func overflowError() error {
	return py.Errorf("OverflowError", "an integer does not fit %d bits", bits.UintSize)
}

// sortedKeys returns the keys of a dict sorted, because Go maps do not keep the insertion order.
func sortedKeys(dict map[string]any) []string { return slices.Sorted(maps.Keys(dict)) }

// dictEntries returns the sorted keys of a dict, and a function that looks up the value of a key. It returns
// false if dict is not a dict.
func dictEntries(dict any) (list []any, value func(key any) (any, bool), ok bool) {
	switch d := dict.(type) {
	case map[string]any:
		return textsToAny(sortedKeys(d)), func(key any) (any, bool) {
			s, isText := key.(string)
			v, found := d[s]
			return v, isText && found
		}, true
	case intDict:
		return d.keys, d.lookUp, true
	}
	return nil, nil, false
}

// Truth is bool(v).
func Truth(v any) bool {
	switch v := plainValue(v).(type) {
	case nil:
		return false
	case bool:
		return v
	case int:
		return v != 0
	case float64:
		return v != 0
	case string:
		return v != ""
	case []any:
		return len(v) > 0
	case map[string]any:
		return len(v) > 0
	case intDict:
		return len(v.keys) > 0
	}
	return true
}

// IsNone reports whether v is None. A nil pointer is None, too.
func IsNone(v any) bool { return Object(v) == nil }

// Object converts a nil pointer, function or channel to nil and returns all other values unchanged.
func Object(v any) any {
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Pointer, reflect.Func, reflect.Chan:
		if r.IsNil() {
			return nil
		}
	}
	return v
}

// Len is len(v).
func Len(v any) (int, error) {
	switch v := plainValue(v).(type) {
	case string:
		return utf8.RuneCountInString(v), nil
	case []any:
		return len(v), nil
	case map[string]any:
		return len(v), nil
	case intDict:
		return len(v.keys), nil
	default:
		return 0, typeError("object of type '%s' has no len()", typeName(v))
	}
}

// Elements returns the elements over which a loop over v iterates.
func Elements(v any) ([]any, error) {
	switch v := plainValue(v).(type) {
	case string:
		return textsToAny(py.Chars(v)), nil
	case []any:
		return v, nil
	case map[string]any:
		return textsToAny(sortedKeys(v)), nil
	case intDict:
		return v.keys, nil
	default:
		return nil, typeError("'%s' object is not iterable", typeName(v))
	}
}

// Starred returns the elements of v for an argument *v of a call. what begins Python's error message for a v that
// is not iterable.
func Starred(v any, what string) ([]any, error) {
	list, err := Elements(v)
	if err != nil {
		return nil, typeError("%s after * must be an iterable, not %s", what, typeName(plainValue(v)))
	}
	return list, nil
}

func textsToAny(list []string) []any {
	result := make([]any, len(list))
	for i, s := range list {
		result[i] = s
	}
	return result
}

// Index is v[i].
func Index(v, i any) (any, error) {
	i = plainValue(i)
	switch v := plainValue(v).(type) {
	case string:
		n, err := toIndex(i, "string indices must be integers, not '%s'")
		if err != nil {
			return nil, err
		}
		return py.CharAt(v, n)
	case []any:
		n, err := toIndex(i, "list indices must be integers or slices, not %s")
		if err != nil {
			return nil, err
		}
		return py.Index(v, n)
	case map[string]any:
		if key, ok := i.(string); ok {
			return py.Item(v, key)
		}
		return nil, keyError(i)
	case intDict:
		if value, ok := v.lookUp(i); ok {
			return value, nil
		}
		return nil, keyError(i)
	default:
		return nil, typeError("'%s' object is not subscriptable", typeName(v))
	}
}

// keyError returns the error for a key that a dict does not contain.
func keyError(key any) error {
	if err := checkHashable(key); err != nil {
		return err
	}
	text, err := reprValue(key, 0)
	if err != nil {
		return err
	}
	return py.Errorf("KeyError", "%s", text)
}

func toIndex(i any, complaint string) (int, error) {
	switch i := i.(type) {
	case int:
		return i, nil
	case bool:
		return py.Bool(i), nil
	case json.Number:
		return 0, overflowError()
	}
	return 0, typeError(complaint, typeName(i))
}

func checkHashable(key any) error {
	switch key.(type) {
	case []any, map[string]any, intDict:
		return typeError("unhashable type: '%s'", typeName(key))
	}
	return nil
}

// Text is str(v).
func Text(v any) (string, error) {
	if s, ok := plainValue(v).(string); ok {
		return s, nil
	}
	return reprValue(v, 0)
}

// Repr is repr(v).
func Repr(v any) (string, error) { return reprValue(v, 0) }

// maxDepth is the maximum depth of lists and dicts that are formatted, compared or measured. Without it, values from
// Go functions that contain themselves would cause infinite recursion.
const maxDepth = 1000

func recursionError(doing string) error {
	return py.Errorf("RecursionError", "maximum recursion depth exceeded %s", doing)
}

// reprValue is repr(v). For an object, it returns the name of the type, without the address that Python shows.
func reprValue(v any, depth int) (string, error) {
	if depth > maxDepth {
		return "", recursionError("while getting the repr of an object")
	}
	switch v := plainValue(v).(type) {
	case nil:
		return "None", nil
	case bool:
		return py.BoolText(v), nil
	case int:
		return strconv.Itoa(v), nil
	case json.Number:
		return string(v), nil
	case float64:
		return py.FloatText(v), nil
	case string:
		return py.Quote(v), nil
	case []any:
		parts, err := reprElements(v, depth+1)
		return "[" + strings.Join(parts, ", ") + "]", err
	case map[string]any, intDict:
		return reprDict(v, depth+1)
	default:
		return "<" + typeName(v) + " object>", nil
	}
}

func reprElements(list []any, depth int) ([]string, error) {
	texts := make([]string, len(list))
	for i, v := range list {
		var err error
		if texts[i], err = reprValue(v, depth); err != nil {
			return nil, err
		}
	}
	return texts, nil
}

func reprDict(dict any, depth int) (string, error) {
	keys, value, _ := dictEntries(dict)
	texts, err := reprElements(keys, depth)
	for i, key := range keys {
		if err != nil {
			return "", err
		}
		v, _ := value(key)
		var text string
		text, err = reprValue(v, depth)
		texts[i] += ": " + text
	}
	return "{" + strings.Join(texts, ", ") + "}", err
}
