package telemetry

import (
	"cmp"
	"errors"
	"strings"
	"sync"
	"unicode/utf8"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/tool"
)

const (
	maxNameBytes = 128      // bytes of a name in spans and metrics
	maxTextBytes = 1 << 10  // bytes of a description
	maxNames     = 200      // distinct names of each kind in metrics
	maxContent   = 64 << 10 // bytes of an attribute with content
	maxPartBytes = 16 << 10 // bytes of a text in a message
	maxListed    = 100      // elements of a list in an attribute
)

// cutText returns at most limit bytes of a text. It replaces invalid UTF-8, which exporters reject.
func cutText(text string, limit int) string {
	if len(text) > limit {
		text = words.Cut(text, limit-len("…"))
	}
	if !utf8.ValidString(text) {
		text = cutText(strings.ToValidUTF8(text, "\ufffd"), limit) // cut again, because the replacement characters may be longer
	}
	return text
}

// cutName returns at most maxNameBytes of a name, without invisible characters.
func cutName(name string) string { return words.Visible(cutText(name, maxNameBytes), "") }

// nameSet limits the number of distinct names in metrics.
type nameSet struct {
	mu    sync.Mutex
	names map[string]bool
}

// limitName returns a name. If the set is full and does not contain the name, it returns "_OTHER".
func (s *nameSet) limitName(name string) string {
	name = cutName(name)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.names[name]:
		return name
	case name == "" || len(s.names) >= maxNames:
		return otherValue
	case s.names == nil:
		s.names = map[string]bool{}
	}
	s.names[name] = true
	return name
}

// errorType returns the value of error.type for an error: its code. For an error of a tool, it is the
// code of the error that the function of the tool returned, if that error has one.
func (r *Recorder) errorType(err error) string {
	code := tool.Code(err)
	if failed, ok := errors.AsType[*tool.ToolError](err); ok {
		code = cmp.Or(tool.Code(failed.Err), code)
	}
	return r.errorCodes.limitName(code)
}

// setError marks a span as failed, with the type of the error and a text, which may be empty.
func setError(span trace.Span, kind, text string) {
	if span.IsRecording() {
		span.SetAttributes(keyErrorType.String(kind))
		span.SetStatus(codes.Error, cutText(text, maxTextBytes))
	}
}

// appendText appends an attribute with at most limit bytes of a text. It appends nothing if the text is
// empty.
func appendText(attributes []attribute.KeyValue, key attribute.Key, text string, limit int) []attribute.KeyValue {
	if text != "" {
		attributes = append(attributes, key.String(cutText(text, limit)))
	}
	return attributes
}

// appendError appends error.type unless kind is empty.
func appendError(attributes []attribute.KeyValue, kind string) []attribute.KeyValue {
	if kind != "" {
		attributes = append(attributes, keyErrorType.String(kind))
	}
	return attributes
}
