// Package seal brings what comes from elsewhere into the form in which the state
// of a run keeps it: one that JSON does not change, so that a run which goes on
// from a stored state sees what it would have seen.
package seal

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Copy returns a deep copy of what is sealed.
func Copy[T any](x T) T {
	y, err := Clone(x)
	if err != nil {
		panic(err) // what is sealed survives JSON
	}
	return y
}

// Clone returns a deep copy as JSON gives it, but with the characters that
// encoding/json escapes for HTML as they are: models and tools see the same
// whether a state was stored or not.
func Clone[T any](x T) (y T, err error) {
	text, err := json.Marshal(x)
	if err != nil {
		return y, err
	}
	return y, json.Unmarshal([]byte(unescape.Replace(string(text))), &y)
}

// unescape works on JSON, where a backslash is only in strings.
var unescape = strings.NewReplacer(`\\`, `\\`, `\u003c`, "<", `\u003e`, ">", `\u0026`, "&")

// Text returns a text as JSON can carry it.
func Text(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

// Time returns a time as JSON keeps it; the zero time for one that it cannot keep.
func Time(t time.Time) time.Time {
	if t = t.UTC().Round(0); t.Year() < 0 || t.Year() > 9999 {
		return time.Time{}
	}
	return t
}

// Call returns the record of the call that came of a request. Its output follows
// the schema, if there is one of use, or it has failed. A caller that is no registry may
// return anything: what is no final call, or cannot be kept, is one that failed.
func Call(call *tool.Call, request tool.Request, output json.RawMessage) *tool.Call {
	if call == nil || call.Err == nil && call.Status != tool.StatusCompleted {
		return failed(request, errors.New("the caller returned no final call"))
	}
	record := &tool.Call{
		ID: request.ID, Request: request, Arguments: call.Arguments, Status: call.Status, Started: Time(call.Started),
		Duration: call.Duration, Output: bytes.ToValidUTF8(call.Output, []byte("\uFFFD")), Err: call.Err, Repairs: call.Repairs,
	}
	if record.Err == nil {
		if len(record.Output) == 0 {
			record.Output = json.RawMessage("null")
		}
		if err := follows(output, record.Output); err != nil {
			record.Err = &tool.OutputError{Tool: request.Name, Err: err}
		}
	}
	if record.Err != nil {
		record.Output = nil
		if record.Status != tool.StatusCancelled {
			record.Status = tool.StatusFailed
		}
	}
	if schema.Validate(nil, record.Arguments) != nil {
		record.Arguments = nil
	}
	sealed, err := Clone(record)
	if err != nil {
		return failed(request, err)
	}
	return sealed
}

// follows returns why a value is not what a schema says. By one that cannot be used
// nothing is judged.
func follows(s, value json.RawMessage) error {
	if err := schema.Validate(nil, value); err != nil {
		return err
	}
	err := schema.Validate(s, value)
	if tool.Code(err) == "schema" {
		return nil
	}
	return err
}

// HasRun tells by the error of a call that the function has run.
func HasRun(err error) bool {
	switch err.(type) { // one that these wrap may be of another call
	case *tool.ToolError, *tool.PanicError, *tool.OutputError:
		return true
	}
	return false
}

func failed(request tool.Request, err error) *tool.Call {
	return Copy(&tool.Call{ID: request.ID, Request: request, Arguments: request.Arguments, Status: tool.StatusFailed, Err: err})
}

// JSON returns the JSON that a text is, with nothing around it but the marks of one
// block of code.
func JSON(text string) (value json.RawMessage, ok bool) {
	text = strings.TrimSpace(text)
	if inside, fenced := strings.CutPrefix(text, "```"); fenced {
		inside, fenced = strings.CutSuffix(inside, "```")
		language, inside, _ := strings.Cut(inside, "\n")
		if language = strings.TrimSpace(language); !fenced || language != "" && !strings.EqualFold(language, "json") {
			return nil, false
		}
		text = inside
	}
	value = json.RawMessage(text)
	return value, schema.Validate(nil, value) == nil
}
