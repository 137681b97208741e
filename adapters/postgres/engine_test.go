package postgres_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/aiongen/aiongen/adapters/postgres"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/middleware"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/orchestrator/enginetest"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

func finalAnswer(context.Context, llm.Request) (llm.Response, error) {
	return llm.Response{Text: "done", Usage: llm.Usage{Input: 1, Output: 1}}, nil
}

// desk is an orchestrator with a journal in the database. Its tool pay records its calls; send needs approval.
type desk struct {
	*orchestrator.Orchestrator
	db    *postgres.DB
	mu    sync.Mutex
	calls map[string]int // by ID
	order []string       // of the calls
	does  func(context.Context)

	answers func(context.Context, llm.Request) (llm.Response, error)
}

func newDesk(t *testing.T, db *postgres.DB, options ...orchestrator.Option) *desk {
	t.Helper()
	d := &desk{db: db, calls: map[string]int{}, answers: finalAnswer}
	tools := tool.NewRegistry(tool.Use(middleware.Gate(middleware.RequireApproval(middleware.NameMatches("send")), middleware.Allow())))
	for _, name := range []string{"pay", "send"} {
		made, err := schema.Dynamic(tool.Definition{
			Name: name, Description: "Does " + name + ".",
			Input: json.RawMessage(`{"type":"object","additionalProperties":false}`), Output: json.RawMessage(`{"type":"string"}`),
		}, func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
			id := tool.CallFrom(ctx).ID
			d.mu.Lock()
			d.calls[id]++
			d.order = append(d.order, id)
			d.mu.Unlock()
			if d.does != nil {
				d.does(ctx)
			}
			return json.Marshal(id)
		})
		if err == nil {
			err = tools.Register(made)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var err error
	if d.Orchestrator, err = orchestrator.New(llm.Func(func(ctx context.Context, r llm.Request) (llm.Response, error) { return d.answers(ctx, r) }),
		tools, append(options, orchestrator.Journal(db.Journal()))...); err != nil {
		t.Fatal(err)
	}
	return d
}

func newEngine(t *testing.T, db *postgres.DB, d *desk, options ...postgres.Option) *postgres.Engine {
	t.Helper()
	e, err := db.Engine(d.Orchestrator, options...)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// planOf returns the input of a run that calls tools, one after another.
func planOf(id string, tools ...string) orchestrator.Input {
	p := &plan.Plan{Goal: "test"}
	for i, name := range tools {
		p.Steps = append(p.Steps, plan.Step{ID: fmt.Sprint(i + 1), Description: name, Tool: name, Arguments: json.RawMessage("{}")})
	}
	return orchestrator.Input{ID: id, Request: "Do it.", Plan: p}
}

// startWorking starts a worker. The function stop stops it and waits until it has released all runs.
func startWorking(t *testing.T, e *postgres.Engine) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); _ = e.Work(ctx) }()
	stop = sync.OnceFunc(func() { cancel(); <-ended })
	t.Cleanup(stop)
	return stop
}

func waitForResult(t *testing.T, e *postgres.Engine, id string) *run.Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := e.Result(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestSuite runs the tests that all engines must pass.
func TestSuite(t *testing.T) {
	enginetest.Run(t, func(t *testing.T, model llm.Model, tools *tool.Registry, events enginetest.Events) (enginetest.Engine, func()) {
		url := newSchema(t)
		db := openDB(t, url)
		o, err := orchestrator.New(model, tools, orchestrator.Journal(db.Journal()), orchestrator.Events(events), orchestrator.ConfigureEnv(func(e *run.Env) { e.Grace = 10 * time.Millisecond }))
		if err != nil {
			t.Fatal(err)
		}
		e := newEngine(t, db, &desk{Orchestrator: o})
		stop := startWorking(t, e)
		return e, func() { stop(); stop = startWorking(t, e) }
	})
}

// TestEngine lets two workers execute runs that neither of them has started.
func TestEngine(t *testing.T) {
	url := newSchema(t)
	a, b, client := newDesk(t, openDB(t, url)), newDesk(t, openDB(t, url)), openDB(t, url)
	e := newEngine(t, client, newDesk(t, client))
	const runs = 20
	for i := range runs {
		if _, err := e.Start(t.Context(), planOf(fmt.Sprint("r", i), "pay", "pay")); err != nil {
			t.Fatal(err)
		}
	}
	startWorking(t, newEngine(t, a.db, a))
	startWorking(t, newEngine(t, b.db, b))
	for i := range runs {
		if r := waitForResult(t, e, fmt.Sprint("r", i)); r.Status != run.Completed {
			t.Errorf("run %d: %+v", i, r)
		}
	}
	if n := len(a.calls) + len(b.calls); n != 2*runs {
		t.Errorf("%d calls were made, want %d", n, 2*runs)
	}
}

// TestAnswerAfterRestart checks that a waiting run occupies no worker, and that an approval sent while there are no
// workers is not lost.
func TestAnswerAfterRestart(t *testing.T) {
	url := newSchema(t)
	db := openDB(t, url)
	d := newDesk(t, db)
	e := newEngine(t, db, d)
	stop := startWorking(t, e)
	if _, err := e.Start(t.Context(), planOf("r", "pay", "send")); err != nil {
		t.Fatal(err)
	}
	r := waitForResult(t, e, "r")
	if r.Status != "waiting" || len(r.Calls) != 1 || countRows(t, url, "SELECT count(*) FROM aion_queue WHERE owner IS NOT NULL") != 0 {
		t.Fatalf("%+v", r)
	}
	stop()
	if err := e.Send(t.Context(), "r", run.Approve(r.Calls[0].Call, "ann", nil)); err != nil {
		t.Fatal(err)
	}
	other := newDesk(t, openDB(t, url))
	startWorking(t, newEngine(t, other.db, other))
	if r := waitForResult(t, e, "r"); r.Status != run.Completed || countRows(t, url, "SELECT count(*) FROM aion_queue") != 0 {
		t.Errorf("%+v", r)
	}
}

// TestFork forks a run that has ended. Workers execute the new run, with the calls that come after the
// entry.
func TestFork(t *testing.T) {
	url := newSchema(t)
	db := openDB(t, url)
	d := newDesk(t, db)
	e := newEngine(t, db, d)
	startWorking(t, e)
	if _, err := e.Start(t.Context(), planOf("r", "pay", "pay")); err != nil {
		t.Fatal(err)
	}
	want := waitForResult(t, e, "r")
	entry := -1 // of the last call
	for n, err := range db.Journal().Read(t.Context(), "r", 0) {
		if err != nil {
			t.Fatal(err)
		}
		if n.Kind == "request" {
			entry = n.N
		}
	}
	id, err := e.Fork(t.Context(), "r", entry)
	if err != nil {
		t.Fatal(err)
	}
	if r := waitForResult(t, e, id); r.Status != run.Completed || r.Usage.ToolCalls != want.Usage.ToolCalls {
		t.Errorf("%+v, want what the other run is: %+v", r, want)
	}
	if _, err := e.Fork(t.Context(), "none", 1); tool.Code(err) != "journal_gone" {
		t.Errorf("a fork of no run: %v", err)
	}
}

// TestPerTenant checks that a tenant never has more concurrent runs than allowed.
func TestPerTenant(t *testing.T) {
	url := newSchema(t)
	db := openDB(t, url)
	d := newDesk(t, db)
	var now, most int
	d.does = func(context.Context) {
		d.mu.Lock()
		now++
		most = max(most, now)
		d.mu.Unlock()
		time.Sleep(20 * time.Millisecond)
		d.mu.Lock()
		now--
		d.mu.Unlock()
	}
	e := newEngine(t, db, d, postgres.PerTenant("user", 2))
	for i := range 8 {
		in := planOf(strings.Repeat("r", i+1), "pay")
		in.Meta = map[string]string{"user": "ann"}
		if _, err := e.Start(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	startWorking(t, e)
	for i := range 8 {
		waitForResult(t, e, strings.Repeat("r", i+1))
	}
	if most > 2 {
		t.Errorf("%d runs of one tenant were gone on with at once", most)
	}
}

// TestPriority checks that the due run with the highest priority comes first.
func TestPriority(t *testing.T) {
	db := openDB(t, newSchema(t))
	d := newDesk(t, db)
	e := newEngine(t, db, d, postgres.Workers(1), postgres.Priority(func(in orchestrator.Input) int32 {
		n, _ := strconv.Atoi(in.Meta["priority"])
		return int32(n)
	}))
	for _, run := range []string{"a 1", "b -1", "c 0", "d 1"} {
		id, priority, _ := strings.Cut(run, " ")
		in := planOf(id, "pay")
		in.Meta = map[string]string{"priority": priority}
		if _, err := e.Start(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	startWorking(t, e)
	waitForResult(t, e, "b")
	if got := fmt.Sprint(d.order); got != "[a/1/1 d/1/1 c/1/1 b/1/1]" {
		t.Error(got)
	}
}

// TestSignalDuringRelease checks that a signal is processed that arrives after the worker has read the journal for
// the last time and before it has released the run.
func TestSignalDuringRelease(t *testing.T) {
	db := openDB(t, newSchema(t))
	var e *postgres.Engine
	d := newDesk(t, db, orchestrator.Events(func(ctx context.Context, event run.Event) {
		if stopped, ok := event.What.(run.RunStopped); ok && stopped.Result.Status == run.Waiting {
			if err := e.Send(context.WithoutCancel(ctx), "r", run.Approve("r/1/1", "ann", nil)); err != nil {
				t.Error(err)
			}
		}
	}))
	e = newEngine(t, db, d)
	if _, err := e.Start(t.Context(), planOf("r", "send")); err != nil {
		t.Fatal(err)
	}
	startWorking(t, e)
	for r := waitForResult(t, e, "r"); r.Status != run.Completed; r = waitForResult(t, e, "r") {
		if r.Status != run.Waiting {
			t.Fatalf("%+v", r)
		}
	}
}

// TestStoppedWhileClaiming checks that a worker which is stopped while it waits for the server to claim a run
// releases that run.
func TestStoppedWhileClaiming(t *testing.T) {
	url := newSchema(t)
	db := openDB(t, url)
	e := newEngine(t, db, newDesk(t, db))
	if _, err := e.Start(t.Context(), planOf("r", "pay")); err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(t.Context(), "BEGIN; LOCK aion_queue"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); err = e.Work(ctx) }()
	waitUntil(t, url, "SELECT count(*) FROM pg_locks WHERE relation = 'aion_queue'::regclass AND NOT granted")
	cancel()
	select {
	case <-ended:
		t.Error("nobody hears what the server says")
	case <-time.After(200 * time.Millisecond):
	}
	if _, err := conn.Exec(t.Context(), "COMMIT"); err != nil {
		t.Fatal(err)
	}
	if <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if n := countRows(t, url, "SELECT count(*) FROM aion_queue WHERE owner IS NULL AND due <= now()"); n != 1 {
		t.Error("the run is not due")
	}
}

// TestRunKillsWorkers checks that workers rest before they take over a run whose workers have died.
func TestRunKillsWorkers(t *testing.T) {
	url := newSchema(t)
	db := openDB(t, url)
	e := newEngine(t, db, newDesk(t, db), postgres.Workers(1))
	for _, id := range []string{"deadly", "r"} {
		if _, err := e.Start(t.Context(), planOf(id, "pay")); err != nil {
			t.Fatal(err)
		}
	}
	executeSQL(t, url, "UPDATE aion_queue SET owner = 'dead', lease = now() - interval '9 min', failures = 99 WHERE run = 'deadly'")
	startWorking(t, e)
	waitForResult(t, e, "r")
	if n := countRows(t, url, "SELECT count(*) FROM aion_queue WHERE run = 'deadly' AND owner IS NULL AND due > now()"); n != 1 {
		t.Error("it was taken at once")
	}
	executeSQL(t, url, "UPDATE aion_queue SET owner = 'dead', lease = now() - interval '11 min', failures = 99")
	if r := waitForResult(t, e, "deadly"); r.Status != run.Completed {
		t.Errorf("%+v", r)
	}
}

// toolFault is an error that may be retryable.
type toolFault struct{ retryable bool }

func (f toolFault) Error() string   { return "out of order" }
func (f toolFault) Retryable() bool { return f.retryable }

// TestInterrupted checks that a run is retried after a transient error, and waits for a person after another error.
func TestInterrupted(t *testing.T) {
	url := newSchema(t)
	db := openDB(t, url)
	d := newDesk(t, db)
	asked := 0 // runs are executed one at a time
	d.answers = func(ctx context.Context, r llm.Request) (llm.Response, error) {
		if asked++; asked < 3 {
			return llm.Response{}, toolFault{asked == 1}
		}
		return finalAnswer(ctx, r)
	}
	e := newEngine(t, db, d)
	startWorking(t, e)
	if _, err := e.Start(t.Context(), planOf("r", "pay")); err != nil {
		t.Fatal(err)
	}
	if r := waitForResult(t, e, "r"); r.Status != run.Interrupted || r.Error == nil || r.Error.Retry || asked != 2 {
		t.Fatalf("%+v, asked %d times", r, asked)
	}
	if n := countRows(t, url, "SELECT count(*) FROM aion_queue WHERE due IS NULL AND error = 'out of order' AND failures = 0"); n != 1 {
		t.Error("nobody can see what is wrong")
	}
	if err := e.Wake(t.Context(), "r"); err != nil {
		t.Fatal(err)
	}
	if r := waitForResult(t, e, "r"); r.Status != run.Completed || asked != 3 || d.calls["r/1/1"] != 1 {
		t.Errorf("%+v, asked %d times, %v", r, asked, d.calls)
	}
	if _, gone := errors.AsType[*journal.NotFoundError](e.Wake(t.Context(), "r")); !gone {
		t.Error("a run that has ended was woken")
	}
}

// TestPanics checks that a panicking model does not take down the worker, and that the run continues when woken.
func TestPanics(t *testing.T) {
	url := newSchema(t)
	db := openDB(t, url)
	d := newDesk(t, db)
	d.answers = func(context.Context, llm.Request) (llm.Response, error) { panic("it broke") }
	e := newEngine(t, db, d, postgres.Log(slog.New(slog.DiscardHandler)))
	startWorking(t, e)
	if _, err := e.Start(t.Context(), planOf("r", "pay")); err != nil {
		t.Fatal(err)
	}
	if r := waitForResult(t, e, "r"); r.Status != run.Interrupted || r.Error == nil || r.Error.Text != "the run panicked: it broke" {
		t.Fatalf("%+v", r)
	}
	d.answers = finalAnswer
	if err := e.Wake(t.Context(), "r"); err != nil {
		t.Fatal(err)
	}
	if r := waitForResult(t, e, "r"); r.Status != run.Completed || d.calls["r/1/1"] != 1 {
		t.Errorf("%+v, %v", r, d.calls)
	}
}

// TestCorruptRun checks that a run which this program cannot read is left to other workers, and that Result returns
// the error.
func TestCorruptRun(t *testing.T) {
	url := newSchema(t)
	db := openDB(t, url)
	e := newEngine(t, db, newDesk(t, db), postgres.Log(slog.New(slog.DiscardHandler)))
	if _, err := e.Start(t.Context(), planOf("r", "pay")); err != nil {
		t.Fatal(err)
	}
	executeSQL(t, url, "UPDATE aion_entries SET entry = '!' || entry")
	startWorking(t, e)
	if _, err := e.Result(t.Context(), "r"); err == nil || !strings.Contains(err.Error(), "invalid character '!'") {
		t.Error(err)
	}
	executeSQL(t, url, "UPDATE aion_entries SET entry = ltrim(entry, '!')")
	if err := e.Wake(t.Context(), "r"); err != nil {
		t.Fatal(err)
	}
	if r := waitForResult(t, e, "r"); r.Status != run.Completed {
		t.Errorf("%+v", r)
	}
}

// TestDeleted checks that deleted runs are not executed.
func TestDeleted(t *testing.T) {
	url := newSchema(t)
	db := openDB(t, url)
	e := newEngine(t, db, newDesk(t, db))
	if _, err := e.Start(t.Context(), planOf("r", "pay")); err != nil {
		t.Fatal(err)
	}
	if err := db.Journal().Delete(t.Context(), "r"); err != nil {
		t.Fatal(err)
	}
	if n := countRows(t, url, "SELECT count(*) FROM aion_queue"); n != 0 {
		t.Error("it is due")
	}
	if _, err := e.Result(t.Context(), "r"); !errors.As(err, new(*journal.NotFoundError)) {
		t.Error(err)
	}
}

// TestEngineErrors checks invalid arguments.
func TestEngineErrors(t *testing.T) {
	url := newSchema(t)
	db := openDB(t, url)
	d := newDesk(t, db)
	other, err := orchestrator.New(llm.Func(finalAnswer), tool.NewRegistry())
	if err != nil {
		t.Fatal(err)
	}
	for want, make := range map[string]func() (*postgres.Engine, error){
		"has another journal than that of the database": func() (*postgres.Engine, error) { return db.Engine(other) },
		"another journal than that of the databas":      func() (*postgres.Engine, error) { return db.Engine(newDesk(t, openDB(t, url)).Orchestrator) },
		"Lease needs at least a millisecond":            func() (*postgres.Engine, error) { return db.Engine(d.Orchestrator, postgres.Lease(0)) },
		"Workers must be at least 1":                    func() (*postgres.Engine, error) { return db.Engine(d.Orchestrator, postgres.Workers(0)) },
		"PerTenant must allow at least 1 run":           func() (*postgres.Engine, error) { return db.Engine(d.Orchestrator, postgres.PerTenant("user", 0)) },
		"PerTenant needs a key":                         func() (*postgres.Engine, error) { return db.Engine(d.Orchestrator, postgres.PerTenant("", 1)) },
		"the function of Priority":                      func() (*postgres.Engine, error) { return db.Engine(d.Orchestrator, postgres.Priority(nil)) },
		"the logger of Log is nil":                      func() (*postgres.Engine, error) { return db.Engine(d.Orchestrator, postgres.Log(nil)) },
		"the orchestrator is nil":                       func() (*postgres.Engine, error) { return db.Engine(nil) },
	} {
		if _, err := make(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
