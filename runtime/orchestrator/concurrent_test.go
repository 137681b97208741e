package orchestrator_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/orchestrator/cyclelog"
	"github.com/aiongen/aiongen/runtime/orchestrator/record"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/google/go-cmp/cmp"
)

// crowd is what runs share: a kernel with its model, registry, store and log. All
// runs do the same, each with its own name in every value.
type crowd struct {
	kernel   *orchestrator.Orchestrator
	registry *tool.Registry
	store    memory.Map
	all      sync.WaitGroup // a tool of theirs returns when it was called by all

	mu     sync.Mutex
	log    bytes.Buffer
	ran    map[string]int            // calls of tools, by their IDs
	events map[string][]record.Event // by run
}

var runName = regexp.MustCompile(`run-\d+`)

// newCrowd returns what as many runs share.
func newCrowd(t *testing.T, runs int) *crowd {
	c := &crowd{ran: map[string]int{}, events: map[string][]record.Event{}}
	c.all.Add(runs)
	count := func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, call *tool.Call) (json.RawMessage, error) {
			c.mu.Lock()
			c.ran[call.ID]++
			c.mu.Unlock()
			return next(ctx, call)
		}
	}
	c.registry = tool.NewRegistry(tool.Use(tool.Gate(tool.Ask(tool.Named("send")), tool.Allow()), count))
	for name, f := range map[string]func(){
		"meet":   func() { c.all.Done(); c.all.Wait() },
		"send":   func() {},
		"panics": func() { panic("out of order") },
	} {
		d := tool.Definition{Name: name, Description: "Does " + name + ".", Input: json.RawMessage(`{"type":"object","properties":{"run":{"type":"string"}},"required":["run"]}`)}
		made, err := schema.Dynamic(d, func(_ context.Context, arguments json.RawMessage) (json.RawMessage, error) {
			f()
			return arguments, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		c.registry.Replace(made)
	}
	cycles := cyclelog.Old(&c.log)
	c.kernel = orchestrator.New(llm.Func(c.answer), &c.store, orchestrator.Tools(c.registry),
		orchestrator.Clock(func() time.Time { return time.Unix(0, 0) }),
		orchestrator.Events(func(e record.Event) {
			cycles.Event(e)
			c.mu.Lock()
			defer c.mu.Unlock()
			c.events[e.Run] = append(c.events[e.Run], e)
		}))
	return c
}

// answer is what a model says to a request, in which is the name of one run alone.
func (c *crowd) answer(_ context.Context, req llm.Request) (llm.Response, error) {
	text := req.Prompt
	for _, m := range req.Messages {
		text += m.Text
	}
	names := runName.FindAllString(text, -1)
	slices.Sort(names)
	if names = slices.Compact(names); len(names) != 1 {
		return llm.Response{}, &llm.Error{Kind: llm.BadRequest, Err: fmt.Errorf("the names %q are in one prompt", names)}
	}
	run := names[0]
	answer := `{"run":"` + run + `"}`
	switch {
	case strings.Contains(text, "Make a plan"):
		answer = `{"goal":"` + run + `","steps":[
			{"step_id":"1","description":"meet","tool":"meet"},
			{"step_id":"2","description":"send","tool":"send","arguments":{"run":"` + run + `"}},
			{"step_id":"3","description":"panic","tool":"panics","arguments":{"run":7,"by":"` + run + `"}},
			{"step_id":"4","description":"tell","agent":"llm"},
			{"step_id":"5","description":"guess","tool":"guess"}]}`
	case strings.Contains(text, "cannot be carried out"):
		answer = "?"
	}
	return llm.Response{Text: answer, Usage: llm.Usage{Input: 10, Output: 1}}, nil
}

// drive carries out a run, which others drive at the same time.
func (c *crowd) drive(t *testing.T, run *orchestrator.Run) {
	for more := true; more; {
		var err error
		more, err = run.Step(t.Context())
		if tool.Code(err) == record.Busy {
			more = true
			time.Sleep(time.Millisecond) // another one is at it
			continue
		}
		if err != nil {
			t.Error(err)
			return
		}
		if s := run.State(); s.Status == orchestrator.Waiting {
			more = true
			if err := run.Approve(s.CurrentStep, "by "+s.ID); err != nil && tool.Code(err) != record.NotWaiting && tool.Code(err) != record.Busy {
				t.Error(err)
			}
		}
	}
}

// unlike are what of a run is not the same in every other: its name in values, when
// calls began, and where a panic was.
var unlike = regexp.MustCompile(`"(started|duration|stack)": ("(\\.|[^"])*"|\d+)|run-\d+`)

// alike returns JSON of what a run has, as it would be in any of them.
func alike(t *testing.T, x any) string { return unlike.ReplaceAllString(toJSON(t, x), "$1…") }

// TestConcurrentRuns drives many runs through all their steps at once, each by
// several, while their states are read and tools of the registry come and go.
// Every one of them has the state, events, log and results that it has alone.
func TestConcurrentRuns(t *testing.T) {
	const runs = 8
	alone, crowded := newCrowd(t, 1), newCrowd(t, runs)
	one, err := alone.kernel.Start(t.Context(), orchestrator.Input{ID: "run-0", Request: "be run-0"})
	if err != nil {
		t.Fatal(err)
	}
	alone.drive(t, one)
	state := one.State()
	if got := summary(&orchestrator.Result{Plan: state.Plan, Status: state.Status, State: state, Error: state.Error}); got != "failed 45: complete/tool complete/tool failed/tool complete/llm complete/fallback (steps_failed)" {
		t.Fatalf("%s\n%s", got, toJSON(t, state))
	}

	var all, others sync.WaitGroup
	done := make(chan struct{})
	extra := dynamic(t, "extra", func(context.Context) (string, error) { return "", errors.New("never called") })
	others.Go(func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
				crowded.registry.Replace(extra)
				crowded.registry.Unregister("extra")
			}
		}
	})
	states := make([]orchestrator.State, runs)
	for i := range runs {
		all.Go(func() {
			id := fmt.Sprint("run-", i)
			run, err := crowded.kernel.Start(t.Context(), orchestrator.Input{ID: id, Request: "be " + id})
			if err != nil {
				t.Error(err)
				return
			}
			var drivers sync.WaitGroup
			for range 2 {
				drivers.Go(func() { crowded.drive(t, run) })
			}
			drivers.Go(func() {
				for s := run.State(); s.Status == orchestrator.Running || s.Status == orchestrator.Waiting; s = run.State() {
					for _, made := range s.ToolHistory {
						made.Call.Request.Arguments[0] = '!' // of a copy
					}
					time.Sleep(time.Millisecond)
				}
			})
			drivers.Wait()
			states[i] = run.State()
		})
	}
	all.Wait()
	close(done)
	others.Wait()

	state.Tools = nil
	want := alike(t, state)
	wantEvents := alike(t, alone.events["run-0"])
	for i, s := range states {
		id := fmt.Sprint("run-", i)
		s.Tools = nil // what there was when it began
		if diff := cmp.Diff(want, alike(t, s)); diff != "" {
			t.Fatalf("the state of %s is not what it is alone:\n%s", id, diff)
		}
		if diff := cmp.Diff(wantEvents, alike(t, crowded.events[id])); diff != "" {
			t.Fatalf("the events of %s are not what they are alone:\n%s", id, diff)
		}
		if names := runName.FindAllString(toJSON(t, []any{s, crowded.events[id]}), -1); slices.ContainsFunc(names, func(name string) bool { return name != id }) {
			t.Errorf("%s has something of another: %q", id, names)
		}
		for _, made := range s.ToolHistory {
			if crowded.ran[made.Call.ID] > 1 {
				t.Errorf("call %s ran %d times", made.Call.ID, crowded.ran[made.Call.ID])
			}
		}
		stored := 0
		for entry, err := range crowded.store.Search(t.Context(), "run/"+id+"/") {
			if err != nil || runName.FindString(string(entry.Value)) != id {
				t.Errorf("%s has %s, %v", entry.Key, entry.Value, err)
			}
			stored++
		}
		if stored != 4 {
			t.Errorf("%d results of %s are stored", stored, id)
		}
	}
	if ran, lines := len(crowded.ran), strings.Count(crowded.log.String(), "\n"); ran != 3*runs || lines != states[0].Cycles*runs {
		t.Errorf("%d calls ran, the log has %d lines", ran, lines)
	}
}
