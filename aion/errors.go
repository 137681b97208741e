package aion

import (
	"fmt"
	"strings"

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

// giveCauses gives each error the cause that it lacks: a ParseError.
func giveCauses(list diag.List) {
	for _, d := range list {
		if d.Severity == diag.Error && d.Cause == nil {
			d.Cause = &ParseError{d.Span, d.Message}
		}
	}
}

// unknown reports a property that there is not: the cause is a PropertyError.
func unknown(list *diag.Collector, name, nearest string, at diag.Span, format string, args ...any) *diag.Diagnostic {
	return list.Errorf("unknown-property", at, format, args...).
		WithCause(&PropertyError{at, name, nearest})
}

// repeated reports a name that is given a second time where it may be given once.
func repeated(list *diag.Collector, code diag.Code, name string, at, first diag.Span) *diag.Diagnostic {
	return list.Errorf(code, at, "%q is given twice", name).
		WithRelated(first, "%q is first given here", name)
}

// toWrite warns of a description that is a note to its author, as aiongen new leaves
// where Go has no comment to take.
func toWrite(list *diag.Collector, description string, at diag.Span) {
	if strings.HasPrefix(description, "TODO:") {
		list.Warnf("todo", at, "the description is yet to be written").
			WithHelp("say what a model has to know")
	}
}
