package prompts_test

import (
	"fmt"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/gen/internal/prompts"
)

func ExampleOf() {
	p, faults := prompts.Of([]*aion.Document{
		{SystemPrompt: &aion.Text{Value: "You keep tickets."}},
		{WrappedQuery: &aion.Text{Value: "Asked: {query}, {pay_load}"}, Rules: &aion.Rules{Texts: []aion.Text{{Value: "Be brief."}}}},
	})
	fmt.Println(p.System)
	fmt.Println(len(p.Query), faults[0].Message)
	// Output:
	// You keep tickets.
	//
	// Important rules:
	// - Be brief.
	// 3 {pay_load} is no placeholder: it reaches the model as it is
}
