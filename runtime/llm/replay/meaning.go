package replay

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run"
)

// meaning says why a run makes a request. Requests with the same meaning may differ in their text.
type meaning struct {
	Purpose string `json:"purpose"`
	Agent   string `json:"agent,omitempty"` // ID of the call without the run ID, if an agent makes the request to carry out a call
	Step    string `json:"step,omitempty"`
	Tool    string `json:"tool,omitempty"`  // tool that the answer concerns
	Tools   string `json:"tools,omitempty"` // sorted names of the tools in the request, or of the run if the request has none
}

// requestMeaning returns the meaning of a request, or nil if no run made it.
func requestMeaning(ctx context.Context, req llm.Request) *meaning {
	e, _ := run.EventFrom(ctx)
	start, ok := e.What.(run.ModelStart)
	if !ok {
		return nil
	}
	offered := req.Tools
	if len(offered) == 0 {
		offered = e.Tools
	}
	var names []string
	for _, d := range offered {
		names = append(names, d.Name)
	}
	slices.Sort(names)
	_, agent, _ := strings.Cut(e.AgentCall, "/") // the ID of a run has no slash
	return &meaning{Purpose: start.For, Agent: agent, Step: e.Step, Tool: start.Tool, Tools: strings.Join(names, ", ")}
}

// String returns the meaning in one line.
func (m meaning) String() string {
	text := fmt.Sprintf("purpose %q", m.Purpose)
	for _, part := range [][2]string{{"agent of call", m.Agent}, {"step", m.Step}, {"tool", m.Tool}} {
		if part[1] != "" {
			text += fmt.Sprintf(", %s %q", part[0], part[1])
		}
	}
	if m.Tools == "" {
		return text + ", no tools"
	}
	return text + ", tools " + m.Tools
}

// similarity returns a score from 0 to 12 for what two meanings have in common. The purpose has the
// greatest weight.
func (m meaning) similarity(other meaning) (score int) {
	for _, equal := range []struct {
		is    bool
		count int
	}{{m.Purpose == other.Purpose, 6}, {m.Agent == other.Agent, 2}, {m.Step == other.Step, 2}, {m.Tool == other.Tool, 1}, {m.Tools == other.Tools, 1}} {
		if equal.is {
			score += equal.count
		}
	}
	return score
}
