package repair

import (
	"errors"

	"github.com/aiongen/aiongen/runtime/repair/internal/calls"
	"github.com/aiongen/aiongen/runtime/tool"
)

// ErrNoCall is the error that [Requests] returns if a text calls no tool, or only mentions calls.
var ErrNoCall error = &Error{code: "no_call", Message: "there is no tool call in the text"}

// Requests returns the calls of tools that a model wrote at the end of a text, in order. It reads calls in the
// tags and tokens of many families of models, in Python, in JSON of many shapes, with or without fences, and
// after "Action:" and "Action Input:". A call that is written twice counts as two calls.
//
// A call must begin a line or follow another call. Text may come before it, in earlier lines. Only white space, a
// closing mark, a thought, or a result that the model made up, as after "Observation:", may follow the last call.
// Requests treats any other call as one that the text only mentions, and does not return it: a call in the middle
// of a sentence, in a quotation, in a list item or in a program, and a call that is followed by text. Text
// between calls is an error.
//
// A mark in a value is a part of the value. In formats without escapes, such as XML, an end
// tag ends a value only if the text after it may follow a value. If a text can be read in two
// ways, the error states what to write instead.
//
// The definitions, which are optional, are those of the tools that the model was offered. With them, Requests
// distinguishes calls from data that looks like a call. It also needs them for the types of values in formats
// such as XML, which do not show the types. An object that consists of the name of an offered tool and valid
// arguments for it is a call, whatever the names of its members. Requests also returns calls of tools that were
// not offered; the registry rejects them.
//
// If the text was cut off, Truncated is set in all its calls. Requests cannot detect this in formats without
// closing marks, as after "Action Input:"; check the finish reason of the reply.
//
// The error is [ErrNoCall], or it describes each call that cannot be read and each schema that was needed and
// cannot be used. In the second case, Requests also returns the calls that it could read.
func Requests(text string, definitions ...tool.Definition) ([]tool.Request, error) {
	if len(text) > maxSize {
		return nil, newError(errTooLong, text)
	}
	found := calls.Read(text, definitions)
	if len(found.Requests) == 0 && len(found.Failures) == 0 {
		return nil, ErrNoCall
	}
	all := make([]error, len(found.Failures))
	for i, f := range found.Failures {
		all[i] = newError(f, text)
	}
	return found.Requests, errors.Join(all...)
}

// MayBeginCall reports whether a call that [Requests] reads may begin with line, which may be incomplete. Callers
// that stream text use it to hold back text that may be part of a call.
func MayBeginCall(line string, definitions ...tool.Definition) bool {
	return calls.MayBegin(line, definitions)
}
