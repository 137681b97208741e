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
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// scene is a run, in whose texts it has the ID "r".
type scene struct {
	name string
	script
	in      orchestrator.Input
	stalls  bool   // something hangs, and the workers are restarted
	stands  string // where the run stands then
	acts    []act
	effects []string // calls that are made, all in all
}

// act is something that a run is told.
type act struct {
	restart bool // before that
	tell    record.Signal
	refused string // the code of why it is not told, and nothing changes
	stands  string // where the run stands then
}

// unique returns an ID that no run has.
func unique() string { return fmt.Sprint("enginetest ", rand.Uint64()) }

// play carries the run out, and returns what is not as it has to be.
func (sc scene) play(ctx context.Context, s *stage) error {
	id, in := unique(), sc.in
	in.ID = id
	if _, err := s.engine.Start(ctx, in); err != nil {
		return fmt.Errorf("start: %w", err)
	}
	if sc.stalls {
		select {
		case <-s.hangs:
			s.restart()
		case <-ctx.Done():
			return fmt.Errorf("nothing hangs: %w", ctx.Err())
		}
	}
	if err := expect(ctx, s, id, sc.stands); err != nil {
		return err
	}
	stands := sc.stands
	for i, a := range sc.acts {
		if a.restart {
			s.restart()
		}
		told := a.tell
		if told.Call != "" {
			told.Call = id + strings.TrimPrefix(told.Call, "r")
		}
		if err := s.engine.Send(ctx, id, told); tool.Code(err) != a.refused {
			return fmt.Errorf("what it is told at %d is refused with the code %q, want %q: %w", i+1, tool.Code(err), a.refused, err)
		}
		if a.refused == "" {
			stands = a.stands
		}
		if err := expect(ctx, s, id, stands); err != nil {
			return fmt.Errorf("told something %d times, %w", i+1, err)
		}
	}
	return sc.did(s.done(id))
}

// expect returns an error unless a run stands so.
func expect(ctx context.Context, s *stage, id, want string) error {
	result, err := s.engine.Result(ctx, id)
	if err != nil {
		return fmt.Errorf("the run has no result, and did %q: %w", s.done(id), err)
	}
	if got := strings.ReplaceAll(standing(result), id, "r"); got != want {
		return fmt.Errorf("the run stands at\n\t%s, want\n\t%s; error %v, it did %q", got, want, result.Error, s.done(id))
	}
	return nil
}

// did returns an error unless these calls were made. Calls of find that follow one another
// may have been made side by side.
func (sc scene) did(effects []string) error {
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

// standing writes a result in one line, but for the text of its error.
func standing(r *record.Result) string {
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
	if len(r.Answer) > longest {
		fmt.Fprintf(&b, ": %d bytes", len(r.Answer))
	} else if r.Answer != nil {
		b.WriteString(": " + string(r.Answer))
	}
	fmt.Fprintf(&b, "; %d steps, %d asked, %d called, %d tokens", r.Usage.Steps, r.Usage.ModelCalls, r.Usage.ToolCalls, r.Usage.Tokens.Total())
	return b.String()
}

// longest is how many bytes of an answer a line has.
const longest = 1000

// steps is a plan of steps, each a tool and its arguments.
func steps(texts ...string) *plan.Plan {
	p := &plan.Plan{Goal: "the goal"}
	for i, text := range texts {
		name, arguments, _ := strings.Cut(text, " ")
		p.Steps = append(p.Steps, plan.Step{ID: fmt.Sprint(i + 1), Description: fmt.Sprintf("do part %d", i+1), Tool: name, Arguments: json.RawMessage(arguments)})
	}
	return p
}

// planned is a model that makes a plan.
func planned(texts ...string) reply {
	text, err := json.Marshal(steps(texts...))
	if err != nil {
		panic(err) // a plan is JSON
	}
	return says(string(text))
}
