package enginetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// checks are the checks that a single scene cannot express.
var checks = []check{
	{name: "errors", run: checkErrors},
	{name: "IDs", run: checkIDs},
	{name: "started twice", run: checkTwice},
	{name: "many runs", run: checkMany},
	{name: "concurrent approvals", run: checkConcurrentApprovals},
	{name: "events of an agent", script: agentEventsScript, run: checkAgentEvents},
}

// checkErrors checks the codes of errors.
func checkErrors(ctx context.Context, s *stage) error {
	start := func(in orchestrator.Input) error { _, err := s.engine.Start(ctx, in); return err }
	result := func(id string) error { _, err := s.engine.Result(ctx, id); return err }
	var wrong []error
	for _, c := range []struct {
		what, code string
		err        error
	}{
		{"a run without a request", "invalid_input", start(orchestrator.Input{ID: uniqueID(), Kind: "plan"})},
		{"a run of an unknown kind", "invalid_input", start(orchestrator.Input{ID: uniqueID(), Kind: "dance", Request: "Dance."})},
		{"a run with a slash in its ID", "invalid_input", start(orchestrator.Input{ID: uniqueID() + "/1", Plan: newPlan(`pay {}`)})},
		{"a run with a long ID", "invalid_input", start(orchestrator.Input{ID: strings.Repeat("x", 257), Plan: newPlan(`pay {}`)})},
		{"an invalid plan", "invalid_plan", start(orchestrator.Input{ID: uniqueID(), Plan: newPlan(`pay {"to":"<<step:2>>"}`, `pay {}`)})},
		{"the result of an unknown run", "journal_gone", result(uniqueID())},
		{"a signal to an unknown run", "journal_gone", s.engine.Send(ctx, uniqueID(), run.Cancel(""))},
	} {
		if tool.Code(c.err) != c.code {
			wrong = append(wrong, fmt.Errorf("%s has the code %q, want %q: %w", c.what, tool.Code(c.err), c.code, c.err))
		}
	}
	return errors.Join(append(wrong, s.checkNoCalls())...)
}

// checkNoCalls returns an error if a call was made.
func (s *stage) checkNoCalls() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.effects) > 0 {
		return fmt.Errorf("there were calls: %q", s.effects)
	}
	return nil
}

// checkIDs starts runs with unusual IDs and without an ID.
func checkIDs(ctx context.Context, s *stage) error {
	base := uniqueID()
	ids := []string{base, base + "%2f_%", base + " Zoë\t'\"<b>\\", base + strings.Repeat("ü", (256-len(base))/2), strings.ToUpper(base), "", ""}
	for i, id := range ids {
		got, err := s.engine.Start(ctx, orchestrator.Input{ID: id, Plan: newPlan(`pay {}`)})
		if err != nil || got == "" || id != "" && got != id {
			return fmt.Errorf("a run with the ID %q was started with the ID %q: %w", id, got, err)
		}
		ids[i] = got
	}
	for i, id := range ids {
		if slices.Index(ids, id) < i {
			return fmt.Errorf("two runs have the ID %q", id)
		}
		if err := expectState(ctx, s, id, `completed: "done"; 1 steps, 0 asked, 1 called, 0 tokens`); err != nil {
			return err
		}
		if done := s.effectsOf(id); len(done) != 1 {
			return fmt.Errorf("run %q made the calls %q", id, done)
		}
	}
	return nil
}

// checkTwice tries to start a run again, while it waits and after it has ended.
func checkTwice(ctx context.Context, s *stage) error {
	in := orchestrator.Input{ID: uniqueID(), Plan: newPlan(`pay {}`, `send {}`)}
	if _, err := s.engine.Start(ctx, in); err != nil {
		return err
	}
	startAgain := func(want string) error {
		if err := expectState(ctx, s, in.ID, want); err != nil {
			return err
		}
		if _, err := s.engine.Start(ctx, in); tool.Code(err) != "journal_taken" {
			return fmt.Errorf("starting an existing run returned the code %q, want journal_taken: %w", tool.Code(err), err)
		}
		return expectState(ctx, s, in.ID, want)
	}
	if err := startAgain(`waiting for approval of send r/2/1 {}; 2 steps, 0 asked, 1 called, 0 tokens`); err != nil {
		return err
	}
	if err := s.engine.Send(ctx, in.ID, run.Approve(in.ID+"/2/1", "ann", nil)); err != nil {
		return err
	}
	if err := startAgain(`completed: "done"; 2 steps, 0 asked, 2 called, 0 tokens`); err != nil {
		return err
	}
	if done := s.effectsOf(in.ID); len(done) != 2 {
		return fmt.Errorf("the run made the calls %q, want two", done)
	}
	return nil
}

// runTogether calls do the given number of times concurrently.
func runTogether(times int, do func(i int) error) error {
	errs := make([]error, times)
	var wg sync.WaitGroup
	for i := range times {
		wg.Go(func() { errs[i] = do(i) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// checkMany executes many runs at once, and restarts the workers while the runs wait.
func checkMany(ctx context.Context, s *stage) error {
	const runs = 20
	ids := make([]string, runs)
	if err := runTogether(runs, func(i int) error {
		var err error
		ids[i], err = s.engine.Start(ctx, orchestrator.Input{ID: uniqueID(), Plan: newPlan(`find {}`, `send {}`, fmt.Sprintf(`pay {"n":%d}`, i))})
		return errors.Join(err, expectState(ctx, s, ids[i], `waiting for approval of send r/2/1 {}; 2 steps, 0 asked, 1 called, 0 tokens`))
	}); err != nil {
		return err
	}
	s.restart()
	return runTogether(runs, func(i int) error {
		if err := s.engine.Send(ctx, ids[i], run.Approve(ids[i]+"/2/1", "ann", nil)); err != nil {
			return err
		}
		if err := expectState(ctx, s, ids[i], `completed: "done"; 3 steps, 0 asked, 3 called, 0 tokens`); err != nil {
			return err
		}
		want := []string{`find r/1/1 {}`, `send r/2/1 {}`, fmt.Sprintf(`pay r/3/1 {"n":%d}`, i)}
		if done := s.effectsOf(ids[i]); !slices.Equal(done, want) {
			return fmt.Errorf("run %d made the calls %q", i, done)
		}
		return nil
	})
}

// checkConcurrentApprovals approves the same call several times concurrently. Exactly one approval must
// succeed.
func checkConcurrentApprovals(ctx context.Context, s *stage) error {
	id, err := s.engine.Start(ctx, orchestrator.Input{ID: uniqueID(), Plan: newPlan(`send {}`, `pay {}`, `send {}`)})
	if err != nil {
		return err
	}
	if err := expectState(ctx, s, id, `waiting for approval of send r/1/1 {}; 1 steps, 0 asked, 0 called, 0 tokens`); err != nil {
		return err
	}
	var mu sync.Mutex
	accepted := 0
	if err := runTogether(5, func(int) error {
		err := s.engine.Send(ctx, id, run.Approve(id+"/1/1", "ann", nil))
		mu.Lock()
		defer mu.Unlock()
		switch tool.Code(err) {
		case "":
			accepted++
		case "not_waiting":
			err = nil
		}
		return err
	}); err != nil {
		return err
	}
	if accepted != 1 {
		return fmt.Errorf("%d approvals of one call were accepted, want 1", accepted)
	}
	return expectState(ctx, s, id, `waiting for approval of send r/3/1 {}; 3 steps, 0 asked, 2 called, 0 tokens`)
}
