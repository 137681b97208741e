package tool

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
)

// scopeDemand is what a tool needs from a scope.
type scopeDemand struct {
	needsScope bool                   // the tool needs a scope
	matchers   []func(value any) bool // for each of these, the tool needs a variable that matches it
	resultStem string                 // stem of the names of variables for the result; "" if JSON can represent the result
}

// isMet reports whether s, which may be nil, satisfies the demand.
func (d scopeDemand) isMet(s *Scope) bool {
	if s == nil {
		return !d.needsScope
	}
	return !slices.ContainsFunc(d.matchers, func(fits func(any) bool) bool { return len(s.matchingNames(fits)) == 0 })
}

// checkScope returns an error if the tool needs a scope and s is nil, or if s has no room for the result. It
// does not check the variables that the tool reads.
func (d scopeDemand) checkScope(s *Scope) error {
	switch {
	case s == nil && d.needsScope && d.resultStem != "":
		return errors.New("there is no scope to keep the result in: add one to the context with tool.WithScope")
	case s == nil && d.needsScope:
		return errNoScope
	case s != nil && d.resultStem != "":
		return s.checkRoom()
	}
	return nil
}

var errNoScope = errors.New("there is no scope: add one to the context with tool.WithScope")

// scopeAccess is the access of one execution of a call to its scope.
type scopeAccess struct {
	scope        *Scope // nil if there is none
	readsOpaque  bool   // some arguments are variables or converted values, whose JSON encoding/json cannot write
	reservedName string // name for the result
	storedCount  int    // number of variables stored so far; there may be one for each part of the result
}

// reserveName reserves a name for a result. With reserved names, the names of the results of
// concurrent calls do not depend on which call ends first.
func (s *Scope) reserveName(stem string) *scopeAccess {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &scopeAccess{scope: s, reservedName: s.generateNameLocked(stem)}
}

// forRun returns the access for an execution with the scope s. If a has the same scope, it returns a copy of a, which
// may have a reserved name. Otherwise, it returns a new access. a may be nil.
func (a *scopeAccess) forRun(s *Scope) scopeAccess {
	if a != nil && a.scope == s {
		return *a
	}
	return scopeAccess{scope: s}
}

// storeResult stores a result, or a part of a result, under the reserved name if there is one, and otherwise under a
// generated name with the given stem. It returns the name, and the description from describeValue.
func (a *scopeAccess) storeResult(stem string, value any) (name, description string, err error) {
	if name = a.reservedName; a.storedCount > 0 && name != "" {
		name += "." + strconv.Itoa(a.storedCount+1)
	}
	name, description, err = a.scope.storeResult(name, stem, value)
	if a.storedCount++; a.storedCount == 1 {
		a.reservedName = name
	}
	return name, description, err
}

// runVariables gives generated code access to variables during a run. It implements [wire.Variables].
type runVariables struct {
	scopeAccess
	tool *registeredTool // the tool that runs
}

// LookupVariable returns the value of a variable and reports whether it exists.
func (v *runVariables) LookupVariable(name string) (value any, ok bool) {
	return v.scope.lookupVariable(name)
}

// MatchingNames returns the names of the variables whose values fit, sorted.
func (v *runVariables) MatchingNames(fits func(value any) bool) []string {
	return v.scope.matchingNames(fits)
}

// StoreResult stores a result, or a part of a result, in the scope.
func (v *runVariables) StoreResult(x any, t reflect.Type) (name, description string, err error) {
	stem := v.tool.traitsOrZero().demand.resultStem
	switch {
	case v.scope != nil:
		return v.storeResult(cmp.Or(stem, "value"), x)
	case stem != "":
		return "", "", nil
	}
	return "", "", &ScopeError{Err: fmt.Errorf("a result of type %s cannot be written as JSON, and there is no scope to keep it in", t)}
}
