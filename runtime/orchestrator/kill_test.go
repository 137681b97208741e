//go:build linux || darwin

package orchestrator_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/journal/file"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Environment variables of a process that will be killed: the place of its world, the kind of its run,
// and the moment.
const (
	killedPlace = "ORCHESTRATOR_KILLED_PLACE"
	killedKind  = "ORCHESTRATOR_KILLED_KIND"
	killedAt    = "ORCHESTRATOR_KILLED_AT" // "3 true": killed by its third append, after that took effect
)

// killingJournal is the journal of a process that is killed by one of its appends, before or after the append
// takes effect.
type killingJournal struct {
	journal.Journal
	left  int
	after bool
	fails bool // it fails from then on, instead of killing the process
}

func (j *killingJournal) Append(ctx context.Context, run string, n int, entries ...journal.Entry) error {
	j.left--
	switch {
	case j.fails && (j.left < 0 || j.left == 0 && !j.after):
		return errDown
	case j.left == 0 && !j.after:
		die()
	}
	err := j.Journal.Append(ctx, run, n, entries...)
	if j.left == 0 && !j.fails {
		die()
	}
	return err
}

func die() {
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}

// shop is a world in a folder with its journal and the effects of its tools.
type shop struct {
	*world
	place string
	j     *killingJournal
}

func newShop(t *testing.T, place string) *shop {
	j, err := file.Open(filepath.Join(place, "journal"))
	if err != nil {
		t.Fatal(err)
	}
	s := &shop{world: newWorld(t), place: place, j: &killingJournal{Journal: j}}
	questions := map[string]tool.Question{"send": tool.AskPerson("Really?", nil), "tag": tool.AskModel("With what?", 5)}
	for _, name := range s.Names() {
		s.during[name] = func(ctx context.Context) (any, error) {
			r := tool.CallFrom(ctx).Request
			if q, asks := questions[name]; asks {
				if _, err := tool.ExchangeFrom(ctx).Ask(ctx, q); err != nil {
					return nil, err
				}
			}
			return r.ID, s.note(fmt.Sprintf("%s %s %s\n", name, r.ID, r.Arguments))
		}
	}
	return s
}

func (s *shop) note(line string) error {
	f, err := os.OpenFile(filepath.Join(s.place, "effects"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteString(line)
	return err
}

// Generate returns an answer that depends only on the request.
func (s *shop) Generate(_ context.Context, r llm.Request) (llm.Response, error) {
	turn, prompt := 0, ""
	for _, m := range r.Dialogue() {
		prompt += m.Text
		if m.Role == llm.RoleAssistant {
			turn++
		}
	}
	var said llm.Response
	switch {
	case slices.ContainsFunc(r.Tools, func(d tool.Definition) bool { return d.Name == "research" }):
		if said.Text = "answer"; turn == 0 {
			said = calls(`research {"request":"Do it."}`)
		}
	case strings.Contains(prompt, "Make a plan for this request"):
		said.Text = encoded(steps(`find {"to":"ada"}`, `find {"n":2}`, `pay {"to":"<<step:1>>"}`, `tag {"n":4}`, `send {"to":"bob"}`, `invented`, `pay {"n":7}`))
	case strings.Contains(prompt, "You correct"):
		said.Text = "{}"
	case len(r.Tools) == 0:
		said.Text = "about it"
	case turn == 0:
		said = calls(`find {"n":1}`, `find {"n":2}`, `pay {"n":3}`, `tag {"n":4}`)
	case turn == 1:
		said = calls(`send {"to":"bob"}`, `pay {"n":5}`, `invented {}`)
	case turn == 3:
		said = calls(`pay {"n":6}`)
	default:
		said.Text = fmt.Sprintf("answer of turn %d", turn)
	}
	said.Usage = llm.Usage{Input: 10, Output: 2}
	return said, nil
}

func encoded(x any) string {
	text, err := jsontext.Encode(x)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// settle starts the run "r" if necessary and executes it to its end. It approves calls, answers
// questions, supplies unknown outcomes as if the calls had succeeded, and sends one message to a
// conversation. It returns the final state, and the calls that it decided about.
func (s *shop) settle(t *testing.T, kind string) (is orchestrator.State, decided []string) {
	t.Helper()
	is, decided, err := s.trySettle(t, kind)
	if err != nil {
		t.Fatal(err)
	}
	return is, decided
}

// trySettle is settle for a journal that may fail.
func (s *shop) trySettle(t *testing.T, kind string) (is orchestrator.State, decided []string, err error) {
	t.Helper()
	ctx := t.Context()
	for range 50 {
		o, err := orchestrator.New(s, s.Registry, orchestrator.Journal(s.j))
		if err != nil {
			t.Fatal(err)
		}
		r, err := o.Open(ctx, "r")
		if _, gone := errors.AsType[*journal.NotFoundError](err); gone {
			r, err = o.Start(ctx, orchestrator.Input{ID: "r", Kind: kind, Request: "Do it."})
		}
		var result *run.Result
		if err == nil {
			result, err = r.Execute(ctx)
		}
		var signals []run.Signal
		switch {
		case err != nil:
			return is, nil, err
		case result.WaitsFor == run.ForMessage && len(s.kinds(t, "say")) == 0:
			signals = append(signals, run.Say(llm.Message{Text: "And now?"}))
		case len(result.Calls) == 0:
			return r.State(), decided, nil
		}
		for _, wait := range result.Calls {
			switch {
			case wait.For == run.ForApproval:
				signals = append(signals, run.Approve(wait.Call, "ada", nil))
			case wait.For == run.ForAnswer:
				signals = append(signals, run.Reply(wait.Call, wait.Questions[0].Accept(nil)))
			case wait.Request.Name != "pay" && len(wait.Request.Answers) == 0: // no function can have done more than ask a question
				signals = append(signals, run.Redo(wait.Call))
			default:
				decided = append(decided, wait.Call)
				signals = append(signals, run.Supply(wait.Call, json.RawMessage(encoded(wait.Call))))
			}
		}
		for _, signal := range signals {
			if err := r.Send(ctx, signal); err != nil {
				return is, nil, err
			}
		}
	}
	return is, nil, errors.New("it goes on for ever")
}

// kinds returns the entries of the given kinds.
func (s *shop) kinds(t *testing.T, kinds ...string) (texts []string) {
	t.Helper()
	for e, err := range s.j.Read(t.Context(), "r", 0) {
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(kinds, e.Kind) {
			texts = append(texts, e.Kind+" "+e.Effect+" "+passing.ReplaceAllString(string(e.Data), ""))
		}
	}
	return texts
}

var passing = regexp.MustCompile(`,?"(attempt|duration|started|timestamp)":("[^"]*"|\d+)`)

// history returns the journal of the run without times, writers, claims, interruptions and decisions.
// Calls between two other effects are ordered by their IDs.
func (s *shop) history(t *testing.T) (texts []string) {
	for _, text := range s.kinds(t, "begin", "model", "do", "request", "agent", "outcome", "end") {
		if !slices.Contains(texts, text) { // a call may have been repeated
			texts = append(texts, text)
		}
	}
	isCall := func(text string) bool {
		return strings.HasPrefix(text, "request") || strings.HasPrefix(text, "outcome") || strings.HasPrefix(text, "model"+" "+run.PurposeQuestion+"/")
	}
	for i := 0; i < len(texts); {
		k := i
		for k < len(texts) && isCall(texts[k]) {
			k++
		}
		slices.Sort(texts[i:k])
		i = k + 1
	}
	return texts
}

// once checks that each call in want was made with its arguments. Calls of tools that are neither
// read-only nor idempotent must be made once, or not at all if somebody decided about them.
func (s *shop) once(t *testing.T, want map[string]int, decided []string) {
	t.Helper()
	got := s.happened(t)
	for effect, n := range got {
		if want[effect] == 0 {
			t.Errorf("there is another effect: %s", effect)
		} else if n > 1 && (strings.HasPrefix(effect, "pay ") || strings.HasPrefix(effect, "send ")) {
			t.Errorf("%d times: %s", n, effect)
		}
	}
	for effect := range want {
		if id := strings.Fields(effect)[1]; got[effect] == 0 && !slices.Contains(decided, id) {
			t.Errorf("never: %s", effect)
		}
	}
}

// happened returns how often each effect happened.
func (s *shop) happened(t *testing.T) map[string]int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.place, "effects"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	times := map[string]int{}
	for line := range strings.Lines(string(text)) {
		times[line]++
	}
	return times
}

// TestKilled kills processes before and after every append of plans and conversations, including those
// of signals. Another process continues the run, which must end as without kills.
func TestKilled(t *testing.T) {
	if place := os.Getenv(killedPlace); place != "" {
		s := newShop(t, place)
		if _, err := fmt.Sscan(os.Getenv(killedAt), &s.j.left, &s.j.after); err != nil {
			t.Fatal(err)
		}
		s.settle(t, os.Getenv(killedKind))
		return
	}
	for kind, least := range map[string]int{"plan": 19, "conversation": 20} { // appends
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			calm := newShop(t, t.TempDir())
			want, decided := calm.settle(t, kind)
			history, effects := calm.history(t), calm.happened(t)
			if len(decided) > 0 || len(effects) < 5 {
				t.Fatalf("it did %v, and decided about %q", effects, decided)
			}
			kills, killed := 0, true
			for ; killed; kills++ {
				for _, after := range []bool{false, true} {
					name := fmt.Sprint(kills+1, " ", after)
					s := newShop(t, t.TempDir())
					killed = s.killed(t, kind, name)
					got, decided := s.settle(t, kind)
					if diff := cmp.Diff(history, s.history(t)); diff != "" {
						t.Errorf("killed at %s: %s", name, diff)
					}
					if diff := cmp.Diff(timeless(want), timeless(got)); diff != "" {
						t.Errorf("killed at %s, it is another: %s", name, diff)
					}
					s.once(t, effects, decided)
					if t.Failed() {
						t.FailNow()
					}
				}
			}
			if kills < least {
				t.Errorf("there were %d kills", kills)
			}
		})
	}
}

func timeless(s orchestrator.State) string { return passing.ReplaceAllString(encoded(s), "") }

// killed executes the run in a process and reports whether it was killed.
func (s *shop) killed(t *testing.T, kind, at string) bool {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
	cmd.Env = append(os.Environ(), killedPlace+"="+s.place, killedKind+"="+kind, killedAt+"="+at)
	out, err := cmd.CombinedOutput()
	if err == nil {
		return false
	}
	exit, ok := errors.AsType[*exec.ExitError](err)
	if status, is := exit.Sys().(syscall.WaitStatus); !ok || !is || status.Signal() != syscall.SIGKILL {
		t.Fatalf("%v: %s", err, out)
	}
	return true
}
