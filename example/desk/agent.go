package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/aiongen/aiongen/example/gen"
	"github.com/aiongen/aiongen/example/tools"
	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/guard"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// agent carries out requests.
type agent struct {
	*orchestrator.Orchestrator                 // of the journal; nil if there is none
	journal                    journal.Journal // nil if runs are the engine's alone
	engine                     Engine          // nil if runs are executed here
	person                     *person
	screen                     *screen
	program                    string // as one calls it
	where                      string // runs are kept; empty if that is here
	steps                      int    // at most, in a plan; 0 is what the orchestrator allows
}

// register returns the tools of a desk. Messages leave it, so somebody has to approve
// them.
func register(desk *tools.Desk) (*tool.Registry, error) {
	registry := tool.NewRegistry(tool.Use(guard.Gate(guard.Ask(guard.Named("notify")), guard.Allow())))
	return registry, gen.Register(registry, gen.Deps{Desk: desk})
}

// carryOut executes a request to its end, and tells whether that is a good one.
func (a *agent) carryOut(ctx context.Context, kind, request string) (bool, error) {
	run, err := a.begin(ctx, kind, request)
	if err != nil {
		return false, err
	}
	for {
		result, err := run.Execute(ctx)
		if err != nil {
			return false, err
		}
		a.screen.progress.clear()
		if a.engine != nil { // whose workers were told what happened
			a.screen.end(result)
		}
		switch result.WaitsFor {
		case record.ForApproval, record.ForAnswer, record.ForDecision:
			err = a.decide(ctx, run, result.Calls[0])
		case record.ForMessage:
			a.screen.answered(result)
			var text string
			if text, err = a.person.says(ctx); text == "" && err == nil {
				return result.Error == nil, nil
			}
			if err == nil {
				err = run.Send(ctx, record.Say(llm.Message{Role: llm.RoleUser, Text: text}))
			}
		default:
			if result.Status == record.Interrupted {
				err = fmt.Errorf("the run was interrupted: %w%s", result.Error, done(run))
			}
			return result.Status == record.Completed, err
		}
		if err != nil {
			return false, fmt.Errorf("%w%s", err, done(run))
		}
	}
}

// done says what of a run that is executed here was done.
func done(run driven) string {
	if r, ok := run.(*orchestrator.Run); ok {
		return "; " + progressOf(r.State())
	}
	return ""
}

// begin returns the run of a request that has not ended, or a new one. No request is
// that of the newest such run.
func (a *agent) begin(ctx context.Context, kind, request string) (driven, error) {
	run, err := a.newest(ctx, kind, request)
	if run != nil || err != nil {
		return run, err
	}
	if request == "" {
		return nil, errors.New("there is no request, and no run that can go on")
	}
	in := orchestrator.Input{ID: time.Now().UTC().Format("20060102T150405.000000"), Kind: kind, Request: request}
	in.Limits.Steps = a.steps
	if a.engine == nil {
		return a.Start(ctx, in)
	}
	id, err := a.engine.Start(ctx, in)
	a.screen.say("run", id)
	return remote{a.engine, id}, err
}

// newest returns the newest run of a request that has not ended; nil if there is none, or
// nobody can tell.
func (a *agent) newest(ctx context.Context, kind, request string) (driven, error) {
	if a.journal == nil {
		return nil, nil
	}
	open := journal.Filter{Status: []string{record.Running, record.Waiting, record.Interrupted, record.Expired, record.OverBudget}}
	for info, err := range a.journal.Runs(ctx, open) {
		if err != nil {
			return nil, err
		}
		run, err := a.Open(ctx, info.Run)
		if err != nil {
			return nil, fmt.Errorf("%w; name another folder by -memory", err)
		}
		if state := run.State(); request == "" && (state.WaitsFor != record.ForMessage || a.person.in != nil) || request == state.Request && kind == state.Kind {
			a.screen.resumed(state)
			driven := a.drives(run)
			return driven, a.extend(ctx, driven, state)
		}
	}
	return nil, nil
}

// drives returns a run that is executed here as one that the engine drives, if there is one.
func (a *agent) drives(run *orchestrator.Run) driven {
	if a.engine != nil {
		return remote{a.engine, run.ID()}
	}
	return run
}

// extend gives a run that came to a limit the steps that are allowed now.
func (a *agent) extend(ctx context.Context, run driven, s orchestrator.State) error {
	if s.Status != record.Expired || a.steps <= s.Usage.Steps {
		return nil
	}
	return run.Send(ctx, record.Extend(record.Limits{Steps: a.steps}))
}

// decide asks the person about a call that waits, unless somebody decides elsewhere.
func (a *agent) decide(ctx context.Context, run driven, wait record.Wait) error {
	asked, stop := context.WithCancel(ctx)
	defer stop()
	elsewhere := make(chan struct{})
	go func() {
		defer close(elsewhere)
		a.news(asked, run.ID())
		stop()
	}()
	d, err := a.person.decides(asked, wait, a.where != "")
	stop()
	<-elsewhere
	switch {
	case ctx.Err() != nil:
		return errUndecided
	case asked.Err() != nil && errors.Is(err, context.Canceled):
		a.screen.say("decided", "by somebody else")
		return nil
	case errors.Is(err, errNobody):
		command, rest := "approve", ""
		if wait.For == record.ForAnswer {
			command, rest = "answer", " to: "+asksOf(wait.Questions)
		}
		return fmt.Errorf("%w%s: %s %s %s %s, or %[3]s deny %[5]s %[6]s why", err, rest, a.program, command, a.where, run.ID())
	case err != nil:
		return err
	}
	a.screen.say(d.word, d.why)
	err = run.Send(ctx, d.signal(wait))
	if a.engine != nil && tool.Code(err) == "not_waiting" { // what others decide is known here only now
		a.screen.say("decided", "by somebody else")
		return nil
	}
	return err
}

// news returns when a run does not wait any more by its journal, or ctx is done.
func (a *agent) news(ctx context.Context, run string) {
	if a.journal == nil {
		<-ctx.Done()
		return
	}
	tick := time.NewTicker(300 * time.Millisecond)
	defer tick.Stop()
	for next := 0; ; {
		status := record.Waiting
		for e, err := range a.journal.Read(ctx, run, next) {
			if err != nil {
				return
			}
			next, status = e.N+1, e.Status
		}
		if status != record.Waiting {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// decision is what a person decides about a call.
type decision struct {
	word, why string          // as the screen shows it
	arguments json.RawMessage // other ones
	approved  bool
	answers   []ask.Answer // to what it asks
}

// signal returns what the run is told.
func (d decision) signal(wait record.Wait) record.Signal {
	switch {
	case d.approved && wait.For == record.ForDecision:
		return record.Redo(wait.Call)
	case wait.For == record.ForAnswer:
		return record.Reply(wait.Call, d.answers...)
	case d.approved:
		return record.Approve(wait.Call, d.why, d.arguments)
	}
	return record.Deny(wait.Call, d.why)
}
