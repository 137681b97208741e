package mcp

import (
	"encoding/json"
	"fmt"

	"github.com/aiongen/aiongen/runtime/tool"
)

// lowered is a definition as the protocol takes it.
type lowered struct {
	tool.Definition
	wrapped bool // the result is a member of an object
}

// lower returns a definition as the protocol takes it: with an output schema of an
// object.
func lower(d tool.Definition) (*lowered, error) {
	l := &lowered{Definition: d}
	if len(d.Output) == 0 {
		return l, nil
	}
	var root map[string]json.RawMessage
	if err := json.Unmarshal(d.Output, &root); err != nil {
		return nil, fmt.Errorf("the output schema of %s: %w", d.Name, err)
	}
	if string(root["type"]) == `"object"` {
		return l, nil
	}
	defs := root["$defs"] // references to them begin at the root
	delete(root, "$defs")
	var err error
	l.wrapped = true
	l.Output, err = json.Marshal(struct {
		Type                 string                                `json:"type"`
		Properties           map[string]map[string]json.RawMessage `json:"properties"`
		Required             []string                              `json:"required"`
		AdditionalProperties bool                                  `json:"additionalProperties"`
		Defs                 json.RawMessage                       `json:"$defs,omitempty"`
	}{"object", map[string]map[string]json.RawMessage{"result": root}, []string{"result"}, false, defs})
	return l, err
}

// Result returns a result as the lowered output schema describes it.
func (l *lowered) Result(output json.RawMessage) json.RawMessage {
	if !l.wrapped {
		return output
	}
	return fmt.Appendf(nil, `{"result":%s}`, output)
}
