package offer

import (
	"errors"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/tool"
)

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
