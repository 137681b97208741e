package py

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Index is list[i].
func Index[T any](list []T, i int) (element T, err error) {
	if i < 0 {
		i += len(list)
	}
	if i < 0 || i >= len(list) {
		return element, Errorf("IndexError", "list index out of range")
	}
	return list[i], nil
}

// Slice is list[start:stop].
func Slice[T any](list []T, start, stop int) []T {
	start, stop = clamp(start, len(list)), clamp(stop, len(list))
	return append([]T{}, list[start:max(start, stop)]...)
}

// SliceStep is list[start:stop:step]. Bounds that are left out are Start and End,
// or End and Start where the step is negative.
func SliceStep[T any](list []T, start, stop, step int) ([]T, error) {
	n := len(list)
	result := []T{}
	switch {
	case step == 0:
		return nil, Errorf("ValueError", "slice step cannot be zero")
	case step > 0:
		stop = clamp(stop, n)
		for i := clamp(start, n); i < stop; i += min(step, n) {
			result = append(result, list[i])
		}
		return result, nil
	}
	stop = clampDown(stop, n)
	for i := clampDown(start, n); i > stop; i += max(step, -n) {
		result = append(result, list[i])
	}
	return result, nil
}

// clampDown turns a bound of a slice that goes down into an index from -1 to n-1.
func clampDown(bound, n int) int {
	if bound < 0 {
		bound = max(-1, bound+n)
	}
	return min(bound, n-1)
}

// First and Last are the bounds that a slice has where they are left out.
func First(step int) int {
	if step < 0 {
		return End
	}
	return Start
}

// Last is what First is, at the other end.
func Last(step int) int {
	if step < 0 {
		return Start
	}
	return End
}

// RepeatList is list * n.
func RepeatList[T any](list []T, n int) ([]T, error) {
	if n <= 0 || len(list) == 0 {
		return []T{}, nil
	}
	if n > MaxSize/len(list) {
		return nil, TooLarge("list")
	}
	return slices.Repeat(list, n), nil
}

// Item is dict[key].
func Item[M ~map[K]V, K comparable, V any](dict M, key K) (V, error) {
	value, ok := dict[key]
	if !ok {
		return value, Errorf("KeyError", "%s", keyText(key))
	}
	return value, nil
}

// ItemOfInt is dict[key] for a dict whose keys are integers of a type that may not
// hold the key.
func ItemOfInt[M ~map[K]V, K Integer, V any](dict M, key int) (value V, err error) {
	k, err := Whole[K](key)
	if err != nil {
		return value, Errorf("KeyError", "%d", key)
	}
	return Item(dict, k)
}

func keyText(key any) string {
	if v := reflect.ValueOf(key); v.Kind() == reflect.String {
		return Quote(v.String())
	}
	return fmt.Sprintf("%d", key)
}

// Has is key in dict.
func Has[M ~map[K]V, K comparable, V any](dict M, key K) bool {
	_, ok := dict[key]
	return ok
}

// A Float is of one of the types that have NaN.
type Float interface{ ~float32 | ~float64 }

// Same is a == b for elements of lists and values of dicts, of which Python asks first
// whether they are the same object: a NaN is here what it is nowhere else, equal to
// itself.
func Same[F Float](a, b F) bool { return a == b || a != a && b != b }

// Contains is f in list.
func Contains[F Float](list []F, f F) bool {
	return slices.ContainsFunc(list, func(element F) bool { return Same(element, f) })
}

// Min is min(list): of several smallest elements the first.
func Min[T cmp.Ordered](list []T) (T, error) { return MinBy(list, list) }

// Max is max(list): of several largest elements the first.
func Max[T cmp.Ordered](list []T) (T, error) { return MaxBy(list, list) }

// MinBy is min(list, key=…), given the keys of all elements.
func MinBy[T any, K cmp.Ordered](list []T, keys []K) (T, error) {
	return best("min", list, keys, func(a, b K) bool { return a < b })
}

// MaxBy is max(list, key=…), given the keys of all elements.
func MaxBy[T any, K cmp.Ordered](list []T, keys []K) (T, error) {
	return best("max", list, keys, func(a, b K) bool { return a > b })
}

func best[T, K any](name string, list []T, keys []K, better func(a, b K) bool) (element T, err error) {
	if len(list) == 0 {
		return element, Errorf("ValueError", "%s() arg is an empty sequence", name)
	}
	at := 0
	for i := range keys {
		if better(keys[i], keys[at]) {
			at = i
		}
	}
	return list[at], nil
}

// Sorted is sorted(list, reverse=reverse).
func Sorted[T cmp.Ordered](list []T, reverse bool) []T { return SortedBy(list, list, reverse) }

// SortedBy is sorted(list, key=…, reverse=reverse), given the keys of all elements.
// Elements with equal keys stay in their order, also where it is reversed.
func SortedBy[T any, K cmp.Ordered](list []T, keys []K, reverse bool) []T {
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		if reverse {
			i, j = j, i
		}
		return cmp.Compare(keys[i], keys[j])
	})
	sorted := make([]T, len(list))
	for i, at := range order {
		sorted[i] = list[at]
	}
	return sorted
}

// Map is a list of what a function makes of each element.
func Map[T, U any](list []T, convert func(T) U) []U {
	result := make([]U, len(list))
	for i, element := range list {
		result[i] = convert(element)
	}
	return result
}

// TryMap is Map for a function that may fail.
func TryMap[T, U any](list []T, convert func(T) (U, error)) ([]U, error) {
	result := make([]U, len(list))
	for i, element := range list {
		var err error
		if result[i], err = convert(element); err != nil {
			return nil, err
		}
	}
	return result, nil
}

// MapDict is a dict of what a function makes of each value.
func MapDict[K comparable, T, U any](dict map[K]T, convert func(T) U) map[K]U {
	result := make(map[K]U, len(dict))
	for key, value := range dict {
		result[key] = convert(value)
	}
	return result
}

// TryMapDict is MapDict for a function that may fail. The keys are taken in their
// order, which decides what error there is.
func TryMapDict[K cmp.Ordered, T, U any](dict map[K]T, convert func(T) (U, error)) (map[K]U, error) {
	result := make(map[K]U, len(dict))
	for _, key := range slices.Sorted(maps.Keys(dict)) {
		var err error
		if result[key], err = convert(dict[key]); err != nil {
			return nil, err
		}
	}
	return result, nil
}

// Spread checks that the starred argument of a call has an element for each
// parameter that it stands for. The names are those of all parameters of the
// function that are given by position, of which before stand in front of the
// starred argument and after behind it.
func Spread[T any](list []T, before, after int, function string, names ...string) error {
	given := before + len(list) + after
	switch {
	case given > len(names):
		was := "were"
		if given == 1 {
			was = "was"
		}
		return Errorf("TypeError", "%s() takes %s but %d %s given", function, arguments(len(names), "positional argument"), given, was)
	case given < len(names):
		return lacks(function, names[given:])
	}
	return nil
}

// SpreadSome is Spread for a function that takes any number of arguments behind those
// with a name. Nothing stands behind the starred argument.
func SpreadSome[T any](list []T, before int, function string, names ...string) error {
	if given := before + len(list); given < len(names) {
		return lacks(function, names[given:])
	}
	return nil
}

func lacks(function string, names []string) error {
	missing := make([]string, len(names))
	for i, name := range names {
		missing[i] = "'" + name + "'"
	}
	return Errorf("TypeError", "%s() missing %s: %s", function, arguments(len(missing), "required positional argument"), enumerate(missing))
}

func arguments(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// enumerate is a list as Python's messages write it: a, b, and c.
func enumerate(words []string) string {
	last := len(words) - 1
	switch last {
	case 0:
		return words[0]
	case 1:
		return words[0] + " and " + words[1]
	}
	return strings.Join(words[:last], ", ") + ", and " + words[last]
}

// Value is what an optional value is, if it is not None. The complaint is that of
// the operation which cannot do with None.
func Value[T any](optional *T, complaint string) (value T, err error) {
	if optional == nil {
		exception, message, _ := strings.Cut(complaint, ": ")
		return value, &Error{Type: exception, Message: message}
	}
	return *optional, nil
}

// Or is what an optional value is, or something else where it is None.
func Or[T any](optional *T, otherwise T) T {
	if optional == nil {
		return otherwise
	}
	return *optional
}

// Boxed is an optional value as any: what it points to, or nil.
func Boxed[T any](optional *T) any {
	if optional == nil {
		return nil
	}
	return *optional
}

// Anys is a list with elements of any type.
func Anys[T any](list []T) []any {
	result := make([]any, len(list))
	for i, element := range list {
		result[i] = element
	}
	return result
}

// clamp turns a bound of a slice of n elements into an index from 0 to n.
func clamp(bound, n int) int {
	if bound < 0 {
		bound = max(0, bound+n)
	}
	return min(bound, n)
}
