package tool

import (
	"encoding/json"
	"errors"
)

// Repair reads arguments that are not what a tool takes: it returns what they were most
// likely meant to be, and every change. An error means that there is no such reading,
// or more than one. Function Arguments of package repair is one.
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

// Tolerant lets arguments that have faults, and only these, be read once more, as
// repair writes them; what it changed is in [Call.Repairs]. Where there still are
// faults, those of the original count. For one tool alone see [Tool.Tolerant].
func Tolerant(repair Repair) Option { return func(r *Registry) { r.settings.repair = repair } }

// Tolerant returns a copy of the tool whose arguments are repaired as [Tolerant]
// says, whatever its registry does. If repair is nil, they are not repaired.
func (t Tool) Tolerant(repair Repair) Tool {
	return t.with(func(x *traits) { x.repair, x.ownRepair = repair, true })
}

// repair reads the arguments differently. It returns nil if they are not to be
// tried again; why not is added to bad.
func (c *Call) repair(s *Scope, bad *ArgumentError) *Reading {
	repair := c.tool.settings.repair
	if x := c.tool.peculiar(); x.ownRepair {
		repair = x.repair
	}
	if repair == nil || len(c.Arguments) > c.tool.settings.Arguments {
		return nil
	}
	reading, err := repair(string(c.Arguments), c.Definition().input(s))
	switch {
	case err != nil:
	case reading.Truncated:
		err = &TruncatedError{Tool: c.Request.Name}
	case len(reading.Value) == 0:
		err = errors.New("there is no value in what came of it")
	}
	if err != nil {
		bad.Repair = err
		return nil
	}
	return &reading
}
