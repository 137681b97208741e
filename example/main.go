// Example is an agent at a help desk: it plans how to fulfill a request and executes the plan with the desk's
// tools.
//
//	go run ./example "Open a ticket for Ada: the printer on floor 2 prints blank pages. Then tell me how busy the desk is."
//
// By default it answers from a recorded dialogue, without a network. It then knows only the recorded requests, and lists
// them for any other request. With -model-url and -model it uses an endpoint that speaks the OpenAI protocol,
// with the key in OPENAI_API_KEY. Without a request it shows the tools and makes some sample calls, valid and
// invalid ones.
//
// With -memory it stores runs and tickets in a folder. To continue a run that was interrupted or killed, start the
// program with the same folder, and repeat or omit the request. While a run waits, other processes can list the runs,
// and approve or deny their calls:
//
//	go run ./example -memory desk "Tell linus that the VPN is down."
//	go run ./example runs -memory desk
//	go run ./example deny -memory desk "he knows already"
//
// Messages to people leave the desk, so somebody has to approve them: in the terminal, from another terminal, or in
// advance with -yes. If nobody can be asked, now or later, they are denied. Questions of tools, such as whether to
// open a second ticket about the same problem, are answered in the terminal or with the command answer.
//
// With -case and the ID of a stored run it prints a Go test that repeats the run, for a file of package desk.
//
// With -talk it holds a conversation instead of executing a plan.
//
// The module deploy contains this command with the additional flags -postgres and -temporal, which let workers on
// several machines execute the runs. With these flags, the command only makes requests, and its subcommand work
// starts a worker.
//
// With -inspect it serves a page about its tools and runs to the browsers of this machine. Without a request, a folder or an
// endpoint, the page begins with runs of the recorded requests.
//
// With -mcp it is an MCP server at standard input and output, with -mcp-http over HTTP, for other agents.
//
// The exit status is 0 on success, 1 on failure, and 2 for incorrect usage.
package main

import (
	"os"

	"github.com/aiongen/aiongen/example/desk"
)

func main() { os.Exit(desk.Main(desk.CommandLine(), os.Args[1:], desk.Backends{})) }
