package enginetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// checks are of more than one run, or of none.
var checks = []check{
	{name: "errors", run: checkErrors},
	{name: "IDs", run: checkIDs},
	{name: "begun twice", run: checkTwice},
	{name: "many runs", run: checkMany},
	{name: "told at once", run: checkToldAtOnce},
}

// checkErrors does what cannot be done.
func checkErrors(ctx context.Context, s *stage) error {
	start := func(in orchestrator.Input) error { _, err := s.engine.Start(ctx, in); return err }
	result := func(id string) error { _, err := s.engine.Result(ctx, id); return err }
	var wrong []error
	for _, does := range []struct {
		what, code string
		err        error
	}{
		{"a run of nothing", "invalid_input", start(orchestrator.Input{ID: unique(), Kind: "plan"})},
		{"a run of another kind", "invalid_input", start(orchestrator.Input{ID: unique(), Kind: "dance", Request: "Dance."})},
		{"a run with a slash", "invalid_input", start(orchestrator.Input{ID: unique() + "/1", Plan: steps(`pay {}`)})},
		{"a run with a long ID", "invalid_input", start(orchestrator.Input{ID: strings.Repeat("x", 257), Plan: steps(`pay {}`)})},
		{"a plan that cannot work", "invalid_plan", start(orchestrator.Input{ID: unique(), Plan: steps(`pay {"to":"<<step:2>>"}`, `pay {}`)})},
		{"the result of no run", "journal_gone", result(unique())},
		{"what no run is told", "journal_gone", s.engine.Send(ctx, unique(), record.Cancel(""))},
	} {
		if tool.Code(does.err) != does.code {
			wrong = append(wrong, fmt.Errorf("%s has the code %q, want %q: %w", does.what, tool.Code(does.err), does.code, does.err))
		}
	}
	return errors.Join(append(wrong, s.quiet())...)
}

// quiet returns an error if a call was made.
func (s *stage) quiet() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.effects) > 0 {
		return fmt.Errorf("there were calls: %q", s.effects)
	}
	return nil
}

// checkIDs has runs with any ID, and with none.
func checkIDs(ctx context.Context, s *stage) error {
	whole := unique()
	ids := []string{whole, whole + "%2f_%", whole + " Zoë\t'\"<b>\\", whole + strings.Repeat("ü", (256-len(whole))/2), strings.ToUpper(whole), "", ""}
	for i, id := range ids {
		got, err := s.engine.Start(ctx, orchestrator.Input{ID: id, Plan: steps(`pay {}`)})
		if err != nil || got == "" || id != "" && got != id {
			return fmt.Errorf("a run with the ID %q began with %q: %w", id, got, err)
		}
		ids[i] = got
	}
	for i, id := range ids {
		if slices.Index(ids, id) < i {
			return fmt.Errorf("two runs have the ID %q", id)
		}
		if err := expect(ctx, s, id, `completed: "done"; 1 steps, 0 asked, 1 called, 0 tokens`); err != nil {
			return err
		}
		if done := s.done(id); len(done) != 1 {
			return fmt.Errorf("run %q did %q", id, done)
		}
	}
	return nil
}

// checkTwice begins a run again, while it waits and once it has ended.
func checkTwice(ctx context.Context, s *stage) error {
	in := orchestrator.Input{ID: unique(), Plan: steps(`pay {}`, `send {}`)}
	if _, err := s.engine.Start(ctx, in); err != nil {
		return err
	}
	again := func(stands string) error {
		if err := expect(ctx, s, in.ID, stands); err != nil {
			return err
		}
		if _, err := s.engine.Start(ctx, in); tool.Code(err) != "journal_taken" {
			return fmt.Errorf("a run that is there begins again with the code %q, want journal_taken: %w", tool.Code(err), err)
		}
		return expect(ctx, s, in.ID, stands)
	}
	if err := again(`waiting for approval of send r/2/1 {}; 2 steps, 0 asked, 1 called, 0 tokens`); err != nil {
		return err
	}
	if err := s.engine.Send(ctx, in.ID, record.Approve(in.ID+"/2/1", "ann", nil)); err != nil {
		return err
	}
	if err := again(`completed: "done"; 2 steps, 0 asked, 2 called, 0 tokens`); err != nil {
		return err
	}
	if done := s.done(in.ID); len(done) != 2 {
		return fmt.Errorf("it did %q", done)
	}
	return nil
}

// together does something so many times at once.
func together(times int, do func(i int) error) error {
	errs := make([]error, times)
	var wg sync.WaitGroup
	for i := range times {
		wg.Go(func() { errs[i] = do(i) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// checkMany has many runs at once, whose workers are restarted meanwhile while they wait.
func checkMany(ctx context.Context, s *stage) error {
	const runs = 20
	ids := make([]string, runs)
	if err := together(runs, func(i int) error {
		var err error
		ids[i], err = s.engine.Start(ctx, orchestrator.Input{ID: unique(), Plan: steps(`find {}`, `send {}`, fmt.Sprintf(`pay {"n":%d}`, i))})
		return errors.Join(err, expect(ctx, s, ids[i], `waiting for approval of send r/2/1 {}; 2 steps, 0 asked, 1 called, 0 tokens`))
	}); err != nil {
		return err
	}
	s.restart()
	return together(runs, func(i int) error {
		if err := s.engine.Send(ctx, ids[i], record.Approve(ids[i]+"/2/1", "ann", nil)); err != nil {
			return err
		}
		if err := expect(ctx, s, ids[i], `completed: "done"; 3 steps, 0 asked, 3 called, 0 tokens`); err != nil {
			return err
		}
		want := []string{`find r/1/1 {}`, `send r/2/1 {}`, fmt.Sprintf(`pay r/3/1 {"n":%d}`, i)}
		if done := s.done(ids[i]); !slices.Equal(done, want) {
			return fmt.Errorf("run %d did %q", i, done)
		}
		return nil
	})
}

// checkToldAtOnce has several people approve the same call: one of them is heard.
func checkToldAtOnce(ctx context.Context, s *stage) error {
	id, err := s.engine.Start(ctx, orchestrator.Input{ID: unique(), Plan: steps(`send {}`, `pay {}`, `send {}`)})
	if err != nil {
		return err
	}
	if err := expect(ctx, s, id, `waiting for approval of send r/1/1 {}; 1 steps, 0 asked, 0 called, 0 tokens`); err != nil {
		return err
	}
	var mu sync.Mutex
	heard := 0
	if err := together(5, func(int) error {
		err := s.engine.Send(ctx, id, record.Approve(id+"/1/1", "ann", nil))
		mu.Lock()
		defer mu.Unlock()
		switch tool.Code(err) {
		case "":
			heard++
		case "not_waiting":
			err = nil
		}
		return err
	}); err != nil {
		return err
	}
	if heard != 1 {
		return fmt.Errorf("%d approvals of one call were taken, want 1", heard)
	}
	return expect(ctx, s, id, `waiting for approval of send r/3/1 {}; 3 steps, 0 asked, 2 called, 0 tokens`)
}
