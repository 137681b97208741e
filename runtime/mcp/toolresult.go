package mcp

import (
	"encoding/json"
	"errors"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/tool"
)

// encodeResult converts the outcome of a call. The content begins with the result as text, for
// the model: a JSON string without quotes, anything else as JSON. The attached parts follow. If
// there are attached parts and the result is null, the text is omitted. The structured content, for
// programs, must be an object in the protocol; if it only wraps the result, _meta says so.
func (o *offeredTool) encodeResult(call *tool.Call, version string) *sdk.CallToolResult {
	result := &sdk.CallToolResult{IsError: call.Err != nil, Meta: o.resultMeta(call)}
	switch {
	case call.Err != nil:
		result.Content = textContent(errorText(call.Err))
	case len(call.Content) == 0 || string(call.Output) != "null":
		result.Content = textContent(jsontext.PlainText(call.Output))
	}
	for _, p := range call.Content {
		result.Content = append(result.Content, encodePart(p, version))
	}
	if call.Err == nil && o.Output != nil {
		result.StructuredContent = o.Result(call.Output)
	}
	if call.Err == nil && call.Note != "" {
		result.Content = append(result.Content, textContent(call.Note)...)
	}
	return result
}

// resultMeta returns the _meta of a result.
func (o *offeredTool) resultMeta(call *tool.Call) sdk.Meta {
	meta := sdk.Meta{}
	if call.Err == nil && o.Wraps() {
		meta["fastmcp"] = map[string]bool{"wrap_result": true}
	}
	for key, value := range call.Meta {
		meta[key] = value
	}
	return meta
}

func errorResult(reason string) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: textContent(reason), IsError: true}
}

// limitSize returns a result whose JSON has at most limit bytes. It omits the structured
// content, which repeats the text, if that suffices; otherwise it returns an error result.
func limitSize(call *tool.Call, result *sdk.CallToolResult, limit int) *sdk.CallToolResult {
	size := resultSize(result)
	if size > limit && result.StructuredContent != nil {
		result.StructuredContent = nil
		size = resultSize(result)
	}
	switch name := call.Request.Name; {
	case size <= limit:
		return result
	case call.Err != nil:
		return errorResult(fmt.Sprintf("%s failed. Its error has %d bytes, more than the limit of %d, and is omitted.", name, size, limit))
	default:
		return errorResult(fmt.Sprintf("%s ran, but its result has %d bytes, more than the limit of %d. Do not call it again with the same arguments; ask for less.", name, size, limit))
	}
}

// resultSize returns the approximate size of a result as JSON, in bytes.
func resultSize(result *sdk.CallToolResult) int {
	size := 0
	for _, c := range result.Content {
		size += contentSize(c)
	}
	if structured, ok := result.StructuredContent.(json.RawMessage); ok {
		size += jsonSize(structured)
	}
	for _, value := range result.Meta {
		if raw, ok := value.(json.RawMessage); ok { // other values are short
			size += jsonSize(raw)
		}
	}
	return size
}

// errorText returns the text of an error for the model. It omits the value of a panic, which may
// be anything.
func errorText(err error) string {
	if p, ok := errors.AsType[*tool.PanicError](err); ok {
		err = &tool.PanicError{Tool: p.Tool}
	}
	var approval *tool.ApprovalError
	if errors.As(err, &approval) {
		return approval.Tool + " did not run, because it needs the approval of a person and nobody can be asked here. Do not call it again; continue without it, or tell the user."
	}
	return tool.ModelText(err)
}

func textContent(s string) []sdk.Content { return []sdk.Content{&sdk.TextContent{Text: s}} }
