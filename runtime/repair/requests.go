package repair

import (
	"errors"

	"github.com/aiongen/aiongen/runtime/repair/internal/calls"
	"github.com/aiongen/aiongen/runtime/tool"
)

// ErrNoCall is the error of [Requests] for a text that calls no tool, or only mentions
// calls.
var ErrNoCall error = &Error{code: "no_call", Message: "there is no tool call in the text"}

// Requests returns the calls of tools that a model wrote at the end of a text, in order: in
// the tags and tokens of their vendors, in JSON of many shapes, fenced or not, in Python, and
// as "Action:" and "Action Input:". Calls that are written twice are two calls.
//
// A call begins a line or follows another call. Text may come before it, in earlier lines.
// After the last call there is only white space, a closing mark, a thought or what the model
// made up for the result of a tool, as in "Observation:". Any other call is only mentioned,
// and Requests does not return it: a call in the middle of a sentence, in a quotation, a
// list item or a program, and one that text follows. If there is text between calls, it is an
// error.
//
// A mark in a value is a part of the value. In formats without escapes, such as XML, an end
// tag ends a value only if what follows it may follow a value. If a text can be read in two
// ways, it is an error that says what to write instead.
//
// The definitions, which are optional, are those of the tools that the model was offered.
// They tell calls from data that looks like one, and give values without types, as in XML,
// the types of the schema. An object with only the name of one of them and an object that is
// arguments of it is a call, whatever the members are called. Calls of other tools are
// returned, too: the registry reports them.
//
// If the text was cut off, Truncated is set in all its calls. Text without marks around it,
// as after "Action Input:", does not show that; the finish reason of the reply does. An error
// is [ErrNoCall], or describes each call that cannot be read and each schema that was needed
// and cannot be used. Then Requests also returns the calls that it could read.
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

// MayBeginCall reports whether a line with this beginning may begin a call for [Requests],
// once more of the text has come. Callers that stream text use it to hold back what may
// become a call.
func MayBeginCall(line string, definitions ...tool.Definition) bool {
	return calls.MayBegin(line, definitions)
}
