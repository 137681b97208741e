package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Agent carries out a call inside the run that makes it: its effects are effects of that run, in
// the same journal and under the same limits. So the call resumes where it was, and whatever the
// agent waits for, the run waits for.
type Agent struct {
	Env  *Env        // its Model, Models, Tools, Agents, Cost, Parallel and Repeats; other fields are those of the run
	Func Func        // the Wait of its effects has no messages, and ends the agent instead of waiting
	Fold func(Event) // receives the events of the agent, as that of [Env.Execute]; may be nil
}

// AgentFunc returns the agent that carries out a call.
type AgentFunc func(call string, in Input) Agent

// maxAgentDepth is how deep agents may be nested. It ends an agent that calls itself.
const maxAgentDepth = 5

// agentData records that an agent carries out a call.
type agentData struct {
	Call  *tool.Call `json:"call"` // of the function that prepared the input
	Input Input      `json:"input"`
}

// agentMember is the key in [tool.Call.Meta] of the input of an agent.
const agentMember = "aiongen.agent"

// BeginAgent is called by the function of a tool for which [Env.Agents] returns an agent. The run
// that makes the call then executes the agent with this input, and the result of the function is
// ignored. The error is an [*Error] with the code "no_run" if no run makes the call.
func BeginAgent(ctx context.Context, in Input) error {
	call := tool.CallFrom(ctx)
	if id, ok := ctx.Value(callKey{}).(string); !ok || call == nil || call.ID != id {
		return &Error{Kind: "no_run", Text: "the tool is an agent, which only a run of an orchestrator can call"}
	}
	data, err := jsontext.Encode(in)
	if err != nil {
		return err
	}
	return tool.ExchangeFrom(ctx).Reply(agentMember, data)
}

// BeginsAgent reports whether the function of a call has begun an agent, whose result is that of
// the call.
func BeginsAgent(call *tool.Call) bool {
	_, begins := call.Meta[agentMember]
	return begins && call.Err == nil
}

// takeAgentData returns the input of the agent that carries out a call, or nil.
func takeAgentData(call *tool.Call) *agentData {
	if !BeginsAgent(call) {
		return nil
	}
	bare := *call
	bare.Output, bare.Meta = nil, maps.Clone(call.Meta)
	delete(bare.Meta, agentMember)
	a := &agentData{Call: &bare}
	if json.Unmarshal(call.Meta[agentMember], &a.Input) != nil { // it came from somewhere else
		return nil
	}
	return a
}

// frame is the state of the run's function, or of an agent that carries out a call.
type frame struct {
	id     string // of the run, or of the call
	depth  int    // 0 for the run
	env    *Env
	runner callRunner
	calls  *callBook
	fold   func(Event) // may be nil
	tools  []tool.Definition
	steps  map[string]int // numbers of the steps, from 1
	end    *endData       // of an agent that no longer waits
}

// agentCall returns the ID of the call that an agent carries out, or "" for the run's function.
func (f *frame) agentCall() string {
	if f.depth == 0 {
		return ""
	}
	return f.id
}

// effectName returns the name of a step or of another part of an effect, unique among frames. It
// does not contain the ID of the run, so that a fork has the same names.
func (f *frame) effectName(name string) string {
	if f.depth == 0 {
		return name
	}
	_, of, _ := strings.Cut(f.id, "/")
	return of + "/" + name
}

// newAgentFrame returns the frame and the function of the agent that carries out a call.
func (d *driver) newAgentFrame(c *effectCall, in Input) (*frame, Func) {
	a := c.agent(c.Request.ID, in)
	r := d.root.runner
	r.Tools, r.Parallel = a.Env.Tools, a.Env.Parallel
	f := &frame{
		id: c.Request.ID, depth: d.frame.depth + 1, env: a.Env, runner: r, fold: a.Fold, tools: in.Tools, steps: map[string]int{},
		calls: newCallBook(c.Request.ID, in.Tools, a.Env.maxRepeats()),
	}
	f.calls.ofAgent = true
	d.agentFrames[f.id] = f
	return f, a.Func
}

// runAgent executes or replays the agent that carries out a call, and records its outcome unless
// the journal has it. n is the entry with its input.
func (d *driver) runAgent(c *effectCall, n *runEntry) error {
	caller := d.frame
	f, execute := d.newAgentFrame(c, n.Agent.Input)
	d.frame = f
	answer, err := execute(d, n.Agent.Input)
	d.frame = caller
	next := d.replayer.peekEffect()
	switch {
	case d.stopped != nil:
		return d.stopped
	case next != nil && next.Kind == kindOutcome && next.Effect == c.Request.ID: // newBatch reads it
		return nil
	case next != nil:
		return d.failNonDeterminism(kindOutcome + " " + c.Request.ID)
	case d.replayOnly:
		return d.checkAllowed("")
	}
	if f.end != nil {
		answer, err = f.end.Answer, nil
		if f.end.Error != nil {
			err = f.end.Error
		}
	}
	d.live, c.Attempt = true, 0 // another worker never takes over this outcome alone, without the effects before it
	return d.recordOutcome(c, d.agentOutcome(n.Agent.Call, c.Request, answer, err), n.Seen)
}

// agentOutcome returns the call that an agent has carried out.
func (d *driver) agentOutcome(call *tool.Call, r tool.Request, answer json.RawMessage, err error) *tool.Call {
	made := *call
	if made.Output = answer; err == nil && answer == nil {
		err = &Error{Kind: "no_answer", Text: "the agent gave no answer"}
	}
	if err != nil {
		made.Status, made.Err = tool.StatusFailed, &tool.ToolError{Tool: r.Name, Err: NewError(err)}
	}
	made.Duration = max(d.currentTime().Sub(made.Started), made.Duration)
	return settleCall(&made, r)
}

// endAgent makes the agent end instead of waiting for a message. The error stops its function.
func (d *driver) endAgent(f WaitOptions) (err error) {
	d.frame.end = &endData{Answer: f.Answer, Error: f.Error}
	if f.End {
		return nil
	}
	return &Stop{Status: Completed}
}

// errTooDeep refuses a call of an agent.
func errTooDeep(name string) error {
	return &Error{Kind: agentDepthCode, Text: fmt.Sprintf("%s: agents call agents at most %d levels deep; carry out the request without it", name, maxAgentDepth)}
}

const agentDepthCode = "agent_depth"

// errAgentMissing is the error of a call whose function has begun an agent that the run does not
// know.
var errAgentMissing = errors.New("the run has no agent for this tool")

// ParseCallID splits the ID of a call: of is the ID of the run, or that of the call which an agent
// carries out by making this one. An ID that was too long has no step.
func ParseCallID(id string) (of, step string) {
	i := strings.LastIndexByte(id, '/')
	if j := strings.LastIndexByte(id, ':'); i >= 0 && j > i {
		return id[:i], stepUnescaper.Replace(id[i+1 : j])
	}
	run, _, _ := strings.Cut(id, "/")
	if i <= len(run) {
		return run, ""
	}
	return run, id[len(run)+1 : i]
}

// The steps of an agent have no slash in the IDs of its calls, so that no plan can contain a step
// whose calls have the same IDs.
var (
	stepEscaper   = strings.NewReplacer("~", "~0", "/", "~1")
	stepUnescaper = strings.NewReplacer("~0", "~", "~1", "/")
)
