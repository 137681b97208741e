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

// Agent carries out a call inside the run that made the call. The effects of the agent are effects
// of that run: they are recorded in its journal and count against its limits. After a crash, the
// agent therefore resumes after its last recorded effect. While the agent waits, the run waits.
type Agent struct {
	Env  *Env        // only Model, Models, Tools, Agents, Cost, Parallel and Repeats are used; the run's Env provides the rest
	Func Func        // its Effects.Wait returns no messages: it ends the agent instead of waiting
	Fold func(Event) // receives all events of the agent, like the fold of [Env.Execute]; may be nil
}

// AgentFunc returns the agent that carries out a call.
type AgentFunc func(call string, in Input) Agent

// maxAgentDepth limits how deep agents may be nested. It stops an agent that calls itself.
const maxAgentDepth = 5

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

// BeginsAgent reports whether the function of a call succeeded and called [BeginAgent]. The result
// of the call is then the answer of the agent.
func BeginsAgent(call *tool.Call) bool {
	_, begins := call.Meta[agentMember]
	return begins && call.Err == nil
}

// takeAgentData returns the input of the agent that carries out a call, or nil.
func takeAgentData(call *tool.Call) *AgentRecord {
	if !BeginsAgent(call) {
		return nil
	}
	bare := *call
	bare.Output, bare.Meta = nil, maps.Clone(call.Meta)
	delete(bare.Meta, agentMember)
	a := &AgentRecord{Call: &bare}
	if json.Unmarshal(call.Meta[agentMember], &a.Input) != nil { // BeginAgent did not write this text
		return nil
	}
	return a
}

// frame is the state of the run's function, or of an agent that carries out a call.
type frame struct {
	id     string // of the run, or of the call that the agent carries out
	depth  int    // 0 for the run
	env    *Env
	runner callRunner
	calls  *callBook
	fold   func(Event) // may be nil
	tools  []tool.Definition
	steps  map[string]int // numbers of the steps, from 1
	end    *endData       // of an agent that ended instead of waiting
}

// agentCall returns the ID of the call that an agent carries out, or "" for the run's function.
func (f *frame) agentCall() string {
	if f.depth == 0 {
		return ""
	}
	return f.id
}

// effectName makes the name of a step or of another part of an effect unique among frames: for the
// agent that carries out call "r/1/1" of run "r", "2" becomes "1/1/2". The name does not contain
// the ID of the run, so that a fork has the same names.
func (f *frame) effectName(name string) string {
	if f.depth == 0 {
		return name
	}
	_, call, _ := strings.Cut(f.id, "/")
	return call + "/" + name
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

// runAgent executes or replays the agent that carries out a call. It records the outcome of the
// call unless the journal already has it. n is the entry with the input of the agent.
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
	case next != nil && next.Kind == kindOutcome && next.Effect == c.Request.ID: // newBatch reads the outcome
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
	d.live, c.Attempt = true, 0 // salvageOutcomes skips attempt 0: it would append this outcome without the agent's effects before it
	return d.recordOutcome(c, d.agentOutcome(n.Agent.Call, c.Request, answer, err), n.Seen)
}

// agentOutcome returns the outcome of a call that an agent has carried out.
func (d *driver) agentOutcome(call *tool.Call, r tool.Request, answer json.RawMessage, err error) *tool.Call {
	outcome := *call
	if outcome.Output = answer; err == nil && answer == nil {
		err = &Error{Kind: "no_answer", Text: "the agent gave no answer"}
	}
	if err != nil {
		outcome.Status, outcome.Err = tool.StatusFailed, &tool.ToolError{Tool: r.Name, Err: NewError(err)}
	}
	outcome.Duration = max(d.currentTime().Sub(outcome.Started), outcome.Duration)
	return settleCall(&outcome, r)
}

// endAgent ends the agent instead of waiting for a message. It returns a [*Stop], or nil if f.End is
// set, because the function then returns on its own.
func (d *driver) endAgent(f WaitOptions) (err error) {
	d.frame.end = &endData{Answer: f.Answer, Error: f.Error}
	if f.End {
		return nil
	}
	return &Stop{Status: Completed}
}

// errTooDeep returns the error of a call that would nest agents more than maxAgentDepth levels deep.
func errTooDeep(name string) error {
	return &Error{Kind: agentDepthCode, Text: fmt.Sprintf("%s: agents call agents at most %d levels deep; carry out the request without it", name, maxAgentDepth)}
}

const agentDepthCode = "agent_depth"

// errAgentMissing is the error of a call whose function called [BeginAgent], although [Env.Agents]
// returns no agent for the tool.
var errAgentMissing = errors.New("the run has no agent for this tool")

// ParseCallID splits the ID of a call into its owner and its step. The owner is the run, or, if an
// agent made the call, the call that the agent carries out: "r/2/1" has the owner "r" and the step
// "2", and "r/2/1/3:1" has the owner "r/2/1" and the step "3". The step is empty if the ID was too
// long and contains a hash instead.
func ParseCallID(id string) (owner, step string) {
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

// stepEscaper and stepUnescaper convert steps of agents to and from the form in call IDs, which has
// no slash. This keeps the IDs of the run's own calls different from those of its agents' calls,
// whatever the steps of its plan are called.
var (
	stepEscaper   = strings.NewReplacer("~", "~0", "/", "~1")
	stepUnescaper = strings.NewReplacer("~0", "~", "~1", "/")
)
