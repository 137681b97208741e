package agenttest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm/scripted"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/orchestrator/agenttest"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// rooms are the tools of an agent that books rooms.
var rooms = []tool.Definition{
	{
		Name: "find_room", Description: "Finds a free room.", Annotations: tool.Annotations{ReadOnly: true},
		Input: json.RawMessage(`{"type":"object","properties":{"seats":{"type":"integer"}},"required":["seats"]}`),
	},
	{
		Name: "book_room", Description: "Books a room.",
		Input: json.RawMessage(`{"type":"object","properties":{"room":{"type":"string"}},"required":["room"]}`),
	},
}

// report prints the errors of a test. A test has a *testing.T instead.
type report struct{ testing.TB }

func (report) Helper()                           {}
func (report) Context() context.Context          { return context.Background() }
func (report) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }

// A test checks what an agent did. The last check fails.
func Example() {
	t := report{}
	model := scripted.New(
		scripted.Call("find_room", `{"seats":4}`),
		scripted.Call("book_room", `{"room":"Turing"}`),
		scripted.Text("Turing is booked."),
	)
	tools := agenttest.Tools(t, rooms,
		agenttest.Returns("find_room", `"Turing"`),
		agenttest.Returns("book_room", `null`),
	)
	agent, err := orchestrator.New(model, tools, orchestrator.Conversation{})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := agenttest.Run(t, agent, orchestrator.Input{ID: "example", Request: "Book a room for four."})
	r.Waits(run.ForMessage)
	r.Answered("Turing is booked.")
	r.Called(`find_room({"seats": 4})`)
	r.Changed("book_room")
	r.Within(agenttest.Budget{ModelCalls: 3})
	r.CalledExactly("find_room", `book_room({"room":"Noether"})`)
	// Output:
	// agenttest: the calls of the run differ (- want, + got):
	//   find_room({"seats":4})
	// - book_room({"room":"Noether"})
	// + book_room({"room":"Turing"})
	// timeline of run "example":
	//    0 conversation, request "Book a room for four."
	//    2 model, turn 1: calls find_room({"seats":4})
	//    3 find_room({"seats":4}) returns "Turing"
	//    4 model, turn 2: calls book_room({"room":"Turing"})
	//    5 starts book_room({"room":"Turing"})
	//    6 book_room({"room":"Turing"}) returns null
	//    7 model, turn 3: "Turing is booked."
	//    8 run is waiting for message
}

// A run waits for a person, whom the test plays.
func ExampleResult_Send() {
	t := report{}
	model := scripted.New(scripted.Call("book_room", `{"room":"Turing"}`), scripted.Text("Done."))
	tools := agenttest.Tools(t, rooms,
		agenttest.Fails("book_room", &tool.ApprovalError{Tool: "book_room"}),
		agenttest.Returns("book_room", `null`),
	)
	agent, err := orchestrator.New(model, tools, orchestrator.Conversation{})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := agenttest.Run(t, agent, orchestrator.Input{Request: "Book Turing."})
	r.Waits(run.ForApproval)
	r.Changed() // nothing
	r.Send(run.Approve(r.Calls[0].Call, "Grace", nil))
	r.Changed("book_room")
	r.Answered("Done.")
	// Output:
}

// Outcomes are used in order, and the last one again.
func ExampleTools() {
	tools := agenttest.Tools(report{}, rooms,
		agenttest.Fails("find_room", errors.New("try again")),
		agenttest.Returns(`find_room({"seats":4})`, `"Turing"`),
	)
	for range 3 {
		call := tools.Call(context.Background(), tool.Request{Name: "find_room", Arguments: json.RawMessage(`{"seats":4}`)})
		fmt.Println(call.Status, string(call.Output), call.Err)
	}
	// Output:
	// failed  find_room: try again
	// completed "Turing" <nil>
	// completed "Turing" <nil>
}

// A run becomes a test.
func ExampleCase() {
	var runs journal.Map
	tools := agenttest.Tools(report{}, rooms, agenttest.Returns("find_room", `"Turing"`))
	model := scripted.New(scripted.Call("find_room", `{"seats":4}`), scripted.Text("Turing is free."))
	agent, err := orchestrator.New(model, tools, orchestrator.Conversation{}, orchestrator.Journal(&runs))
	if err != nil {
		fmt.Println(err)
		return
	}
	agenttest.Run(report{}, agent, orchestrator.Input{ID: "7", Request: "Is there a room for four?"})

	source, err := agenttest.Case(context.Background(), &runs, "7", agenttest.Package("rooms_test"))
	test, _, _ := strings.Cut(string(source), "\n// toolsRun7")
	fmt.Println(test[strings.Index(test, "// TestRun7"):], err)
	// Output:
	// // TestRun7 repeats a run with the answers of its model and the outcomes of its tools. To call the
	// // agent's own tools instead, pass their registry to orchestrator.New.
	// func TestRun7(t *testing.T) {
	// 	model := scripted.New(scripted.Call("find_room", `{"seats":4}`), scripted.Text("Turing is free."))
	// 	stubs := agenttest.Tools(t, toolsRun7,
	// 		agenttest.Returns(`find_room({"seats":4})`, `"Turing"`),
	// 	)
	// 	agent, err := orchestrator.New(model, stubs)
	// 	if err != nil {
	// 		t.Fatal(err)
	// 	}
	// 	r := agenttest.Run(t, agent, orchestrator.Input{ID: "7", Kind: "conversation", Request: "Is there a room for four?"})
	// 	r.Waits(run.ForMessage)
	// 	r.CalledExactly(`find_room({"seats":4})`)
	// 	r.Answered("Turing is free.")
	// 	if err := model.Err(); err != nil {
	// 		t.Error(err)
	// 	}
	// }
	//  <nil>
}
