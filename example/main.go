// Example is an agent at a help desk: it makes a plan for a request and carries
// it out with the tools of the desk.
//
//	go run ./example "Open a ticket for Ada: the printer on floor 2 prints blank pages. Then tell me how busy the desk is."
//
// By itself it answers from a recorded dialogue, without a network, and so only to
// the requests that were recorded; for another one it lists them. With -model-url
// and -model it asks an endpoint that speaks the protocol of OpenAI, with the key
// in OPENAI_API_KEY. Without a request it shows the tools, and runs a handful of
// calls, good and bad.
//
// With -memory it keeps runs and tickets in a folder, as they happen. A run that was
// interrupted or killed goes on where it was when the same request is made again with
// the same folder, or none. Others can look on meanwhile, and decide:
//
//	go run ./example -memory desk "Tell linus that the VPN is down."
//	go run ./example runs -memory desk
//	go run ./example deny -memory desk "he knows already"
//
// Messages to people leave the desk, so somebody has to approve them: in the terminal,
// from another one, or for all of them by -yes. Where nobody can be asked, now or
// later, they are refused. What a tool asks, such as whether there is to be a second
// ticket about the same, is answered there, too, or by example answer.
//
// With -talk it holds a conversation instead of making a plan.
//
// Runs that outgrow one process are driven by workers: the command of the module deploy,
// which is this one with engines, takes -postgres and -temporal. Then requests are made
// here, and carried out where `work` runs.
//
// With -mcp it is an MCP server at standard input and output, with -mcp-http one
// over HTTP, for agents that others wrote.
//
// The exit status is 0 if all is done, 1 if not, and 2 if it was not
// called correctly.
package main

import (
	"os"

	"github.com/aiongen/aiongen/example/desk"
)

func main() { os.Exit(desk.Main("example", os.Args[1:])) }
