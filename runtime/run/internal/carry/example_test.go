package carry_test

import (
	"context"
	"fmt"

	"github.com/aiongen/aiongen/runtime/run/internal/carry"
	"github.com/aiongen/aiongen/runtime/tool"
)

func Example() {
	c := carry.Carrier{Tools: tool.NewRegistry()}
	for _, call := range c.All(context.Background(), []carry.Call{{Request: tool.Request{ID: "42/1/1", Name: "pay"}}, {Request: tool.Request{ID: "42/1/2", Name: "tag"}}}, true) {
		fmt.Println(call.ID, call.Status, call.Err)
	}
	// Output:
	// 42/1/1 failed unknown tool "pay"
	// 42/1/2 failed unknown tool "tag"
}
