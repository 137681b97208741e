package mcp

import (
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// resultSchema returns the output schema as the protocol wants it, of an object,
// and whether results have to be wrapped to fit it.
func resultSchema(output json.RawMessage) (schema json.RawMessage, wraps bool, err error) {
	if len(output) == 0 {
		return nil, false, nil
	}
	var root map[string]json.RawMessage
	if err := json.Unmarshal(output, &root); err != nil {
		return nil, false, err
	}
	if string(root["type"]) == `"object"` {
		return output, false, nil
	}
	defs := root["$defs"] // references to them begin at the root
	delete(root, "$defs")
	schema, err = json.Marshal(struct {
		Type                 string                                `json:"type"`
		Properties           map[string]map[string]json.RawMessage `json:"properties"`
		Required             []string                              `json:"required"`
		AdditionalProperties bool                                  `json:"additionalProperties"`
		Defs                 json.RawMessage                       `json:"$defs,omitempty"`
	}{"object", map[string]map[string]json.RawMessage{"result": root}, []string{"result"}, false, defs})
	return schema, true, err
}

// structured returns a result as JSON, too.
func structured(r *sdk.CallToolResult, wraps bool) *sdk.CallToolResult {
	output := r.Content[0].(*sdk.TextContent).Text
	if wraps {
		output = `{"result":` + output + `}`
	}
	return &sdk.CallToolResult{Content: text(output), StructuredContent: json.RawMessage(output)}
}
