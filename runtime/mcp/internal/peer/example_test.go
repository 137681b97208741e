package peer_test

import (
	"context"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/mcp/internal/peer"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Without sessions, a question is part of the answer to the request, and the next request contains the
// answer to it.
func Example() {
	ctx, key := context.Background(), peer.NewKey(nil, "")
	write := func(ctx context.Context) ([]content.Part, error) {
		answers, err := tool.ExchangeFrom(ctx).Ask(ctx, tool.AskPerson("Shall I?", nil).WithName("sure"))
		if err != nil {
			return nil, err
		}
		return []content.Part{content.Text(string(answers[0].Action))}, nil
	}
	r := &peer.Request{
		Method: "prompts/get", Name: "greeting", Version: "2026-07-28",
		Capabilities: &sdk.ClientCapabilities{Elicitation: &sdk.ElicitationCapabilities{}},
	}
	_, input, err := peer.RunWriter(ctx, r, key, write)
	fmt.Println(input.Requests["sure"].(*sdk.ElicitParams).Message, err)

	r.State, r.Responses = input.State, sdk.InputResponseMap{"sure": &sdk.ElicitResult{Action: "accept"}}
	parts, _, err := peer.RunWriter(ctx, r, key, write)
	fmt.Println(parts, err)
	// Output:
	// Shall I? <nil>
	// [accept] <nil>
}
