package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/aiongen/aiongen/example/gen"
	"github.com/aiongen/aiongen/example/tools"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/middleware"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// agent executes requests.
type agent struct {
	*orchestrator.Orchestrator                 // uses the journal; nil if there is none
	journal                    journal.Journal // nil if only the engine stores the runs
	engine                     Engine          // nil if this process executes the runs
	person                     *person
	screen                     *screen
	program                    string // the command line that starts the program
	runsFlag                   string // flag that selects where runs are stored; empty for this process
	steps                      int    // limit of steps in a plan; 0 means the orchestrator's default
}

// newRegistry returns the tools of a desk. The tool notify sends messages to people, so a person must
// approve its calls.
func newRegistry(desk *tools.Desk) (*tool.Registry, error) {
	registry := tool.NewRegistry(tool.Use(middleware.Gate(middleware.RequireApproval(middleware.NameMatches("notify")), middleware.Allow())))
	return registry, gen.Register(registry, gen.Deps{Desk: desk})
}

// executeRequest executes a request to its end and reports whether it succeeded.
func (a *agent) executeRequest(ctx context.Context, kind, request string) (bool, error) {
	r, err := a.openRun(ctx, kind, request)
	if err != nil {
		return false, err
	}
	for {
		result, err := r.Execute(ctx)
		if err != nil {
			return false, err
		}
		a.screen.progress.clear()
		if a.engine != nil { // the workers receive the events, so the screen does not show the status yet
			a.screen.showStatus(result)
		}
		switch result.WaitsFor {
		case run.ForApproval, run.ForAnswer, run.ForDecision:
			err = a.decideCall(ctx, r, result.Calls[0])
		case run.ForMessage:
			a.screen.showAnswer(result)
			var text string
			if text, err = a.person.nextMessage(ctx); text == "" && err == nil {
				return result.Error == nil, nil
			}
			if err == nil {
				err = r.Send(ctx, run.Say(llm.Message{Role: llm.RoleUser, Text: text}))
			}
		default:
			if result.Status == run.Interrupted {
				err = fmt.Errorf("the run was interrupted: %w%s", result.Error, describeProgress(r))
			}
			return result.Status == run.Completed, err
		}
		if err != nil {
			return false, fmt.Errorf("%w%s", err, describeProgress(r))
		}
	}
}

// describeProgress returns the progress of a run that this process executes, as the end of an error
// message. It returns "" for other runs.
func describeProgress(started executableRun) string {
	if r, ok := started.(*orchestrator.Run); ok {
		return "; " + progressOf(r.State())
	}
	return ""
}

// openRun returns the unfinished run of a request, or a new one. Without a request it returns the newest unfinished
// run.
func (a *agent) openRun(ctx context.Context, kind, request string) (executableRun, error) {
	r, err := a.newestRun(ctx, kind, request)
	if r != nil || err != nil {
		return r, err
	}
	if request == "" {
		return nil, errors.New("no request given, and no unfinished run to continue")
	}
	in := orchestrator.Input{ID: time.Now().UTC().Format("20060102T150405.000000"), Kind: kind, Request: request}
	in.Limits.Steps = a.steps
	if a.engine == nil {
		return a.Start(ctx, in)
	}
	id, err := a.engine.Start(ctx, in)
	a.screen.showPart("run", id)
	return remoteRun{a.engine, id}, err
}

// newestRun returns the newest unfinished run of a request, or nil if there is none or runs cannot be listed.
func (a *agent) newestRun(ctx context.Context, kind, request string) (executableRun, error) {
	if a.journal == nil {
		return nil, nil
	}
	open := journal.Filter{Status: []string{run.Running, run.Waiting, run.Interrupted, run.Expired, run.OverBudget}}
	for info, err := range a.journal.Runs(ctx, open) {
		if err != nil {
			return nil, err
		}
		r, err := a.Open(ctx, info.Run)
		if err != nil {
			return nil, fmt.Errorf("%w; name another folder by -memory", err)
		}
		if state := r.State(); request == "" && (state.WaitsFor != run.ForMessage || a.person.in != nil) || request == state.Request && kind == state.Kind {
			a.screen.showResumed(state)
			executable := a.wrapRun(r)
			return executable, a.extendLimit(ctx, executable, state)
		}
	}
	return nil, nil
}

// wrapRun returns a run that the engine executes or, without an engine, r.
func (a *agent) wrapRun(r *orchestrator.Run) executableRun {
	if a.engine != nil {
		return remoteRun{a.engine, r.ID()}
	}
	return r
}

// extendLimit raises the limit of a run that has reached it, if more steps are allowed now.
func (a *agent) extendLimit(ctx context.Context, r executableRun, s orchestrator.State) error {
	if s.Status != run.Expired || a.steps <= s.Usage.Steps {
		return nil
	}
	return r.Send(ctx, run.Extend(run.Limits{Steps: a.steps}))
}

// decideCall asks the person about a waiting call, unless somebody else decides first.
func (a *agent) decideCall(ctx context.Context, r executableRun, wait run.Wait) error {
	questionCtx, stop := context.WithCancel(ctx)
	defer stop()
	watcherDone := make(chan struct{})
	go func() {
		defer close(watcherDone)
		a.waitForDecision(questionCtx, r.ID())
		stop()
	}()
	d, err := a.person.decideCall(questionCtx, wait, a.runsFlag != "")
	stop()
	<-watcherDone
	switch {
	case ctx.Err() != nil:
		return errUndecided
	case questionCtx.Err() != nil && errors.Is(err, context.Canceled):
		a.screen.showPart("decided", "by somebody else")
		return nil
	case errors.Is(err, errNobody):
		command, rest := "approve", ""
		if wait.For == run.ForAnswer {
			command, rest = "answer", " to: "+formatQuestions(wait.Questions)
		}
		return fmt.Errorf("%w%s: %s %s %s %s, or %[3]s deny %[5]s %[6]s why", err, rest, a.program, command, a.runsFlag, r.ID())
	case err != nil:
		return err
	}
	a.screen.showPart(d.word, d.why)
	err = r.Send(ctx, d.newSignal(wait))
	if a.engine != nil && tool.Code(err) == "not_waiting" { // somebody else has decided meanwhile
		a.screen.showPart("decided", "by somebody else")
		return nil
	}
	return err
}

// waitForDecision waits until the journal shows that a run no longer waits, or ctx is done.
func (a *agent) waitForDecision(ctx context.Context, runID string) {
	if a.journal == nil {
		<-ctx.Done()
		return
	}
	tick := time.NewTicker(300 * time.Millisecond)
	defer tick.Stop()
	for next := 0; ; {
		status := run.Waiting
		for e, err := range a.journal.Read(ctx, runID, next) {
			if err != nil {
				return
			}
			next, status = e.N+1, e.Status
		}
		if status != run.Waiting {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// decision is a person's decision about a call.
type decision struct {
	word, why string          // for the screen
	arguments json.RawMessage // replace the arguments of the call; nil to keep them
	approved  bool
	answers   []tool.Answer // to the questions of the call
}

// newSignal returns the signal for the run.
func (d decision) newSignal(wait run.Wait) run.Signal {
	switch {
	case d.approved && wait.For == run.ForDecision:
		return run.Redo(wait.Call)
	case wait.For == run.ForAnswer:
		return run.Reply(wait.Call, d.answers...)
	case d.approved:
		return run.Approve(wait.Call, d.why, d.arguments)
	}
	return run.Deny(wait.Call, d.why)
}
