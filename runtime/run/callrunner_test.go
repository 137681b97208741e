package run

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/tool"
)

// TestNote checks that the note about a truncated output is kept for the model.
func TestNote(t *testing.T) {
	call := settleCall(&tool.Call{Status: tool.StatusCompleted, Output: []byte("[1]"), Note: "cut"}, tool.Request{})
	if call.Note != "cut" {
		t.Errorf("the note is %q", call.Note)
	}
}

// short returns only the first call.
type short struct{ workflow }

func (s *short) CallAll(ctx context.Context, requests []tool.Request) []*tool.Call {
	return s.workflow.CallAll(ctx, requests[:1])
}

// TestForgotten checks that a call that its caller omits has failed.
func TestForgotten(t *testing.T) {
	c := callRunner{Tools: &short{}, Clock: time.Now}
	calls := c.runAll(t.Context(), []runningCall{{Request: tool.Request{ID: "0"}}, {Request: tool.Request{ID: "1"}}}, false)
	if len(calls) != 2 || calls[0].Err != nil || calls[1] == nil || tool.Code(calls[1].Err) != "no_call" {
		t.Errorf("%v", calls)
	}
}

// workflow calls tools concurrently, with outcomes that their names determine.
type workflow struct{ rounds []string }

func (w *workflow) Call(ctx context.Context, r tool.Request) *tool.Call {
	return w.CallAll(ctx, []tool.Request{r})[0]
}

func (w *workflow) CallAll(_ context.Context, requests []tool.Request) (calls []*tool.Call) {
	round := ""
	for _, r := range requests {
		round += r.ID
		call := &tool.Call{ID: r.ID, Status: tool.StatusFailed}
		switch {
		case r.Name == "fails", r.Name == "fails once" && len(w.rounds) == 0:
			call.Err = &Error{Kind: "away", Retry: true}
		case r.Name == "is lost":
			call.Err = fmt.Errorf("activity: %w", new(tool.UnknownOutcomeError))
		default:
			call.Status, call.Output = tool.StatusCompleted, []byte("1")
		}
		calls = append(calls, call)
	}
	w.rounds = append(w.rounds, round)
	return calls
}

// TestTogether checks that a caller with its own way to make calls in parallel gets all calls at once,
// and again those that failed.
func TestTogether(t *testing.T) {
	var requests []runningCall
	for i, name := range []string{"works", "fails", "is lost", "fails once"} {
		requests = append(requests, runningCall{Request: tool.Request{ID: fmt.Sprint(i), Name: name}})
	}
	for _, test := range []struct {
		again bool
		want  string
	}{
		{true, "[0123 13 1] true false true"},
		{false, "[0123] true false false"},
	} {
		w := &workflow{}
		c := callRunner{Tools: w, Clock: time.Now, Sleep: func(context.Context, time.Duration) {}}
		calls := c.runAll(t.Context(), requests, test.again)
		if got := fmt.Sprint(w.rounds, calls[0].Err == nil, calls[1].Err == nil, calls[3].Err == nil); got != test.want || calls[2] != nil {
			t.Errorf("%s, want %s; %v is known", got, test.want, calls[2])
		}
	}
}
