// Package registrymap provides a map for many readers and few writers. Readers do not lock: each
// change publishes a new copy.
package registrymap

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/aiongen/aiongen/internal/words"
)

// Map holds values by name. It is safe for concurrent use.
type Map[T any] struct {
	mu      sync.Mutex // held while the map changes
	current atomic.Pointer[contents[T]]
}

// contents is an immutable version of a map.
type contents[T any] struct {
	values  map[string]T
	changed chan struct{} // closed when there is a newer version
}

// New returns an empty map.
func New[T any]() *Map[T] {
	s := new(Map[T])
	s.current.Store(&contents[T]{map[string]T{}, make(chan struct{})})
	return s
}

// Change calls by with a copy of the map that has room for more further entries, and publishes the copy
// unless by returns an error.
func (s *Map[T]) Change(more int, by func(things map[string]T) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.current.Load().values
	things := make(map[string]T, len(old)+more)
	maps.Copy(things, old)
	if err := by(things); err != nil {
		return err
	}
	close(s.current.Swap(&contents[T]{things, make(chan struct{})}).changed)
	return nil
}

// Changed returns a channel that is closed with the next change.
func (s *Map[T]) Changed() <-chan struct{} { return s.current.Load().changed }

// View is a map with a selection of its names and with namings for new entries.
type View[T any] struct {
	*Map[T]
	only    map[string]bool // the visible names; nil for all
	namings []Naming        // applied in order to the names of new entries
}

// Naming renames new entries: first those in Names, then all get the prefix.
type Naming struct {
	Prefix string
	Names  map[string]string
}

// UnknownNameError reports that there is no value with a name.
type UnknownNameError struct {
	Name    string
	Nearest []string // similar names
}

// Find returns the value with a name, or the zero T if there is none.
func (v View[T]) Find(name string) (thing T) {
	if v.only != nil && !v.only[name] {
		return thing
	}
	return v.current.Load().values[name]
}

// Names returns the visible names, sorted.
func (v View[T]) Names() []string {
	there := v.current.Load().values
	if v.only == nil {
		return slices.Sorted(maps.Keys(there))
	}
	var names []string
	for name := range v.only {
		if _, ok := there[name]; ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// UnknownName returns the error for a name without a value.
func (v View[T]) UnknownName(name string) *UnknownNameError {
	return &UnknownNameError{name, words.Near(name, v.Names())}
}

// Select returns a view of the named values, including later replacements. Each must exist.
func (v View[T]) Select(names []string) (View[T], *UnknownNameError) {
	there := v.current.Load().values
	only := make(map[string]bool, len(names))
	for _, name := range names {
		if _, ok := there[name]; !ok || v.only != nil && !v.only[name] {
			return View[T]{}, v.UnknownName(name)
		}
		only[name] = true
	}
	v.only = only
	return v, nil
}

// With returns a view that applies n to new entries before the namings of v.
func (v View[T]) With(n Naming) View[T] {
	v.namings = append([]Naming{n}, v.namings...)
	return v
}

// Rename returns things under the names that the view gives to new entries. It also returns a name that the
// view renames although no thing has it, nil if there is none.
func Rename[T, U any](v View[T], things []U, name func(U) string, called func(U, string) U) ([]U, *UnknownNameError) {
	if len(v.namings) == 0 {
		return things, nil
	}
	names := make([]string, len(things))
	for i, thing := range things {
		names[i] = name(thing)
	}
	names, unknown := v.applyNamings(names)
	renamed := make([]U, len(things))
	for i, thing := range things {
		renamed[i] = called(thing, names[i])
	}
	return renamed, unknown
}

// applyNamings returns the names after all namings, and a name that is renamed although it is not among them,
// nil if there is none.
func (v View[T]) applyNamings(names []string) (renamed []string, unknown *UnknownNameError) {
	for _, n := range v.namings {
		for _, name := range slices.Sorted(maps.Keys(n.Names)) {
			if unknown == nil && !slices.Contains(names, name) {
				unknown = &UnknownNameError{name, words.Near(name, names)}
			}
		}
		renamed = make([]string, len(names))
		for i, name := range names {
			if other, ok := n.Names[name]; ok {
				name = other
			}
			renamed[i] = n.Prefix + name
		}
		names = renamed
	}
	return names, unknown
}
