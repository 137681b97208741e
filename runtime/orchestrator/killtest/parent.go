package killtest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// parent starts and kills children.
type parent struct {
	test    string // which the children run
	place   string
	world   world
	journal journal.Journal
	tools   *tool.Registry // of which it calls none

	started, killed, decided, takenOver int
}

func newParent(t *testing.T, place string, open func(place string) (journal.Journal, error)) (*parent, error) {
	p := &parent{test: "^" + strings.ReplaceAll(t.Name(), "/", "$/^") + "$", place: place, world: world{filepath.Join(t.TempDir(), "effects")}}
	var err error
	if p.journal, err = open(place); err != nil {
		return nil, err
	}
	p.tools, err = p.world.registry()
	return p, err
}

const (
	mostKills  = 4
	mostStarts = 60 // then a run does not end
	message    = "the message 4711"
	shown      = "shown" // the name of the effect that the model was shown it
)

// drive has children execute a run to its end.
func (p *parent) drive(ctx context.Context, kind string, i int) error {
	o := order{Place: p.place, Effects: p.world.effects, Run: fmt.Sprintf("%s-%d", kind, i), Kind: kind, Varies: i%2 == 1}
	said := false
	for kills, starts := 0, 0; starts < mostStarts; starts++ {
		after := 0
		if kills < mostKills {
			after = 1 + rand.IntN(30)
		}
		came, err := p.child(o, after)
		if err != nil {
			return err
		}
		if came == nil {
			kills++
			if !said && rand.IntN(3) == 0 {
				said = p.send(ctx, o, record.Say(llm.Message{Text: message})) == nil
			}
			continue
		}
		if came.TakenOver {
			p.takenOver++
			continue
		}
		over, err := p.decide(ctx, o, came.Result, &said)
		if err != nil {
			return err
		}
		if over {
			return p.check(ctx, o, said)
		}
	}
	return errors.New("it does not end")
}

// child starts a process that executes a run, and kills it when it has printed that many
// lines, or never if after is 0. The outcome is nil if the process was killed.
func (p *parent) child(o order, after int) (*outcome, error) {
	text, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(os.Args[0], "-test.run="+p.test)
	cmd.Env = append(os.Environ(), childOrder+"="+string(text))
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, err
	}
	p.started++
	guard := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer guard.Stop()
	var came *outcome
	var all []string
	for lines := bufio.NewScanner(out); lines.Scan(); {
		line := lines.Text()
		said, is := strings.CutPrefix(line, "outcome ")
		if is {
			came = new(outcome)
			if err := json.Unmarshal([]byte(said), came); err != nil {
				return nil, err
			}
		}
		all = append(all, line)
		if line == "" || after == 0 {
			continue
		}
		if after--; after == 0 {
			time.Sleep(time.Duration(rand.IntN(1500)) * time.Microsecond)
			_ = cmd.Process.Kill()
		}
	}
	_ = cmd.Wait()
	switch {
	case came != nil:
		return came, nil
	case cmd.ProcessState.Exited():
		return nil, fmt.Errorf("the process failed: %s", strings.Join(all, "\n"))
	}
	p.killed++
	return nil, nil
}

// send sends a signal to a run.
func (p *parent) send(ctx context.Context, o order, s record.Signal) error {
	orch, err := orchestrator.New(llm.Func(o.generate), p.tools, orchestrator.Journal(p.journal))
	if err != nil {
		return err
	}
	r, err := orch.Open(ctx, o.Run)
	if err != nil {
		return err
	}
	return r.Send(ctx, s)
}

// decide sends the signals that a run waits for. It knows from the effects which calls have
// happened. It reports whether the run is over.
func (p *parent) decide(ctx context.Context, o order, r *record.Result, said *bool) (over bool, err error) {
	happened, err := p.world.happened(o.Run)
	if err != nil {
		return false, err
	}
	for _, w := range r.Calls {
		did := slices.ContainsFunc(happened, func(e effect) bool { return e.id == w.Call })
		var s record.Signal
		switch {
		case w.For == record.ForApproval:
			s = record.Approve(w.Call, "ada", nil)
		case w.For == record.ForAnswer:
			s = record.Reply(w.Call, w.Questions[0].Accept(nil))
		case did:
			s = record.Supply(w.Call, json.RawMessage(`"it happened"`))
		default:
			s = record.Redo(w.Call)
		}
		p.decided++
		if err := p.send(ctx, o, s); err != nil {
			return false, err
		}
	}
	switch {
	case r.WaitsFor == record.ForMessage && !*said:
		*said = true
		return false, p.send(ctx, o, record.Say(llm.Message{Text: message}))
	case r.WaitsFor == record.ForMessage, r.Status == record.Completed:
		return true, nil
	case r.Status == record.Waiting:
		return false, nil
	}
	return false, fmt.Errorf("it is %s, %v", r.Status, r.Error)
}

// check compares the journal of a run with the effects of its tools.
func (p *parent) check(ctx context.Context, o order, said bool) error {
	happened, err := p.world.happened(o.Run)
	if err != nil {
		return err
	}
	completed := map[string]bool{}
	for e, err := range p.journal.Read(ctx, o.Run, 0) {
		if err != nil {
			return err
		}
		if e.Kind == "outcome" && strings.Contains(string(e.Data), `"status":"completed"`) {
			completed[e.Effect] = true
		}
	}
	// A message may come before the first step, and have the rest planned again.
	return compare(happened, completed, map[string]int{"plan": 2, "conversation": 7}[o.Kind], said)
}

// compare returns an error that lists what is wrong with the effects of a run. Completed are
// the calls that completed according to the journal, at least so many; said tells whether a
// message was sent.
func compare(happened []effect, completed map[string]bool, least int, said bool) error {
	var bad []error
	arguments, times, wasShown := map[string]string{}, map[string]int{}, false
	for _, e := range happened {
		if e.name == shown {
			wasShown = true
			continue
		}
		before, known := arguments[e.id]
		if arguments[e.id], times[e.id] = e.arguments, times[e.id]+1; known && before != e.arguments && !claims[e.name].Is(tool.ReadOnly) {
			bad = append(bad, fmt.Errorf("%s ran with %s and %s", e.id, before, e.arguments))
		}
		does := claims[e.name]
		if times[e.id] > 1 && !does.Is(tool.Idempotent) && !does.Is(tool.ReadOnly) {
			bad = append(bad, fmt.Errorf("%s %s ran %d times", e.name, e.id, times[e.id]))
		}
		if !completed[e.id] && !does.Is(tool.ReadOnly) { // its outcome may be lost with its process, and a message may have replaced its step
			bad = append(bad, fmt.Errorf("the journal has no outcome of %s, which ran", e.id))
		}
	}
	for id := range completed {
		if times[id] == 0 {
			bad = append(bad, fmt.Errorf("the effect of %s is missing", id))
		}
	}
	if len(completed) < least {
		bad = append(bad, fmt.Errorf("it made %d calls, want %d", len(completed), least))
	}
	if wasShown != said {
		bad = append(bad, fmt.Errorf("a message was sent: %t, and the model was shown it: %t", said, wasShown))
	}
	return errors.Join(bad...)
}
