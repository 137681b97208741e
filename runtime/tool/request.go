package tool

import (
	"bytes"
	"encoding/json"
)

// Request is what a model asks for: to call a tool. It survives JSON both ways,
// also with arguments that are none. Its call keeps it as it is, so that Arguments
// and Meta must not be modified any more.
type Request struct {
	ID        string            `json:"id,omitempty"`        // by which the model knows the call
	Name      string            `json:"name"`                // of the tool
	Arguments json.RawMessage   `json:"arguments,omitempty"` // as the model wrote them, maybe no JSON; empty and null are {}
	Meta      map[string]string `json:"meta,omitempty"`      // travels with the call, never into prompts: tenant, user, trace
	Approval  string            `json:"approval,omitempty"`  // of a person, for a call that needs one
	Truncated bool              `json:"truncated,omitempty"` // read from text that was cut off; refused with *TruncatedError
}

// arguments returns the arguments as they are read.
func (r Request) arguments() json.RawMessage { return given(r.Arguments) }

// given returns arguments as they are read: null is what some clients send for none.
func given(arguments json.RawMessage) json.RawMessage {
	if len(arguments) > 0 && arguments[0] == '{' {
		return arguments
	}
	if text := bytes.Trim(arguments, " \t\r\n"); len(arguments) == 0 || string(text) == "null" {
		return json.RawMessage("{}")
	}
	return arguments
}
