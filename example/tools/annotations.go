package tools

import "github.com/aiongen/aiongen/runtime/tool"

// These annotations describe the effects of calls, so that programs can decide whether to ask for approval.
var (
	_ = tool.Annotate((*Desk).Open, tool.Additive, tool.ClosedWorld, tool.Title("Open a ticket"))
	_ = tool.Annotate((*Desk).Get, tool.ReadOnly, tool.ClosedWorld, tool.Title("Show a ticket"))
	_ = tool.Annotate((*Desk).Find, tool.ReadOnly, tool.ClosedWorld, tool.Title("Search the tickets"))
	_ = tool.Annotate((*Desk).Assign, tool.Idempotent, tool.ClosedWorld, tool.Title("Assign a ticket"))
	_ = tool.Annotate((*Desk).Comment, tool.Additive, tool.ClosedWorld, tool.Title("Comment on a ticket"))
	_ = tool.Annotate((*Desk).Statistics, tool.ReadOnly, tool.ClosedWorld, tool.Title("Count the tickets"))
	_ = tool.Annotate(Notify, tool.Additive, tool.Title("Send a message"))
	_ = tool.Annotate(Calculate, tool.ReadOnly, tool.ClosedWorld)
)
