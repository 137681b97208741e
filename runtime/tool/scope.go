package tool

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/aiongen/aiongen/runtime/tool/internal/refer"
	"github.com/aiongen/aiongen/runtime/tool/internal/store"
)

// Scope holds Go values by name, for tools to take and return what JSON cannot
// carry: where a model means one, it writes a reference, <<var:name>>, as the
// whole string. Text of that form is written with one more <, as <<<var:name>>.
// A call uses the scope that its context carries; see [WithScope]. It is safe
// for concurrent use, and lives in one process.
type Scope struct {
	refersToValues bool
	variables      store.Variables
}

// ScopeOption sets up a [Scope].
type ScopeOption func(*Scope)

// ReferToValues lets a model refer to variables instead of writing values.
func ReferToValues() ScopeOption { return func(s *Scope) { s.refersToValues = true } }

// NewScope returns a scope without variables.
func NewScope(options ...ScopeOption) *Scope {
	s := &Scope{variables: store.Variables{Fail: func(name string, err error) error { return &ScopeError{name, err} }}}
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
// letters, digits, hyphens, dots and underscores. The error is a [*ScopeError]: of
// another name, of nil, of more than 1000 variables, of a closed scope.
func (s *Scope) Set(name string, value any) error { return s.variables.Set(name, value) }

// Get returns the value of a variable that is a T, else a [*ScopeError].
func Get[T any](s *Scope, name string) (T, error) {
	value, ok := s.variables.Lookup(name)
	x, fits := value.(T)
	switch {
	case !ok:
		return x, &ScopeError{name, errors.New("there is none of this name")}
	case !fits:
		return x, &ScopeError{name, fmt.Errorf("it is of type %T", value)}
	}
	return x, nil
}

// Delete removes a variable, if there is one. Its value is not closed.
func (s *Scope) Delete(name string) { s.variables.Delete(name) }

// Names returns the names of all variables, sorted.
func (s *Scope) Names() []string { return s.variables.Names() }

// History returns the descriptions of the values that a variable had before, the oldest
// first, at most the last 100. The values are not kept.
func (s *Scope) History(name string) []string { return s.variables.History(name) }

// Close removes all variables and closes those that are an [io.Closer], each value
// once, the last first. It returns all their errors. The scope takes no variables any
// more.
func (s *Scope) Close() error { return s.variables.Close() }

// store returns where the variables are, nil if there is no scope.
func (s *Scope) store() *store.Variables {
	if s == nil {
		return nil
	}
	return &s.variables
}

// input returns the schema of the arguments in a scope, which may be nil.
func (d Definition) input(s *Scope) json.RawMessage {
	if s != nil && s.refersToValues {
		return refer.Admit(d.Input)
	}
	return d.Input
}

// variables are what generated code takes from the scope in a run, and keeps there.
type variables struct {
	store.Access
	tool *mounted // that runs
}

// Keep puts a result, or a part of one, into the scope.
func (v *variables) Keep(x any, t reflect.Type) (name, description string, err error) {
	yields := v.tool.peculiar().demand.Yields
	switch {
	case v.Variables != nil:
		return v.Access.Keep(cmp.Or(yields, "value"), x)
	case yields != "":
		return "", "", nil
	}
	return "", "", &ScopeError{Err: fmt.Errorf("a result of type %s is no JSON, and there is no scope to keep it in", t)}
}
