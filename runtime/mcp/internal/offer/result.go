package offer

import (
	"encoding/json"
	"errors"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/tool"
)

// result returns what a call came to. As text that is the result itself, for the
// model: a text as it is, anything else as JSON. For programs it is, as the protocol
// wants it, an object; one that was made for that is marked, as the schema is.
func (o *offer) result(call *tool.Call) *sdk.CallToolResult {
	if call.Err != nil {
		return failed(failure(call.Err))
	}
	result := &sdk.CallToolResult{Content: text(plain(call.Output))}
	if o.Output != nil {
		result.StructuredContent = o.Result(call.Output)
	}
	if o.Wraps() {
		result.Meta = sdk.Meta{"fastmcp": map[string]bool{"wrap_result": true}}
	}
	if call.Note != "" {
		result.Content = append(result.Content, text(call.Note)...)
	}
	return result
}

// plain returns the text of a JSON string, or other JSON as it is.
func plain(output json.RawMessage) string {
	var s *string
	if json.Unmarshal(output, &s) == nil && s != nil {
		return *s
	}
	return string(output)
}

func failed(why string) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: text(why), IsError: true}
}

// failure says an error in words for the model.
func failure(err error) string {
	var approval *tool.ApprovalError
	if errors.As(err, &approval) {
		return approval.Tool + " did not run: it needs the approval of a person, which cannot be given here. Do not call it again; go on without it, or tell the user."
	}
	return tool.ModelText(err)
}

func text(s string) []sdk.Content { return []sdk.Content{&sdk.TextContent{Text: s}} }
