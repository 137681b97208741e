package enginetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/guard"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// script is what the model says, and what tools do that do more than to return the ID of
// their call.
type script struct {
	replies []reply
	deeds   map[string]deed
}

// reply is what the model says to a request.
type reply func(ctx context.Context, s *stage, r llm.Request) (llm.Response, error)

// deed is what a tool does, the nth time that it is called by the ID of this call.
type deed func(ctx context.Context, s *stage, nth int) (any, error)

// stage is where a script is played: an engine, whose model and tools act by it.
type stage struct {
	script
	engine  Engine
	restart func()
	tools   *tool.Registry
	left    chan struct{} // closed when the check is over
	hangs   chan struct{} // somebody does not go on

	mu      sync.Mutex
	said    map[string]llm.Response // to a request, as JSON
	effects []string                // "pay r/1/1 {…}"
	times   map[string]int          // that a call was made, by ID
}

// newStage returns a stage without an engine. Its tools are find, which reads, tag, which
// is idempotent, pay, and send, which somebody has to approve.
func newStage(s script) (*stage, error) {
	st := &stage{
		script: s, tools: tool.NewRegistry(tool.Use(guard.Gate(guard.Ask(guard.Named("send")), guard.Allow())), tool.MaxOutput(16<<20)),
		left: make(chan struct{}), hangs: make(chan struct{}, 100),
		said: map[string]llm.Response{}, times: map[string]int{},
	}
	for name, does := range map[string]tool.Annotations{"find": {ReadOnly: true}, "tag": {Idempotent: true}, "pay": {}, "send": {}} {
		made, err := schema.Dynamic(tool.Definition{
			Name: name, Description: "Does " + name + ".", Annotations: does,
			Input:  json.RawMessage(`{"type":"object","properties":{"to":{"type":"string","title":"<whom> & why"},"n":{"type":"integer"}},"additionalProperties":false}`),
			Output: json.RawMessage(`{"type":"string"}`),
		}, func(ctx context.Context, arguments json.RawMessage) (json.RawMessage, error) {
			return st.do(ctx, name, arguments)
		})
		if err == nil {
			err = st.tools.Register(made)
		}
		if err != nil {
			return nil, err
		}
	}
	return st, nil
}

// leave ends what hangs.
func (s *stage) leave() { close(s.left) }

// generate is the model. It says the same again to who asks the same again, and else what
// is next: a run that goes on elsewhere may ask for an answer that came to nobody.
func (s *stage) generate(ctx context.Context, r llm.Request) (llm.Response, error) {
	asked, err := json.Marshal(r)
	if err != nil {
		return llm.Response{}, err
	}
	s.mu.Lock()
	said, again := s.said[string(asked)]
	var next reply
	if !again && len(s.replies) > 0 {
		next, s.replies = s.replies[0], s.replies[1:]
	}
	s.mu.Unlock()
	switch {
	case again:
		return said, nil
	case next == nil:
		return said, &llm.Error{Kind: llm.BadRequest, Err: errors.New("there is no more in the script")}
	}
	if said, err = next(ctx, s, r); err != nil {
		return said, err
	}
	said.Usage = llm.Usage{Input: 10, Output: 2}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.said[string(asked)] = said
	return said, nil
}

// do is a tool. Who calls it is noted, too.
func (s *stage) do(ctx context.Context, name string, arguments json.RawMessage) (json.RawMessage, error) {
	id := tool.CallFrom(ctx).ID
	effect := fmt.Sprintf("%s %s %s", name, id, arguments)
	if who := tool.ExchangeFrom(ctx).Caller().User; who != "" {
		effect += " by " + who
	}
	s.mu.Lock()
	s.effects = append(s.effects, effect)
	s.times[id]++
	nth := s.times[id]
	s.mu.Unlock()
	var output any = "done"
	if does := s.deeds[name]; does != nil {
		var err error
		if output, err = does(ctx, s, nth); err != nil {
			return nil, err
		}
	}
	return jsontext.Encode(output)
}

// done returns the calls that were made of a run, which stands there as "r".
func (s *stage) done(run string) (effects []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, effect := range s.effects {
		name, rest, _ := strings.Cut(effect, " ")
		if rest, is := strings.CutPrefix(rest, run+"/"); is {
			effects = append(effects, name+" r/"+rest)
		}
	}
	return effects
}

// tell tells the run of a call something.
func (s *stage) tell(ctx context.Context, signal record.Signal) error {
	run, _, _ := strings.Cut(tool.CallFrom(ctx).ID, "/")
	return s.engine.Send(ctx, run, signal)
}

// hang does not go on until its context is done.
func (s *stage) hang(ctx context.Context) error {
	s.hangs <- struct{}{}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-s.left:
		return errors.New("the check is over")
	}
}

// says is a model that answers.
func says(text string) reply {
	return func(context.Context, *stage, llm.Request) (llm.Response, error) { return llm.Response{Text: text}, nil }
}

// calls is a model that calls tools, each a name and arguments.
func calls(texts ...string) reply {
	return func(context.Context, *stage, llm.Request) (r llm.Response, err error) {
		for i, text := range texts {
			name, arguments, _ := strings.Cut(text, " ")
			r.Calls = append(r.Calls, tool.Request{ID: fmt.Sprint("c", i), Name: name, Arguments: json.RawMessage(arguments)})
		}
		return r, nil
	}
}

// echoes is a model that says all that it was told since it said something.
func echoes(_ context.Context, _ *stage, r llm.Request) (llm.Response, error) {
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

// reads is a model that says what it was told of a tool's arguments.
func reads(_ context.Context, _ *stage, r llm.Request) (llm.Response, error) {
	return llm.Response{Text: string(r.Tools[0].Input)}, nil
}

// breaks is a model that fails, once.
func breaks(kind string) reply {
	return func(context.Context, *stage, llm.Request) (llm.Response, error) {
		return llm.Response{}, &llm.Error{Kind: kind, Err: errors.New("the endpoint is tired")}
	}
}

// silent is a model that does not answer, once.
func silent(ctx context.Context, s *stage, _ llm.Request) (llm.Response, error) {
	return llm.Response{}, s.hang(ctx)
}

// fails is a tool that fails so often for each call.
func fails(times int, retryable bool) deed {
	return func(_ context.Context, _ *stage, nth int) (any, error) {
		if nth > times {
			return "done at last", nil
		}
		return nil, &record.Error{Kind: "closed", Text: "the shop is closed", Retry: retryable}
	}
}

// stalls is a tool that does not end the first time.
func stalls(ctx context.Context, s *stage, nth int) (any, error) {
	if nth == 1 {
		return nil, s.hang(ctx)
	}
	return "done again", nil
}
