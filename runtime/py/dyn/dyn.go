// Package dyn has Python's operators and functions for values whose type is known
// only when they are there: what JSON holds, read into an any. Like those of
// package py, its functions fail with Python's exceptions and do not panic.
//
// A value is nil, a bool, an integer, a float, a string, a [json.Number], a slice
// or a map with strings as keys, of any Go type with such an underlying type; all
// others are objects that can only be handed on.
package dyn

import (
	"encoding/json"
	"maps"
	"math/bits"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/runtime/py"
)

// plain returns a value as one of nil, bool, int, float64, string, []any and
// map[string]any, or as it is if it is none of these.
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
			list[i] = whole(r.Index(i)).Interface()
		}
		return list
	case reflect.Map:
		if r.Type().Key().Kind() != reflect.String {
			return v
		}
		dict := make(map[string]any, r.Len())
		for key, value := range r.Seq2() {
			dict[key.String()] = whole(value).Interface()
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
	case map[string]any:
		return "dict"
	}
	return reflect.TypeOf(v).String()
}

func typeError(format string, args ...any) error { return py.Errorf("TypeError", format, args...) }

// tooLarge is the error of integers that were read, but do not fit an int.
func tooLarge() error {
	return py.Errorf("OverflowError", "an integer does not fit %d bits", bits.UintSize)
}

// keys are the keys of a dict in the order in which lambdas loop over them: that
// in which they were added is not known, so they are sorted.
func keys(dict map[string]any) []string { return slices.Sorted(maps.Keys(dict)) }

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
	}
	return true
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
		if err := hashable(i); err != nil {
			return nil, err
		}
		return nil, py.Errorf("KeyError", "%s", repr(i))
	default:
		return nil, typeError("'%s' object is not subscriptable", typeName(v))
	}
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
	case []any, map[string]any:
		return typeError("unhashable type: '%s'", typeName(key))
	}
	return nil
}

// Slice is v[start:stop:step]; a bound that is left out is nil.
func Slice(v, start, stop, step any) (any, error) {
	v = plain(v)
	switch v.(type) {
	case string, []any:
	case map[string]any:
		return nil, typeError("unhashable type: 'slice'")
	default:
		return nil, typeError("'%s' object is not subscriptable", typeName(v))
	}
	by, err := Bound(step, 1)
	if err != nil {
		return nil, err
	}
	from, err := Bound(start, py.First(by))
	if err != nil {
		return nil, err
	}
	to, err := Bound(stop, py.Last(by))
	if err != nil {
		return nil, err
	}
	if s, ok := v.(string); ok {
		return py.SubstringStep(s, from, to, by)
	}
	return py.SliceStep(v.([]any), from, to, by)
}

// Bound is a bound of a slice, or the one that stands for None.
func Bound(v any, missing int) (int, error) {
	v = plain(v)
	if v == nil {
		return missing, nil
	}
	return operand(v, "slice indices must be integers or None or have an __index__ method")
}

// Sequence returns what has a method count: a string or a list.
func Sequence(v any) (any, error) {
	if v := plain(v); isSequence(v) {
		return v, nil
	}
	_, err := Receiver(v, "count")
	return nil, err
}

// Count is v.count(element, start, stop). The bounds, which only strings take, may
// be left out.
func Count(v, element any, bounds ...any) (int, error) {
	switch v := plain(v).(type) {
	case string:
		limits := [2]int{0, py.End}
		for i, bound := range bounds {
			var err error
			if limits[i], err = Bound(bound, limits[i]); err != nil {
				return 0, err
			}
		}
		text, err := TextArgument(element, "must be str, not %s")
		return py.CountIn(v, text, limits[0], limits[1]), err
	case []any:
		if len(bounds) > 0 {
			return 0, typeError("list.count() takes exactly one argument (%d given)", 1+len(bounds))
		}
		count := 0
		for _, other := range v {
			if Equal(other, element) {
				count++
			}
		}
		return count, nil
	default:
		_, err := Receiver(v, "count")
		return 0, err
	}
}

// In is element in container.
func In(element, container any) (bool, error) {
	element = plain(element)
	switch c := plain(container).(type) {
	case string:
		s, ok := element.(string)
		if !ok {
			return false, typeError("'in <string>' requires string as left operand, not %s", typeName(element))
		}
		return strings.Contains(c, s), nil
	case []any:
		return slices.ContainsFunc(c, func(v any) bool { return Equal(v, element) }), nil
	case map[string]any:
		if err := hashable(element); err != nil {
			return false, err
		}
		s, ok := element.(string)
		return ok && py.Has(c, s), nil
	default:
		return false, typeError("argument of type '%s' is not iterable", typeName(c))
	}
}

// Text is str(v).
func Text(v any) string {
	if s, ok := plain(v).(string); ok {
		return s
	}
	return repr(v)
}

// repr is repr(v). Of objects, which Python would show by their address, it is the
// name of the type.
func repr(v any) string {
	switch v := plain(v).(type) {
	case nil:
		return "None"
	case bool:
		return py.BoolText(v)
	case int:
		return strconv.Itoa(v)
	case json.Number:
		return string(v)
	case float64:
		return py.FloatText(v)
	case string:
		return py.Quote(v)
	case []any:
		var parts []string
		for _, element := range v {
			parts = append(parts, repr(element))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case map[string]any:
		var parts []string
		for _, key := range keys(v) {
			parts = append(parts, py.Quote(key)+": "+repr(v[key]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	default:
		return "<" + typeName(v) + " object>"
	}
}
