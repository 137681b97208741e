package tool

import (
	"encoding/json"
	"errors"
)

// Repair repairs arguments that do not match the schema of a tool. It returns the arguments that the model most
// likely meant, and a list of the changes. It returns an error if it finds no plausible interpretation, or more
// than one. The function Arguments of package repair is a Repair.
type Repair func(arguments string, schema json.RawMessage) (RepairedArguments, error)

// RepairedArguments contains arguments that were read from malformed text, and the changes that were necessary.
type RepairedArguments struct {
	Value     json.RawMessage `json:"value"`
	Edits     []Edit          `json:"edits,omitempty"`     // in the order of the text
	Truncated bool            `json:"truncated,omitempty"` // the text was cut off, so the value may be incomplete
}

// Edit is one change to the text of a model.
type Edit struct {
	Kind    string `json:"kind"`              // stable, such as "quotes" or "type"
	Pointer string `json:"pointer,omitempty"` // JSON Pointer of the changed value; empty if the change does not concern one value
	Offset  int    `json:"offset"`            // position in the text, in bytes
	Before  string `json:"before,omitempty"`  // beginning of the original text
	After   string `json:"after,omitempty"`   // beginning of the replacement
}

// Tolerant makes a registry repair arguments that have faults. [Call.Repairs] lists the changes. If the
// repaired arguments still have faults, the call fails with the faults of the original arguments. To repair
// only the arguments of one tool, use [Tool.Tolerant].
func Tolerant(repair Repair) Option { return func(r *Registry) { r.settings.repair = repair } }

// Tolerant returns a copy of the tool whose arguments are repaired with the given function instead of that of its
// registry; see the function [Tolerant]. If repair is nil, they are not repaired.
func (t Tool) Tolerant(repair Repair) Tool {
	return t.withTraits(func(x *traits) { x.repair, x.ownRepair = repair, true })
}

// repairArguments returns the repaired arguments, or nil if arguments are not repaired or the repair failed. It
// stores the reason for a failure in argumentErr.Repair.
func (c *Call) repairArguments(s *Scope, argumentErr *ArgumentError) *RepairedArguments {
	repair := c.tool.settings.repair
	if x := c.tool.traitsOrZero(); x.ownRepair {
		repair = x.repair
	}
	if repair == nil || len(c.Arguments) > c.tool.settings.Arguments {
		return nil
	}
	repaired, err := repair(string(c.Arguments), c.Definition().inputSchema(s))
	switch {
	case err != nil:
	case repaired.Truncated:
		err = &TruncatedError{Tool: c.Request.Name}
	case len(repaired.Value) == 0:
		err = errors.New("the repair returned no value")
	}
	if err != nil {
		argumentErr.Repair = err
		return nil
	}
	return &repaired
}
