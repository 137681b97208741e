package bind

import (
	"testing"

	"github.com/aiongen/aiongen/aion"
)

func TestCollectPrompts(t *testing.T) {
	p, faults := collectPrompts([]*aion.Document{
		{SystemPrompt: &aion.Text{Value: "You keep tickets."}},
		{WrappedQuery: &aion.Text{Value: "Asked: {query}, {pay_load}"}, Rules: &aion.Rules{Texts: []aion.Text{{Value: "Be brief."}}}},
	})
	if want := "You keep tickets.\n\nImportant rules:\n- Be brief."; p.System != want {
		t.Errorf("the system prompt is %q, want %q", p.System, want)
	}
	if len(p.Query) != 3 {
		t.Errorf("the query has %d segments, want 3: %v", len(p.Query), p.Query)
	}
	if want := "{pay_load} is not a placeholder and reaches the model unchanged"; len(faults) != 1 || faults[0].Message != want {
		t.Errorf("got %v, want %q", faults, want)
	}
}
