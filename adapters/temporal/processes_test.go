package temporal_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"go.temporal.io/sdk/client"

	"github.com/aiongen/aiongen/adapters/temporal"
	"github.com/aiongen/aiongen/adapters/temporal/internal/server"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// caller starts runs. This process does not execute them.
type caller struct {
	*temporal.Engine
	test    *testing.T
	client  client.Client
	address string
	world   world
}

func newCaller(t *testing.T, address string) caller {
	t.Helper()
	w := world(t.TempDir())
	cl := dialServer(t, address)
	e, err := newEngine(cl, t.Name(), w)
	if err != nil {
		t.Fatal(err)
	}
	return caller{e, t, cl, address, w}
}

func (c caller) startWorker() worker {
	c.test.Helper()
	return newWorker(c.test, c.address, c.test.Name(), c.world)
}

// startRun starts a run that calls tools, one after another; "tool door" passes a door.
func (c caller) startRun(calls ...string) (id string) {
	c.test.Helper()
	p := &plan.Plan{Goal: "test"}
	for i, call := range calls {
		var name, door string
		_, _ = fmt.Sscan(call, &name, &door)
		p.Steps = append(p.Steps, plan.Step{ID: fmt.Sprint(i + 1), Description: name, Tool: name,
			Arguments: json.RawMessage(fmt.Sprintf(`{"n":%d,"door":%q}`, i, door))})
	}
	id, err := c.Start(c.test.Context(), orchestrator.Input{Request: "Do it.", Plan: p})
	if err != nil {
		c.test.Fatal(err)
	}
	return id
}

// waitAtDoor closes a door, calls f, and waits until a call has arrived at the door.
func (c caller) waitAtDoor(door string, f func()) {
	c.test.Helper()
	if err := os.WriteFile(c.world.doorFile(door), nil, 0o600); err != nil {
		c.test.Fatal(err)
	}
	f()
	c.waitUntil(func() bool { text, _ := os.ReadFile(c.world.doorFile(door)); return len(text) > 0 })
}

// openDoor opens a door.
func (c caller) openDoor(door string) {
	if err := os.Remove(c.world.doorFile(door)); err != nil {
		c.test.Error(err)
	}
}

func (c caller) waitUntil(f func() bool) {
	c.test.Helper()
	for end := time.Now().Add(time.Minute); !f(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			c.test.Fatal("never")
		}
	}
}

func (c caller) waitForResult(id string) *run.Result {
	c.test.Helper()
	ctx, cancel := context.WithTimeout(c.test.Context(), 5*time.Minute)
	defer cancel()
	r, err := c.Result(ctx, id)
	if err != nil {
		c.test.Fatal(err)
	}
	return r
}

func (c caller) checkResult(r *run.Result, status string, effects int) {
	c.test.Helper()
	if n := c.world.countEffects(); r.Status != status || len(n) != effects {
		c.test.Errorf("effects are %v, want %d; %+v, want %s", n, effects, r, status)
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
			c := newCaller(t, sharedServer.Address())
			w := c.startWorker()
			var id string
			c.waitAtDoor("a", func() { id = c.startRun(name+" a", "pay") })
			w.sendSignal(syscall.SIGKILL)
			c.openDoor("a")
			c.startWorker()
			r := c.waitForResult(id)
			c.checkResult(r, test.status, test.first)
			if r.Status != run.Waiting {
				return
			}
			if err := c.Send(t.Context(), id, run.Supply(r.Calls[0].Call, json.RawMessage(`"paid"`))); err != nil {
				t.Fatal(err)
			}
			c.checkResult(c.waitForResult(id), run.Completed, 2)
		})
	}
}

// TestClaims checks that the annotations count that a tool had when the run started.
func TestClaims(t *testing.T) {
	t.Parallel()
	c := newCaller(t, sharedServer.Address())
	var err error
	if c.Engine, err = newEngineWithTools([]tool.Definition{{Name: "note"}, {Name: "pay"}}, c.client, t.Name(), c.world); err != nil {
		t.Fatal(err)
	}
	w := c.startWorker()
	var id string
	c.waitAtDoor("a", func() { id = c.startRun("note a", "pay") })
	w.sendSignal(syscall.SIGKILL)
	c.openDoor("a")
	c.startWorker()
	c.checkResult(c.waitForResult(id), run.Waiting, 1)
}

// TestKilledInAnswer checks that the model is called again.
func TestKilledInAnswer(t *testing.T) {
	t.Parallel()
	c := newCaller(t, sharedServer.Address())
	w := c.startWorker()
	var id string
	c.waitAtDoor("model", func() { id = c.startRun("pay") })
	w.sendSignal(syscall.SIGKILL)
	c.openDoor("model")
	c.startWorker()
	c.checkResult(c.waitForResult(id), run.Completed, 1)
}

// TestSlow suspends a worker until another takes over its run. The slow worker must start nothing more, but the
// outcome of its call counts.
func TestSlow(t *testing.T) {
	for name, test := range map[string]struct {
		status string // at the end
		waits  string // what the run waited for before
		err    string
	}{
		"pay":     {status: run.Completed},
		"spoil":   {status: run.Failed, err: "spoil: it is spoilt"},
		"confirm": {status: run.Completed, waits: run.ForAnswer},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCaller(t, sharedServer.Address())
			slow := c.startWorker()
			var id string
			c.waitAtDoor("a", func() { id = c.startRun(name+" a", "pay", "note") })
			slow.stopGracefully()
			c.startWorker()
			if r := c.waitForResult(id); r.WaitsFor != run.ForDecision {
				t.Fatalf("%+v", r)
			}
			c.openDoor("a")
			slow.sendSignal(syscall.SIGCONT)
			if test.waits != "" {
				c.waitUntil(func() bool { return c.waitForResult(id).WaitsFor == test.waits })
				r := c.waitForResult(id)
				answer := r.Calls[0].Questions[0].Accept(json.RawMessage(`{"sure":true}`))
				if err := c.Send(t.Context(), id, run.Reply(r.Calls[0].Call, answer)); err != nil {
					t.Fatal(err)
				}
			}
			c.waitUntil(func() bool { return len(c.world.countEffects()) == 3 })
			c.checkResult(c.waitForResult(id), test.status, 3)
			late := c.world.recordedCalls()[0]
			if (late.Err == nil) != (test.err == "") || late.Err != nil && late.Err.Error() != test.err {
				t.Errorf("it is told of %v, want %s", late.Err, test.err)
			}
			if late.Err == nil && (len(late.Content) != 1 || late.Content[0].Text != "receipt") {
				t.Errorf("it comes with %v", late.Content)
			}
		})
	}
}

// TestSlowIsLate checks that the outcome of the slow worker's call does not count once somebody has decided.
func TestSlowIsLate(t *testing.T) {
	t.Parallel()
	c := newCaller(t, sharedServer.Address())
	slow := c.startWorker()
	var id string
	c.waitAtDoor("a", func() { id = c.startRun("pay a", "note") })
	slow.sendSignal(syscall.SIGSTOP)
	c.startWorker()
	r := c.waitForResult(id)
	c.checkResult(r, run.Waiting, 1)
	if err := c.Send(t.Context(), id, run.Supply(r.Calls[0].Call, json.RawMessage(`"paid by hand"`))); err != nil {
		t.Fatal(err)
	}
	c.checkResult(c.waitForResult(id), run.Completed, 2)
	c.openDoor("a")
	slow.sendSignal(syscall.SIGCONT)
	slow.sendSignal(syscall.SIGTERM)
	if _, err := slow.Wait(); err != nil {
		t.Error(err)
	}
	c.checkResult(c.waitForResult(id), run.Completed, 2)
}

// TestQuestionAfterRestart checks that workers which have not asked a question process its answer.
func TestQuestionAfterRestart(t *testing.T) {
	t.Parallel()
	c := newCaller(t, sharedServer.Address())
	w := c.startWorker()
	id := c.startRun("pay", "confirm")
	r := c.waitForResult(id)
	c.checkResult(r, run.Waiting, 1)
	w.sendSignal(syscall.SIGTERM)
	if state, err := w.Wait(); err != nil || !state.Success() {
		t.Errorf("%v, %v", state, err)
	}
	c.startWorker()
	answer := r.Calls[0].Questions[0].Accept(json.RawMessage(`{"sure":true}`))
	if err := c.Send(t.Context(), id, run.Reply(r.Calls[0].Call, answer)); err != nil {
		t.Fatal(err)
	}
	c.checkResult(c.waitForResult(id), run.Completed, 2)
}

// newServer starts a server that the test may kill.
func newServer(t *testing.T) *server.Server {
	t.Helper()
	s, err := server.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// TestServerKilled checks that runs continue when the server is back.
func TestServerKilled(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := newCaller(t, s.Address())
	c.startWorker()
	var id string
	c.waitAtDoor("a", func() { id = c.startRun("note", "look a", "note") })
	if err := s.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.openDoor("a")
	c.checkResult(c.waitForResult(id), run.Completed, 2)
}

// TestServerAway checks that the outcome of a call counts even if the server was away longer than the heartbeat
// timeout.
func TestServerAway(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := newCaller(t, s.Address())
	c.startWorker()
	var id string
	c.waitAtDoor("a", func() { id = c.startRun("pay a", "pay") })
	if err := s.Kill(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * testHeartbeat)
	c.openDoor("a")
	time.Sleep(testHeartbeat)
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.waitUntil(func() bool { return c.waitForResult(id).Status == run.Completed })
	c.checkResult(c.waitForResult(id), run.Completed, 2)
}

// TestChaos kills and suspends workers at random while they execute runs, all of which were started before. Decisions
// about calls depend on their effects.
func TestChaos(t *testing.T) {
	const workers = 3
	runs := 200
	if testing.Short() {
		runs = 20
	}
	c := newCaller(t, sharedServer.Address())
	ids := make([]string, runs)
	for i := range ids {
		ids[i] = c.startRun("note", "pay", "look", "note", "pay")
	}
	ctx, stop := context.WithCancel(t.Context())
	var chaos sync.WaitGroup
	var kills atomic.Int64
	for range workers {
		w := c.startWorker()
		chaos.Go(func() {
			for ctx.Err() == nil {
				time.Sleep(time.Duration(1000+rand.IntN(2000)) * time.Millisecond)
				if rand.IntN(3) == 0 {
					w.sendSignal(syscall.SIGSTOP)
					time.Sleep(2 * testHeartbeat)
					w.sendSignal(syscall.SIGCONT)
					continue
				}
				w.sendSignal(syscall.SIGKILL)
				kills.Add(1)
				w = c.startWorker()
			}
		})
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	statuses, decided := map[string]int{}, 0
	for _, id := range ids {
		all.Go(func() {
			r := c.waitForResult(id)
			for ; r.Status == run.Waiting; r = c.waitForResult(id) {
				c.sendDecision(id, r.Calls[0].Call)
				mu.Lock()
				decided++
				mu.Unlock()
			}
			if err := c.Replay(bytes.NewReader(readHistory(t, c.client, id)), replayOptions); err != nil {
				t.Errorf("replay of %s: %v", id, err)
			}
			mu.Lock()
			defer mu.Unlock()
			statuses[r.Status]++
		})
	}
	all.Wait()
	stop()
	chaos.Wait()
	t.Logf("%v, %d decisions, %d kills", statuses, decided, kills.Load())
	if n := statuses[run.Completed] + statuses[run.Failed]; n != runs || kills.Load() == 0 {
		t.Errorf("%d of %d runs have ended", n, runs)
	}
	notes := 0
	for effect, n := range c.world.countEffects() {
		if n > 1 {
			t.Errorf("%s came %d times", effect, n)
		}
		if strings.HasSuffix(effect, " note") {
			notes++
		}
	}
	if notes != 2*runs {
		t.Errorf("%d of %d idempotent effects came", notes, 2*runs)
	}
}

// sendDecision sends the output of a call that had an effect, and denies one that had none.
func (c caller) sendDecision(runID, call string) {
	s := run.Deny(call, "it did nothing")
	if c.world.countEffects()[call+" pay"] > 0 {
		s = run.Supply(call, json.RawMessage(`"done"`))
	}
	ctx, cancel := context.WithTimeout(c.test.Context(), 10*time.Second)
	defer cancel()
	// A slow worker may have reported the outcome meanwhile.
	if err := c.Send(ctx, runID, s); err != nil {
		c.test.Log(err)
	}
}
