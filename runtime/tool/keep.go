package tool

import (
	"cmp"
	"fmt"
	"reflect"
	"strconv"
)

// access is what a run of a call has to do with the scope of its context.
type access struct {
	scope *Scope
	read  bool   // there are variables among the arguments
	name  string // that is meant for the result
	kept  int    // variables that hold parts of the result
}

// of returns what a run in a scope begins with, nil if it is in none; a is that
// of the first.
func (a *access) of(s *Scope) *access {
	switch {
	case s == nil:
		return nil
	case a != nil && a.scope == s:
		return &access{scope: s, name: a.name}
	}
	return &access{scope: s}
}

// reserve means a name for a result that will be a variable of s. Of calls that
// run together, each has its own that way whichever ends first.
func (c *Call) reserve(s *Scope) {
	if yields := c.tool.peculiar().yields; s != nil && yields != "" {
		c.in.access = &access{scope: s, name: s.name(yields)}
	}
}

// keep puts a result, or a part of one, into the scope. Its type is t.
func (in *Invocation) keep(x any, t reflect.Type, description string) (name string, err error) {
	a := in.access
	if a == nil {
		return "", &ScopeError{Err: fmt.Errorf("a result of type %s is no JSON, and there is no scope to keep it in", t)}
	}
	if name = a.name; a.kept > 0 && name != "" {
		name += "." + strconv.Itoa(a.kept+1)
	}
	name, err = a.scope.keep(name, cmp.Or(in.call.tool.peculiar().yields, "value"), x, description)
	if a.kept++; a.kept == 1 {
		a.name = name
	}
	return name, err
}

// EncodeRef keeps x, which JSON cannot carry, in the scope of the call, and
// writes a reference to it; nil is null.
func EncodeRef[T any](e *Encoder, lead string, x T) { e.ref(lead, x, reflect.TypeFor[T]()) }

func (e *Encoder) ref(lead string, x any, t reflect.Type) {
	if isNil(x) {
		e.Null(lead)
		return
	}
	if !e.begin(lead) {
		return
	}
	description := describe(x)
	name, err := e.run.keep(x, t, description)
	if err != nil {
		e.fail(err)
		return
	}
	e.b = append(e.b, '{')
	e.Str(`,"ref":`, refOpen+name+refClose)
	e.Str(`,"type":`, t.String())
	if description != "" {
		e.Str(`,"description":`, description)
	}
	e.Raw("}")
}

func isNil(x any) bool {
	v := reflect.ValueOf(x)
	switch v.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Chan, reflect.Func, reflect.Map, reflect.Pointer, reflect.Slice, reflect.UnsafePointer:
		return v.IsNil()
	}
	return false
}
