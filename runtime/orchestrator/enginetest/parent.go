package enginetest

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
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// parent starts and kills children.
type parent struct {
	test    string // pattern for the test that the children execute
	place   string // of the journal
	world   world
	journal journal.Journal
	tools   *tool.Registry // only described, never called

	started, killed, decided, takenOver int
}

func newParent(t *testing.T, place string, open func(place string) (journal.Journal, error)) (*parent, error) {
	p := &parent{test: "^" + strings.ReplaceAll(t.Name(), "/", "$/^") + "$", place: place, world: world{filepath.Join(t.TempDir(), "effects")}}
	var err error
	if p.journal, err = open(place); err != nil {
		return nil, err
	}
	p.tools, err = p.world.newRegistry()
	return p, err
}

const (
	maxKills  = 4
	maxStarts = 60 // a run that needs more processes is stuck
	message   = "the message 4711"
	shown     = "shown" // name of the effect which records that the model was shown the message
)

// driveRun starts children until a run has ended, and then checks its effects.
func (p *parent) driveRun(ctx context.Context, kind string, i int) error {
	o := childOrder{Place: p.place, Effects: p.world.effects, Run: fmt.Sprintf("%s-%d", kind, i), Kind: kind, Varies: i%2 == 1}
	sent := false // the message has been sent
	for kills, starts := 0, 0; starts < maxStarts; starts++ {
		killAfter := 0
		if kills < maxKills {
			killAfter = 1 + rand.IntN(30)
		}
		ended, err := p.runChild(o, killAfter)
		if err != nil {
			return err
		}
		if ended == nil {
			kills++
			if !sent && rand.IntN(3) == 0 {
				sent = p.sendSignal(ctx, o, run.Say(llm.Message{Text: message})) == nil
			}
			continue
		}
		if ended.TakenOver {
			p.takenOver++
			continue
		}
		over, err := p.decideWaits(ctx, o, ended.Result, &sent)
		if err != nil {
			return err
		}
		if over {
			return p.checkEffects(ctx, o, sent)
		}
	}
	return errors.New("the run does not end")
}

// runChild starts a process that executes a run. It kills the process after it has printed killAfter
// lines, or never if killAfter is 0. The outcome is nil if the process was killed.
func (p *parent) runChild(o childOrder, killAfter int) (*outcome, error) {
	text, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(os.Args[0], "-test.run="+p.test)
	cmd.Env = append(os.Environ(), childOrderVariable+"="+string(text))
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
	var ended *outcome
	var all []string
	for lines := bufio.NewScanner(out); lines.Scan(); {
		line := lines.Text()
		if text, ok := strings.CutPrefix(line, "outcome "); ok {
			ended = new(outcome)
			if err := json.Unmarshal([]byte(text), ended); err != nil {
				return nil, err
			}
		}
		all = append(all, line)
		if line == "" || killAfter == 0 {
			continue
		}
		if killAfter--; killAfter == 0 {
			time.Sleep(time.Duration(rand.IntN(1500)) * time.Microsecond)
			_ = cmd.Process.Kill()
		}
	}
	_ = cmd.Wait()
	switch {
	case ended != nil:
		return ended, nil
	case cmd.ProcessState.Exited():
		return nil, fmt.Errorf("the process failed: %s", strings.Join(all, "\n"))
	}
	p.killed++
	return nil, nil
}

// sendSignal sends a signal to a run.
func (p *parent) sendSignal(ctx context.Context, o childOrder, s run.Signal) error {
	orch, err := orchestrator.New(llm.Func(o.generateResponse), p.tools, orchestrator.Journal(p.journal))
	if err != nil {
		return err
	}
	r, err := orch.Open(ctx, o.Run)
	if err != nil {
		return err
	}
	return r.Send(ctx, s)
}

// decideWaits sends the signals that a run waits for. For a call whose process was killed, it looks up
// whether the tool recorded an effect. It reports whether the run is over.
func (p *parent) decideWaits(ctx context.Context, o childOrder, r *run.Result, sent *bool) (over bool, err error) {
	happened, err := p.world.readEffects(o.Run)
	if err != nil {
		return false, err
	}
	for _, w := range r.Calls {
		tookEffect := slices.ContainsFunc(happened, func(e effect) bool { return e.id == w.Call })
		var s run.Signal
		switch {
		case w.For == run.ForApproval:
			s = run.Approve(w.Call, "ada", nil)
		case w.For == run.ForAnswer:
			s = run.Reply(w.Call, w.Questions[0].Accept(nil))
		case tookEffect:
			s = run.Supply(w.Call, json.RawMessage(`"it happened"`))
		default:
			s = run.Redo(w.Call)
		}
		p.decided++
		if err := p.sendSignal(ctx, o, s); err != nil {
			return false, err
		}
	}
	switch {
	case r.WaitsFor == run.ForMessage && !*sent:
		*sent = true
		return false, p.sendSignal(ctx, o, run.Say(llm.Message{Text: message}))
	case r.WaitsFor == run.ForMessage, r.Status == run.Completed:
		return true, nil
	case r.Status == run.Waiting:
		return false, nil
	}
	return false, fmt.Errorf("the run has the status %s, error %v", r.Status, r.Error)
}

// checkEffects compares the journal of a run with the effects of its tools.
func (p *parent) checkEffects(ctx context.Context, o childOrder, sent bool) error {
	happened, err := p.world.readEffects(o.Run)
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
	// A message may arrive before the first step and replace the rest of the plan.
	return compareEffects(happened, completed, map[string]int{"plan": 2, "conversation": 7}[o.Kind], sent)
}

// compareEffects returns an error that lists all faults in the effects of a run. completed contains
// the IDs of the calls that completed according to the journal; there must be at least minCompleted.
// sent reports whether a message was sent.
func compareEffects(happened []effect, completed map[string]bool, minCompleted int, sent bool) error {
	var bad []error
	arguments, times, wasShown := map[string]string{}, map[string]int{}, false
	for _, e := range happened {
		if e.name == shown {
			wasShown = true
			continue
		}
		before, repeated := arguments[e.id]
		if arguments[e.id], times[e.id] = e.arguments, times[e.id]+1; repeated && before != e.arguments && !toolAnnotations[e.name].Is(tool.ReadOnly) {
			bad = append(bad, fmt.Errorf("%s ran with %s and %s", e.id, before, e.arguments))
		}
		annotations := toolAnnotations[e.name]
		if times[e.id] > 1 && !annotations.Is(tool.Idempotent) && !annotations.Is(tool.ReadOnly) {
			bad = append(bad, fmt.Errorf("%s %s ran %d times", e.name, e.id, times[e.id]))
		}
		if !completed[e.id] && !annotations.Is(tool.ReadOnly) { // a read-only call may have no outcome if its process was killed and a message replaced its step
			bad = append(bad, fmt.Errorf("the journal has no outcome of %s, which ran", e.id))
		}
	}
	for id := range completed {
		if times[id] == 0 {
			bad = append(bad, fmt.Errorf("the effect of %s is missing", id))
		}
	}
	if len(completed) < minCompleted {
		bad = append(bad, fmt.Errorf("%d calls completed, want at least %d", len(completed), minCompleted))
	}
	if wasShown != sent {
		bad = append(bad, fmt.Errorf("a message was sent: %t, and the model was shown it: %t", sent, wasShown))
	}
	return errors.Join(bad...)
}
