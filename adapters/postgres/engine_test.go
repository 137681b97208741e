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
	"github.com/aiongen/aiongen/runtime/guard"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/orchestrator/enginetest"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

func done(context.Context, llm.Request) (llm.Response, error) {
	return llm.Response{Text: "done", Usage: llm.Usage{Input: 1, Output: 1}}, nil
}

// desk is an orchestrator on a database, whose tool pay notes its calls; send has to be
// approved.
type desk struct {
	*orchestrator.Orchestrator
	db    *postgres.DB
	mu    sync.Mutex
	calls map[string]int // by ID
	order []string       // of them
	does  func(context.Context)

	answers func(context.Context, llm.Request) (llm.Response, error)
}

func newDesk(t *testing.T, db *postgres.DB, options ...orchestrator.Option) *desk {
	t.Helper()
	d := &desk{db: db, calls: map[string]int{}, answers: done}
	tools := tool.NewRegistry(tool.Use(guard.Gate(guard.Ask(guard.Named("send")), guard.Allow())))
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

func engine(t *testing.T, db *postgres.DB, d *desk, options ...postgres.Option) *postgres.Engine {
	t.Helper()
	e, err := db.Engine(d.Orchestrator, options...)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// steps is the input of a run that calls tools, one after the other.
func steps(id string, tools ...string) orchestrator.Input {
	p := &plan.Plan{Goal: "test"}
	for i, name := range tools {
		p.Steps = append(p.Steps, plan.Step{ID: fmt.Sprint(i + 1), Description: name, Tool: name, Arguments: json.RawMessage("{}")})
	}
	return orchestrator.Input{ID: id, Request: "Do it.", Plan: p}
}

// work has a worker work; it is stopped, and has given all up, when stop returns.
func work(t *testing.T, e *postgres.Engine) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); _ = e.Work(ctx) }()
	stop = sync.OnceFunc(func() { cancel(); <-ended })
	t.Cleanup(stop)
	return stop
}

func result(t *testing.T, e *postgres.Engine, id string) *record.Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := e.Result(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestSuite: runs are the same as on every other engine.
func TestSuite(t *testing.T) {
	enginetest.Run(t, func(t *testing.T, model llm.Model, tools *tool.Registry) (enginetest.Engine, func()) {
		url := empty(t)
		db := open(t, url)
		o, err := orchestrator.New(model, tools, orchestrator.Journal(db.Journal()), orchestrator.Env(func(e *run.Env) { e.Grace = 10 * time.Millisecond }))
		if err != nil {
			t.Fatal(err)
		}
		e := engine(t, db, &desk{Orchestrator: o})
		stop := work(t, e)
		return e, func() { stop(); stop = work(t, e) }
	})
}

// TestEngine has two workers go on with runs that were begun by neither.
func TestEngine(t *testing.T) {
	url := empty(t)
	a, b, client := newDesk(t, open(t, url)), newDesk(t, open(t, url)), open(t, url)
	e := engine(t, client, newDesk(t, client))
	const runs = 20
	for i := range runs {
		if _, err := e.Start(t.Context(), steps(fmt.Sprint("r", i), "pay", "pay")); err != nil {
			t.Fatal(err)
		}
	}
	work(t, engine(t, a.db, a))
	work(t, engine(t, b.db, b))
	for i := range runs {
		if r := result(t, e, fmt.Sprint("r", i)); r.Status != record.Completed {
			t.Errorf("run %d: %+v", i, r)
		}
	}
	if n := len(a.calls) + len(b.calls); n != 2*runs {
		t.Errorf("%d calls were made, want %d", n, 2*runs)
	}
}

// TestAnswerAfterRestart: a run that waits holds no worker, and an approval that comes
// when there is none is not lost.
func TestAnswerAfterRestart(t *testing.T) {
	url := empty(t)
	db := open(t, url)
	d := newDesk(t, db)
	e := engine(t, db, d)
	stop := work(t, e)
	if _, err := e.Start(t.Context(), steps("r", "pay", "send")); err != nil {
		t.Fatal(err)
	}
	r := result(t, e, "r")
	if r.Status != "waiting" || len(r.Calls) != 1 || count(t, url, "SELECT count(*) FROM aion_queue WHERE owner IS NOT NULL") != 0 {
		t.Fatalf("%+v", r)
	}
	stop()
	if err := e.Send(t.Context(), "r", record.Approve(r.Calls[0].Call, "ann", nil)); err != nil {
		t.Fatal(err)
	}
	other := newDesk(t, open(t, url))
	work(t, engine(t, other.db, other))
	if r := result(t, e, "r"); r.Status != record.Completed || count(t, url, "SELECT count(*) FROM aion_queue") != 0 {
		t.Errorf("%+v", r)
	}
}

// TestPerTenant never has more runs of one tenant at once than may be.
func TestPerTenant(t *testing.T) {
	url := empty(t)
	db := open(t, url)
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
	e := engine(t, db, d, postgres.PerTenant("user", 2))
	for i := range 8 {
		in := steps(strings.Repeat("r", i+1), "pay")
		in.Meta = map[string]string{"user": "ann"}
		if _, err := e.Start(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	work(t, e)
	for i := range 8 {
		result(t, e, strings.Repeat("r", i+1))
	}
	if most > 2 {
		t.Errorf("%d runs of one tenant were gone on with at once", most)
	}
}

// TestPriority: of runs that are due, the one that matters most is first.
func TestPriority(t *testing.T) {
	db := open(t, empty(t))
	d := newDesk(t, db)
	e := engine(t, db, d, postgres.Workers(1), postgres.Priority(func(in orchestrator.Input) int32 {
		n, _ := strconv.Atoi(in.Meta["priority"])
		return int32(n)
	}))
	for _, run := range []string{"a 1", "b -1", "c 0", "d 1"} {
		id, priority, _ := strings.Cut(run, " ")
		in := steps(id, "pay")
		in.Meta = map[string]string{"priority": priority}
		if _, err := e.Start(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	work(t, e)
	result(t, e, "b")
	if got := fmt.Sprint(d.order); got != "[a/1/1 d/1/1 c/1/1 b/1/1]" {
		t.Error(got)
	}
}

// TestToldWhileLeaving: what a run is told after the worker has looked for the last
// time, and before it has given it up, is taken in.
func TestToldWhileLeaving(t *testing.T) {
	db := open(t, empty(t))
	var e *postgres.Engine
	d := newDesk(t, db, orchestrator.Events(func(ctx context.Context, event record.Event) {
		if stopped, ok := event.What.(record.Stopped); ok && stopped.Result.Status == record.Waiting {
			if err := e.Send(context.WithoutCancel(ctx), "r", record.Approve("r/1/1", "ann", nil)); err != nil {
				t.Error(err)
			}
		}
	}))
	e = engine(t, db, d)
	if _, err := e.Start(t.Context(), steps("r", "send")); err != nil {
		t.Fatal(err)
	}
	work(t, e)
	for r := result(t, e, "r"); r.Status != record.Completed; r = result(t, e, "r") {
		if r.Status != record.Waiting {
			t.Fatalf("%+v", r)
		}
	}
}

// TestStoppedWhileClaiming: a worker that is stopped while the server has yet to say
// which run is its own hears that, and gives the run up.
func TestStoppedWhileClaiming(t *testing.T) {
	url := empty(t)
	db := open(t, url)
	e := engine(t, db, newDesk(t, db))
	if _, err := e.Start(t.Context(), steps("r", "pay")); err != nil {
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
	until(t, url, "SELECT count(*) FROM pg_locks WHERE relation = 'aion_queue'::regclass AND NOT granted")
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
	if n := count(t, url, "SELECT count(*) FROM aion_queue WHERE owner IS NULL AND due <= now()"); n != 1 {
		t.Error("the run is not due")
	}
}

// TestDeadly: a run whose workers died one after the other keeps others waiting before
// they take it too.
func TestDeadly(t *testing.T) {
	url := empty(t)
	db := open(t, url)
	e := engine(t, db, newDesk(t, db), postgres.Workers(1))
	for _, id := range []string{"deadly", "r"} {
		if _, err := e.Start(t.Context(), steps(id, "pay")); err != nil {
			t.Fatal(err)
		}
	}
	execute(t, url, "UPDATE aion_queue SET owner = 'dead', lease = now() - interval '9 min', failures = 99 WHERE run = 'deadly'")
	work(t, e)
	result(t, e, "r")
	if n := count(t, url, "SELECT count(*) FROM aion_queue WHERE run = 'deadly' AND owner IS NULL AND due > now()"); n != 1 {
		t.Error("it was taken at once")
	}
	execute(t, url, "UPDATE aion_queue SET owner = 'dead', lease = now() - interval '11 min', failures = 99")
	if r := result(t, e, "deadly"); r.Status != record.Completed {
		t.Errorf("%+v", r)
	}
}

// fault is an error of a model, which may pass.
type fault struct{ passes bool }

func (f fault) Error() string   { return "out of order" }
func (f fault) Retryable() bool { return f.passes }

// TestInterrupted: what passes is waited for, and what does not is for somebody to say.
func TestInterrupted(t *testing.T) {
	url := empty(t)
	db := open(t, url)
	d := newDesk(t, db)
	asked := 0 // of one run at a time
	d.answers = func(ctx context.Context, r llm.Request) (llm.Response, error) {
		if asked++; asked < 3 {
			return llm.Response{}, fault{asked == 1}
		}
		return done(ctx, r)
	}
	e := engine(t, db, d)
	work(t, e)
	if _, err := e.Start(t.Context(), steps("r", "pay")); err != nil {
		t.Fatal(err)
	}
	if r := result(t, e, "r"); r.Status != record.Interrupted || r.Error == nil || r.Error.Retry || asked != 2 {
		t.Fatalf("%+v, asked %d times", r, asked)
	}
	if n := count(t, url, "SELECT count(*) FROM aion_queue WHERE due IS NULL AND error = 'out of order' AND failures = 0"); n != 1 {
		t.Error("nobody can see what is wrong")
	}
	if err := e.Wake(t.Context(), "r"); err != nil {
		t.Fatal(err)
	}
	if r := result(t, e, "r"); r.Status != record.Completed || asked != 3 || d.calls["r/1/1"] != 1 {
		t.Errorf("%+v, asked %d times, %v", r, asked, d.calls)
	}
	if _, gone := errors.AsType[*journal.Gone](e.Wake(t.Context(), "r")); !gone {
		t.Error("a run that has ended was woken")
	}
}

// TestPanics: a run whose model panics takes no worker down, and goes on when it is woken.
func TestPanics(t *testing.T) {
	url := empty(t)
	db := open(t, url)
	d := newDesk(t, db)
	d.answers = func(context.Context, llm.Request) (llm.Response, error) { panic("it broke") }
	e := engine(t, db, d, postgres.Log(slog.New(slog.DiscardHandler)))
	work(t, e)
	if _, err := e.Start(t.Context(), steps("r", "pay")); err != nil {
		t.Fatal(err)
	}
	if r := result(t, e, "r"); r.Status != record.Interrupted || r.Error == nil || r.Error.Text != "the run panicked: it broke" {
		t.Fatalf("%+v", r)
	}
	d.answers = done
	if err := e.Wake(t.Context(), "r"); err != nil {
		t.Fatal(err)
	}
	if r := result(t, e, "r"); r.Status != record.Completed || d.calls["r/1/1"] != 1 {
		t.Errorf("%+v, %v", r, d.calls)
	}
}

// TestUnreadable: a run with which this program cannot go on is left to others, and
// whoever waits for it is told.
func TestUnreadable(t *testing.T) {
	url := empty(t)
	db := open(t, url)
	e := engine(t, db, newDesk(t, db), postgres.Log(slog.New(slog.DiscardHandler)))
	if _, err := e.Start(t.Context(), steps("r", "pay")); err != nil {
		t.Fatal(err)
	}
	execute(t, url, "UPDATE aion_entries SET entry = '!' || entry")
	work(t, e)
	if _, err := e.Result(t.Context(), "r"); err == nil || !strings.Contains(err.Error(), "invalid character '!'") {
		t.Error(err)
	}
	execute(t, url, "UPDATE aion_entries SET entry = ltrim(entry, '!')")
	if err := e.Wake(t.Context(), "r"); err != nil {
		t.Fatal(err)
	}
	if r := result(t, e, "r"); r.Status != record.Completed {
		t.Errorf("%+v", r)
	}
}

// TestDeleted: nobody goes on with a run that was deleted.
func TestDeleted(t *testing.T) {
	url := empty(t)
	db := open(t, url)
	e := engine(t, db, newDesk(t, db))
	if _, err := e.Start(t.Context(), steps("r", "pay")); err != nil {
		t.Fatal(err)
	}
	if err := db.Journal().Delete(t.Context(), "r"); err != nil {
		t.Fatal(err)
	}
	if n := count(t, url, "SELECT count(*) FROM aion_queue"); n != 0 {
		t.Error("it is due")
	}
	if _, err := e.Result(t.Context(), "r"); !errors.As(err, new(*journal.Gone)) {
		t.Error(err)
	}
}

// TestNoEngine: what could not work is no engine.
func TestNoEngine(t *testing.T) {
	url := empty(t)
	db := open(t, url)
	d := newDesk(t, db)
	other, err := orchestrator.New(llm.Func(done), tool.NewRegistry())
	if err != nil {
		t.Fatal(err)
	}
	for want, make := range map[string]func() (*postgres.Engine, error){
		"not that of the database":   func() (*postgres.Engine, error) { return db.Engine(other) },
		"is not that of the databas": func() (*postgres.Engine, error) { return db.Engine(newDesk(t, open(t, url)).Orchestrator) },
		"less than a millisecond":    func() (*postgres.Engine, error) { return db.Engine(d.Orchestrator, postgres.Lease(0)) },
		"no run at once":             func() (*postgres.Engine, error) { return db.Engine(d.Orchestrator, postgres.Workers(0)) },
		"may have no run at once":    func() (*postgres.Engine, error) { return db.Engine(d.Orchestrator, postgres.PerTenant("user", 0)) },
		"PerTenant needs the key":    func() (*postgres.Engine, error) { return db.Engine(d.Orchestrator, postgres.PerTenant("", 1)) },
		"the function of Priority":   func() (*postgres.Engine, error) { return db.Engine(d.Orchestrator, postgres.Priority(nil)) },
		"the logger of Log is nil":   func() (*postgres.Engine, error) { return db.Engine(d.Orchestrator, postgres.Log(nil)) },
		"needs an orchestrator":      func() (*postgres.Engine, error) { return db.Engine(nil) },
	} {
		if _, err := make(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
