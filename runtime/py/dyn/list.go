package dyn

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/runtime/py"
)

// Min is min(list).
func Min(list []any) (any, error) { return MinBy(list, list) }

// Max is max(list).
func Max(list []any) (any, error) { return MaxBy(list, list) }

// MinBy is min(list, key=…), given the keys of all elements.
func MinBy[T any](list []T, keys []any) (T, error) { return findBest("min", list, keys, Less) }

// MaxBy is max(list, key=…), given the keys of all elements.
func MaxBy[T any](list []T, keys []any) (T, error) { return findBest("max", list, keys, Greater) }

func findBest[T any](name string, list []T, keys []any, better func(a, b any) (bool, error)) (element T, err error) {
	if len(list) == 0 {
		return element, py.Errorf("ValueError", "%s() arg is an empty sequence", name)
	}
	at := 0
	for i := 1; i < len(keys); i++ {
		found, err := better(keys[i], keys[at])
		if err != nil {
			return element, err
		}
		if found {
			at = i
		}
	}
	return list[at], nil
}

// Sorted is sorted(list, reverse=reverse).
func Sorted(list []any, reverse bool) ([]any, error) { return SortedBy(list, list, reverse) }

// SortedBy is sorted(list, key=…, reverse=reverse), given the keys of all elements.
func SortedBy[T any](list []T, keys []any, reverse bool) ([]T, error) {
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	var firstErr error
	slices.SortStableFunc(order, func(i, j int) int {
		if reverse {
			i, j = j, i
		}
		order, err := compareValues("<", keys[i], keys[j], 0)
		firstErr = cmp.Or(firstErr, err)
		return py.Bool(order > 0) - py.Bool(order < 0)
	})
	if firstErr != nil {
		return nil, firstErr
	}
	sorted := make([]T, len(list))
	for i, at := range order {
		sorted[i] = list[at]
	}
	return sorted, nil
}

// Sequence returns v if it is a string or a list, which have a method count.
func Sequence(v any) (any, error) {
	if v := plainValue(v); isSequence(v) {
		return v, nil
	}
	_, err := Receiver(v, "count")
	return nil, err
}

// Count is v.count(element, start, stop). The bounds are optional, and only strings accept them.
func Count(v, element any, bounds ...any) (int, error) {
	switch v := plainValue(v).(type) {
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
			equal, err := sameElement(other, element, 0)
			if err != nil {
				return 0, err
			}
			count += py.Bool(equal)
		}
		return count, nil
	default:
		_, err := Receiver(v, "count")
		return 0, err
	}
}

// In is element in container.
func In(element, container any) (bool, error) {
	element = plainValue(element)
	switch c := plainValue(container).(type) {
	case string:
		s, ok := element.(string)
		if !ok {
			return false, typeError("'in <string>' requires string as left operand, not %s", typeName(element))
		}
		return strings.Contains(c, s), nil
	case []any:
		for _, v := range c {
			if equal, err := sameElement(v, element, 0); equal || err != nil {
				return equal, err
			}
		}
		return false, nil
	case map[string]any:
		if err := checkHashable(element); err != nil {
			return false, err
		}
		s, ok := element.(string)
		return ok && py.Has(c, s), nil
	case intDict:
		_, ok := c.lookUp(element)
		return ok, checkHashable(element)
	default:
		return false, typeError("argument of type '%s' is not iterable", typeName(c))
	}
}

// Bound returns a bound of a slice, or defaultValue if v is None.
func Bound(v any, defaultValue int) (int, error) {
	v = plainValue(v)
	if v == nil {
		return defaultValue, nil
	}
	return intOperand(v, "slice indices must be integers or None or have an __index__ method")
}

// Slice is v[start:stop:step]. Omitted bounds are nil.
func Slice(v, start, stop, step any) (any, error) {
	v = plainValue(v)
	switch v.(type) {
	case string, []any:
	case map[string]any, intDict:
		return nil, typeError("unhashable type: 'slice'")
	default:
		return nil, typeError("'%s' object is not subscriptable", typeName(v))
	}
	by, stepErr := Bound(step, 1)
	from, startErr := Bound(start, py.First(by))
	to, stopErr := Bound(stop, py.Last(by))
	if err := cmp.Or(stepErr, startErr, stopErr); err != nil {
		return nil, err
	}
	if s, ok := v.(string); ok {
		return py.SubstringStep(s, from, to, by)
	}
	return py.SliceStep(v.([]any), from, to, by)
}
