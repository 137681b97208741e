package tool

import (
	"cmp"
	"fmt"
	"reflect"
	"strconv"
)

// access is what a run of a call has to do with the scope of its context.
type access struct {
	scope *Scope // nil if there is none
	read  bool   // there are variables among the arguments
	name  string // that is meant for the result
	kept  int    // variables that hold parts of the result
}

// of returns what a run in a scope begins with: a, if that is the scope that it was
// made for.
func (a *access) of(s *Scope) access {
	if a != nil && a.scope == s {
		return *a
	}
	return access{scope: s}
}

// reserve means a name for a result that will be a variable of s. Of calls that
// run together, each has its own that way whichever ends first.
func (c *Call) reserve(s *Scope) {
	if yields := c.tool.peculiar().yields; s != nil && yields != "" {
		c.meant = &access{scope: s, name: s.variables.Free(yields)}
	}
}

// variables are those of a run: what generated code takes from the scope, and
// keeps there.
type variables Invocation

func (v *variables) Lookup(name string) (any, bool) { return v.access.scope.variables.Lookup(name) }
func (v *variables) Fitting(fits func(any) bool) []string {
	return v.access.scope.variables.Fitting(fits)
}

// Keep puts a result, or a part of one, into the scope.
func (v *variables) Keep(x any, t reflect.Type) (name, description string, err error) {
	a := &v.access
	switch {
	case a.scope == nil && v.tool.peculiar().yields != "":
		return "", "", nil
	case a.scope == nil:
		return "", "", &ScopeError{Err: fmt.Errorf("a result of type %s is no JSON, and there is no scope to keep it in", t)}
	}
	if name = a.name; a.kept > 0 && name != "" {
		name += "." + strconv.Itoa(a.kept+1)
	}
	name, description, err = a.scope.variables.Keep(name, cmp.Or(v.tool.peculiar().yields, "value"), x)
	if a.kept++; a.kept == 1 {
		a.name = name
	}
	return name, description, err
}
