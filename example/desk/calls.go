package desk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/aiongen/aiongen/runtime/tool"
)

// showCalls shows the tools and makes sample calls.
func showCalls(w io.Writer, registry *tool.Registry) {
	showTools(w, registry)
	for _, request := range sampleRequests {
		showCall(w, registry.Call(context.Background(), request))
	}
}

// sampleRequests are calls as a model might make them, valid and invalid ones.
var sampleRequests = []tool.Request{
	{Name: "open_ticket", Arguments: []byte(`{"title": "Printer on floor 2 prints blank pages", "priority": "normal", "requester": {"name": "Ada", "email": "ada@desk.example"}, "tags": ["printer"]}`)},
	{Name: "suggest_priority", Arguments: []byte(`{"description": "The VPN is down and everybody at home is cut off"}`)},
	{Name: "open_ticket", Arguments: []byte(`{"title": "VPN down", "priority": "urgent", "requester": {"name": "Grace"}}`)},
	{Name: "open_ticket", Arguments: []byte(`{"title": 7, "priority": "asap", "requester": {"mail": "x"}, "tags": ["a", true]}`)},
	{Name: "find_tickets", Arguments: []byte(`{"words": "", "limit": 1}`)},
	{Name: "assign_ticket", Arguments: []byte(`{"ticket_id": 2, "assignee": "linus"}`)},
	{Name: "close_ticket", Arguments: []byte(`{"ticket_id": 9, "author": "linus", "solution": "restarted"}`)},
	{Name: "ticket_statistics"},
	{Name: "calculator", Arguments: []byte(`{"operation": "divide", "a": 1, "b": 0}`)},
	{Name: "echo", Arguments: []byte(`{"text": "hello`)},
	{Name: "desk_manual"},
	{Name: "find_ticket", Arguments: []byte(`{"words": "printer"}`)},
}

func showTools(w io.Writer, registry *tool.Registry) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "TOOL\tARGUMENTS\tDESCRIPTION")
	for _, d := range registry.All() {
		description, _, _ := strings.Cut(d.Description, "\n")
		fmt.Fprintf(table, "%s\t%s\t%s\n", d.Name, strings.Join(d.Required(), ", "), description)
	}
	table.Flush()
}

func showCall(w io.Writer, call *tool.Call) {
	fmt.Fprintf(w, "\n%s %s\n", call.Request.Name, call.Request.Arguments)
	took := call.Duration.Round(time.Microsecond)
	var bad *tool.ArgumentError
	switch {
	case call.Err == nil:
		fmt.Fprintf(w, "  %s in %v: %s\n", call.Status, took, call.Output)
	case errors.As(call.Err, &bad):
		fmt.Fprintf(w, "  %s in %v: wrong arguments\n", call.Status, took)
		for _, f := range bad.Faults {
			fmt.Fprintf(w, "    %-22s expected %s, found %s\n", f.Pointer, f.Expected, f.Found)
		}
	default:
		fmt.Fprintf(w, "  %s in %v: %v\n", call.Status, took, call.Err)
	}
}
