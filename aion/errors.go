package aion

import (
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
)

// A PropertyError is the cause of a diagnostic about an unknown property. The property is in an element,
// in an interface block (where properties have names such as arg-1 and return-1), or in the array that
// contains the elements.
type PropertyError struct {
	Span     diag.Span
	Property string
	Nearest  string // the known property that was most likely meant, "" if none is similar
}

// Error describes the property and the one that was most likely meant.
func (e *PropertyError) Error() string {
	if e.Nearest == "" {
		return fmt.Sprintf("%v: unknown property %q", e.Span, e.Property)
	}
	return fmt.Sprintf("%v: unknown property %q, the closest is %q", e.Span, e.Property, e.Nearest)
}

// A ParseError is the cause of every error in a file, except those caused by a [PropertyError].
type ParseError struct {
	Span    diag.Span
	Message string
}

// Error returns the position and the message.
func (e *ParseError) Error() string { return fmt.Sprintf("%v: %s", e.Span, e.Message) }

// setCauses sets a ParseError as the cause of each error that has none.
func setCauses(list diag.List) {
	for _, d := range list {
		if d.Severity == diag.Error && d.Cause == nil {
			d.Cause = &ParseError{d.Span, d.Message}
		}
	}
}

// reportUnknown reports an unknown property, with a PropertyError as the cause.
func reportUnknown(list *diag.Collector, name, nearest string, at diag.Span, format string, args ...any) *diag.Diagnostic {
	return list.Errorf("unknown-property", at, format, args...).
		WithCause(&PropertyError{at, name, nearest})
}

// reportRepeated reports a name that may be given only once.
func (r *reader) reportRepeated(code diag.Code, name string, at, first diag.Span) *diag.Diagnostic {
	return r.Errorf(code, at, "%q is given twice", name).
		WithRelated(first, "%q is first given here", name)
}

// warnTodo warns of a description that starts with TODO:. "aiongen new" writes such
// a description if the Go declaration has no comment.
func warnTodo(list *diag.Collector, description string, at diag.Span) {
	if strings.HasPrefix(description, "TODO:") {
		list.Warnf("todo", at, "the description is not written yet").
			WithHelp("say what a model needs to know")
	}
}
