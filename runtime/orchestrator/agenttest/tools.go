package agenttest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Outcome is the outcome of a call. Create it with [Returns], [Fails] or [Recorded].
type Outcome struct {
	pattern callPattern
	result  tool.Call // status, output, error and attachments
	err     error     // why the outcome is invalid
	used    bool
}

// Returns returns the outcome of a call that returns the output, which is JSON. The call is written
// as for [Result.Called].
func Returns(call, output string) Outcome {
	o := newOutcome(call)
	o.result.Status, o.result.Output = tool.StatusCompleted, json.RawMessage(output)
	if !json.Valid(o.result.Output) {
		o.err = errors.Join(o.err, fmt.Errorf("the output of %s is not JSON", call))
	}
	return o
}

// Fails returns the outcome of a call that fails. If the type of err is not one of package tool, the
// call fails with a [*tool.ToolError], as if its function had returned err.
func Fails(call string, err error) Outcome {
	o := newOutcome(call)
	o.result.Status, o.result.Err = tool.StatusFailed, err
	if !strings.HasPrefix(fmt.Sprintf("%T", err), "*tool.") {
		o.result.Err = &tool.ToolError{Tool: o.pattern.name, Err: err}
	}
	return o
}

// Recorded returns the outcome in a record, which is a [tool.Call] as JSON. A failed call is not
// retried, even if its error is retryable.
func Recorded(call, record string) Outcome {
	o := newOutcome(call)
	if err := json.Unmarshal([]byte(record), &o.result); err != nil {
		o.err = errors.Join(o.err, fmt.Errorf("the record of %s: %w", call, err))
	}
	if tool.Retryable(o.result.Err) {
		o.result.Err = finalError{o.result.Err}
	}
	return o
}

func newOutcome(call string) (o Outcome) {
	o.pattern, o.err = parseCall(call)
	return o
}

// finalError is an error after which no other attempt is made.
type finalError struct{ err error }

func (e finalError) Error() string   { return e.err.Error() }
func (e finalError) Code() string    { return tool.Code(e.err) }
func (e finalError) Retryable() bool { return false }

// Tools returns tools for an agent, whose functions are replaced by the given outcomes. The definitions
// are those of the agent's own tools, such as the result of [tool.Registry.All].
//
// A call gets the first unused outcome that matches it. If all matching outcomes have been used, it
// gets the last of them. A call without an outcome fails, and the test too. Arguments are not checked
// against the schemas of the definitions.
func Tools(t testing.TB, definitions []tool.Definition, outcomes ...Outcome) orchestrator.Caller {
	t.Helper()
	for _, o := range outcomes {
		if o.err != nil {
			t.Fatalf("agenttest: %v", o.err)
		}
	}
	return &stub{t: t, definitions: definitions, outcomes: slices.Clone(outcomes)}
}

// stub is the result of [Tools].
type stub struct {
	t           testing.TB
	definitions []tool.Definition

	mu       sync.Mutex
	outcomes []Outcome
}

// All implements [orchestrator.Caller].
func (s *stub) All() []tool.Definition { return slices.Clone(s.definitions) }

// Available implements [orchestrator.Caller].
func (s *stub) Available(*tool.Scope) []tool.Definition { return s.All() }

// Call implements [orchestrator.Caller].
func (s *stub) Call(_ context.Context, r tool.Request) *tool.Call {
	call := &tool.Call{ID: r.ID, Request: r, Arguments: r.Arguments, Status: tool.StatusFailed}
	o := s.takeOutcome(r)
	if o == nil {
		s.t.Errorf("agenttest: there is no outcome for the call %s", writeCall(r.Name, r.Arguments))
		call.Err = &tool.ToolError{Tool: r.Name, Err: errors.New("the test has no outcome for this call")}
		return call
	}
	call.Status, call.Output, call.Err = o.result.Status, slices.Clone(o.result.Output), o.result.Err
	call.Note, call.Content, call.Meta, call.Repairs = o.result.Note, o.result.Content, o.result.Meta, o.result.Repairs
	if o.result.Arguments != nil {
		call.Arguments = o.result.Arguments
	}
	return call
}

// takeOutcome returns the outcome for a request, or nil if there is none.
func (s *stub) takeOutcome(r tool.Request) *Outcome {
	s.mu.Lock()
	defer s.mu.Unlock()
	var last *Outcome
	for i := range s.outcomes {
		if o := &s.outcomes[i]; o.pattern.matchesCall(r.Name, r.Arguments) {
			if last = o; !o.used {
				o.used = true
				break
			}
		}
	}
	return last
}
