// Package schema knows JSON Schemas at run time. It lowers the definitions of tools
// to what a provider takes, see [Lower]; and it checks values where no generated
// code does: what a model wrote, see [Validate], and the arguments and results of
// tools that were made by hand, see [Dynamic].
//
// From top to bottom:
//
//	check     the tools of a request together
//	wire      a lowered definition as a provider's JSON
//	lower     one definition: the door of internal/rewrite and internal/keep
//	dynamic   tools made by hand
//	target, schema   the targets; what is wrong with a value
package schema

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/runtime/schema/internal/tree"
)

// Fault is one thing that is wrong with a value.
type Fault struct {
	Pointer string // JSON Pointer of the value, also of one that is missing; empty for the whole
	Message string
}

// Error says what is wrong with a value, or that it cannot be said.
type Error struct {
	Faults []Fault // sorted by pointer, then by message
	Err    error   // why there was no check: value or schema is none
}

// Error lists the faults.
func (e *Error) Error() string {
	if e.Err != nil {
		return e.Err.Error()
	}
	texts := make([]string, len(e.Faults))
	for i, f := range e.Faults {
		texts[i] = strings.TrimPrefix(f.Pointer+": ", ": ") + f.Message
	}
	return strings.Join(texts, "; ")
}

// Unwrap returns why there was no check.
func (e *Error) Unwrap() error { return e.Err }

// Code returns "schema" if there was no check, else "invalid_value".
func (e *Error) Code() string {
	if e.Err != nil {
		return "schema"
	}
	return "invalid_value"
}

// Retryable returns false.
func (e *Error) Retryable() bool { return false }

// Validate returns everything in a value that its schema does not allow, as an
// [*Error]. The schema is of draft 2020-12 unless it says otherwise; formats are
// checked. It refers to nothing outside itself. Without a schema every value is
// valid that is JSON and nests at most 1000 levels. The time is bounded: a value
// is at fault that takes too many steps to check for its size.
func Validate(schema, value json.RawMessage) error {
	if len(schema) == 0 {
		schema = json.RawMessage("true")
	}
	s, err := jsonschema.Parse(schema)
	if err != nil {
		return &Error{Err: unusable(err)}
	}
	v, err := tree.Parse(value)
	if err != nil {
		return &Error{Err: fmt.Errorf("the value cannot be read: %w", err)}
	}
	if faults := s.Check(v, len(value)); len(faults) > 0 {
		return invalid(faults)
	}
	return nil
}

func unusable(err error) error { return fmt.Errorf("the schema cannot be used: %w", err) }

// invalid returns the error that faults are.
func invalid(faults []jsonschema.Fault) *Error {
	e := &Error{}
	for _, f := range faults {
		e.Faults = append(e.Faults, Fault{f.Pointer, f.String()})
	}
	slices.SortStableFunc(e.Faults, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Message, b.Message))
	})
	return e
}
