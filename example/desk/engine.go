package desk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/aiongen/aiongen/example/tools"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/memory/bolt"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Engine lets workers execute runs. Package enginetest describes its behavior.
type Engine interface {
	Start(ctx context.Context, in orchestrator.Input) (id string, err error)
	Send(ctx context.Context, id string, s run.Signal) error
	Result(ctx context.Context, id string) (*run.Result, error)

	// Work executes runs until ctx is done.
	Work(ctx context.Context) error
}

// Place is a system whose workers can execute runs, such as a database, with the flag that selects it.
type Place struct {
	Flag, Usage string
	Open        func(ctx context.Context, address string) (*Opened, error)
}

// Opened is a connection to a place.
type Opened struct {
	Journal journal.Journal // of the runs; nil if only the engine stores them
	Tickets tools.Enter     // nil if the place cannot store tickets
	Engine  func(model llm.Model, tools *tool.Registry, events ...func(context.Context, run.Event)) (Engine, error)
	Close   func()
}

// executableRun is a run that this process or the workers of an engine execute.
type executableRun interface {
	ID() string
	Execute(ctx context.Context) (*run.Result, error)
	Send(ctx context.Context, s run.Signal) error
}

// remoteRun is a run that workers execute.
type remoteRun struct {
	engine Engine
	id     string
}

func (r remoteRun) ID() string { return r.id }

// Execute waits until the run ends or waits for a person.
func (r remoteRun) Execute(ctx context.Context) (*run.Result, error) {
	return r.engine.Result(ctx, r.id)
}

func (r remoteRun) Send(ctx context.Context, s run.Signal) error {
	return r.engine.Send(ctx, r.id, s)
}

// lockTime limits how long a process waits for access to the tickets in a folder.
const lockTime = 10 * time.Second

// folderTickets returns an Enter for the tickets in a folder. It gives one process of the machine access at a time.
func folderTickets(folder string) tools.Enter {
	return func(ctx context.Context) (memory.Store, func(), error) {
		if _, err := os.Stat(folder); err != nil {
			return nil, nil, fmt.Errorf("the tickets in %s: %w", folder, err)
		}
		ctx, stop := context.WithTimeout(ctx, lockTime)
		defer stop()
		for {
			store, err := bolt.Open(filepath.Join(folder, "desk.db"))
			if err == nil {
				return store, func() { _ = store.Close() }, nil
			}
			if e, ok := errors.AsType[*memory.Error](err); !ok || !e.Retryable() {
				return nil, nil, err
			}
			select {
			case <-ctx.Done():
				return nil, nil, err
			case <-time.After(10 * time.Millisecond):
			}
		}
	}
}

// watchWorker returns a function that writes a line for each call of a worker, and for each run that stops.
func watchWorker(w io.Writer) func(context.Context, run.Event) {
	var mu sync.Mutex
	return func(_ context.Context, e run.Event) {
		text := ""
		switch what := e.What.(type) {
		case run.CallStart:
			text = "call " + what.Request.Name + " " + string(what.Request.Arguments)
		case run.RunStopped:
			text = strings.TrimSpace(what.Result.Status + " " + what.Result.WaitsFor)
		default:
			return
		}
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintf(w, "%s: %s\n", e.Run, safeLine(text))
	}
}
