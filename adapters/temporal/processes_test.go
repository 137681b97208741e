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
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// caller starts runs, in this process, which does no work.
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
	cl := dial(t, address)
	e, err := newEngine(cl, t.Name(), w)
	if err != nil {
		t.Fatal(err)
	}
	return caller{e, t, cl, address, w}
}

func (c caller) worker() worker {
	c.test.Helper()
	return newWorker(c.test, c.address, c.test.Name(), c.world)
}

// begin starts a run that calls tools, one after the other; "tool door" goes through a
// door.
func (c caller) begin(calls ...string) (id string) {
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

// reach shuts a door, which f begins to go to, and returns when somebody stands there.
func (c caller) reach(door string, f func()) {
	c.test.Helper()
	if err := os.WriteFile(c.world.door(door), nil, 0o600); err != nil {
		c.test.Fatal(err)
	}
	f()
	c.until(func() bool { text, _ := os.ReadFile(c.world.door(door)); return len(text) > 0 })
}

// leave opens a door.
func (c caller) leave(door string) {
	if err := os.Remove(c.world.door(door)); err != nil {
		c.test.Error(err)
	}
}

func (c caller) until(f func() bool) {
	c.test.Helper()
	for end := time.Now().Add(time.Minute); !f(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			c.test.Fatal("never")
		}
	}
}

func (c caller) result(id string) *record.Result {
	c.test.Helper()
	ctx, cancel := context.WithTimeout(c.test.Context(), 5*time.Minute)
	defer cancel()
	r, err := c.Result(ctx, id)
	if err != nil {
		c.test.Fatal(err)
	}
	return r
}

func (c caller) want(r *record.Result, status string, effects int) {
	c.test.Helper()
	if n := c.world.effects(); r.Status != status || len(n) != effects {
		c.test.Errorf("effects are %v, want %d; %+v, want %s", n, effects, r, status)
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
			c := newCaller(t, shared.Address())
			w := c.worker()
			var id string
			c.reach("a", func() { id = c.begin(name+" a", "pay") })
			w.send(syscall.SIGKILL)
			c.leave("a")
			c.worker()
			r := c.result(id)
			c.want(r, test.status, test.first)
			if r.Status != record.Waiting {
				return
			}
			if err := c.Send(t.Context(), id, record.Supply(r.Calls[0].Call, json.RawMessage(`"paid"`))); err != nil {
				t.Fatal(err)
			}
			c.want(c.result(id), record.Completed, 2)
		})
	}
}

// TestClaims: what a tool claimed when the run began counts, and not what it claims now.
func TestClaims(t *testing.T) {
	t.Parallel()
	c := newCaller(t, shared.Address())
	var err error
	if c.Engine, err = engineOf([]tool.Definition{{Name: "note"}, {Name: "pay"}}, c.client, t.Name(), c.world); err != nil {
		t.Fatal(err)
	}
	w := c.worker()
	var id string
	c.reach("a", func() { id = c.begin("note a", "pay") })
	w.send(syscall.SIGKILL)
	c.leave("a")
	c.worker()
	c.want(c.result(id), record.Waiting, 1)
}

// TestKilledInAnswer: the model is asked again.
func TestKilledInAnswer(t *testing.T) {
	t.Parallel()
	c := newCaller(t, shared.Address())
	w := c.worker()
	var id string
	c.reach("model", func() { id = c.begin("pay") })
	w.send(syscall.SIGKILL)
	c.leave("model")
	c.worker()
	c.want(c.result(id), record.Completed, 1)
}

// TestSlow: a worker that stood still, so that another went on with its run, begins
// nothing more of it, and what came of the call that it was in counts, whatever it is.
func TestSlow(t *testing.T) {
	for name, test := range map[string]struct {
		status string // in the end
		waits  string // for what the run waits before that
		err    string
	}{
		"pay":     {status: record.Completed},
		"spoil":   {status: record.Failed, err: "spoil: it is spoilt"},
		"confirm": {status: record.Completed, waits: record.ForAnswer},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCaller(t, shared.Address())
			slow := c.worker()
			var id string
			c.reach("a", func() { id = c.begin(name+" a", "pay", "note") })
			slow.stop()
			c.worker()
			if r := c.result(id); r.WaitsFor != record.ForDecision {
				t.Fatalf("%+v", r)
			}
			c.leave("a")
			slow.send(syscall.SIGCONT)
			if test.waits != "" {
				c.until(func() bool { return c.result(id).WaitsFor == test.waits })
				r := c.result(id)
				answer := r.Calls[0].Questions[0].Accept(json.RawMessage(`{"sure":true}`))
				if err := c.Send(t.Context(), id, record.Reply(r.Calls[0].Call, answer)); err != nil {
					t.Fatal(err)
				}
			}
			c.until(func() bool { return len(c.world.effects()) == 3 })
			c.want(c.result(id), test.status, 3)
			late := c.world.told()[0]
			if (late.Err == nil) != (test.err == "") || late.Err != nil && late.Err.Error() != test.err {
				t.Errorf("it is told of %v, want %s", late.Err, test.err)
			}
			if late.Err == nil && (len(late.Content) != 1 || late.Content[0].Text != "receipt") {
				t.Errorf("it comes with %v", late.Content)
			}
		})
	}
}

// TestSlowIsLate: what came of the call does not count once somebody has decided.
func TestSlowIsLate(t *testing.T) {
	t.Parallel()
	c := newCaller(t, shared.Address())
	slow := c.worker()
	var id string
	c.reach("a", func() { id = c.begin("pay a", "note") })
	slow.send(syscall.SIGSTOP)
	c.worker()
	r := c.result(id)
	c.want(r, record.Waiting, 1)
	if err := c.Send(t.Context(), id, record.Supply(r.Calls[0].Call, json.RawMessage(`"paid by hand"`))); err != nil {
		t.Fatal(err)
	}
	c.want(c.result(id), record.Completed, 2)
	c.leave("a")
	slow.send(syscall.SIGCONT)
	slow.send(syscall.SIGTERM)
	if _, err := slow.Wait(); err != nil {
		t.Error(err)
	}
	c.want(c.result(id), record.Completed, 2)
}

// TestQuestionAfterRestart: an answer is taken in by workers that had not asked.
func TestQuestionAfterRestart(t *testing.T) {
	t.Parallel()
	c := newCaller(t, shared.Address())
	w := c.worker()
	id := c.begin("pay", "confirm")
	r := c.result(id)
	c.want(r, record.Waiting, 1)
	w.send(syscall.SIGTERM)
	if state, err := w.Wait(); err != nil || !state.Success() {
		t.Errorf("%v, %v", state, err)
	}
	c.worker()
	answer := r.Calls[0].Questions[0].Accept(json.RawMessage(`{"sure":true}`))
	if err := c.Send(t.Context(), id, record.Reply(r.Calls[0].Call, answer)); err != nil {
		t.Fatal(err)
	}
	c.want(c.result(id), record.Completed, 2)
}

// newServer starts a server that a test may kill.
func newServer(t *testing.T) *server.Server {
	t.Helper()
	s, err := server.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// TestServerKilled: runs go on when the server is back.
func TestServerKilled(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := newCaller(t, s.Address())
	c.worker()
	var id string
	c.reach("a", func() { id = c.begin("note", "look a", "note") })
	if err := s.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.leave("a")
	c.want(c.result(id), record.Completed, 2)
}

// TestServerAway: what came of a call while the server was away, for longer than a worker
// may be, counts.
func TestServerAway(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := newCaller(t, s.Address())
	c.worker()
	var id string
	c.reach("a", func() { id = c.begin("pay a", "pay") })
	if err := s.Kill(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * silence)
	c.leave("a")
	time.Sleep(silence)
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.until(func() bool { return c.result(id).Status == record.Completed })
	c.want(c.result(id), record.Completed, 2)
}

// TestChaos kills and stops workers at random while they go on with runs, all of which are
// there before any worker is. Whoever decides about a call looks at what it did.
func TestChaos(t *testing.T) {
	const workers = 3
	runs := 200
	if testing.Short() {
		runs = 20
	}
	c := newCaller(t, shared.Address())
	ids := make([]string, runs)
	for i := range ids {
		ids[i] = c.begin("note", "pay", "look", "note", "pay")
	}
	ctx, stop := context.WithCancel(t.Context())
	var chaos sync.WaitGroup
	var kills atomic.Int64
	for range workers {
		w := c.worker()
		chaos.Go(func() {
			for ctx.Err() == nil {
				time.Sleep(time.Duration(1000+rand.IntN(2000)) * time.Millisecond)
				if rand.IntN(3) == 0 {
					w.send(syscall.SIGSTOP)
					time.Sleep(2 * silence)
					w.send(syscall.SIGCONT)
					continue
				}
				w.send(syscall.SIGKILL)
				kills.Add(1)
				w = c.worker()
			}
		})
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	statuses, decided := map[string]int{}, 0
	for _, id := range ids {
		all.Go(func() {
			r := c.result(id)
			for ; r.Status == record.Waiting; r = c.result(id) {
				c.decide(id, r.Calls[0].Call)
				mu.Lock()
				decided++
				mu.Unlock()
			}
			if err := c.Replay(bytes.NewReader(told(t, c.client, id)), replaying); err != nil {
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
	if n := statuses[record.Completed] + statuses[record.Failed]; n != runs || kills.Load() == 0 {
		t.Errorf("%d of %d runs have ended", n, runs)
	}
	notes := 0
	for effect, n := range c.world.effects() {
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

// decide supplies what a call did, or denies it if it did nothing.
func (c caller) decide(run, call string) {
	s := record.Deny(call, "it did nothing")
	if c.world.effects()[call+" pay"] > 0 {
		s = record.Supply(call, json.RawMessage(`"done"`))
	}
	ctx, cancel := context.WithTimeout(c.test.Context(), 10*time.Second)
	defer cancel()
	// Meanwhile it may have become known from a worker that was only slow.
	if err := c.Send(ctx, run, s); err != nil {
		c.test.Log(err)
	}
}
