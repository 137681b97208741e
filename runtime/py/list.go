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
	start, stop = clampBound(start, len(list)), clampBound(stop, len(list))
	return append([]T{}, list[start:max(start, stop)]...)
}

// SliceStep is list[start:stop:step]. Omitted bounds are Start and End, or End and Start if the step
// is negative.
func SliceStep[T any](list []T, start, stop, step int) ([]T, error) {
	n := len(list)
	result := []T{}
	switch {
	case step == 0:
		return nil, Errorf("ValueError", "slice step cannot be zero")
	case step > 0:
		stop = clampBound(stop, n)
		for i := clampBound(start, n); i < stop; i += min(step, n) {
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

// clampDown converts a bound of a slice with a negative step into an index from -1 to n-1.
func clampDown(bound, n int) int {
	if bound < 0 {
		bound = max(-1, bound+n)
	}
	return min(bound, n-1)
}

// First returns the start of a slice with the given step if the start is omitted.
func First(step int) int {
	if step < 0 {
		return End
	}
	return Start
}

// Last returns the end of a slice with the given step if the end is omitted.
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

// ItemOfInt is dict[key] for a dict whose keys may have a smaller integer type than key.
func ItemOfInt[M ~map[K]V, K Integer, V any](dict M, key int) (value V, err error) {
	k, err := ConvertInt[K](key)
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

// Float is the constraint of floating-point types.
type Float interface{ ~float32 | ~float64 }

// Same is a == b for elements of lists and values of dicts. Python compares the identity of these first, so that a
// NaN equals itself.
func Same[F Float](a, b F) bool { return a == b || a != a && b != b }

// Contains is f in list.
func Contains[F Float](list []F, f F) bool {
	return slices.ContainsFunc(list, func(element F) bool { return Same(element, f) })
}

// Min is min(list). Of several smallest elements it returns the first.
func Min[T cmp.Ordered](list []T) (T, error) { return MinBy(list, list) }

// Max is max(list). Of several largest elements it returns the first.
func Max[T cmp.Ordered](list []T) (T, error) { return MaxBy(list, list) }

// MinBy is min(list, key=…), given the keys of all elements.
func MinBy[T any, K cmp.Ordered](list []T, keys []K) (T, error) {
	return findBest("min", list, keys, func(a, b K) bool { return a < b })
}

// MaxBy is max(list, key=…), given the keys of all elements.
func MaxBy[T any, K cmp.Ordered](list []T, keys []K) (T, error) {
	return findBest("max", list, keys, func(a, b K) bool { return a > b })
}

func findBest[T, K any](name string, list []T, keys []K, better func(a, b K) bool) (element T, err error) {
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

// SortedBy is sorted(list, key=…, reverse=reverse), given the keys of all elements. The sort is stable
// even if reversed.
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

// Map returns a list of the results of convert for each element.
func Map[T, U any](list []T, convert func(T) U) []U {
	result := make([]U, len(list))
	for i, element := range list {
		result[i] = convert(element)
	}
	return result
}

// TryMap is like Map for a function that may fail.
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

// MapDict returns a dict of the results of convert for each value.
func MapDict[K comparable, T, U any](dict map[K]T, convert func(T) U) map[K]U {
	result := make(map[K]U, len(dict))
	for key, value := range dict {
		result[key] = convert(value)
	}
	return result
}

// TryMapDict is like MapDict for a function that may fail. It visits the keys in order, so that the error is
// deterministic.
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

// Spread checks that a call with the starred argument *list, such as f(a, *list, b), has the right number of
// arguments. names lists all parameters of the function that are passed by position. before and after are the
// numbers of arguments before and after the starred one.
func Spread[T any](list []T, before, after int, function string, names ...string) error {
	given := before + len(list) + after
	switch {
	case given > len(names):
		verb := "were"
		if given == 1 {
			verb = "was"
		}
		return Errorf("TypeError", "%s() takes %s but %d %s given", function, countNoun(len(names), "positional argument"), given, verb)
	case given < len(names):
		return missingArguments(function, names[given:])
	}
	return nil
}

// SpreadSome is like Spread for a variadic function, in which no argument follows the starred one.
func SpreadSome[T any](list []T, before int, function string, names ...string) error {
	if given := before + len(list); given < len(names) {
		return missingArguments(function, names[given:])
	}
	return nil
}

func missingArguments(function string, names []string) error {
	missing := make([]string, len(names))
	for i, name := range names {
		missing[i] = "'" + name + "'"
	}
	return Errorf("TypeError", "%s() missing %s: %s", function, countNoun(len(missing), "required positional argument"), joinWords(missing))
}

func countNoun(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// joinWords joins words the way Python's messages do: a, b, and c.
func joinWords(words []string) string {
	last := len(words) - 1
	switch last {
	case 0:
		return words[0]
	case 1:
		return words[0] + " and " + words[1]
	}
	return strings.Join(words[:last], ", ") + ", and " + words[last]
}

// Value dereferences an optional value. If it is None, the error is complaint. That text consists of the type of
// an exception and its message, as in "TypeError: …".
func Value[T any](optional *T, complaint string) (value T, err error) {
	if optional == nil {
		exception, message, _ := strings.Cut(complaint, ": ")
		return value, &Error{Type: exception, Message: message}
	}
	return *optional, nil
}

// Or dereferences an optional value, or returns otherwise if it is None.
func Or[T any](optional *T, otherwise T) T {
	if optional == nil {
		return otherwise
	}
	return *optional
}

// Merge is {**a, **b}: a dict with the entries of all dicts. Entries of later dicts take precedence.
func Merge[V any](dicts ...map[string]V) map[string]V {
	all := map[string]V{}
	for _, dict := range dicts {
		maps.Copy(all, dict)
	}
	return all
}

// Boxed dereferences an optional value, or returns nil if it is None.
func Boxed[T any](optional *T) any {
	if optional == nil {
		return nil
	}
	return *optional
}

// Anys converts a list to a []any with the same elements.
func Anys[T any](list []T) []any {
	result := make([]any, len(list))
	for i, element := range list {
		result[i] = element
	}
	return result
}

// clampBound converts a bound of a slice of n elements into an index from 0 to n.
func clampBound(bound, n int) int {
	if bound < 0 {
		bound = max(0, bound+n)
	}
	return min(bound, n)
}
