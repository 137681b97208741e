package main

import (
	"context"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// The types of the example, with their documentation in the tags that go-sdk uses.
type (
	person struct {
		Name  string `json:"name" jsonschema:"full name"`
		Email string `json:"email,omitempty" jsonschema:"where answers go"`
	}
	newTicket struct {
		Title     string   `json:"title" jsonschema:"the problem in one line"`
		Details   string   `json:"details,omitempty" jsonschema:"what was tried, error messages, anything that helps"`
		Priority  string   `json:"priority" jsonschema:"Priority says how soon a ticket wants work.\nlow: when there is time\nnormal: this week\nhigh: today\nurgent: drop everything: many people cannot work"`
		Requester person   `json:"requester" jsonschema:"who has the problem"`
		Tags      []string `json:"tags,omitempty" jsonschema:"keywords, in lower case"`
	}
	ticket struct {
		ID        int        `json:"id"`
		Title     string     `json:"title"`
		Details   string     `json:"details,omitempty"`
		Status    string     `json:"status"`
		Priority  string     `json:"priority"`
		Requester person     `json:"requester"`
		Assignee  string     `json:"assignee,omitempty"`
		Tags      []string   `json:"tags"`
		Comments  []comment  `json:"comments"`
		Opened    time.Time  `json:"opened"`
		Closed    *time.Time `json:"closed,omitempty"`
	}
	comment struct {
		Author string    `json:"author"`
		Text   string    `json:"text"`
		At     time.Time `json:"at"`
	}
	number struct {
		TicketID int `json:"ticket_id" jsonschema:"number of the ticket"`
	}
	search struct {
		Words  string `json:"words" jsonschema:"words that title, details or tags must hold; empty for all"`
		Status string `json:"status,omitempty" jsonschema:"only tickets in this state\nopen: nobody works on it yet\nassigned: somebody works on it\nclosed: done, or given up"`
		Limit  int    `json:"limit" jsonschema:"how many tickets at most; 0 for all"`
	}
	assignment struct {
		TicketID int    `json:"ticket_id" jsonschema:"number of the ticket"`
		Assignee string `json:"assignee" jsonschema:"user name of the one who shall work on it"`
	}
	remark struct {
		TicketID int    `json:"ticket_id"`
		Author   string `json:"author"`
		Text     string `json:"text"`
	}
	solution struct {
		TicketID int    `json:"ticket_id" jsonschema:"number of the ticket"`
		Author   string `json:"author" jsonschema:"user name of the one who closes it"`
		Solution string `json:"solution" jsonschema:"how the problem was solved, or why it is given up"`
	}
	statistics struct {
		Counts         map[string]int `json:"counts" jsonschema:"number of tickets in each state"`
		LongestWaiting int            `json:"longest_waiting" jsonschema:"number of the ticket that has waited longest, 0 if none waits"`
	}
	message struct {
		User    string `json:"user" jsonschema:"user name, without @"`
		Message string `json:"message" jsonschema:"the message, one or two sentences"`
	}
	problem struct {
		Description string `json:"description" jsonschema:"the problem, in the words of the one who has it"`
	}
	words struct {
		Text string `json:"text" jsonschema:"any text"`
	}
	calculation struct {
		Operation string  `json:"operation" jsonschema:"what to do with the numbers: add, subtract, multiply or divide"`
		A         float64 `json:"a" jsonschema:"the first number"`
		B         float64 `json:"b" jsonschema:"the second number"`
	}
	tickets struct {
		Result []ticket `json:"result" jsonschema:"the tickets, the most pressing first"`
	}
	guess struct {
		Result string `json:"result" jsonschema:"a guess"`
	}
	link struct {
		Result string `json:"result"`
	}
	address struct {
		Result string `json:"result" jsonschema:"the address that the message went to"`
	}
	same struct {
		Result string `json:"result" jsonschema:"the same text"`
	}
	outcome struct {
		Result float64 `json:"result" jsonschema:"the outcome"`
	}
)

// newPeerServer returns a server with the example's tools, written with go-sdk only.
func newPeerServer() *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "peer"}, nil)
	reads := sdk.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: new(false)}
	adds := sdk.ToolAnnotations{DestructiveHint: new(false), OpenWorldHint: new(false)}
	sets := sdk.ToolAnnotations{DestructiveHint: new(true), IdempotentHint: true, OpenWorldHint: new(false)}
	sends := sdk.ToolAnnotations{DestructiveHint: new(false), OpenWorldHint: new(true)}
	unknown := sdk.ToolAnnotations{DestructiveHint: new(true), OpenWorldHint: new(true)}
	addTool[newTicket, ticket](s, "open_ticket", "Open a ticket", "Open a ticket for a problem that somebody reports.\nSearch first: a second ticket for the same problem helps nobody.", adds)
	addTool[number, ticket](s, "get_ticket", "Show a ticket", "Get returns one ticket with all its comments.", reads)
	addTool[search, tickets](s, "find_tickets", "Search the tickets", "Search the tickets, open and closed.", reads)
	addTool[assignment, ticket](s, "assign_ticket", "Assign a ticket", "Give a ticket to a member of the staff, or to another one.", sets)
	addTool[remark, ticket](s, "comment_ticket", "Comment on a ticket", "Add a remark to a ticket: a question, an answer, what was tried.", adds)
	addTool[solution, ticket](s, "close_ticket", "", "Close a ticket that is solved, or that nobody will solve.", unknown)
	addTool[struct{}, statistics](s, "ticket_statistics", "Count the tickets", "Count the tickets.", reads)
	addTool[problem, guess](s, "suggest_priority", "", "Guess how pressing a problem is.", unknown)
	addTool[struct{}, link](s, "desk_manual", "", "The manual of the help desk: who does what, and in which order.", reads)
	addTool[message, address](s, "notify", "Send a message", "Send a short message to a member of the staff.\nDocumentation: https://desk.example/manual#notify", sends)
	addTool[words, same](s, "echo", "", "Return the text unchanged.", unknown)
	addTool[calculation, outcome](s, "calculator", "", "Calculate with two numbers.", reads)
	return s
}

func addTool[In, Out any](s *sdk.Server, name, title, description string, annotations sdk.ToolAnnotations) {
	t := &sdk.Tool{Name: name, Title: title, Description: description, Annotations: &annotations}
	sdk.AddTool(s, t, func(context.Context, *sdk.CallToolRequest, In) (*sdk.CallToolResult, Out, error) {
		var out Out
		return nil, out, nil
	})
}
