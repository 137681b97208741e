package enginetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// script contains the replies of the model, and the functions of tools by name. A tool without a
// function returns "done". The names of the agents' tools begin with "agent.".
type script struct {
	replies      []reply
	agentReplies []reply // of the model of the agents
	functions    map[string]toolFunc
}

// reply returns the response of the model to a request.
type reply func(ctx context.Context, s *stage, r llm.Request) (llm.Response, error)

// toolFunc is the function of a tool. nth counts the calls with the same ID, from 1.
type toolFunc func(ctx context.Context, s *stage, nth int) (any, error)

// stage is an engine whose model and tools follow a script.
type stage struct {
	script
	engine  Engine
	restart func()
	tools   *tool.Registry
	over    chan struct{} // closed when the check is over
	hangs   chan struct{} // receives a value whenever a tool or the model hangs

	mu        sync.Mutex
	responses map[string]llm.Response // by the request, as JSON
	effects   []string                // the calls, such as "pay r/1/1 {…}"
	times     map[string]int          // number of calls by ID
	events    []run.Event
}

// newStage returns a stage without an engine. Its tools are those of newRegistry and the agents of
// addAgents.
func newStage(s script) (*stage, error) {
	st := &stage{
		script: s, over: make(chan struct{}), hangs: make(chan struct{}, 100),
		responses: map[string]llm.Response{}, times: map[string]int{},
	}
	tools, err := st.newRegistry("", `{"to":{"type":"string","title":"<whom> & why"},"n":{"type":"integer"}}`)
	if err == nil {
		st.tools = tools
		err = st.addAgents()
	}
	return st, err
}

// newRegistry returns a registry with the tools. The prefix precedes their names in the script.
func (s *stage) newRegistry(prefix, properties string) (*tool.Registry, error) {
	return newRegistry(`{"type":"object","properties":`+properties+`,"additionalProperties":false}`, func(ctx context.Context, name string, arguments json.RawMessage) (json.RawMessage, error) {
		return s.callFunction(ctx, prefix+name, arguments)
	})
}

// addAgents adds agents to the tools: research, which holds conversations and may call itself, and
// total, which makes plans and returns JSON. They have their own model and tools.
func (s *stage) addAgents() error {
	tools, err := s.newRegistry("agent.", `{"sum":{"type":"integer"}}`)
	if err != nil {
		return err
	}
	for _, agent := range []struct {
		tool.Definition
		kind orchestrator.Option
	}{
		{tool.Definition{Name: "research", Description: "Answers questions."}, orchestrator.Conversation{}},
		{tool.Definition{
			Name: "total", Description: "Counts things.", Annotations: tool.Annotations{ReadOnly: true},
			Input:  json.RawMessage(`{"type":"object","properties":{"what":{"type":"string"}},"required":["what"]}`),
			Output: json.RawMessage(`{"type":"object","properties":{"sum":{"type":"integer"}},"required":["sum"]}`),
		}, orchestrator.Plan{}},
	} {
		o, err := orchestrator.New(llm.Func(s.generateAgentResponse), tools, agent.kind)
		if err != nil {
			return err
		}
		agentTool, err := orchestrator.AsTool(o, agent.Definition)
		if err == nil {
			err = errors.Join(s.tools.Register(agentTool), tools.Register(agentTool))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// addEvent receives the events of the engine.
func (s *stage) addEvent(_ context.Context, e run.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, e)
}

// endHangs ends all calls that hang.
func (s *stage) endHangs() { close(s.over) }

// generateResponse is the model. It answers a new request with the next reply of the script. It
// answers a repeated request as before, because a run that resumes on another worker may repeat a
// request whose answer was lost.
func (s *stage) generateResponse(ctx context.Context, r llm.Request) (llm.Response, error) {
	return s.takeReply(ctx, r, &s.replies)
}

// generateAgentResponse is the model of the agents.
func (s *stage) generateAgentResponse(ctx context.Context, r llm.Request) (llm.Response, error) {
	return s.takeReply(ctx, r, &s.agentReplies)
}

func (s *stage) takeReply(ctx context.Context, r llm.Request, replies *[]reply) (llm.Response, error) {
	request, err := json.Marshal(r)
	if err != nil {
		return llm.Response{}, err
	}
	s.mu.Lock()
	response, repeated := s.responses[string(request)]
	var next reply
	if !repeated && len(*replies) > 0 {
		next, *replies = (*replies)[0], (*replies)[1:]
	}
	s.mu.Unlock()
	switch {
	case repeated:
		return response, nil
	case next == nil:
		return response, &llm.Error{Kind: llm.BadRequest, Err: errors.New("the script has no more replies")}
	}
	if response, err = next(ctx, s, r); err != nil {
		return response, err
	}
	response.Usage = llm.Usage{Input: 10, Output: 2}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.responses[string(request)] = response
	return response, nil
}

// callFunction is the function of every tool. It records the call with the user of its caller.
func (s *stage) callFunction(ctx context.Context, name string, arguments json.RawMessage) (json.RawMessage, error) {
	id := tool.CallFrom(ctx).ID
	effect := fmt.Sprintf("%s %s %s", name, id, arguments)
	if user := tool.ExchangeFrom(ctx).Caller().User; user != "" {
		effect += " by " + user
	}
	s.mu.Lock()
	s.effects = append(s.effects, effect)
	s.times[id]++
	nth := s.times[id]
	s.mu.Unlock()
	var output any = "done"
	if perform := s.functions[name]; perform != nil {
		var err error
		if output, err = perform(ctx, s, nth); err != nil {
			return nil, err
		}
	}
	return jsontext.Encode(output)
}

// effectsOf returns the calls of a run, with "r" instead of its ID.
func (s *stage) effectsOf(run string) (effects []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, effect := range s.effects {
		name, rest, _ := strings.Cut(effect, " ")
		if rest, ok := strings.CutPrefix(rest, run+"/"); ok {
			effects = append(effects, name+" r/"+rest)
		}
	}
	return effects
}

// sendSignal sends a signal to the run of the current call.
func (s *stage) sendSignal(ctx context.Context, signal run.Signal) error {
	run, _, _ := strings.Cut(tool.CallFrom(ctx).ID, "/")
	return s.engine.Send(ctx, run, signal)
}

// hangUntilOver blocks until its context is done or the check is over.
func (s *stage) hangUntilOver(ctx context.Context) error {
	s.hangs <- struct{}{}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-s.over:
		return errors.New("the check is over")
	}
}

// replyText returns a reply with a text.
func replyText(text string) reply {
	return func(context.Context, *stage, llm.Request) (llm.Response, error) { return llm.Response{Text: text}, nil }
}

// replyCalls returns a reply with calls, each a name and arguments.
func replyCalls(texts ...string) reply {
	return func(context.Context, *stage, llm.Request) (r llm.Response, err error) {
		for i, text := range texts {
			name, arguments, _ := strings.Cut(text, " ")
			r.Calls = append(r.Calls, tool.Request{ID: fmt.Sprint("c", i), Name: name, Arguments: json.RawMessage(arguments)})
		}
		return r, nil
	}
}

// replyEcho replies with all messages since the last answer.
func replyEcho(_ context.Context, _ *stage, r llm.Request) (llm.Response, error) {
	var texts []string
	for _, m := range r.Dialogue() {
		if m.Role == llm.RoleAssistant {
			texts = nil
			continue
		}
		texts = append(texts, m.Content())
	}
	return llm.Response{Text: strings.Join(texts, " | ")}, nil
}

// replyResult replies with the input schema of the first tool.
func replyResult(_ context.Context, _ *stage, r llm.Request) (llm.Response, error) {
	return llm.Response{Text: string(r.Tools[0].Input)}, nil
}

// replyError returns a reply that fails.
func replyError(kind string) reply {
	return func(context.Context, *stage, llm.Request) (llm.Response, error) {
		return llm.Response{}, &llm.Error{Kind: kind, Err: errors.New("the endpoint is overloaded")}
	}
}

// replyNothing is a reply that hangs.
func replyNothing(ctx context.Context, s *stage, _ llm.Request) (llm.Response, error) {
	return llm.Response{}, s.hangUntilOver(ctx)
}

// failTimes returns a toolFunc that fails the given number of times for each call, and then succeeds.
func failTimes(times int, retryable bool) toolFunc {
	return func(_ context.Context, _ *stage, nth int) (any, error) {
		if nth > times {
			return "done at last", nil
		}
		return nil, &run.Error{Kind: "closed", Text: "the shop is closed", Retry: retryable}
	}
}

// hangFirst is a toolFunc that hangs the first time that a call is made.
func hangFirst(ctx context.Context, s *stage, nth int) (any, error) {
	if nth == 1 {
		return nil, s.hangUntilOver(ctx)
	}
	return "done again", nil
}
