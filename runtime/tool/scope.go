package tool

import (
	"context"
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

	"github.com/aiongen/aiongen/runtime/wire"
)

// Scope holds Go values by name, for tools to take and return what JSON cannot
// carry: where a model means one, it writes a reference, <<var:name>>, as the
// whole string. Text of that form is written with one more <, as <<<var:name>>.
// A call uses the scope that its context carries; see [WithScope]. It is safe
// for concurrent use, and lives in one process.
type Scope struct {
	refersToValues bool

	mu       sync.RWMutex
	vars     map[string]*variable
	sets     int            // how often a variable was set
	counters map[string]int // of names that were given, by their stem
	closed   bool
}

type variable struct {
	value       any
	description string
	set         int      // counts the values of the scope up to it
	history     []string // descriptions of the values that it had before
}

const (
	maxVariables   = 1000
	maxHistory     = 100 // descriptions that are kept of one variable
	maxDescription = 300 // characters
)

// ScopeOption sets up a [Scope].
type ScopeOption func(*Scope)

// ReferToValues lets a model refer to variables also where it could write their
// value.
func ReferToValues() ScopeOption {
	return func(s *Scope) { s.refersToValues = true }
}

// NewScope returns a scope without variables.
func NewScope(options ...ScopeOption) *Scope {
	s := &Scope{vars: map[string]*variable{}, counters: map[string]int{}}
	for _, option := range options {
		option(s)
	}
	return s
}

type scopeKey struct{}

// WithScope returns a context whose calls use s.
func WithScope(ctx context.Context, s *Scope) context.Context {
	return context.WithValue(ctx, scopeKey{}, s)
}

// ScopeFrom returns the scope that a context carries, nil if it has none.
func ScopeFrom(ctx context.Context) *Scope {
	s, _ := ctx.Value(scopeKey{}).(*Scope)
	return s
}

// Set gives a variable a value; one that it had is not closed. A name has 1 to 64
// letters, digits, hyphens, dots and underscores. The error is a [*ScopeError]:
// of another name, of nil, of a variable beyond the first 1000, or of a scope that
// is closed.
func (s *Scope) Set(name string, value any) error {
	switch {
	case !wire.IsVariable(name):
		return &ScopeError{name, errors.New("a name has 1 to 64 letters, digits, hyphens, dots and underscores")}
	case value == nil:
		return &ScopeError{name, errors.New("nil is no value")}
	}
	description := describe(value) // which may use the scope
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.set(name, value, description)
}

// set is Set under the lock.
func (s *Scope) set(name string, value any, description string) error {
	v := s.vars[name]
	switch {
	case s.closed:
		return &ScopeError{name, errors.New("the scope is closed")}
	case v == nil && len(s.vars) >= maxVariables:
		return &ScopeError{name, fmt.Errorf("the scope holds %d variables already", maxVariables)}
	case v == nil:
		v = &variable{}
		s.vars[name] = v
	default:
		v.history = append(v.history, v.description)
		v.history = v.history[max(0, len(v.history)-maxHistory):]
	}
	s.sets++
	v.value, v.description, v.set = value, description, s.sets
	return nil
}

// keep gives a result to a variable: that of the name that is meant for it, or
// where there is one already, one that is named by the stem and a number. A result
// that cannot be kept is closed, as it would be later, unless a variable holds it.
func (s *Scope) keep(name, stem string, value any, description string) (string, error) {
	s.mu.Lock()
	if name == "" || s.vars[name] != nil {
		name = s.free(stem)
	}
	err := s.set(name, value, description)
	lost := err != nil && !s.holds(value)
	s.mu.Unlock()
	if lost {
		_ = closeValue(name, value) // there is an error already
	}
	return name, err
}

// holds reports whether a variable has the value, under the lock.
func (s *Scope) holds(value any) bool {
	for _, v := range s.vars {
		if isOne(v.value, value) {
			return true
		}
	}
	return false
}

// Get returns the value of a variable as a T. The error is a [*ScopeError], if
// there is no such variable or it is no T.
func Get[T any](s *Scope, name string) (T, error) {
	value, ok := s.lookup(name)
	x, fits := value.(T)
	switch {
	case !ok:
		return x, &ScopeError{name, errors.New("there is none of this name")}
	case !fits:
		return x, &ScopeError{name, fmt.Errorf("it is of type %T", value)}
	}
	return x, nil
}

func (s *Scope) lookup(name string) (value any, ok bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	v, ok := s.vars[name]
	if !ok {
		return nil, false
	}
	return v.value, true
}

// Delete removes a variable, if there is one. Its value is not closed.
func (s *Scope) Delete(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.vars, name)
}

// Names returns the names of all variables, sorted.
func (s *Scope) Names() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Sorted(maps.Keys(s.vars))
}

// History returns the descriptions of the values that a variable had before the
// one it has, the oldest first, at most the last 100. The values are not kept.
func (s *Scope) History(name string) []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if v := s.vars[name]; v != nil {
		return slices.Clone(v.history)
	}
	return nil
}

// Close removes all variables and closes those that are an [io.Closer], each value
// once, the one that was set last first. It returns all their errors, a panic as a
// [*ScopeError]. The scope takes no variables any more.
func (s *Scope) Close() error {
	s.mu.Lock()
	names := slices.SortedFunc(maps.Keys(s.vars), func(a, b string) int { return s.vars[b].set - s.vars[a].set })
	vars := maps.Clone(s.vars)
	clear(s.vars)
	s.closed = true
	s.mu.Unlock() // what is closed may use the scope

	var closed []any
	var failed []error
	for _, name := range names {
		value := vars[name].value
		if !slices.ContainsFunc(closed, func(x any) bool { return isOne(x, value) }) {
			closed, failed = append(closed, value), append(failed, closeValue(name, value))
		}
	}
	return errors.Join(failed...)
}

// closeValue closes the value of a variable if it is an io.Closer.
func closeValue(name string, value any) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &ScopeError{name, fmt.Errorf("closing it panics: %v", p)}
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

// name returns a name that is still free: the stem and a number.
func (s *Scope) name(stem string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.free(stem)
}

// free is name under the lock.
func (s *Scope) free(stem string) string {
	for {
		s.counters[stem]++
		name := stem + "_" + strconv.Itoa(s.counters[stem])
		if _, taken := s.vars[name]; !taken {
			return name
		}
	}
}

// fitting returns the names of the variables whose values fit, sorted.
func (s *Scope) fitting(fits func(any) bool) []string {
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
