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
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Engine has runs driven by workers. It does what package enginetest checks.
type Engine interface {
	Start(ctx context.Context, in orchestrator.Input) (id string, err error)
	Send(ctx context.Context, id string, s record.Signal) error
	Result(ctx context.Context, id string) (*record.Result, error)

	// Work drives runs until ctx is done.
	Work(ctx context.Context) error
}

// Place is where runs may be driven, and the flag that names it.
type Place struct {
	Flag, Usage string
	Open        func(ctx context.Context, at string) (*Opened, error)
}

// Opened is a place that was opened.
type Opened struct {
	Journal journal.Journal // of the runs; nil if it is the engine's alone
	Tickets tools.Enter     // nil if there is no room for them
	Engine  func(model llm.Model, tools *tool.Registry, events ...func(context.Context, record.Event)) (Engine, error)
	Close   func()
}

// elsewhere are the places of which this program has none.
var elsewhere = []Place{
	{Flag: "postgres", Usage: "have workers drive runs in the PostgreSQL at a `URL`"},
	{Flag: "temporal", Usage: "have workers drive runs in the Temporal at an `address`"},
}

// missing says what to do where a place was named that this program has not.
func missing(place, at string) string {
	return fmt.Sprintf("-%s is in a module of its own, so that nobody else links what it needs: go run -C deploy ./desk -%[1]s %s …", place, line(at))
}

// driven is a run of which somebody decides.
type driven interface {
	ID() string
	Execute(ctx context.Context) (*record.Result, error)
	Send(ctx context.Context, s record.Signal) error
}

// remote is a run that workers drive.
type remote struct {
	engine Engine
	id     string
}

func (r remote) ID() string { return r.id }

// Execute waits until there is nothing to drive.
func (r remote) Execute(ctx context.Context) (*record.Result, error) {
	return r.engine.Result(ctx, r.id)
}

func (r remote) Send(ctx context.Context, s record.Signal) error {
	return r.engine.Send(ctx, r.id, s)
}

// lockTime is how long a process may have the tickets of a folder.
const lockTime = 10 * time.Second

// folderTickets has the processes of one machine take turns at the tickets of a folder.
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

// watch writes what a worker does, a line for each call and each stop.
func watch(w io.Writer) func(context.Context, record.Event) {
	var mu sync.Mutex
	return func(_ context.Context, e record.Event) {
		text := ""
		switch what := e.What.(type) {
		case record.CallStart:
			text = "call " + what.Request.Name + " " + string(what.Request.Arguments)
		case record.Stopped:
			text = strings.TrimSpace(what.Result.Status + " " + what.Result.WaitsFor)
		default:
			return
		}
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintf(w, "%s: %s\n", e.Run, line(text))
	}
}
