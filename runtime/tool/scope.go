package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/aiongen/aiongen/runtime/internal/reference"
)

// Scope holds variables: named Go values that tools take and return although JSON cannot represent them. In place of
// the value, a model writes a reference, which is the string "<<var:name>>". A string that only looks like a
// reference is written with one more <, as in "<<<var:name>>". A call uses the scope of its context; see
// [WithScope]. A scope is safe for concurrent use. It exists only in this process.
type Scope struct {
	refersToValues bool

	mu        sync.RWMutex
	variables map[string]*variable
	setCount  int            // number of times that variables were set
	counters  map[string]int // last number in a generated name, by the stem of the name
	closed    bool
}

// variable is a named value in a scope.
type variable struct {
	name        string
	value       any
	description string
	setIndex    int      // setCount of the scope when the value was set
	history     []string // descriptions of earlier values
}

const (
	maxVariables   = 1000
	maxHistory     = 100 // descriptions in the history of one variable
	maxDescription = 300 // characters
)

// ScopeOption configures a [Scope].
type ScopeOption func(*Scope)

// ReferToValues allows a model to pass a variable for any argument, even if JSON can represent the value.
func ReferToValues() ScopeOption { return func(s *Scope) { s.refersToValues = true } }

// NewScope returns a scope without variables.
func NewScope(options ...ScopeOption) *Scope {
	s := new(Scope)
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

// ScopeFrom returns the scope of a context, or nil if it has none.
func ScopeFrom(ctx context.Context) *Scope {
	s, _ := ctx.Value(scopeKey{}).(*Scope)
	return s
}

// Set sets a variable. It does not close an earlier value. A name has 1 to 64 letters, digits, hyphens, dots and
// underscores. Set returns a [*ScopeError] if the name is invalid, the value is nil, the scope has 1000 other
// variables already, or it is closed.
func (s *Scope) Set(name string, value any) error {
	switch {
	case !reference.IsName(name):
		return &ScopeError{name, errors.New("a name has 1 to 64 letters, digits, hyphens, dots and underscores")}
	case value == nil:
		return &ScopeError{name, errors.New("the value is nil")}
	}
	description := describeValue(value) // outside the lock, because Describe may use the scope
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.setLocked(name, value, description)
}

// ScopeValue returns the value of a variable. It returns a [*ScopeError] if the variable does not exist or is
// not a T.
func ScopeValue[T any](s *Scope, name string) (T, error) {
	value, ok := s.lookupVariable(name)
	x, fits := value.(T)
	switch {
	case !ok:
		return x, &ScopeError{name, errors.New("there is no variable with this name")}
	case !fits:
		return x, &ScopeError{name, fmt.Errorf("its value has type %T", value)}
	}
	return x, nil
}

// Delete removes a variable, if there is one. Its value is not closed.
func (s *Scope) Delete(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.variables, name)
}

// Names returns the names of all variables, sorted.
func (s *Scope) Names() []string { return s.matchingNames(func(any) bool { return true }) }

// History returns the descriptions of the last 100 earlier values of a variable, the oldest first. The scope does
// not keep these values.
func (s *Scope) History(name string) []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if v := s.variables[name]; v != nil {
		return slices.Clone(v.history)
	}
	return nil
}

// Close removes all variables. It closes each value that implements [io.Closer] once, in the reverse order of Set,
// and returns all errors, joined. A closed scope accepts no variables.
func (s *Scope) Close() error {
	s.mu.Lock()
	variables := slices.Collect(maps.Values(s.variables))
	clear(s.variables)
	s.closed = true
	s.mu.Unlock() // the Close methods of values may use the scope
	slices.SortStableFunc(variables, func(a, b *variable) int { return b.setIndex - a.setIndex })

	var closed []any
	var failed []error
	for _, v := range variables {
		if !slices.ContainsFunc(closed, func(x any) bool { return isSameValue(x, v.value) }) {
			closed, failed = append(closed, v.value), append(failed, closeValue(v.name, v.value))
		}
	}
	return errors.Join(failed...)
}

// inputSchema returns the schema of the arguments for a call in s, which may be nil.
func (d Definition) inputSchema(s *Scope) json.RawMessage {
	if s != nil && s.refersToValues {
		return admitReferences(d.Input)
	}
	return d.Input
}

// lookupVariable returns the value of a variable and reports whether it exists.
func (s *Scope) lookupVariable(name string) (value any, ok bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	v, ok := s.variables[name]
	if !ok {
		return nil, false
	}
	return v.value, true
}

// matchingNames returns the names of the variables whose values match, sorted.
func (s *Scope) matchingNames(matches func(any) bool) []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var names []string
	for name, v := range s.variables {
		if matches(v.value) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// checkRoom returns an error if the scope accepts no further variable.
func (s *Scope) checkRoom() error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.checkRoomLocked()
}

func (s *Scope) checkRoomLocked() error {
	switch {
	case s.closed:
		return errors.New("the scope is closed")
	case len(s.variables) >= maxVariables:
		return fmt.Errorf("the scope already has %d variables", maxVariables)
	}
	return nil
}

func (s *Scope) setLocked(name string, value any, description string) error {
	v := s.variables[name]
	if err := s.checkRoomLocked(); err != nil && (v == nil || s.closed) {
		return &ScopeError{name, err}
	}
	switch v {
	case nil:
		v = &variable{name: name}
		if s.variables == nil {
			s.variables = map[string]*variable{}
		}
		s.variables[name] = v
	default:
		v.history = append(v.history, v.description)
		v.history = v.history[max(0, len(v.history)-maxHistory):]
	}
	s.setCount++
	v.value, v.description, v.setIndex = value, description, s.setCount
	return nil
}

// storeResult stores a value in a new variable. Its name is the reserved one, or a generated name
// with the given stem if no name is reserved or a variable with that name exists. storeResult
// returns the name, and the description from describeValue. If the value cannot be stored, it is
// closed, unless another variable has it.
func (s *Scope) storeResult(reserved, stem string, value any) (name, description string, err error) {
	description = describeValue(value)
	s.mu.Lock()
	if name = reserved; name == "" || s.variables[name] != nil {
		name = s.generateNameLocked(stem)
	}
	err = s.setLocked(name, value, description)
	discard := err != nil && !s.holdsLocked(value)
	s.mu.Unlock()
	if discard {
		_ = closeValue(name, value) // err takes precedence over an error of Close
	}
	return name, description, err
}

// holdsLocked reports whether a variable has the value.
func (s *Scope) holdsLocked(value any) bool {
	for _, v := range s.variables {
		if isSameValue(v.value, value) {
			return true
		}
	}
	return false
}

// generateNameLocked returns an unused name, made of the stem and a number.
func (s *Scope) generateNameLocked(stem string) string {
	if s.counters == nil {
		s.counters = map[string]int{}
	}
	for {
		s.counters[stem]++
		name := stem + "_" + strconv.Itoa(s.counters[stem])
		if _, taken := s.variables[name]; !taken {
			return name
		}
	}
}

// closeValue closes the value of a variable if it is an io.Closer.
func closeValue(name string, value any) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &ScopeError{name, fmt.Errorf("its method Close panicked: %v", p)}
		}
	}()
	if c, ok := value.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// isSameValue reports whether two values are comparable and equal.
func isSameValue(a, b any) bool {
	return reflect.ValueOf(a).Comparable() && reflect.ValueOf(b).Comparable() && a == b
}

// describeValue returns the result of the value's method Describe() string, cut to maxDescription,
// or "" if there is no such method. It does not show fields of the value, because they may be
// secret.
func describeValue(value any) string {
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
	return strings.ToValidUTF8(text, "\uFFFD")
}
