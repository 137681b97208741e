package tool

import (
	"encoding/json"
	"errors"
)

// Repair reads arguments that a tool does not accept. It returns what the arguments were most likely meant to
// be, with every change. It returns an error if it finds no such reading, or more than one. The function
// Arguments of package repair is a Repair.
type Repair func(arguments string, schema json.RawMessage) (RepairedArguments, error)

// RepairedArguments is a value that was read from text of a model, with the changes that were needed.
type RepairedArguments struct {
	Value     json.RawMessage `json:"value"`
	Edits     []Edit          `json:"edits,omitempty"`     // in the order of the text
	Truncated bool            `json:"truncated,omitempty"` // the text was cut off, so the value may be incomplete
}

// Edit is one change to the text of a model.
type Edit struct {
	Kind    string `json:"kind"`              // stable, such as "quotes" or "type"
	Pointer string `json:"pointer,omitempty"` // JSON Pointer of the changed value, if the change is about one
	Offset  int    `json:"offset"`            // in the text, in bytes
	Before  string `json:"before,omitempty"`  // the original text, cut where long
	After   string `json:"after,omitempty"`   // what was read instead, cut where long
}

// Tolerant makes a registry repair arguments that have faults. [Call.Repairs] lists the changes. If the
// repaired arguments still have faults, the call fails with the faults of the original. To repair the
// arguments of a single tool, use [Tool.Tolerant].
func Tolerant(repair Repair) Option { return func(r *Registry) { r.settings.repair = repair } }

// Tolerant returns a copy of the tool whose arguments are repaired as described at [Tolerant], regardless of
// its registry. If repair is nil, they are not repaired.
func (t Tool) Tolerant(repair Repair) Tool {
	return t.withTraits(func(x *traits) { x.repair, x.ownRepair = repair, true })
}

// repairArguments returns the repaired arguments. It returns nil if there is no repair, and records in bad
// why a repair failed.
func (c *Call) repairArguments(s *Scope, bad *ArgumentError) *RepairedArguments {
	repair := c.tool.settings.repair
	if x := c.tool.traitsOrZero(); x.ownRepair {
		repair = x.repair
	}
	if repair == nil || len(c.Arguments) > c.tool.settings.Arguments {
		return nil
	}
	reading, err := repair(string(c.Arguments), c.Definition().inputSchema(s))
	switch {
	case err != nil:
	case reading.Truncated:
		err = &TruncatedError{Tool: c.Request.Name}
	case len(reading.Value) == 0:
		err = errors.New("the repair returned no value")
	}
	if err != nil {
		bad.Repair = err
		return nil
	}
	return &reading
}
