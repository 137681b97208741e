package run

import (
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestCallsAfterDeath checks that an idempotent call is repeated if a process died during it, and that
// another call waits for a decision.
func TestCallsAfterDeath(t *testing.T) {
	for _, tt := range []struct {
		call     effectCall
		mayRun   bool
		waitsFor string
	}{
		{effectCall{Request: tool.Request{Name: "tag"}, Annotations: tool.Annotations{Idempotent: true}}, true, ""},
		{effectCall{Request: tool.Request{Name: "pay"}}, false, ForDecision},
	} {
		c := &tt.call
		c.updateState([]*runEntry{{Request: &requestData{Attempt: 1, Request: c.Request}}})
		if c.mayRun != tt.mayRun || c.waitsFor != tt.waitsFor {
			t.Errorf("%s: may run: %t, waits for %q", c.Request.Name, c.mayRun, c.waitsFor)
		}
	}
}

// TestTokenLimit checks the status of a run that has used more tokens than it may.
func TestTokenLimit(t *testing.T) {
	status, why := checkLimits(Limits{Tokens: 10}, Usage{Tokens: llm.Usage{Input: 12}}, false, time.Time{})
	if status != OverBudget || why == nil || why.Error() != "12 tokens of 10 are used" {
		t.Error(status, why)
	}
}
