package offer

import (
	"encoding/json"
	"errors"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/internal/parts"
	"github.com/aiongen/aiongen/runtime/tool"
)

// result returns what a call came to. As text that is the result itself, for the
// model: a text as it is, anything else as JSON; what was attached stands behind it, or
// in its place, if there is no result. For programs it is, as the protocol wants it, an
// object; one that was made for that is marked, as the schema is.
func (o *offer) result(call *tool.Call, version string) *sdk.CallToolResult {
	result := &sdk.CallToolResult{IsError: call.Err != nil, Meta: o.meta(call)}
	switch {
	case call.Err != nil:
		result.Content = text(failure(call.Err))
	case len(call.Content) == 0 || string(call.Output) != "null":
		result.Content = text(plain(call.Output))
	}
	for _, p := range call.Content {
		result.Content = append(result.Content, parts.Content(p, version))
	}
	if call.Err == nil && o.Output != nil {
		result.StructuredContent = o.Result(call.Output)
	}
	if call.Err == nil && call.Note != "" {
		result.Content = append(result.Content, text(call.Note)...)
	}
	return result
}

// meta returns what is said of a result.
func (o *offer) meta(call *tool.Call) sdk.Meta {
	meta := sdk.Meta{}
	if call.Err == nil && o.Wraps() {
		meta["fastmcp"] = map[string]bool{"wrap_result": true}
	}
	for key, value := range call.Meta {
		meta[key] = value
	}
	return meta
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
