// Package stock keeps things by name, for many who look and few who change what there
// is: who looks takes no lock.
package stock

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/aiongen/aiongen/internal/words"
)

// Stock holds things by name. It is safe for concurrent use.
type Stock[T any] struct {
	mu      sync.Mutex // held while the things change
	current atomic.Pointer[contents[T]]
}

// contents is what a stock holds until it changes.
type contents[T any] struct {
	things  map[string]T
	changed chan struct{} // closed when there are others
}

// New returns a stock with nothing in it.
func New[T any]() *Stock[T] {
	s := new(Stock[T])
	s.current.Store(&contents[T]{map[string]T{}, make(chan struct{})})
	return s
}

// Change lets a function change a copy of what there is, to which so many may come;
// that is then what there is, unless the function fails.
func (s *Stock[T]) Change(more int, by func(things map[string]T) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.current.Load().things
	things := make(map[string]T, len(old)+more)
	maps.Copy(things, old)
	if err := by(things); err != nil {
		return err
	}
	close(s.current.Swap(&contents[T]{things, make(chan struct{})}).changed)
	return nil
}

// Changed returns a channel that is closed with the next change.
func (s *Stock[T]) Changed() <-chan struct{} { return s.current.Load().changed }

// View is a stock as somebody sees it.
type View[T any] struct {
	*Stock[T]
	only    map[string]bool // what there is to see; nil for all
	namings []Naming        // what things are called that come in by it
}

// Naming gives things other names: those of the map theirs, and then all a prefix.
type Naming struct {
	Prefix string
	Names  map[string]string
}

// Unknown says that there is nothing of a name.
type Unknown struct {
	Name    string
	Nearest []string // names that may have been meant
}

// Find returns what has a name, the zero T if nothing has.
func (v View[T]) Find(name string) (thing T) {
	if v.only != nil && !v.only[name] {
		return thing
	}
	return v.current.Load().things[name]
}

// Names returns the names of all that there is, sorted.
func (v View[T]) Names() []string {
	there := v.current.Load().things
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

// Unknown says that there is nothing of a name.
func (v View[T]) Unknown(name string) *Unknown { return &Unknown{name, words.Near(name, v.Names())} }

// Select returns a view of the named things alone, whatever becomes of them later; each
// must be there.
func (v View[T]) Select(names []string) (View[T], *Unknown) {
	there := v.current.Load().things
	only := make(map[string]bool, len(names))
	for _, name := range names {
		if _, ok := there[name]; !ok || v.only != nil && !v.only[name] {
			return View[T]{}, v.Unknown(name)
		}
		only[name] = true
	}
	v.only = only
	return v, nil
}

// With returns a view that gives what comes in by it another name before this one does.
func (v View[T]) With(n Naming) View[T] {
	v.namings = append([]Naming{n}, v.namings...)
	return v
}

// Rename returns things under the names that a view gives them that they come in by, and
// which of them is to be renamed and not there, nil if none is.
func Rename[T, U any](v View[T], things []U, name func(U) string, called func(U, string) U) ([]U, *Unknown) {
	if len(v.namings) == 0 {
		return things, nil
	}
	names := make([]string, len(things))
	for i, thing := range things {
		names[i] = name(thing)
	}
	names, unknown := v.called(names)
	renamed := make([]U, len(things))
	for i, thing := range things {
		renamed[i] = called(thing, names[i])
	}
	return renamed, unknown
}

// called returns what things of these names are called that come in by the view, and
// which of them is to be renamed and not there, nil if none is.
func (v View[T]) called(names []string) (called []string, unknown *Unknown) {
	for _, n := range v.namings {
		for _, name := range slices.Sorted(maps.Keys(n.Names)) {
			if unknown == nil && !slices.Contains(names, name) {
				unknown = &Unknown{name, words.Near(name, names)}
			}
		}
		called = make([]string, len(names))
		for i, name := range names {
			if other, ok := n.Names[name]; ok {
				name = other
			}
			called[i] = n.Prefix + name
		}
		names = called
	}
	return names, unknown
}
