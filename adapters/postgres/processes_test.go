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
	"github.com/aiongen/aiongen/runtime/run/record"
)

// client starts runs, in this process, which does no work.
type client struct {
	*postgres.Engine
	test *testing.T
	url  string
}

func newClient(t *testing.T, url string) client {
	t.Helper()
	execute(t, url, world)
	db := open(t, url)
	o, err := newOrchestrator(db, nil) // none of its tools is called
	if err != nil {
		t.Fatal(err)
	}
	e, err := db.Engine(o)
	if err != nil {
		t.Fatal(err)
	}
	return client{e, t, url}
}

// begin starts a run that calls tools, one after the other; "tool door" goes through a
// door.
func (c client) begin(id string, calls ...string) {
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

// reach shuts a door, which f begins to go to, and returns when somebody stands there.
func (c client) reach(door string, f func()) {
	c.test.Helper()
	execute(c.test, c.url, "INSERT INTO doors VALUES ('"+door+"')")
	f()
	until(c.test, c.url, "SELECT count(*) FROM doors WHERE reached AND name = '"+door+"'")
}

// leave opens a door.
func (c client) leave(door string) {
	execute(c.test, c.url, "DELETE FROM doors WHERE name = '"+door+"'")
}

func (c client) want(r *record.Result, status string, effects int) {
	c.test.Helper()
	if n := count(c.test, c.url, "SELECT count(*) FROM effects"); r.Status != status || n != effects {
		c.test.Errorf("%d effects, want %d; %+v, want %s", n, effects, r, status)
	}
}

// TestKilledInCall: what a call did that may not be made twice is for somebody to say,
// and others are made again.
func TestKilledInCall(t *testing.T) {
	for name, test := range map[string]struct {
		status string
		first  int // effects when another worker has gone on with it
	}{
		"pay":  {record.Waiting, 1},
		"note": {record.Completed, 2},
		"look": {record.Completed, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClient(t, empty(t))
			w := newWorker(t, c.url)
			c.reach("a", func() { c.begin("r", name+" a", "pay") })
			w.send(syscall.SIGKILL)
			c.leave("a")
			newWorker(t, c.url)
			r := result(t, c.Engine, "r")
			c.want(r, test.status, test.first)
			if r.Status != record.Waiting {
				return
			}
			if err := c.Send(t.Context(), "r", record.Supply(r.Calls[0].Call, json.RawMessage(`"paid"`))); err != nil {
				t.Fatal(err)
			}
			c.want(result(t, c.Engine, "r"), record.Completed, 2)
		})
	}
}

// TestKilledInAnswer: the model is asked again.
func TestKilledInAnswer(t *testing.T) {
	t.Parallel()
	c := newClient(t, empty(t))
	w := newWorker(t, c.url)
	c.reach("model", func() { c.begin("r", "pay") })
	w.send(syscall.SIGKILL)
	c.leave("model")
	newWorker(t, c.url)
	c.want(result(t, c.Engine, "r"), record.Completed, 1)
}

// TestSlow: a worker that stood still, so that another went on with its run, begins
// nothing more of it, and what came of the call that it was in counts.
func TestSlow(t *testing.T) {
	t.Parallel()
	c := newClient(t, empty(t))
	slow := newWorker(t, c.url)
	c.reach("a", func() { c.begin("r", "pay a", "pay", "note") })
	slow.send(syscall.SIGSTOP)
	newWorker(t, c.url)
	c.want(result(t, c.Engine, "r"), record.Waiting, 1)
	c.leave("a")
	slow.send(syscall.SIGCONT)
	until(t, c.url, "SELECT count(*) FROM effects WHERE tool = 'note'")
	c.want(result(t, c.Engine, "r"), record.Completed, 3)
}

// TestSlowIsLate: what came of the call does not count once somebody has decided.
func TestSlowIsLate(t *testing.T) {
	t.Parallel()
	c := newClient(t, empty(t))
	slow := newWorker(t, c.url)
	c.reach("a", func() { c.begin("r", "pay a", "pay") })
	slow.send(syscall.SIGSTOP)
	newWorker(t, c.url)
	r := result(t, c.Engine, "r")
	c.want(r, record.Waiting, 1)
	if err := c.Send(t.Context(), "r", record.Supply(r.Calls[0].Call, json.RawMessage(`"paid by hand"`))); err != nil {
		t.Fatal(err)
	}
	c.want(result(t, c.Engine, "r"), record.Completed, 2)
	c.leave("a")
	slow.send(syscall.SIGCONT)
	slow.send(syscall.SIGTERM)
	if _, err := slow.Wait(); err != nil {
		t.Error(err)
	}
	c.want(result(t, c.Engine, "r"), record.Completed, 2)
}

// TestQuestionAfterRestart: an answer is taken in by workers that had not asked.
func TestQuestionAfterRestart(t *testing.T) {
	t.Parallel()
	c := newClient(t, empty(t))
	w := newWorker(t, c.url)
	c.begin("r", "pay", "confirm")
	r := result(t, c.Engine, "r")
	c.want(r, record.Waiting, 1)
	w.send(syscall.SIGTERM)
	if state, err := w.Wait(); err != nil || !state.Success() {
		t.Errorf("%v, %v", state, err)
	}
	answer := r.Calls[0].Questions[0].Accept(json.RawMessage(`{"sure":true}`))
	if err := c.Send(t.Context(), "r", record.Reply(r.Calls[0].Call, answer)); err != nil {
		t.Fatal(err)
	}
	newWorker(t, c.url)
	c.want(result(t, c.Engine, "r"), record.Completed, 2)
}

// TestServerKilled: runs go on when the server is back.
func TestServerKilled(t *testing.T) {
	t.Parallel()
	server, err := cluster.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	c := newClient(t, server.URL())
	newWorker(t, c.url)
	c.reach("a", func() { c.begin("r", "note", "look a", "note") })
	if err := server.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := server.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.leave("a")
	c.want(result(t, c.Engine, "r"), record.Completed, 2)
}

// TestChaos kills and stops workers at random while they go on with runs. Whoever decides
// about a call looks at what it did.
func TestChaos(t *testing.T) {
	const runs, workers = 200, 3
	c := newClient(t, empty(t))
	ctx, stop := context.WithCancel(t.Context())
	var chaos sync.WaitGroup
	var kills atomic.Int64
	for range workers {
		w := newWorker(t, c.url)
		chaos.Go(func() {
			for ctx.Err() == nil {
				time.Sleep(time.Duration(100+rand.IntN(500)) * time.Millisecond)
				if rand.IntN(3) == 0 {
					w.send(syscall.SIGSTOP)
					time.Sleep(2 * lease)
					w.send(syscall.SIGCONT)
					continue
				}
				w.send(syscall.SIGKILL)
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
			c.begin(id, "note", "pay", "look", "note", "pay")
			r := result(t, c.Engine, id)
			for ; r.Status == record.Waiting; r = result(t, c.Engine, id) {
				c.decide(id, r.Calls[0].Call)
				mu.Lock()
				decided++
				mu.Unlock()
			}
			if r.Status != record.Completed && r.Status != record.Failed {
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
	if n := count(t, c.url, "SELECT count(*) FROM (SELECT FROM effects GROUP BY call HAVING count(*) > 1) twice"); n > 0 {
		t.Errorf("%d effects came twice", n)
	}
	if n := count(t, c.url, "SELECT count(*) FROM effects WHERE tool = 'note'"); n != 2*runs {
		t.Errorf("%d of %d idempotent effects came", n, 2*runs)
	}
}

// decide supplies what a call did, or denies it if it did nothing.
func (c client) decide(run, call string) {
	s := record.Deny(call, "it did nothing")
	if count(c.test, c.url, "SELECT count(*) FROM effects WHERE call = '"+call+"'") > 0 {
		s = record.Supply(call, json.RawMessage(`"done"`))
	}
	// Meanwhile it may have become known from a worker that was only slow.
	if err := c.Send(c.test.Context(), run, s); err != nil {
		c.test.Log(err)
	}
}
