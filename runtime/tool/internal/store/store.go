// Package store keeps Go values by name, for the scope of tools.
package store

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/aiongen/aiongen/runtime/internal/reference"
)

// Variables hold values by name. They are safe for concurrent use; the zero Variables
// lack only Fail.
type Variables struct {
	Fail func(name string, err error) error // makes an error of what is wrong with a variable

	mu       sync.RWMutex
	vars     map[string]*variable
	sets     int            // how often a variable was set
	counters map[string]int // of names that were given, by their stem
	closed   bool
}

type variable struct {
	name        string
	value       any
	description string
	set         int      // counts the values of the store up to it
	history     []string // descriptions of the values that it had before
}

const (
	maxVariables   = 1000
	maxHistory     = 100 // descriptions that are kept of one variable
	maxDescription = 300 // characters
)

// Set gives a variable a value; one that it had is not closed. There is an error for a
// name that no reference has, for nil, for a variable beyond the first 1000, and in a
// store that is closed.
func (s *Variables) Set(name string, value any) error {
	switch {
	case !reference.IsName(name):
		return s.Fail(name, errors.New("a name has 1 to 64 letters, digits, hyphens, dots and underscores"))
	case value == nil:
		return s.Fail(name, errors.New("nil is no value"))
	}
	description := describe(value) // which may use the store
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.set(name, value, description)
}

// full returns why the store takes no further variable; nil if it does.
func (s *Variables) full() error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.isFull()
}

// isFull is full under the lock.
func (s *Variables) isFull() error {
	switch {
	case s.closed:
		return errors.New("the scope is closed")
	case len(s.vars) >= maxVariables:
		return fmt.Errorf("the scope holds %d variables already", maxVariables)
	}
	return nil
}

// set is Set under the lock.
func (s *Variables) set(name string, value any, description string) error {
	v := s.vars[name]
	if err := s.isFull(); err != nil && (v == nil || s.closed) {
		return s.Fail(name, err)
	}
	switch v {
	case nil:
		v = &variable{name: name}
		if s.vars == nil {
			s.vars = map[string]*variable{}
		}
		s.vars[name] = v
	default:
		v.history = append(v.history, v.description)
		v.history = v.history[max(0, len(v.history)-maxHistory):]
	}
	s.sets++
	v.value, v.description, v.set = value, description, s.sets
	return nil
}

// keep gives a value to the variable of the name that is meant for it, or where there
// is one already, to one that is named by the stem and a number. It returns the name,
// and what the value says of itself. A value that cannot be kept is closed, as it
// would be later, unless a variable holds it.
func (s *Variables) keep(meant, stem string, value any) (name, description string, err error) {
	description = describe(value)
	s.mu.Lock()
	if name = meant; name == "" || s.vars[name] != nil {
		name = s.free(stem)
	}
	err = s.set(name, value, description)
	lost := err != nil && !s.holds(value)
	s.mu.Unlock()
	if lost {
		_ = s.closeValue(name, value) // there is an error already
	}
	return name, description, err
}

// holds reports whether a variable has the value, under the lock.
func (s *Variables) holds(value any) bool {
	for _, v := range s.vars {
		if isOne(v.value, value) {
			return true
		}
	}
	return false
}

// Lookup returns the value of a variable, if there is one of the name.
func (s *Variables) Lookup(name string) (value any, ok bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	v, ok := s.vars[name]
	if !ok {
		return nil, false
	}
	return v.value, true
}

// Delete removes a variable, if there is one. Its value is not closed.
func (s *Variables) Delete(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.vars, name)
}

// Names returns the names of all variables, sorted.
func (s *Variables) Names() []string { return s.Fitting(func(any) bool { return true }) }

// History returns the descriptions of the values that a variable had before the one
// it has, the oldest first, at most the last 100.
func (s *Variables) History(name string) []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if v := s.vars[name]; v != nil {
		return slices.Clone(v.history)
	}
	return nil
}

// Close removes all variables and closes those that are an [io.Closer], each value
// once, the one that was set last first. It returns all their errors. The store takes
// no variables any more.
func (s *Variables) Close() error {
	s.mu.Lock()
	vars := slices.Collect(maps.Values(s.vars))
	clear(s.vars)
	s.closed = true
	s.mu.Unlock() // what is closed may use the scope
	slices.SortStableFunc(vars, func(a, b *variable) int { return b.set - a.set })

	var closed []any
	var failed []error
	for _, v := range vars {
		if !slices.ContainsFunc(closed, func(x any) bool { return isOne(x, v.value) }) {
			closed, failed = append(closed, v.value), append(failed, s.closeValue(v.name, v.value))
		}
	}
	return errors.Join(failed...)
}

// closeValue closes the value of a variable if it is an io.Closer.
func (s *Variables) closeValue(name string, value any) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = s.Fail(name, fmt.Errorf("closing it panics: %v", p))
		}
	}()
	if c, ok := value.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// isOne reports whether two values are the same, as far as they can be compared.
func isOne(a, b any) bool {
	return reflect.ValueOf(a).Comparable() && reflect.ValueOf(b).Comparable() && a == b
}

// free returns a name that no variable has yet, the stem and a number, under the lock.
func (s *Variables) free(stem string) string {
	if s.counters == nil {
		s.counters = map[string]int{}
	}
	for {
		s.counters[stem]++
		name := stem + "_" + strconv.Itoa(s.counters[stem])
		if _, taken := s.vars[name]; !taken {
			return name
		}
	}
}

// Fitting returns the names of the variables whose values fit, sorted.
func (s *Variables) Fitting(fits func(any) bool) []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var names []string
	for name, v := range s.vars {
		if fits(v.value) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// describe returns what a value says of itself, cut where long. The fields of one
// that says nothing are not shown: they may be secrets.
func describe(value any) string {
	d, ok := value.(interface{ Describe() string })
	if !ok {
		return ""
	}
	text, n := d.Describe(), 0
	for i := range text {
		if n == maxDescription {
			text = text[:i]
			break
		}
		n++
	}
	return strings.ToValidUTF8(text, string(utf8.RuneError))
}
