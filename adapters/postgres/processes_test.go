package postgres_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/aiongen/aiongen/adapters/postgres"
	"github.com/aiongen/aiongen/adapters/postgres/internal/cluster"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
)

// client starts runs. This process does not execute them.
type client struct {
	*postgres.Engine
	test *testing.T
	url  string
}

func newClient(t *testing.T, url string) client {
	t.Helper()
	executeSQL(t, url, worldSQL)
	db := openDB(t, url)
	o, err := newOrchestrator(db, nil) // its tools are never called
	if err != nil {
		t.Fatal(err)
	}
	e, err := db.Engine(o)
	if err != nil {
		t.Fatal(err)
	}
	return client{e, t, url}
}

// startRun starts a run that calls tools, one after another; "tool door" passes a door.
func (c client) startRun(id string, calls ...string) {
	c.test.Helper()
	p := &plan.Plan{Goal: "test"}
	for i, call := range calls {
		var name, door string
		_, _ = fmt.Sscan(call, &name, &door)
		p.Steps = append(p.Steps, plan.Step{ID: fmt.Sprint(i + 1), Description: name, Tool: name,
			Arguments: json.RawMessage(fmt.Sprintf(`{"n":%d,"door":%q}`, i, door))})
	}
	if _, err := c.Start(c.test.Context(), orchestrator.Input{ID: id, Request: "Do it.", Plan: p}); err != nil {
		c.test.Fatal(err)
	}
}

// waitAtDoor closes a door, calls f, and waits until a call has arrived at the door.
func (c client) waitAtDoor(door string, f func()) {
	c.test.Helper()
	executeSQL(c.test, c.url, "INSERT INTO doors VALUES ('"+door+"')")
	f()
	waitUntil(c.test, c.url, "SELECT count(*) FROM doors WHERE reached AND name = '"+door+"'")
}

// openDoor opens a door.
func (c client) openDoor(door string) {
	executeSQL(c.test, c.url, "DELETE FROM doors WHERE name = '"+door+"'")
}

func (c client) checkResult(r *run.Result, status string, effects int) {
	c.test.Helper()
	if n := countRows(c.test, c.url, "SELECT count(*) FROM effects"); r.Status != status || n != effects {
		c.test.Errorf("%d effects, want %d; %+v, want %s", n, effects, r, status)
	}
}

// TestKilledInCall kills a worker during a call. A person must decide about a call that is not idempotent; other
// calls are repeated.
func TestKilledInCall(t *testing.T) {
	for name, test := range map[string]struct {
		status string
		first  int // effects once another worker has continued
	}{
		"pay":  {run.Waiting, 1},
		"note": {run.Completed, 2},
		"look": {run.Completed, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClient(t, newSchema(t))
			w := newWorker(t, c.url)
			c.waitAtDoor("a", func() { c.startRun("r", name+" a", "pay") })
			w.sendSignal(syscall.SIGKILL)
			c.openDoor("a")
			newWorker(t, c.url)
			r := waitForResult(t, c.Engine, "r")
			c.checkResult(r, test.status, test.first)
			if r.Status != run.Waiting {
				return
			}
			if err := c.Send(t.Context(), "r", run.Supply(r.Calls[0].Call, json.RawMessage(`"paid"`))); err != nil {
				t.Fatal(err)
			}
			c.checkResult(waitForResult(t, c.Engine, "r"), run.Completed, 2)
		})
	}
}

// TestKilledInAnswer checks that the model is called again.
func TestKilledInAnswer(t *testing.T) {
	t.Parallel()
	c := newClient(t, newSchema(t))
	w := newWorker(t, c.url)
	c.waitAtDoor("model", func() { c.startRun("r", "pay") })
	w.sendSignal(syscall.SIGKILL)
	c.openDoor("model")
	newWorker(t, c.url)
	c.checkResult(waitForResult(t, c.Engine, "r"), run.Completed, 1)
}

// TestSlow suspends a worker until another takes over its run. The slow worker must start nothing more, but the
// outcome of its call counts.
func TestSlow(t *testing.T) {
	t.Parallel()
	c := newClient(t, newSchema(t))
	slow := newWorker(t, c.url)
	c.waitAtDoor("a", func() { c.startRun("r", "pay a", "pay", "note") })
	slow.sendSignal(syscall.SIGSTOP)
	newWorker(t, c.url)
	c.checkResult(waitForResult(t, c.Engine, "r"), run.Waiting, 1)
	c.openDoor("a")
	slow.sendSignal(syscall.SIGCONT)
	waitUntil(t, c.url, "SELECT count(*) FROM effects WHERE tool = 'note'")
	c.checkResult(waitForResult(t, c.Engine, "r"), run.Completed, 3)
}

// TestSlowIsLate checks that the outcome of the slow worker's call does not count once somebody has decided.
func TestSlowIsLate(t *testing.T) {
	t.Parallel()
	c := newClient(t, newSchema(t))
	slow := newWorker(t, c.url)
	c.waitAtDoor("a", func() { c.startRun("r", "pay a", "pay") })
	slow.sendSignal(syscall.SIGSTOP)
	newWorker(t, c.url)
	r := waitForResult(t, c.Engine, "r")
	c.checkResult(r, run.Waiting, 1)
	if err := c.Send(t.Context(), "r", run.Supply(r.Calls[0].Call, json.RawMessage(`"paid by hand"`))); err != nil {
		t.Fatal(err)
	}
	c.checkResult(waitForResult(t, c.Engine, "r"), run.Completed, 2)
	c.openDoor("a")
	slow.sendSignal(syscall.SIGCONT)
	slow.sendSignal(syscall.SIGTERM)
	if _, err := slow.Wait(); err != nil {
		t.Error(err)
	}
	c.checkResult(waitForResult(t, c.Engine, "r"), run.Completed, 2)
}

// TestQuestionAfterRestart checks that workers which have not asked a question process its answer.
func TestQuestionAfterRestart(t *testing.T) {
	t.Parallel()
	c := newClient(t, newSchema(t))
	w := newWorker(t, c.url)
	c.startRun("r", "pay", "confirm")
	r := waitForResult(t, c.Engine, "r")
	c.checkResult(r, run.Waiting, 1)
	w.sendSignal(syscall.SIGTERM)
	if state, err := w.Wait(); err != nil || !state.Success() {
		t.Errorf("%v, %v", state, err)
	}
	answer := r.Calls[0].Questions[0].Accept(json.RawMessage(`{"sure":true}`))
	if err := c.Send(t.Context(), "r", run.Reply(r.Calls[0].Call, answer)); err != nil {
		t.Fatal(err)
	}
	newWorker(t, c.url)
	c.checkResult(waitForResult(t, c.Engine, "r"), run.Completed, 2)
}

// TestServerKilled checks that runs continue when the server is back.
func TestServerKilled(t *testing.T) {
	t.Parallel()
	server, err := cluster.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	c := newClient(t, server.URL())
	newWorker(t, c.url)
	c.waitAtDoor("a", func() { c.startRun("r", "note", "look a", "note") })
	if err := server.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := server.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.openDoor("a")
	c.checkResult(waitForResult(t, c.Engine, "r"), run.Completed, 2)
}

// TestChaos kills and suspends workers at random while they execute runs. Decisions about calls depend on their
// effects.
func TestChaos(t *testing.T) {
	const runs, workers = 200, 3
	c := newClient(t, newSchema(t))
	ctx, stop := context.WithCancel(t.Context())
	var chaos sync.WaitGroup
	var kills atomic.Int64
	for range workers {
		w := newWorker(t, c.url)
		chaos.Go(func() {
			for ctx.Err() == nil {
				time.Sleep(time.Duration(100+rand.IntN(500)) * time.Millisecond)
				if rand.IntN(3) == 0 {
					w.sendSignal(syscall.SIGSTOP)
					time.Sleep(2 * testLease)
					w.sendSignal(syscall.SIGCONT)
					continue
				}
				w.sendSignal(syscall.SIGKILL)
				kills.Add(1)
				w = newWorker(t, c.url)
			}
		})
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	statuses, decided := map[string]int{}, 0
	for i := range runs {
		all.Go(func() {
			id := fmt.Sprint("r", i)
			c.startRun(id, "note", "pay", "look", "note", "pay")
			r := waitForResult(t, c.Engine, id)
			for ; r.Status == run.Waiting; r = waitForResult(t, c.Engine, id) {
				c.sendDecision(id, r.Calls[0].Call)
				mu.Lock()
				decided++
				mu.Unlock()
			}
			if r.Status != run.Completed && r.Status != run.Failed {
				t.Errorf("%s: %+v", id, r)
			}
			mu.Lock()
			statuses[r.Status]++
			mu.Unlock()
		})
	}
	all.Wait()
	stop()
	chaos.Wait()
	t.Logf("%v, %d decisions, %d kills", statuses, decided, kills.Load())
	if n := countRows(t, c.url, "SELECT count(*) FROM (SELECT FROM effects GROUP BY call HAVING count(*) > 1) twice"); n > 0 {
		t.Errorf("%d effects came twice", n)
	}
	if n := countRows(t, c.url, "SELECT count(*) FROM effects WHERE tool = 'note'"); n != 2*runs {
		t.Errorf("%d of %d idempotent effects came", n, 2*runs)
	}
}

// sendDecision sends the output of a call that had an effect, and denies one that had none.
func (c client) sendDecision(runID, call string) {
	s := run.Deny(call, "it did nothing")
	if countRows(c.test, c.url, "SELECT count(*) FROM effects WHERE call = '"+call+"'") > 0 {
		s = run.Supply(call, json.RawMessage(`"done"`))
	}
	// A slow worker may have reported the outcome meanwhile.
	if err := c.Send(c.test.Context(), runID, s); err != nil {
		c.test.Log(err)
	}
}
