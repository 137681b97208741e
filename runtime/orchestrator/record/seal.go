package record

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Seal returns the record of a call, in a form that survives JSON. A caller that
// is no registry may return anything: then it is a call that failed.
func Seal(call *tool.Call, request tool.Request, output json.RawMessage) *tool.Call {
	if call == nil || call.Err == nil && call.Status != tool.StatusCompleted {
		call = &tool.Call{ID: request.ID, Request: request, Arguments: request.Arguments, Status: tool.StatusFailed, Err: errors.New("the caller returned no final call")}
	}
	record := &tool.Call{
		ID: call.ID, Request: call.Request, Arguments: call.Arguments, Status: call.Status, Started: call.Started,
		Duration: call.Duration, Output: call.Output, Err: call.Err, Repairs: call.Repairs,
	}
	refuse := func(err error) {
		record.Status, record.Err = tool.StatusFailed, &tool.OutputError{Tool: request.Name, Err: err}
	}
	if len(record.Output) > 0 && !json.Valid(record.Output) {
		refuse(errors.New("it is no JSON"))
		record.Output = nil
	} else if record.Err == nil {
		if len(record.Output) == 0 {
			record.Output = json.RawMessage("null")
		}
		if err := schema.Validate(output, record.Output); err != nil {
			refuse(err)
		}
	}
	if !json.Valid(record.Arguments) {
		record.Arguments = nil
	}
	return Copy(record)
}

// Clone returns a deep copy, in the form that JSON gives it.
func Clone[T any](x T) (y T, err error) {
	text, err := json.Marshal(x)
	if err != nil {
		return y, err
	}
	return y, json.Unmarshal(text, &y)
}

// Copy is Clone for what is in a state, and so is JSON.
func Copy[T any](x T) T {
	y, err := Clone(x)
	if err != nil {
		panic(err)
	}
	return y
}

// Instant returns a time as JSON keeps it.
func Instant(t time.Time) time.Time { return t.UTC().Round(0) }

// Plain returns JSON with the characters that encoding/json escapes for HTML as
// they are. A state that was stored has them escaped; what models and tools see
// must not depend on that.
func Plain(raw json.RawMessage) json.RawMessage {
	return json.RawMessage(unescape.Replace(string(raw)))
}

var unescape = strings.NewReplacer(`\\`, `\\`, `\u003c`, "<", `\u003e`, ">", `\u0026`, "&")

// Valid returns the text as JSON can carry it.
func Valid(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }
