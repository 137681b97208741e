package inspect_test

import (
	"context"
	"sync"
	"testing"

	"github.com/aiongen/aiongen/internal/inspecttest"
	"github.com/aiongen/aiongen/runtime/inspect"
	"github.com/aiongen/aiongen/runtime/journal/file"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// localEngine executes runs in goroutines of this process.
type localEngine struct {
	*orchestrator.Orchestrator
	test    *testing.T
	running sync.WaitGroup
}

// TestFiles shows and controls runs in files, whose program executes them.
func TestFiles(t *testing.T) {
	inspecttest.Run(t, func(t *testing.T, model llm.Model, tools *tool.Registry) inspecttest.Engine {
		j, err := file.Open(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		o, err := orchestrator.New(model, tools, orchestrator.Journal(j))
		if err != nil {
			t.Fatal(err)
		}
		e := &localEngine{Orchestrator: o, test: t}
		t.Cleanup(e.running.Wait)
		return inspecttest.Engine{Page: inspect.Config{Agent: o, Send: e.send, Fork: e.fork}, Start: e.start}
	})
}

func (e *localEngine) start(ctx context.Context, in orchestrator.Input) (id string, err error) {
	return e.execute(e.Start(ctx, in))
}

func (e *localEngine) fork(ctx context.Context, id string, entry int) (forked string, err error) {
	return e.execute(e.Fork(ctx, id, entry))
}

func (e *localEngine) send(ctx context.Context, id string, s run.Signal) error {
	r, err := e.Open(ctx, id)
	if err == nil {
		err = r.Send(ctx, s)
	}
	_, err = e.execute(r, err)
	return err
}

// execute executes a run in the background, and returns its ID.
func (e *localEngine) execute(r *orchestrator.Run, err error) (id string, _ error) {
	if err != nil {
		return "", err
	}
	e.running.Go(func() {
		if _, err := r.Execute(context.WithoutCancel(e.test.Context())); err != nil {
			e.test.Error(err)
		}
	})
	return r.ID(), nil
}
