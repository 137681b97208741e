package tool

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/aiongen/aiongen/runtime/tool/internal/refer"
)

// available reports whether the tool can be called with a scope, which may be
// nil.
func (t Tool) available(s *Scope) bool {
	x := t.peculiar()
	if s == nil {
		return !x.scoped
	}
	return !slices.ContainsFunc(x.needs, func(fits func(any) bool) bool { return len(s.variables.Fitting(fits)) == 0 })
}

// scopeError returns why the tool cannot run with a scope, which may be nil, whatever
// its arguments are.
func (t Tool) scopeError(s *Scope) error {
	x := t.peculiar()
	switch {
	case s == nil && x.scoped && x.yields != "":
		return &ScopeError{Err: errors.New("there is no scope to keep the result in: the context needs one, by tool.WithScope")}
	case s == nil && x.scoped:
		return &ScopeError{Err: errors.New("there is no scope: the context needs one, by tool.WithScope")}
	case s != nil && x.yields != "":
		return s.variables.Full()
	}
	return nil
}

// input returns the schema of the arguments in a scope, which may be nil.
func (t Tool) input(s *Scope) json.RawMessage {
	schema := t.Definition().Input
	if s != nil && s.refersToValues {
		schema = refer.Admit(schema)
	}
	return schema
}
