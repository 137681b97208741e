package orchestrator

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/prompt"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/redact"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/seal"
	"github.com/aiongen/aiongen/runtime/orchestrator/record"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/supervisor"
)

// Run carries out one request. Step, Approve and Deny exclude each other.
type Run struct {
	o     *Orchestrator
	store memory.Store // what of it is the run's

	mu    sync.Mutex // held to change state or busy, and to read them from elsewhere
	busy  bool       // somebody executes a step, and may read the state without mu
	state State
}

// State returns a deep copy of the state, at any time, also from within a tool.
func (r *Run) State() State {
	r.mu.Lock()
	defer r.mu.Unlock()
	return seal.Copy(r.state)
}

// change changes the state, all at once for those who look at it.
func (r *Run) change(f func(*State)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f(&r.state)
}

// begin keeps others from changing the state until end.
func (r *Run) begin() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.busy {
		return &Error{Kind: record.Busy, Text: "a step of the run is being executed"}
	}
	r.busy = true
	return nil
}

func (r *Run) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.busy = false
}

// Step makes the plan, if there is none, or executes one step. It returns whether
// there is more to do; there is not while a call waits for approval. An error,
// which is an [*Error], says that there is no plan, or that ctx is done; then
// more is true, and the step begins anew when Step is called again.
func (r *Run) Step(ctx context.Context) (more bool, err error) {
	if err := r.begin(); err != nil {
		return false, err
	}
	defer r.end()
	if r.settle(); r.state.Status != Running {
		return false, nil
	}
	if err := r.interrupted(ctx); err != nil {
		return true, err
	}
	before := r.state
	if before.Cycles == 0 {
		r.emit(Event{Kind: record.RunStart, Plan: before.Plan})
	}
	if before.Plan == nil {
		err = r.makePlan(ctx)
	} else {
		err = r.executeStep(ctx)
	}
	r.endCycle(before, err)
	r.settle()
	return r.state.Status == Running, err
}

// interrupted returns an error if ctx is done.
func (r *Run) interrupted(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return record.NewError(r.state.CurrentStep, fmt.Errorf("the run was interrupted: %w", ctx.Err()))
}

// endCycle tells all that was added to the state since before.
func (r *Run) endCycle(before State, err error) {
	r.change(func(s *State) { s.Cycles++ })
	s := r.state
	c := &record.Cycle{
		Number: s.Cycles, Plan: s.Plan, TTL: max(s.TTL, 0), Time: seal.Time(r.o.now()),
		Outputs: append([]record.ModelOutput{}, s.Outputs[len(before.Outputs):]...),
		Repairs: append([]record.SupervisorAction{}, s.Repairs[len(before.Repairs):]...),
		Calls:   append([]record.ToolRecord{}, s.ToolHistory[len(before.ToolHistory):]...),
		Errors:  []*Error{},
	}
	for _, result := range s.Results[len(before.Results):] {
		if result.Error != nil {
			c.Errors = append(c.Errors, result.Error)
		}
	}
	if err != nil {
		c.Errors = append(c.Errors, record.NewError("", err))
	}
	r.emit(Event{Kind: record.CycleEnd, Cycle: c})
}

// settle ends the run if there is nothing more to do.
func (r *Run) settle() {
	s := r.state
	if s.Status != Running {
		return
	}
	if s.Plan == nil {
		if s.Error == nil {
			return
		}
		s.Status = Failed
	} else if failed := failed(&s); next(&s) < 0 {
		s.Status = Completed
		if failed != nil {
			s.Status = Failed
			if s.Error == nil {
				s.Error = &Error{Kind: record.StepsFailed, Text: fmt.Sprintf("%d of %d steps failed: %s", len(failed), len(s.Plan.Steps), strings.Join(failed, ", "))}
			}
		}
	} else if s.TTL <= 0 {
		s.Status, s.Error = TTLExpired, &Error{Kind: record.Expired, Text: "TTL expired before all steps were executed"}
	} else if s.Error != nil {
		s.Status = Failed
	} else if used := s.Usage.Tokens.Total(); r.o.maxTokens > 0 && used >= r.o.maxTokens && s.CurrentStep == "" {
		s.Status, s.Error = TTLExpired, &Error{Kind: record.TokenBudget, Text: fmt.Sprintf("%d tokens of %d were used before all steps were executed", used, r.o.maxTokens)}
	} else {
		return
	}
	r.change(func(state *State) { state.Status, state.Error = s.Status, s.Error })
	r.emit(Event{Kind: record.RunEnd, Plan: s.Plan, Status: s.Status, Usage: &s.Usage, Error: s.Error})
}

// emit hands a copy of an event to the sink.
func (r *Run) emit(e Event) {
	if r.o.sink == nil {
		return
	}
	e.Time, e.Run = seal.Time(r.o.now()), r.state.ID
	e = seal.Copy(e)
	redact.Event(&e, r.state.Plan, r.state.Tools, r.o.redact)
	r.o.sink(e)
}

// Approve lets the call of a step run that waits for approval, when Step is called
// next; the approval goes with the request. The error is an [*Error] if the step
// does not wait.
func (r *Run) Approve(step, approval string) error {
	return r.decide(step, func(s *State) { s.Waiting.Approval = approval })
}

// Deny lets the step fail, when Step is called next, whose call waits for
// approval. The error is as that of Approve.
func (r *Run) Deny(step string) error {
	return r.decide(step, func(s *State) { s.Denied = true })
}

func (r *Run) decide(step string, change func(*State)) error {
	if err := r.begin(); err != nil {
		return err
	}
	defer r.end()
	if r.state.Status != Waiting || r.state.CurrentStep != step {
		return &Error{Kind: record.NotWaiting, Step: step, Text: fmt.Sprintf("step %q does not wait for approval", step)}
	}
	r.change(func(s *State) {
		change(s)
		s.Status = Running
	})
	return nil
}

// makePlan has the model make the plan. Without one, the run has failed.
func (r *Run) makePlan(ctx context.Context) error {
	response, err := r.ask(ctx, "", record.ForPlan, "plan.txt", prompt.Data{Request: r.state.Request, Tools: r.state.Tools}, plan.Schema(r.state.Tools...))
	var made plan.Plan
	if err == nil {
		if made, err = plan.Parse(response.Text); err != nil {
			err = r.repair(ctx, "", supervisor.Plan, func(s *supervisor.Supervisor) (actions []supervisor.Action, err error) {
				made, actions, err = s.RepairPlan(ctx, response.Text, r.state.Tools)
				return actions, err
			})
		}
	}
	if err == nil {
		made = seal.Copy(made)
		r.change(func(s *State) { s.Plan = &made })
		r.emit(Event{Kind: record.PlanMade, Plan: &made})
		return nil
	}
	if interrupted := r.interrupted(ctx); interrupted != nil {
		return interrupted
	}
	failed := *record.NewError("", err)
	failed.Text = "no plan was made: " + failed.Text
	r.change(func(s *State) { s.Error = &failed })
	return &failed
}

// repair has a supervisor try something, and keeps all of its attempts.
func (r *Run) repair(ctx context.Context, step string, kind supervisor.Kind, try func(*supervisor.Supervisor) ([]supervisor.Action, error)) error {
	r.emit(Event{Kind: record.RepairStart, Step: step, Repair: kind})
	model := llm.Func(func(ctx context.Context, req llm.Request) (llm.Response, error) {
		return r.generate(ctx, step, record.ForRepair, req)
	})
	actions, err := try(supervisor.New(model, append([]supervisor.Option{supervisor.Clock(r.o.now)}, r.o.repairs...)...))
	kept := make([]record.SupervisorAction, len(actions))
	for i, a := range actions {
		a.Time = seal.Time(a.Time)
		kept[i] = record.SupervisorAction{StepID: step, Action: a}
	}
	e := Event{Kind: record.RepairEnd, Step: step, Repair: kind, Actions: kept}
	if err != nil {
		e.Error = record.NewError(step, err)
	}
	r.change(func(s *State) { s.Repairs = append(s.Repairs, kept...) })
	r.emit(e)
	return err
}

// generate asks the model, and keeps what it answers.
func (r *Run) generate(ctx context.Context, step string, purpose record.Purpose, req llm.Request) (llm.Response, error) {
	if err := llm.ContextError(ctx, nil); err != nil {
		return llm.Response{}, err
	}
	r.emit(Event{Kind: record.ModelStart, Step: step, Model: &record.ModelOutput{StepID: step, Purpose: purpose}})
	req.MaxTokens = r.o.answer
	response, err := r.o.model.Generate(ctx, req)
	if _, ok := errors.AsType[*llm.Error](err); err != nil && !ok {
		err = &llm.Error{Kind: llm.ServerError, Err: err}
	}
	response.Text = seal.Text(response.Text)
	output := record.ModelOutput{StepID: step, Purpose: purpose, Text: response.Text, Model: seal.Text(response.Model), Finish: response.Finish, Usage: response.Usage}
	if err != nil {
		output.Error = record.NewError(step, err)
	}
	r.change(func(s *State) {
		s.Outputs = append(s.Outputs, output)
		s.Usage.ModelCalls++
		s.Usage.Tokens = s.Usage.Tokens.Add(response.Usage)
	})
	r.emit(Event{Kind: record.ModelEnd, Step: step, Model: &output})
	return response, err
}

// ask asks the model with a prompt of this package.
func (r *Run) ask(ctx context.Context, step string, purpose record.Purpose, name string, d prompt.Data, schema []byte) (llm.Response, error) {
	response, err := r.generate(ctx, step, purpose, llm.Request{System: prompt.Render("system.txt", d), Prompt: prompt.Render(name, d), Schema: schema})
	if err == nil {
		err = record.NoAnswer(response, schema == nil)
	}
	return response, err
}
