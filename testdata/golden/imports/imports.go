// Package imports has tools that call functions and methods of other packages,
// and generic ones.
package imports

import (
	"cmp"
	"fmt"
	esc "net/url"
	"slices"
	"strings"
)

// Largest finds the largest of a list.
func Largest[T cmp.Ordered](list []T) (T, error) {
	if len(list) == 0 {
		var none T
		return none, fmt.Errorf("the list is empty")
	}
	return slices.Max(list), nil
}

// Pair holds two values.
type Pair[A, B any] struct {
	First  A `json:"first"`
	Second B `json:"second"` // the other one
}

// Zip pairs two values.
func Zip[A, B any](a A, b B) Pair[A, B] { return Pair[A, B]{a, b} }

// Swap swaps two values.
func Swap(p Pair[string, int]) Pair[int, string] {
	return Pair[int, string]{p.Second, p.First}
}

var quotes = strings.NewReplacer(`"`, "'")

var _ = quotes
var _ esc.Values
