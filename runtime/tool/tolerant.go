package tool

import "encoding/json"

// Repair reads arguments that are not what a tool takes: it returns what they
// were most likely meant to be, by the input schema, and every change that it
// made. An error means that there is no such reading, or more than one.
// Function Arguments of package repair is one.
type Repair func(arguments string, schema json.RawMessage) (Reading, error)

// Reading is what was made of text that a model wrote.
type Reading struct {
	Value     json.RawMessage `json:"value"`
	Edits     []Edit          `json:"edits,omitempty"`     // in the order of the text
	Truncated bool            `json:"truncated,omitempty"` // the text was cut off, so that the value may be incomplete
}

// Edit is one change that was made to what a model wrote.
type Edit struct {
	Kind    string `json:"kind"`              // stable, such as "quotes" or "type"
	Pointer string `json:"pointer,omitempty"` // JSON Pointer of the value that was changed, where it is one
	Offset  int    `json:"offset"`            // of the change in the text, in bytes
	Before  string `json:"before,omitempty"`  // what stood there, cut where long
	After   string `json:"after,omitempty"`   // what was read instead, cut where long
}
