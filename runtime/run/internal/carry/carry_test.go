package carry_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/run/internal/carry"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestNote keeps what a model is to be told beside an output, which it cannot know
// otherwise: that the output was cut.
func TestNote(t *testing.T) {
	call := carry.Settle(&tool.Call{Status: tool.StatusCompleted, Output: []byte("[1]"), Note: "cut"}, tool.Request{})
	if call.Note != "cut" {
		t.Errorf("the note is %q", call.Note)
	}
}

// short forgets all calls but the first.
type short struct{ workflow }

func (s *short) CallAll(ctx context.Context, requests []tool.Request) []*tool.Call {
	return s.workflow.CallAll(ctx, requests[:1])
}

// TestForgotten: a call that whoever makes them forgot failed.
func TestForgotten(t *testing.T) {
	c := carry.Carrier{Tools: &short{}, Clock: time.Now}
	calls := c.All(t.Context(), []carry.Call{{Request: tool.Request{ID: "0"}}, {Request: tool.Request{ID: "1"}}}, false)
	if len(calls) != 2 || calls[0].Err != nil || calls[1] == nil || tool.Code(calls[1].Err) != "no_call" {
		t.Errorf("%v", calls)
	}
}

// workflow calls tools all at once, by what their names say.
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
			call.Err = &record.Error{Kind: "away", Retry: true}
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

// TestTogether: who has calls side by side in a way of its own is asked for all at once,
// and again for those that failed.
func TestTogether(t *testing.T) {
	var requests []carry.Call
	for i, name := range []string{"works", "fails", "is lost", "fails once"} {
		requests = append(requests, carry.Call{Request: tool.Request{ID: fmt.Sprint(i), Name: name}})
	}
	for _, test := range []struct {
		again bool
		want  string
	}{
		{true, "[0123 13 1] true false true"},
		{false, "[0123] true false false"},
	} {
		w := &workflow{}
		c := carry.Carrier{Tools: w, Clock: time.Now, Sleep: func(context.Context, time.Duration) {}}
		calls := c.All(t.Context(), requests, test.again)
		if got := fmt.Sprint(w.rounds, calls[0].Err == nil, calls[1].Err == nil, calls[3].Err == nil); got != test.want || calls[2] != nil {
			t.Errorf("%s, want %s; %v is known", got, test.want, calls[2])
		}
	}
}
