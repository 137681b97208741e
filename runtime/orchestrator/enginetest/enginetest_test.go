package enginetest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// process is an engine in one process. Each run has a goroutine while it can continue.
type process struct {
	o *orchestrator.Orchestrator

	mu      sync.Mutex
	ctx     context.Context // of the workers
	stop    context.CancelFunc
	workers sync.WaitGroup
	runs    map[string]*runState
	changed chan struct{} // closed when a run has stopped
}

// runState is the state of a run.
type runState struct {
	due  bool // the run has to be executed
	held bool // a goroutine drives the run
}

func newProcess(t *testing.T, model llm.Model, tools orchestrator.Caller, events Events) *process {
	t.Helper()
	o, err := orchestrator.New(model, tools, orchestrator.ConfigureEnv(func(env *run.Env) {
		env.Grace = 10 * time.Millisecond
		env.Sleep = func(context.Context, time.Duration) {}
	}), orchestrator.Events(events))
	if err != nil {
		t.Fatal(err)
	}
	p := &process{o: o, runs: map[string]*runState{}, changed: make(chan struct{})}
	p.ctx, p.stop = context.WithCancel(context.WithoutCancel(t.Context()))
	t.Cleanup(func() { p.stop(); p.workers.Wait() })
	return p
}

func (p *process) Start(ctx context.Context, in orchestrator.Input) (string, error) {
	r, err := p.o.Start(ctx, in)
	if err != nil {
		return "", err
	}
	p.wake(r.ID())
	return r.ID(), nil
}

func (p *process) Send(ctx context.Context, id string, s run.Signal) error {
	r, err := p.o.Open(ctx, id)
	if err == nil {
		err = r.Send(ctx, s)
	}
	if err == nil {
		p.wake(id)
	}
	return err
}

func (p *process) Result(ctx context.Context, id string) (*run.Result, error) {
	for {
		p.mu.Lock()
		d, changed := p.runs[id], p.changed
		idle := d == nil || !d.due && !d.held
		p.mu.Unlock()
		if idle {
			break
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	r, err := p.o.Open(ctx, id)
	if err != nil {
		return nil, err
	}
	result := r.State().Result
	return &result, nil
}

// restart stops the workers and starts others.
func (p *process) restart() {
	p.mu.Lock()
	p.stop()
	p.mu.Unlock()
	p.workers.Wait()
	p.mu.Lock()
	p.ctx, p.stop = context.WithCancel(context.WithoutCancel(p.ctx))
	var due []string
	for id, d := range p.runs {
		if d.due {
			due = append(due, id)
		}
	}
	p.mu.Unlock()
	for _, id := range due {
		p.wake(id)
	}
}

// wake starts a goroutine for a run, unless it has one.
func (p *process) wake(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	d := p.runs[id]
	if d == nil {
		d = &runState{}
		p.runs[id] = d
	}
	d.due = true
	if !d.held && p.ctx.Err() == nil {
		d.held = true
		p.workers.Go(func() { p.drive(p.ctx, id, d) })
	}
}

// drive executes a run while it is due.
func (p *process) drive(ctx context.Context, id string, d *runState) {
	for {
		p.mu.Lock()
		if !d.due || ctx.Err() != nil {
			d.held = false
			close(p.changed)
			p.changed = make(chan struct{})
			p.mu.Unlock()
			return
		}
		d.due = false
		p.mu.Unlock()
		if p.execute(ctx, id) {
			p.mu.Lock()
			d.due = true
			p.mu.Unlock()
		}
	}
}

// execute executes a run and reports whether it has to be executed again.
func (p *process) execute(ctx context.Context, id string) (again bool) {
	r, err := p.o.Open(ctx, id)
	var result *run.Result
	if err == nil {
		result, err = r.Execute(ctx)
	}
	if err != nil {
		return ctx.Err() != nil
	}
	return result.Status == run.Interrupted && (ctx.Err() != nil || result.Error != nil && result.Error.Retry)
}

// Test runs all checks with the engine of this file.
func Test(t *testing.T) {
	Run(t, func(t *testing.T, model llm.Model, tools *tool.Registry, events Events) (Engine, func()) {
		p := newProcess(t, model, tools, events)
		return p, p.restart
	})
}

// faultyEngine is an engine with faults.
type faultyEngine struct {
	*process
	start  func(in *orchestrator.Input)
	send   func(id string, s run.Signal) // replaces Send
	result func(ctx context.Context, id string) *run.Result
}

func (o *faultyEngine) Start(ctx context.Context, in orchestrator.Input) (string, error) {
	if o.start != nil {
		o.start(&in)
	}
	return o.process.Start(ctx, in)
}

func (o *faultyEngine) Send(ctx context.Context, id string, s run.Signal) error {
	if o.send != nil {
		o.send(id, s)
		return nil
	}
	return o.process.Send(ctx, id, s)
}

func (o *faultyEngine) Result(ctx context.Context, id string) (*run.Result, error) {
	if o.result != nil {
		if r := o.result(ctx, id); r != nil {
			return r, nil
		}
	}
	return o.process.Result(ctx, id)
}

// repeatingCaller is a registry that makes each call twice.
type repeatingCaller struct{ *tool.Registry }

func (e repeatingCaller) Call(ctx context.Context, r tool.Request) *tool.Call {
	e.Registry.Call(ctx, r)
	return e.Registry.Call(ctx, r)
}

// idLosingCaller is a registry that gives all calls the same ID.
type idLosingCaller struct{ *tool.Registry }

func (f idLosingCaller) Call(ctx context.Context, r tool.Request) *tool.Call {
	r.ID = "1/2/3"
	return f.Registry.Call(ctx, r)
}

// TestOdd checks that the named check finds each fault of an engine.
func TestOdd(t *testing.T) {
	for name, test := range map[string]struct {
		found string
		tools func(*tool.Registry) orchestrator.Caller
		make  func(o *faultyEngine)
		idle  bool // restart does nothing
	}{
		"calls twice":        {found: "a given plan", tools: func(r *tool.Registry) orchestrator.Caller { return repeatingCaller{r} }},
		"loses IDs of calls": {found: "a given plan", tools: func(r *tool.Registry) orchestrator.Caller { return idLosingCaller{r} }},
		"loses the caller":   {found: "the caller", make: func(o *faultyEngine) { o.start = func(in *orchestrator.Input) { in.Meta = nil } }},
		"has no limits":      {found: "too many steps", make: func(o *faultyEngine) { o.start = func(in *orchestrator.Input) { in.Limits = run.Limits{} } }},
		"ignores IDs":        {found: "started twice", make: func(o *faultyEngine) { o.start = func(in *orchestrator.Input) { in.ID = "" } }},
		"ignores signals":    {found: "approved", make: func(o *faultyEngine) { o.send = func(string, run.Signal) {} }},
		"accepts everything": {found: "a question", make: func(o *faultyEngine) {
			o.send = func(id string, s run.Signal) { _ = o.process.Send(t.Context(), id, s) }
		}},
		"loses signals": {found: "concurrent approvals", make: func(o *faultyEngine) { o.send = func(string, run.Signal) {} }},
		"decides by itself": {found: "stopped in a call that is repeated", make: func(o *faultyEngine) {
			o.result = func(ctx context.Context, id string) *run.Result {
				_ = o.process.Send(ctx, id, run.Redo(id+"/1/1"))
				return nil
			}
		}},
		"does not wait": {found: "a conversation", make: func(o *faultyEngine) {
			o.result = func(context.Context, string) *run.Result { return &run.Result{Status: run.Running} }
		}},
		"does not stop": {found: "stopped in a call that reads", idle: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var c check
			for _, c = range allChecks() {
				if c.name == test.found {
					break
				}
			}
			s, err := newStage(c.script)
			if err != nil {
				t.Fatal(err)
			}
			defer s.endHangs()
			var tools orchestrator.Caller = s.tools
			if test.tools != nil {
				tools = test.tools(s.tools)
			}
			e := &faultyEngine{process: newProcess(t, llm.Func(s.generateResponse), tools, s.addEvent)}
			if s.engine, s.restart = e, e.restart; test.make != nil {
				test.make(e)
			}
			ctx := t.Context()
			if test.idle {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, 100*time.Millisecond)
				defer cancel()
				s.restart = func() {}
			}
			if err := c.run(ctx, s); err == nil || c.name != test.found {
				t.Errorf("%q finds %v", c.name, err)
			}
		})
	}
}
