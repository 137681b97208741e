package store

import (
	"errors"
	"slices"
	"strconv"
)

// Demand is what a tool needs of a store.
type Demand struct {
	Store  bool                   // it needs one, and of that:
	Fits   []func(value any) bool // a variable for each
	Yields string                 // what names of results begin with that JSON cannot carry; "" if there are none
}

// Met reports whether the store, nil if there is none, has what is needed.
func (d Demand) Met(s *Variables) bool {
	if s == nil {
		return !d.Store
	}
	return !slices.ContainsFunc(d.Fits, func(fits func(any) bool) bool { return len(s.Fitting(fits)) == 0 })
}

// Missing returns what else than variables to read is needed that the store, nil if
// there is none, does not have.
func (d Demand) Missing(s *Variables) error {
	switch {
	case s == nil && d.Store && d.Yields != "":
		return errors.New("there is no scope to keep the result in: the context needs one, by tool.WithScope")
	case s == nil && d.Store:
		return ErrNone
	case s != nil && d.Yields != "":
		return s.full()
	}
	return nil
}

// ErrNone says that there is no store.
var ErrNone = errors.New("there is no scope: the context needs one, by tool.WithScope")

// Access is what one run of a call has to do with a store.
type Access struct {
	*Variables        // nil if there is none
	Read       bool   // there are variables among the arguments
	name       string // that is meant for the result
	kept       int    // variables that hold parts of the result
}

// Reserve means a name for a result, by its stem. Of calls that run together, each has
// its own that way whichever ends first.
func (s *Variables) Reserve(stem string) *Access {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &Access{Variables: s, name: s.free(stem)}
}

// To returns what a run with a store begins with: a, if that is the store that it was
// made for.
func (a *Access) To(s *Variables) Access {
	if a != nil && a.Variables == s {
		return *a
	}
	return Access{Variables: s}
}

// Keep puts a result, or a part of one, into the store, under the name that was meant
// for it or else one by the stem. It returns the name, and what the value says of
// itself.
func (a *Access) Keep(stem string, value any) (name, description string, err error) {
	if name = a.name; a.kept > 0 && name != "" {
		name += "." + strconv.Itoa(a.kept+1)
	}
	name, description, err = a.keep(name, stem, value)
	if a.kept++; a.kept == 1 {
		a.name = name
	}
	return name, description, err
}
