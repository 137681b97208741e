package dyn

import (
	"slices"

	"github.com/aiongen/aiongen/runtime/py"
)

// Min is min(list).
func Min(list []any) (any, error) { return MinBy(list, list) }

// Max is max(list).
func Max(list []any) (any, error) { return MaxBy(list, list) }

// MinBy is min(list, key=…), given the keys of all elements.
func MinBy[T any](list []T, keys []any) (T, error) { return best("min", list, keys, Less) }

// MaxBy is max(list, key=…), given the keys of all elements.
func MaxBy[T any](list []T, keys []any) (T, error) { return best("max", list, keys, Greater) }

func best[T any](name string, list []T, keys []any, better func(a, b any) (bool, error)) (element T, err error) {
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
	var failed error
	less := func(a, b any) bool {
		found, err := Less(a, b)
		if failed == nil {
			failed = err
		}
		return found
	}
	slices.SortStableFunc(order, func(i, j int) int {
		if reverse {
			i, j = j, i
		}
		switch {
		case less(keys[i], keys[j]):
			return -1
		case less(keys[j], keys[i]):
			return 1
		}
		return 0
	})
	if failed != nil {
		return nil, failed
	}
	sorted := make([]T, len(list))
	for i, at := range order {
		sorted[i] = list[at]
	}
	return sorted, nil
}
