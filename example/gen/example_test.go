package gen_test

import (
	"context"
	"fmt"
	"time"

	"github.com/aiongen/aiongen/example/gen"
	"github.com/aiongen/aiongen/example/tools"
	"github.com/aiongen/aiongen/runtime/tool"
)

func Example() {
	desk := tools.NewDesk(time.Now)
	registry := tool.NewRegistry()
	if err := gen.Register(registry, gen.Deps{Desk: desk}); err != nil {
		fmt.Println(err)
		return
	}
	for _, request := range []tool.Request{
		{Name: "suggest_priority", Arguments: []byte(`{"description":"an outage of the VPN"}`)},
		{Name: "assign_ticket", Arguments: []byte(`{"ticket_id":"7"}`)},
	} {
		call := registry.Call(context.Background(), request)
		fmt.Println(call.Status, string(call.Output), call.Err)
	}
	// Output:
	// completed "urgent" <nil>
	// failed  assign_ticket: wrong arguments: /ticket_id: expected an integer, found the string "7"; /assignee: expected a value, found nothing
}
