package aion

import (
	"fmt"

	"github.com/aiongen/aiongen/aion/diag"
)

// A PropertyError is the cause of a fault about a property that the notation
// does not have. The properties of elements, of interface blocks (arg-N and
// return-N) and of the array itself are closed sets.
type PropertyError struct {
	Span     diag.Span
	Property string
	Nearest  string // the closest one there is
}

// Error names the property and the closest one.
func (e *PropertyError) Error() string {
	return fmt.Sprintf("%v: unknown property %q, the closest is %q", e.Span, e.Property, e.Nearest)
}

// A ParseError is the cause of every other fault in a file.
type ParseError struct {
	Span    diag.Span
	Message string
}

// Error is the place and what is wrong there.
func (e *ParseError) Error() string { return fmt.Sprintf("%v: %s", e.Span, e.Message) }

// faults is the list that the stages of Parse report to.
type faults struct{ list diag.List }

// report adds a fault whose cause is a ParseError.
func (f *faults) report(code diag.Code, at diag.Span, format string, args ...any) *diag.Diagnostic {
	d := f.list.Errorf(code, at, format, args...)
	return d.WithCause(&ParseError{at, d.Message})
}

// unknown adds a fault whose cause is a PropertyError.
func (f *faults) unknown(name, nearest string, at diag.Span, format string, args ...any) *diag.Diagnostic {
	return f.list.Errorf("unknown-property", at, format, args...).
		WithCause(&PropertyError{at, name, nearest})
}
