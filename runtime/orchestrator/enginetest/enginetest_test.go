package enginetest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// process is an engine in one process: each run has a goroutine as long as it has
// something to do.
type process struct {
	o *orchestrator.Orchestrator

	mu      sync.Mutex
	ctx     context.Context // of the workers
	stop    context.CancelFunc
	workers sync.WaitGroup
	runs    map[string]*driven
	changed chan struct{} // closed when a run has stopped
}

// driven is a run that somebody drives, or has to.
type driven struct {
	due, held bool
	err       error
}

func newProcess(t *testing.T, model llm.Model, tools orchestrator.Caller) *process {
	t.Helper()
	o, err := orchestrator.New(model, tools, orchestrator.Env(func(env *run.Env) {
		env.Grace = 10 * time.Millisecond
		env.Sleep = func(context.Context, time.Duration) {}
	}))
	if err != nil {
		t.Fatal(err)
	}
	p := &process{o: o, runs: map[string]*driven{}, changed: make(chan struct{})}
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

func (p *process) Send(ctx context.Context, id string, s record.Signal) error {
	r, err := p.o.Open(ctx, id)
	if err == nil {
		err = r.Send(ctx, s)
	}
	if err == nil {
		p.wake(id)
	}
	return err
}

func (p *process) Result(ctx context.Context, id string) (*record.Result, error) {
	for {
		p.mu.Lock()
		d, changed := p.runs[id], p.changed
		stands := d == nil || !d.due && !d.held
		p.mu.Unlock()
		if stands {
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

// restart stops the workers, and has others go on.
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

// wake has somebody drive a run.
func (p *process) wake(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	d := p.runs[id]
	if d == nil {
		d = &driven{}
		p.runs[id] = d
	}
	d.due = true
	if !d.held && p.ctx.Err() == nil {
		d.held = true
		p.workers.Go(func() { p.drive(p.ctx, id, d) })
	}
}

// drive goes on with a run as long as it is due.
func (p *process) drive(ctx context.Context, id string, d *driven) {
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

// execute tells whether a run has to be executed once more.
func (p *process) execute(ctx context.Context, id string) (again bool) {
	r, err := p.o.Open(ctx, id)
	var result *record.Result
	if err == nil {
		result, err = r.Execute(ctx)
	}
	if err != nil {
		return ctx.Err() != nil
	}
	return result.Status == record.Interrupted && (ctx.Err() != nil || result.Error != nil && result.Error.Retry)
}

// Test has the runs in this process, without an engine.
func Test(t *testing.T) {
	Run(t, func(t *testing.T, model llm.Model, tools *tool.Registry) (Engine, func()) {
		p := newProcess(t, model, tools)
		return p, p.restart
	})
}

// odd is an engine that does some things otherwise.
type odd struct {
	*process
	start  func(in *orchestrator.Input)
	send   func(id string, s record.Signal) // in place of Send
	result func(ctx context.Context, id string) *record.Result
}

func (o *odd) Start(ctx context.Context, in orchestrator.Input) (string, error) {
	if o.start != nil {
		o.start(&in)
	}
	return o.process.Start(ctx, in)
}

func (o *odd) Send(ctx context.Context, id string, s record.Signal) error {
	if o.send != nil {
		o.send(id, s)
		return nil
	}
	return o.process.Send(ctx, id, s)
}

func (o *odd) Result(ctx context.Context, id string) (*record.Result, error) {
	if o.result != nil {
		if r := o.result(ctx, id); r != nil {
			return r, nil
		}
	}
	return o.process.Result(ctx, id)
}

// eager are tools all of whose calls are made twice.
type eager struct{ *tool.Registry }

func (e eager) Call(ctx context.Context, r tool.Request) *tool.Call {
	e.Registry.Call(ctx, r)
	return e.Registry.Call(ctx, r)
}

// forgetful are tools that do not know which call it is.
type forgetful struct{ *tool.Registry }

func (f forgetful) Call(ctx context.Context, r tool.Request) *tool.Call {
	r.ID = "1/2/3"
	return f.Registry.Call(ctx, r)
}

// TestOdd: what an engine does wrong is found, by the check that is named.
func TestOdd(t *testing.T) {
	for name, test := range map[string]struct {
		found string
		tools func(*tool.Registry) orchestrator.Caller
		make  func(o *odd)
		idle  bool // restart does nothing
	}{
		"calls twice":        {found: "a plan that is given", tools: func(r *tool.Registry) orchestrator.Caller { return eager{r} }},
		"loses IDs of calls": {found: "a plan that is given", tools: func(r *tool.Registry) orchestrator.Caller { return forgetful{r} }},
		"loses who calls":    {found: "who calls", make: func(o *odd) { o.start = func(in *orchestrator.Input) { in.Meta = nil } }},
		"has no limits":      {found: "too many steps", make: func(o *odd) { o.start = func(in *orchestrator.Input) { in.Limits = record.Limits{} } }},
		"takes every ID":     {found: "begun twice", make: func(o *odd) { o.start = func(in *orchestrator.Input) { in.ID = "" } }},
		"is deaf":            {found: "approved", make: func(o *odd) { o.send = func(string, record.Signal) {} }},
		"believes all": {found: "a question", make: func(o *odd) {
			o.send = func(id string, s record.Signal) { _ = o.process.Send(t.Context(), id, s) }
		}},
		"hears one of many": {found: "told at once", make: func(o *odd) { o.send = func(string, record.Signal) {} }},
		"decides by itself": {found: "stopped in a call, which is made again", make: func(o *odd) {
			o.result = func(ctx context.Context, id string) *record.Result {
				_ = o.process.Send(ctx, id, record.Redo(id+"/1/1"))
				return nil
			}
		}},
		"does not wait": {found: "a conversation", make: func(o *odd) {
			o.result = func(context.Context, string) *record.Result { return &record.Result{Status: record.Running} }
		}},
		"does not stop": {found: "stopped in a call that reads", idle: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var c check
			for _, c = range all() {
				if c.name == test.found {
					break
				}
			}
			s, err := newStage(c.script)
			if err != nil {
				t.Fatal(err)
			}
			defer s.leave()
			var tools orchestrator.Caller = s.tools
			if test.tools != nil {
				tools = test.tools(s.tools)
			}
			e := &odd{process: newProcess(t, llm.Func(s.generate), tools)}
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
