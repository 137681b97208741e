package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/aiongen/aiongen/example/tools"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/memory/bolt"
	"github.com/aiongen/aiongen/runtime/orchestrator"
)

// agent carries out requests.
type agent struct {
	orchestrator *orchestrator.Orchestrator
	store        memory.Store
	desk         *tools.Desk
	person       *person
	screen       *screen
	recorded     bool // the model is the recorded dialogue
}

// saved is what is kept of a run after each step, all at once: what was done, and
// what became of the desk by it.
type saved struct {
	State    orchestrator.State `json:"state"`
	Desk     json.RawMessage    `json:"desk"`
	Recorded bool               `json:"recorded,omitempty"` // the model was the recorded dialogue
}

// savedPrefix is what the keys of runs begin with. IDs of runs follow, which are in
// the order of time.
const savedPrefix = "saved/"

// carryOut executes a request to its end, and tells whether all steps are complete.
func (a *agent) carryOut(ctx context.Context, request string) (bool, error) {
	run, err := a.begin(ctx, request)
	if err != nil {
		return false, err
	}
	for more := true; more; {
		more, err = run.Step(ctx)
		state := run.State()
		failed := a.save(ctx, state)
		if err != nil && ctx.Err() != nil {
			err = fmt.Errorf("%w; %s", err, progressOf(state))
		}
		if err := errors.Join(err, failed); err != nil {
			return false, err
		}
		if state.Status == orchestrator.Waiting {
			if err := a.decide(ctx, run, state); err != nil {
				return false, fmt.Errorf("%w; %s", err, progressOf(state))
			}
			more = true
		}
	}
	return run.State().Status == orchestrator.Completed, nil
}

// save keeps a run. Its store is detached, so that one that is interrupted is kept, too.
func (a *agent) save(ctx context.Context, state orchestrator.State) error {
	desk, err := json.Marshal(a.desk)
	if err != nil {
		return err
	}
	return a.store.Write(ctx, savedPrefix+state.ID, saved{state, desk, a.recorded})
}

// begin returns the run of a request that was interrupted, or a new one. No
// request is that of the last run that was interrupted.
func (a *agent) begin(ctx context.Context, request string) (*orchestrator.Run, error) {
	var last *saved
	for entry, err := range a.store.Search(ctx, savedPrefix) {
		if err != nil {
			return nil, err
		}
		var s saved
		if err := json.Unmarshal(entry.Value, &s); err != nil {
			return nil, fmt.Errorf("what is kept under %q cannot be read: %w; name another file by -memory", entry.Key, err)
		}
		unfinished := s.State.Status == orchestrator.Running || s.State.Status == orchestrator.Waiting
		if unfinished && (request == "" || request == s.State.Request) {
			last = &s
		}
	}
	switch {
	case last != nil:
		return a.resume(*last)
	case request == "":
		return nil, errors.New("there is no request, and no run that was interrupted")
	}
	return a.orchestrator.Start(ctx, orchestrator.Input{ID: time.Now().UTC().Format("20060102T150405.000000000"), Request: request})
}

// resume returns the run that was kept.
func (a *agent) resume(s saved) (*orchestrator.Run, error) {
	if a.recorded && !s.Recorded { // which would fail for want of answers, and be lost
		return nil, fmt.Errorf("the run of %q goes on with a model alone; name an endpoint by -model-url and -model", line(s.State.Request))
	}
	run, err := a.orchestrator.Resume(s.State)
	if err == nil {
		err = json.Unmarshal(s.Desk, a.desk)
	}
	if err != nil {
		return nil, fmt.Errorf("the run of %q cannot go on: %w; name another file by -memory", line(s.State.Request), err)
	}
	a.screen.resumed(s.State)
	return run, nil
}

// decide asks the person about the call that waits.
func (a *agent) decide(ctx context.Context, run *orchestrator.Run, s orchestrator.State) error {
	a.screen.progress.clear()
	approved, why, err := a.person.approves(ctx, *s.Waiting)
	if err != nil {
		return err
	}
	a.screen.decided(approved, why)
	if approved {
		return run.Approve(s.CurrentStep, why)
	}
	return run.Deny(s.CurrentStep)
}

// store returns where runs are kept, also when they are interrupted, and how to
// close it.
func (s settings) store() (memory.Store, func() error, error) {
	if s.memory == "" {
		return &memory.Map{}, func() error { return nil }, nil
	}
	store, err := bolt.Open(s.memory)
	if err != nil {
		return nil, nil, err
	}
	return memory.Detached(store), store.Close, nil
}
