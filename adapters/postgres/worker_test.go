package postgres_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/aiongen/aiongen/adapters/postgres"
	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// What the world of workers in processes of their own is: effects, seen from outside, and
// doors, at which calls and the model wait while they are shut.
const world = `
CREATE TABLE effects (call text, tool text);
CREATE TABLE seen (call text PRIMARY KEY);
CREATE TABLE doors (name text PRIMARY KEY, reached boolean NOT NULL DEFAULT false);`

// workerURL is the variable by which this program is a worker.
const workerURL = "AIONGEN_TEST_WORKER"

// lease is short, so that tests need not wait for it.
const lease = time.Second

// worker is a process that works.
type worker struct {
	test *testing.T
	*os.Process
}

// newWorker returns when the process works.
func newWorker(t *testing.T, url string) worker {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), workerURL+"="+url)
	c.Stderr = t.Output()
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err == nil {
		_, err = bufio.NewReader(out).ReadString('\n')
	}
	if err != nil {
		t.Fatal(err)
	}
	w := worker{t, c.Process}
	t.Cleanup(func() { w.send(syscall.SIGKILL); _ = c.Wait() })
	return w
}

func (w worker) send(s syscall.Signal) {
	if err := w.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		w.test.Error(err)
	}
}

// beWorker is what a worker does, until it is asked to end.
func beWorker(url string) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	db, err := postgres.Open(ctx, url)
	if err != nil {
		return err
	}
	defer db.Close()
	pool, err := pgxpool.New(ctx, url)
	if err != nil {
		return err
	}
	defer pool.Close()
	o, err := newOrchestrator(db, pool)
	if err != nil {
		return err
	}
	e, err := db.Engine(o, postgres.Lease(lease), postgres.Log(slog.New(slog.NewTextHandler(io.Discard, nil))))
	if err != nil {
		return err
	}
	fmt.Println("works")
	if err := e.Work(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// newOrchestrator has tools that act in a database: pay does it each time it is called,
// note once for a call, look not at all, and confirm asks first.
func newOrchestrator(db *postgres.DB, w *pgxpool.Pool) (*orchestrator.Orchestrator, error) {
	tools := tool.NewRegistry()
	for _, d := range []tool.Definition{
		{Name: "pay"},
		{Name: "confirm"},
		{Name: "note", Annotations: tool.Annotations{Idempotent: true}},
		{Name: "look", Annotations: tool.Annotations{ReadOnly: true}},
	} {
		d.Description = "Does " + d.Name + "."
		d.Input = json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"},"door":{"type":"string"}},"additionalProperties":false}`)
		d.Output = json.RawMessage(`{"type":"string"}`)
		made, err := schema.Dynamic(d, func(ctx context.Context, args json.RawMessage) (json.RawMessage, error) {
			return act(ctx, w, d.Name, args)
		})
		if err == nil {
			err = tools.Register(made)
		}
		if err != nil {
			return nil, err
		}
	}
	model := llm.Func(func(ctx context.Context, _ llm.Request) (llm.Response, error) {
		err := pass(ctx, w, "model")
		return llm.Response{Text: "done", Usage: llm.Usage{Input: 1, Output: 1}}, err
	})
	return orchestrator.New(model, tools, orchestrator.Journal(db.Journal()),
		orchestrator.Plan{AfterFailure: orchestrator.Continue}, orchestrator.Env(func(e *run.Env) { e.Grace = 2 * time.Second }))
}

func act(ctx context.Context, w *pgxpool.Pool, name string, args json.RawMessage) (json.RawMessage, error) {
	var in struct{ Door string }
	if err := json.Unmarshal(args, &in); err != nil {
		return nil, err
	}
	call := tool.CallFrom(ctx).ID
	var err error
	switch name {
	case "confirm":
		var answers []ask.Answer
		answers, err = tool.ExchangeFrom(ctx).Ask(ctx, ask.Person("Really?", json.RawMessage(`{"type":"object","properties":{"sure":{"type":"boolean"}}}`)))
		if err == nil && answers[0].Accepted() {
			_, err = w.Exec(ctx, "INSERT INTO effects VALUES ($1, $2)", call, name)
		}
	case "pay":
		_, err = w.Exec(ctx, "INSERT INTO effects VALUES ($1, $2)", call, name)
	case "note":
		_, err = w.Exec(ctx, "WITH first AS (INSERT INTO seen VALUES ($1) ON CONFLICT DO NOTHING RETURNING call) INSERT INTO effects SELECT call, $2 FROM first", call, name)
	}
	if err == nil {
		time.Sleep(time.Duration(rand.IntN(30)) * time.Millisecond)
		err = pass(ctx, w, in.Door)
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(call)
}

// pass goes through a door. It says that it is there, and waits while it is shut, or its
// server is away.
func pass(ctx context.Context, w *pgxpool.Pool, door string) error {
	for {
		done, err := w.Exec(ctx, "UPDATE doors SET reached = true WHERE name = $1", door)
		if err == nil && done.RowsAffected() == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
}
