package corpus

import (
	"context"

	"github.com/aiongen/aiongen/testdata/golden/corpus/other"
)

// Page is a part of a list.
type Page[T any] struct {
	Items []T  `json:"items"`
	Next  *int `json:"next,omitempty"`
}

// PageOfInt takes a page of integers.
func PageOfInt(ctx context.Context, v Page[int]) Page[int] { return pass(ctx, v) }

// PageOfPages takes a page of pages.
func PageOfPages(ctx context.Context, v Page[Page[Color]]) Page[Page[Color]] { return pass(ctx, v) }

// Pair is two values.
type Pair[A, B any] struct {
	First  A `json:"first"`
	Second B `json:"second"`
}

// PairOf takes a pair.
func PairOf(ctx context.Context, v Pair[string, Pair[bool, []int8]]) Pair[string, Pair[bool, []int8]] {
	return pass(ctx, v)
}

// Set is a generic map.
type Set[K ~string] map[K]struct{}

// SetOf takes a set.
func SetOf(ctx context.Context, v Set[UserID]) Set[UserID] { return pass(ctx, v) }

// Table is a generic alias.
type Table[V any] = map[string][]V

// TableOf takes a table.
func TableOf(ctx context.Context, v Table[float32]) Table[float32] { return pass(ctx, v) }

// Tree holds a list of itself.
type Tree struct {
	Name     string `json:"name"`
	Children []Tree `json:"children,omitempty"`
}

// RecursiveSlice takes a Tree.
func RecursiveSlice(ctx context.Context, v Tree) Tree { return pass(ctx, v) }

// Chain holds a pointer to itself.
type Chain struct {
	Value int    `json:"value"`
	Next  *Chain `json:"next"`
}

// RecursivePointer takes a Chain.
func RecursivePointer(ctx context.Context, v *Chain) *Chain { return pass(ctx, v) }

// Trie is a map of itself.
type Trie map[string]Trie

// RecursiveMap takes a Trie.
func RecursiveMap(ctx context.Context, v Trie) Trie { return pass(ctx, v) }

// Lists is a list of itself.
type Lists []Lists

// RecursiveList takes Lists.
func RecursiveList(ctx context.Context, v Lists) Lists { return pass(ctx, v) }

// Expr and Term hold each other.
type (
	Expr struct {
		Terms []Term `json:"terms"`
	}
	Term struct {
		Factor int   `json:"factor"`
		Inner  *Expr `json:"inner,omitempty"`
	}
)

// MutuallyRecursive takes an Expr.
func MutuallyRecursive(ctx context.Context, v Expr) Expr { return pass(ctx, v) }

// Branch is a generic type that holds itself.
type Branch[T any] struct {
	Value T          `json:"value"`
	Left  *Branch[T] `json:"left,omitempty"`
	Right *Branch[T] `json:"right,omitempty"`
}

// Forest has recursive types of one name: of two packages, and instances of one
// generic type.
type Forest struct {
	Tree    Tree          `json:"tree"`
	Other   other.Tree    `json:"other"`
	Numbers Branch[int]   `json:"numbers"`
	Colors  Branch[Color] `json:"colors"`
}

// RecursiveTwins takes a Forest.
func RecursiveTwins(ctx context.Context, v Forest) Forest { return pass(ctx, v) }

// Größe has a name beyond ASCII, and holds itself.
type Größe struct {
	Länge int     `json:"länge"`
	Teile []Größe `json:"teile"`
}

// RecursiveUnicode takes a Größe.
func RecursiveUnicode(ctx context.Context, v Größe) Größe { return pass(ctx, v) }
