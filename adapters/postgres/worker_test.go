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
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// The world of worker processes: effects, which tests inspect, and doors, at which calls and the model wait while they
// are closed.
const worldSQL = `
CREATE TABLE effects (call text, tool text);
CREATE TABLE seen (call text PRIMARY KEY);
CREATE TABLE doors (name text PRIMARY KEY, reached boolean NOT NULL DEFAULT false);`

// workerURL is the environment variable that makes the test binary run a worker.
const workerURL = "AIONGEN_TEST_WORKER"

// testLease is short to keep tests fast.
const testLease = time.Second

// worker is a worker process.
type worker struct {
	test *testing.T
	*os.Process
}

// newWorker starts a worker process and waits until it works.
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
	t.Cleanup(func() { w.sendSignal(syscall.SIGKILL); _ = c.Wait() })
	return w
}

func (w worker) sendSignal(s syscall.Signal) {
	if err := w.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		w.test.Error(err)
	}
}

// runWorkerProcess runs a worker until it is asked to stop.
func runWorkerProcess(url string) error {
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
	e, err := db.Engine(o, postgres.Lease(testLease), postgres.Log(slog.New(slog.NewTextHandler(io.Discard, nil))))
	if err != nil {
		return err
	}
	fmt.Println("works")
	if err := e.Work(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// newOrchestrator returns an orchestrator whose tools have effects in a database: pay with each call, note once per
// call ID, look never, and confirm after a question.
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
			return callTestTool(ctx, w, d.Name, args)
		})
		if err == nil {
			err = tools.Register(made)
		}
		if err != nil {
			return nil, err
		}
	}
	model := llm.Func(func(ctx context.Context, _ llm.Request) (llm.Response, error) {
		err := passDoor(ctx, w, "model")
		return llm.Response{Text: "done", Usage: llm.Usage{Input: 1, Output: 1}}, err
	})
	return orchestrator.New(model, tools, orchestrator.Journal(db.Journal()),
		orchestrator.Plan{AfterFailure: orchestrator.Continue}, orchestrator.ConfigureEnv(func(e *run.Env) { e.Grace = 2 * time.Second }))
}

func callTestTool(ctx context.Context, w *pgxpool.Pool, name string, args json.RawMessage) (json.RawMessage, error) {
	var in struct{ Door string }
	if err := json.Unmarshal(args, &in); err != nil {
		return nil, err
	}
	call := tool.CallFrom(ctx).ID
	var err error
	switch name {
	case "confirm":
		var answers []tool.Answer
		answers, err = tool.ExchangeFrom(ctx).Ask(ctx, tool.AskPerson("Really?", json.RawMessage(`{"type":"object","properties":{"sure":{"type":"boolean"}}}`)))
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
		err = passDoor(ctx, w, in.Door)
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(call)
}

// passDoor reports that it has arrived at a door, and waits while the door is closed or the server is away.
func passDoor(ctx context.Context, w *pgxpool.Pool, door string) error {
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
