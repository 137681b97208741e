package repair

import (
	"errors"

	"github.com/aiongen/aiongen/runtime/repair/internal/calls"
	"github.com/aiongen/aiongen/runtime/tool"
)

// ErrNoCall is the error of [Requests] for a text that calls no tool, also one
// that only talks about calls.
var ErrNoCall error = &Error{code: "no_call", Message: "there is no tool call in the text"}

// Requests returns the calls of tools in a text that a model wrote, in its
// order: in the tags and tokens of their vendors, in JSON of many shapes, fenced
// or in prose, in Python, and as "Action:" and "Action Input:". Calls that are
// written twice are two calls.
//
// The definitions, which need not be given, are those of the tools that the
// model was offered. They tell calls from what looks like some, and give values
// that have no types, as in XML, those of the schema. An object with nothing but the
// name of one of them and an object that is arguments of it is a call, whatever the
// members are called. Names of other tools are returned too: the registry knows what
// to say of them.
//
// Text that only talks about calls has none: what is in quotes or backticks within
// a line, in a quoted line or a comment, in a fence that is a program, or in a block
// of Python. Nor has what follows a result, for the model made that up. What may be
// a call, or a part of a string, is refused.
//
// If the text was cut off, all calls in it have Truncated set. Text without marks
// around it, as behind "Action Input:", does not show that; the finish reason of the
// reply does. An error is [ErrNoCall], or about each call that cannot be read and
// each schema that was needed and cannot be used, and then comes with the calls
// that could be read.
func Requests(text string, definitions ...tool.Definition) ([]tool.Request, error) {
	requests, _, err := requestsIn(text, definitions)
	return requests, err
}

// RequestsAlone is [Requests] for a text that is nothing but calls, beside what the
// model thought and the marks around them: one that says anything else, such as what a
// call would do, has none.
func RequestsAlone(text string, definitions ...tool.Definition) ([]tool.Request, error) {
	requests, alone, err := requestsIn(text, definitions)
	if !alone && err == nil {
		return nil, ErrNoCall
	}
	return requests, err
}

// requestsIn returns the calls in a text, and whether there is nothing else in it.
func requestsIn(text string, definitions []tool.Definition) (requests []tool.Request, alone bool, err error) {
	if len(text) > maxSize {
		return nil, false, errorOf(tooLong, text)
	}
	found := calls.Read(text, definitions)
	if len(found.Requests) == 0 && len(found.Failures) == 0 {
		return nil, false, ErrNoCall
	}
	all := make([]error, len(found.Failures))
	for i, f := range found.Failures {
		all[i] = errorOf(f, found.Text)
	}
	return found.Requests, found.Alone, errors.Join(all...)
}
