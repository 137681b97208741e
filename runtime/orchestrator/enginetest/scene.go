package enginetest

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// scene is a run with its expected states and calls. In these texts, "r" is the ID of the run.
type scene struct {
	name string
	script
	in      orchestrator.Input
	hangs   bool   // a tool or the model hangs, and then the workers are restarted
	want    string // the expected state before the first signal
	signals []sentSignal
	effects []string // the expected calls of the whole scene
}

// sentSignal is a signal with its expected outcome.
type sentSignal struct {
	restart bool // the workers are restarted before the signal is sent
	signal  run.Signal
	refused string // the expected code of the error if the signal is refused; the state must not change
	want    string // the expected state after the signal
}

// uniqueID returns an ID that no other run has.
func uniqueID() string { return fmt.Sprint("enginetest ", rand.Uint64()) }

// playScene executes the run and returns an error for the first unexpected state or call.
func (sc scene) playScene(ctx context.Context, s *stage) error {
	id, in := uniqueID(), sc.in
	in.ID = id
	if _, err := s.engine.Start(ctx, in); err != nil {
		return fmt.Errorf("start: %w", err)
	}
	if sc.hangs {
		select {
		case <-s.hangs:
			s.restart()
		case <-ctx.Done():
			return fmt.Errorf("no call hangs: %w", ctx.Err())
		}
	}
	if err := expectState(ctx, s, id, sc.want); err != nil {
		return err
	}
	want := sc.want
	for i, sent := range sc.signals {
		if sent.restart {
			s.restart()
		}
		signal := sent.signal
		if signal.Call != "" {
			signal.Call = id + strings.TrimPrefix(signal.Call, "r")
		}
		if err := s.engine.Send(ctx, id, signal); tool.Code(err) != sent.refused {
			return fmt.Errorf("signal %d is refused with the code %q, want %q: %w", i+1, tool.Code(err), sent.refused, err)
		}
		if sent.refused == "" {
			want = sent.want
		}
		if err := expectState(ctx, s, id, want); err != nil {
			return fmt.Errorf("after %d signals, %w", i+1, err)
		}
	}
	return sc.checkEffects(s.effectsOf(id))
}

// expectState returns an error unless the run is in the given state.
func expectState(ctx context.Context, s *stage, id, want string) error {
	result, err := s.engine.Result(ctx, id)
	if err != nil {
		return fmt.Errorf("the run has no result; its calls are %q: %w", s.effectsOf(id), err)
	}
	if got := strings.ReplaceAll(describeResult(result), id, "r"); got != want {
		return fmt.Errorf("the state of the run is\n\t%s, want\n\t%s; its error is %v, its calls are %q", got, want, result.Error, s.effectsOf(id))
	}
	return nil
}

// checkEffects returns an error unless the expected calls were made. Consecutive calls of find may be
// made in parallel, so their order does not matter.
func (sc scene) checkEffects(effects []string) error {
	got, want := slices.Clone(effects), slices.Clone(sc.effects)
	for _, all := range [][]string{got, want} {
		for i := 0; i < len(all); i++ {
			k := i
			for k < len(all) && strings.HasPrefix(all[k], "find ") {
				k++
			}
			slices.Sort(all[i:k])
			i = k
		}
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("the calls are\n\t%s, want\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
	return nil
}

// describeResult returns a result as one line, without the text of its error.
func describeResult(r *run.Result) string {
	var b strings.Builder
	b.WriteString(r.Status)
	if r.WaitsFor != "" {
		b.WriteString(" for " + r.WaitsFor)
	}
	for _, wait := range r.Calls {
		fmt.Fprintf(&b, " of %s %s %s", wait.Request.Name, wait.Call, wait.Request.Arguments)
		for _, q := range wait.Questions {
			fmt.Fprintf(&b, " which asks %q", q.String())
		}
	}
	if r.Error != nil {
		b.WriteString(" with " + r.Error.Kind)
	}
	if len(r.Answer) > maxAnswer {
		fmt.Fprintf(&b, ": %d bytes", len(r.Answer))
	} else if r.Answer != nil {
		b.WriteString(": " + string(r.Answer))
	}
	fmt.Fprintf(&b, "; %d steps, %d asked, %d called, %d tokens", r.Usage.Steps, r.Usage.ModelCalls, r.Usage.ToolCalls, r.Usage.Tokens.Total())
	return b.String()
}

// maxAnswer is the length in bytes above which describeResult shows only the size of an answer.
const maxAnswer = 1000

// newPlan returns a plan with the given steps, each a tool and its arguments.
func newPlan(texts ...string) *plan.Plan {
	p := &plan.Plan{Goal: "the goal"}
	for i, text := range texts {
		name, arguments, _ := strings.Cut(text, " ")
		p.Steps = append(p.Steps, plan.Step{ID: fmt.Sprint(i + 1), Description: fmt.Sprintf("do part %d", i+1), Tool: name, Arguments: json.RawMessage(arguments)})
	}
	return p
}

// replyPlan returns a reply with a plan.
func replyPlan(texts ...string) reply {
	text, err := json.Marshal(newPlan(texts...))
	if err != nil {
		panic(err) // a plan is JSON
	}
	return replyText(string(text))
}
