package llmtest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/journal/file"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

const (
	turns      = 10
	killedTurn = 6
)

// checkKilledConversation runs an agent with a conversation of ten turns with tools, an image and
// reasoning. It simulates a process that is killed while it waits for an answer, and a new process that
// continues from the journal. The new process must send the same request again, and must send back the
// provider data of all answers.
func checkKilledConversation(c *check) {
	if c.mode.pieceSize > 0 {
		return
	}
	ctx, kill := context.WithCancel(c.Context())
	defer kill()
	for turn := 1; turn <= turns; turn++ {
		if turn == killedTurn {
			c.double.script(Answer{Reply: func(Request) Answer {
				kill()
				return Answer{Fault: Hang}
			}})
		}
		c.double.script(c.turnAnswer(turn))
	}
	var calls atomic.Int32
	folder, look := c.TempDir(), func(_ context.Context, arguments json.RawMessage) (json.RawMessage, error) {
		calls.Add(1)
		return arguments, nil
	}
	r, err := c.openAgent(folder, look).Start(ctx, orchestrator.Input{
		ID: "report", Kind: "conversation", Request: "Report.",
		Messages: []llm.Message{{Role: llm.RoleUser, Text: "The map.", Parts: []content.Part{content.Image("image/png", []byte("\x89PNG\r\n\x1a\nmap"))}}},
	})
	if err != nil {
		c.Fatal(err)
	}
	if result, err := r.Execute(ctx); err != nil || result.Status != run.Interrupted {
		c.Fatalf("the process that was killed: %+v, %v", result, err)
	}
	c.model = c.provider.Model(c, c.double)
	if r, err = c.openAgent(folder, look).Open(c.Context(), "report"); err != nil {
		c.Fatal(err)
	}
	result, err := r.Execute(c.Context())
	if err != nil || string(result.Answer) != `"Done."` || calls.Load() != 2*(turns-1) {
		c.Fatalf("after %d calls: %+v, %v", calls.Load(), result, err)
	}
	c.checkTurns(c.double.Requests())
}

// turnAnswer returns the answer of a turn: two calls, or the final text.
func (c *check) turnAnswer(turn int) Answer {
	a := textAnswer("Done.")
	if turn < turns {
		a = callAnswer(
			newRequest(fmt.Sprint("call_", turn, "a"), lookTool.Name, fmt.Sprintf(`{"city":"City <%d>"}`, turn)),
			newRequest(fmt.Sprint("call_", turn, "b"), lookTool.Name, `{"city":"Oslo"}`))
	}
	a.Response.Reasoning, a.Opaque = fmt.Sprintf("Turn <%d> \u2028 & on.", turn), fmt.Sprint(opaque, turn)
	return c.toWire([]tool.Definition{lookTool}, a)
}

// checkTurns checks the requests of a conversation.
func (c *check) checkTurns(requests []Request) {
	c.Helper()
	if len(requests) != turns+1 { // both processes have sent the request of killedTurn
		c.Fatalf("there are %d requests, want %d", len(requests), turns+1)
	}
	if before, after := requests[killedTurn-1], requests[killedTurn]; string(before.Body) != string(after.Body) {
		c.Errorf("the new process sends\n%s\nwant\n%s", after, before)
	}
	last := requests[turns]
	var want []string
	for turn := 1; turn < turns; turn++ {
		want = append(want, fmt.Sprint(opaque, turn))
	}
	c.checkOpaque(last, want...)
	if lines := dialogueLines(last.Request); !slices.Contains(lines, `user: image/png with "\x89PNG\r\n\x1a\nmap"`) || !slices.Contains(lines, `result 18: {"city":"Oslo"}`) {
		c.Errorf("the provider understands %q", lines)
	}
}

var lookTool = tool.Definition{
	Name: "look", Description: "Looks at the weather of a city.", Annotations: tool.Annotations{ReadOnly: true},
	Input: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}`),
}

// openAgent returns an agent with the journal in a folder. It opens the journal like a new process.
func (c *check) openAgent(folder string, look func(context.Context, json.RawMessage) (json.RawMessage, error)) *orchestrator.Orchestrator {
	c.Helper()
	j, err := file.Open(folder)
	if err != nil {
		c.Fatal(err)
	}
	dynamicTool, err := schema.Dynamic(lookTool, look)
	if err != nil {
		c.Fatal(err)
	}
	registry := tool.NewRegistry()
	if err := registry.Replace(dynamicTool); err != nil {
		c.Fatal(err)
	}
	agent, err := orchestrator.New(llm.Func(c.generate), registry, orchestrator.Journal(j), orchestrator.BaseRequest(llm.Request{Effort: c.effort()}))
	if err != nil {
		c.Fatal(err)
	}
	return agent
}
