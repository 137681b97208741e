// Package dyn has Python's operators and functions for values whose type is known
// only when they are there: what JSON holds, read into an any. Like those of
// package py, its functions fail with Python's exceptions and do not panic. It is for
// generated code only.
//
// A value is nil, a bool, an integer, a float, a string, a [json.Number], a slice
// or a map with strings or integers as keys, of any Go type with such an underlying
// type; all others are objects that can only be handed on.
//
// Its layers, from top to bottom:
//
//	format, list      texts and lists of values
//	compare, convert  order, and values as types of Go
//	dyn, number       what a value is, and arithmetic
//	whole             lists and dicts that are not there
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

// plain returns a value as one of nil, bool, int, float64, string, []any,
// map[string]any and numbered, or as it is if it is none of these.
func plain(v any) any {
	switch v := v.(type) {
	case nil, bool, int, float64, string, []any, map[string]any:
		return v
	case json.Number:
		return number(v)
	}
	return reflected(v)
}

// number reads an integer or a float. An integer that int cannot hold stays as it
// is, so that it can be handed on, but not reckoned with.
func number(n json.Number) any {
	if strings.ContainsAny(string(n), ".eE") {
		f, _ := strconv.ParseFloat(string(n), 64) // infinite where out of range, as in Python
		return f
	}
	if i, err := strconv.Atoi(string(n)); err == nil {
		return i
	}
	return n
}

// integral returns a float that is an integer as one, and all else as it is.
func integral(v any) any {
	f, ok := v.(float64)
	if !ok || f != math.Trunc(f) || math.IsInf(f, 0) {
		return v
	}
	return number(json.Number(strconv.FormatFloat(f, 'f', 0, 64)))
}

func reflected(v any) any {
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Bool:
		return r.Bool()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return number(json.Number(strconv.FormatInt(r.Int(), 10)))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return number(json.Number(strconv.FormatUint(r.Uint(), 10)))
	case reflect.Float32, reflect.Float64:
		return r.Float()
	case reflect.String:
		return r.String()
	case reflect.Slice, reflect.Array:
		list := make([]any, r.Len())
		for i := range list {
			list[i] = wholeTyped(r.Index(i))
		}
		return list
	case reflect.Map:
		if r.Type().Key().Kind() != reflect.String {
			return numberedOf(r)
		}
		dict := make(map[string]any, r.Len())
		for key, value := range r.Seq2() {
			dict[key.String()] = wholeTyped(value)
		}
		return dict
	case reflect.Pointer:
		if r.IsNil() {
			return nil
		}
		if r.Elem().Kind() != reflect.Struct {
			return plain(r.Elem().Interface())
		}
	}
	return v
}

// A numbered is a dict with integers as keys, which some maps of Go are.
type numbered struct {
	keys   []any // in their order
	values map[any]any
}

// numberedOf returns a map with integers as keys as a dict, and others as they are.
func numberedOf(dict reflect.Value) any {
	keys := dict.MapKeys()
	switch zero := reflect.Zero(dict.Type().Key()); {
	case zero.CanInt():
		slices.SortFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(a.Int(), b.Int()) })
	case zero.CanUint():
		slices.SortFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(a.Uint(), b.Uint()) })
	default:
		return dict.Interface()
	}
	n := numbered{make([]any, len(keys)), make(map[any]any, len(keys))}
	for i, key := range keys {
		n.keys[i] = plain(key.Interface())
		n.values[n.keys[i]] = wholeTyped(dict.MapIndex(key))
	}
	return n
}

// value is the value of a key; keys that are equal to an integer are that integer.
func (n numbered) value(key any) (any, bool) {
	switch k := key.(type) {
	case bool:
		key = py.Bool(k)
	case float64:
		key = integral(k)
	case int, json.Number:
	default:
		return nil, false
	}
	value, ok := n.values[key]
	return value, ok
}

// typeName is the name that Python's messages give the type of a plain value.
func typeName(v any) string {
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
	case map[string]any, numbered:
		return "dict"
	}
	return objectName(reflect.TypeOf(v))
}

// objectName is the name of a Go type as that of a class, which has no package, and to
// which there are no pointers.
func objectName(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	name, _, _ := strings.Cut(t.Name(), "[") // without the types that it has in Go
	return cmp.Or(name, t.String())
}

func typeError(format string, args ...any) error { return py.Errorf("TypeError", format, args...) }

// tooLarge is the error of integers that were read, but do not fit an int.
func tooLarge() error {
	return py.Errorf("OverflowError", "an integer does not fit %d bits", bits.UintSize)
}

// keys are the keys of a dict in the order in which lambdas loop over them: that
// in which they were added is not known, so they are sorted.
func keys(dict map[string]any) []string { return slices.Sorted(maps.Keys(dict)) }

// entries are the keys of a dict in their order, and the values that they stand for.
func entries(dict any) (list []any, value func(key any) (any, bool), ok bool) {
	switch d := dict.(type) {
	case map[string]any:
		return anys(keys(d)), func(key any) (any, bool) {
			s, isText := key.(string)
			v, found := d[s]
			return v, isText && found
		}, true
	case numbered:
		return d.keys, d.value, true
	}
	return nil, nil, false
}

// Truth is bool(v).
func Truth(v any) bool {
	switch v := plain(v).(type) {
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
	case numbered:
		return len(v.keys) > 0
	}
	return true
}

// IsNone is v is None, which a nil pointer is, too.
func IsNone(v any) bool { return Object(v) == nil }

// Object is an object of Go as a value, which is nil where the object is.
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
	switch v := plain(v).(type) {
	case string:
		return utf8.RuneCountInString(v), nil
	case []any:
		return len(v), nil
	case map[string]any:
		return len(v), nil
	case numbered:
		return len(v.keys), nil
	default:
		return 0, typeError("object of type '%s' has no len()", typeName(v))
	}
}

// Elements are what a loop over v takes one by one.
func Elements(v any) ([]any, error) {
	switch v := plain(v).(type) {
	case string:
		return anys(py.Chars(v)), nil
	case []any:
		return v, nil
	case map[string]any:
		return anys(keys(v)), nil
	case numbered:
		return v.keys, nil
	default:
		return nil, typeError("'%s' object is not iterable", typeName(v))
	}
}

// Starred are the elements of the starred argument of a call. What is no list is
// complained of in Python's words: as a value, or as the argument of a function that
// gets no other.
func Starred(v any, what string) ([]any, error) {
	list, err := Elements(v)
	if err != nil {
		return nil, typeError("%s after * must be an iterable, not %s", what, typeName(plain(v)))
	}
	return list, nil
}

func anys(list []string) []any {
	result := make([]any, len(list))
	for i, s := range list {
		result[i] = s
	}
	return result
}

// Index is v[i].
func Index(v, i any) (any, error) {
	i = plain(i)
	switch v := plain(v).(type) {
	case string:
		n, err := index(i, "string indices must be integers, not '%s'")
		if err != nil {
			return nil, err
		}
		return py.CharAt(v, n)
	case []any:
		n, err := index(i, "list indices must be integers or slices, not %s")
		if err != nil {
			return nil, err
		}
		return py.Index(v, n)
	case map[string]any:
		if key, ok := i.(string); ok {
			return py.Item(v, key)
		}
		return nil, noKey(i)
	case numbered:
		if value, ok := v.value(i); ok {
			return value, nil
		}
		return nil, noKey(i)
	default:
		return nil, typeError("'%s' object is not subscriptable", typeName(v))
	}
}

// noKey is the error of a key that a dict does not have.
func noKey(key any) error {
	if err := hashable(key); err != nil {
		return err
	}
	text, err := repr(key, 0)
	if err != nil {
		return err
	}
	return py.Errorf("KeyError", "%s", text)
}

func index(i any, complaint string) (int, error) {
	switch i := i.(type) {
	case int:
		return i, nil
	case bool:
		return py.Bool(i), nil
	case json.Number:
		return 0, tooLarge()
	}
	return 0, typeError(complaint, typeName(i))
}

func hashable(key any) error {
	switch key.(type) {
	case []any, map[string]any, numbered:
		return typeError("unhashable type: '%s'", typeName(key))
	}
	return nil
}

// Text is str(v).
func Text(v any) (string, error) {
	if s, ok := plain(v).(string); ok {
		return s, nil
	}
	return repr(v, 0)
}

// maxDepth bounds the lists and dicts within each other that are written, compared or
// counted: what a function of Go returns may hold itself.
const maxDepth = 1000

func tooDeep(doing string) error {
	return py.Errorf("RecursionError", "maximum recursion depth exceeded %s", doing)
}

// repr is repr(v). Of objects, which Python would show by their address, it is the
// name of the type.
func repr(v any, depth int) (string, error) {
	if depth > maxDepth {
		return "", tooDeep("while getting the repr of an object")
	}
	switch v := plain(v).(type) {
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
		parts, err := reprs(v, depth+1)
		return "[" + strings.Join(parts, ", ") + "]", err
	case map[string]any, numbered:
		return reprDict(v, depth+1)
	default:
		return "<" + typeName(v) + " object>", nil
	}
}

func reprs(list []any, depth int) ([]string, error) {
	texts := make([]string, len(list))
	for i, v := range list {
		var err error
		if texts[i], err = repr(v, depth); err != nil {
			return nil, err
		}
	}
	return texts, nil
}

func reprDict(dict any, depth int) (string, error) {
	keys, value, _ := entries(dict)
	texts, err := reprs(keys, depth)
	for i, key := range keys {
		if err != nil {
			return "", err
		}
		v, _ := value(key)
		var text string
		text, err = repr(v, depth)
		texts[i] += ": " + text
	}
	return "{" + strings.Join(texts, ", ") + "}", err
}
