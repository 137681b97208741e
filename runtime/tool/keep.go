package tool

import (
	"cmp"
	"fmt"
	"reflect"
	"strconv"
)

// access is what a call has to do with the scope of its context.
type access struct {
	scope *Scope
	read  bool   // there are variables among the arguments
	name  string // of the result, if it was given one
	kept  int    // variables that hold parts of the result
}

// scope returns the scope of the call, nil if there is none.
func (c *Call) scope() *Scope {
	if c.access == nil {
		return nil
	}
	return c.access.scope
}

// use lets the call run, or run again, in a scope, or in none if it is nil.
func (c *Call) use(s *Scope) {
	switch {
	case s == nil:
		c.access = nil
	case c.scope() == s:
		c.access.read, c.access.kept = false, 0
	default:
		c.access = &access{scope: s}
	}
}

// reserve gives a result that will be a variable of s its name. Of calls that run
// together, each has its own that way whichever ends first.
func (c *Call) reserve(s *Scope) {
	if yields := c.tool.peculiar().yields; s != nil && yields != "" {
		c.access = &access{scope: s, name: s.name(yields)}
	}
}

// keep puts a result, or a part of one, into the scope. Its type is t.
func (c *Call) keep(x any, t reflect.Type, description string) (name string, err error) {
	a := c.access
	if a == nil {
		return "", &ScopeError{Err: fmt.Errorf("a result of type %s is no JSON, and there is no scope to keep it in", t)}
	}
	if a.name == "" {
		a.name = a.scope.name(cmp.Or(c.tool.peculiar().yields, "value"))
	}
	a.kept++
	name = a.name
	if a.kept > 1 {
		name += "." + strconv.Itoa(a.kept)
	}
	return name, a.scope.set(name, x, description)
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
	name, err := e.call.keep(x, t, description)
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
