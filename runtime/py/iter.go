package py

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// Range is list(range(start, stop, step)).
func Range(start, stop, step int) ([]int, error) {
	if step == 0 {
		return nil, Errorf("ValueError", "range() arg 3 must not be zero")
	}
	n := countSteps(start, stop, step)
	if n > MaxSize {
		return nil, TooLarge("list")
	}
	list := make([]int, n)
	for i := range list {
		list[i] = start + i*step
	}
	return list, nil
}

// countSteps returns the number of elements of a range.
func countSteps(start, stop, step int) uint64 {
	if step < 0 {
		start, stop = stop, start
	}
	if start >= stop {
		return 0
	}
	size := uint64(step)
	if step < 0 {
		size = -size
	}
	return (uint64(stop)-uint64(start)-1)/size + 1
}

// Pair is a tuple of two elements. A tuple of three elements is a Pair of a Pair and the last element, and so on.
type Pair[A, B any] struct {
	First  A
	Second B
}

// Zip is list(zip(a, b)).
func Zip[A, B any](a []A, b []B) []Pair[A, B] {
	pairs := make([]Pair[A, B], min(len(a), len(b)))
	for i := range pairs {
		pairs[i] = Pair[A, B]{a[i], b[i]}
	}
	return pairs
}

// Enumerate is list(enumerate(list, start)).
func Enumerate[T any](list []T, start int) ([]Pair[int, T], error) {
	if n := len(list); n > 0 && start > math.MaxInt-n+1 {
		return nil, overflowError()
	}
	pairs := make([]Pair[int, T], len(list))
	for i, element := range list {
		pairs[i] = Pair[int, T]{start + i, element}
	}
	return pairs, nil
}

// Items is sorted(dict.items()).
func Items[M ~map[K]V, K cmp.Ordered, V any](dict M) []Pair[K, V] {
	pairs := make([]Pair[K, V], 0, len(dict))
	for _, key := range slices.Sorted(maps.Keys(dict)) {
		pairs = append(pairs, Pair[K, V]{key, dict[key]})
	}
	return pairs
}

// Values is [dict[key] for key in sorted(dict)].
func Values[M ~map[K]V, K cmp.Ordered, V any](dict M) []V {
	values := make([]V, 0, len(dict))
	for _, key := range slices.Sorted(maps.Keys(dict)) {
		values = append(values, dict[key])
	}
	return values
}

// Get is dict[key] for a key that the dict contains.
func Get[M ~map[K]V, K comparable, V any](dict M, key K) V { return dict[key] }

// Reversed is list(reversed(list)).
func Reversed[T any](list []T) []T {
	reversed := slices.Clone(list)
	slices.Reverse(reversed)
	return reversed
}

// Distinct returns the elements of set(list) in the order in which they first occur.
func Distinct[T comparable](list []T) []T {
	seen := make(map[T]bool, len(list))
	distinct := make([]T, 0, len(list))
	for _, element := range list {
		if !seen[element] {
			seen[element] = true
			distinct = append(distinct, element)
		}
	}
	return distinct
}
