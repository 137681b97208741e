package policy_test

import (
	"fmt"
	"time"

	"github.com/aiongen/aiongen/runtime/internal/note"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run/internal/policy"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// A process died while two tools were called.
func Example() {
	tag := &policy.Call{Request: tool.Request{Name: "tag"}, Does: tool.Annotations{Idempotent: true}}
	pay := &policy.Call{Request: tool.Request{Name: "pay"}}
	for _, c := range []*policy.Call{tag, pay} {
		c.Judge([]*note.Note{{Asked: &note.Asked{Attempt: 1, Request: c.Request}}})
		fmt.Printf("%s %t %q\n", c.Request.Name, c.May, c.Waits)
	}
	fmt.Println(policy.Over(record.Limits{Tokens: 10}, record.Usage{Tokens: llm.Usage{Input: 12}}, false, time.Time{}))
	// Output:
	// tag true ""
	// pay false "decision"
	// over_budget 12 tokens of 10 are used
}
