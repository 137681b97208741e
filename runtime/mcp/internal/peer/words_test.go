package peer

import (
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/ask"
)

// TestFrom: a question that is passed on says first who asks, and names a host that is not ASCII in
// ASCII.
func TestFrom(t *testing.T) {
	const from = `tool "pay" of MCP server "far"`
	for _, q := range []ask.Question{ask.Person("May it run?", nil), ask.Visit("Log in.", "https://gооgle.com")} {
		q.From = from
		message := inWords(q).(*sdk.ElicitParams).Message
		if !strings.HasPrefix(message, from+" asks: ") || q.Kind == ask.KindVisit && !strings.Contains(message, "xn--ggle-55da.com") {
			t.Errorf("the client shows %s", message)
		}
	}
}
