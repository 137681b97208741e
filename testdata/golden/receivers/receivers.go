// Package receivers has tools that are methods of all kinds of types.
package receivers

import (
	"context"
	"fmt"
	"net/url"
	"strings"
)

// Cache holds values by name.
type Cache[K comparable, V any] struct{ values map[K]V }

// Get gets a value.
//   - key: its name
func (c *Cache[K, V]) Get(key K) (V, error) {
	v, ok := c.values[key]
	if !ok {
		return v, fmt.Errorf("there is no %v", key)
	}
	return v, nil
}

// Put puts a value in.
func (c Cache[K, V]) Put(key K, value V) { c.values[key] = value }

// Counts is an instance.
type Counts = Cache[string, int]

// List is a generic alias.
type List[T any] = []T

// Sum adds up a list.
func Sum(list List[int]) (sum int) {
	for _, n := range list {
		sum += n
	}
	return sum
}

// Finder finds.
type Finder interface {
	// Find finds a thing.
	//   - name: what it is called
	Find(ctx context.Context, name string) (string, error)
}

// Closer closes what is open.
type Closer interface {
	Close(name string) error // closes a thing
}

// Desk is made of interfaces.
type Desk interface {
	Finder
	Closer
	fmt.Stringer
}

// Front embeds what promotes methods.
type Front struct {
	*strings.Replacer
	Desk
	back
}

type back struct{ list List[string] }

// Names lists all names.
func (b *back) Names() List[string] { return b.list }

// Number is no struct.
type Number int

// Add adds.
func (n Number) Add(to int) int { return int(n) + to }

// URL has the name of another type.
type URL struct{}

// Parse parses.
func (*URL) Parse(s string) string { return s }

// Base is a URL to begin with.
var Base = url.URL{Scheme: "https", Host: "example.com"}

// Pointer is an alias of a pointer.
type Pointer = *back

// Handler is a type of functions.
type Handler func(ctx context.Context, name string) (string, error)

// Greet greets.
var Greet Handler = func(_ context.Context, name string) (string, error) { return "hello " + name, nil }

// Desks is a variable whose methods are tools.
var Desks Desk

// NewBack returns a back with a name.
func NewBack(name string) *back { return &back{List[string]{name}} }
