// Package schema adapts the definitions of tools to providers, checks values against JSON
// Schemas, and makes tools from schemas.
//
// Use [Lower] to convert a definition to the form that a provider accepts, and [Check] to check all
// tools of a request together. [Validate] checks a value. [Dynamic] makes a tool whose arguments
// are checked against a schema. For models without tool calls, [Describe] and [Signatures] describe
// tools as text.
package schema

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/runtime/schema/internal/outline"
)

// Fault is one thing that is wrong with a value.
type Fault struct {
	Pointer string // JSON Pointer of the wrong or missing value; empty for the whole value
	Message string
}

// Error reports what is wrong with a value, or why it could not be checked.
type Error struct {
	Faults []Fault // sorted by pointer, then by message
	Err    error   // why the value could not be checked: it is not JSON, or the schema is invalid
}

// Error returns the faults as text.
func (e *Error) Error() string {
	if e.Err != nil {
		return e.Err.Error()
	}
	return joinTexts(e.Faults, "; ", func(f Fault) string { return strings.TrimPrefix(f.Pointer+": ", ": ") + f.Message })
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// Code returns "schema" if the value could not be checked, and "invalid_value" otherwise.
func (e *Error) Code() string {
	if e.Err != nil {
		return "schema"
	}
	return "invalid_value"
}

// Retryable returns false.
func (e *Error) Retryable() bool { return false }

// Validate checks a value against a schema. It returns an [*Error] that lists everything that the schema does
// not allow. The draft of the schema is 2020-12, unless it declares another one. Formats are checked. The schema
// must not refer to other documents. If the schema is empty, all JSON values with at most 1000 levels are valid.
// The time is limited: a check that takes too many steps for the size of the value is reported as a fault.
func Validate(schema, value json.RawMessage) error {
	if len(schema) == 0 {
		schema = json.RawMessage("true")
	}
	s, err := jsonschema.Parse(schema)
	if err != nil {
		return &Error{Err: fmt.Errorf("the schema cannot be used: %w", err)}
	}
	v, err := outline.Parse(value)
	if err != nil {
		return &Error{Err: fmt.Errorf("the value cannot be read: %w", err)}
	}
	if faults := s.Check(v, len(value)); len(faults) > 0 {
		return newValueError(faults)
	}
	return nil
}

// newValueError returns an error with the faults in their final order.
func newValueError(faults []jsonschema.Fault) *Error {
	e := &Error{}
	for _, f := range faults {
		e.Faults = append(e.Faults, Fault{f.Pointer, f.String()})
	}
	slices.SortStableFunc(e.Faults, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Message, b.Message))
	})
	return e
}
