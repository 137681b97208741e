package peer

import (
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/tool"
)

// TestFrom checks that a forwarded question first says who asks it, and shows a host that is not ASCII
// in its ASCII form.
func TestFrom(t *testing.T) {
	const from = `tool "pay" of MCP server "far"`
	for _, q := range []tool.Question{tool.AskPerson("May it run?", nil), tool.AskVisit("Log in.", "https://gооgle.com")} {
		q.From = from
		message := encodeQuestion(q).(*sdk.ElicitParams).Message
		if !strings.HasPrefix(message, from+" asks: ") || q.Kind == tool.QuestionVisit && !strings.Contains(message, "xn--ggle-55da.com") {
			t.Errorf("the client shows %s", message)
		}
	}
}
