//go:build linux || darwin

package orchestrator_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/tool"
)

// newAgentShop returns a shop whose tool research is an agent with the other tools.
func newAgentShop(t *testing.T, place, kind string) *shop {
	t.Helper()
	s := newShop(t, place)
	tools, err := s.Select(s.Names()...)
	if err != nil {
		t.Fatal(err)
	}
	options := map[string]orchestrator.Option{"plan": orchestrator.Plan{}, "conversation": orchestrator.Conversation{}}
	agent, err := orchestrator.New(s, tools, options[kind])
	if err != nil {
		t.Fatal(err)
	}
	research, err := orchestrator.AsTool(agent, tool.Definition{Name: "research", Description: "Finds things."})
	if err == nil {
		err = s.Register(research)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestAgentKilled stops a run with an agent at every append, before or after it. Another process, which
// opens the journal again, continues the run and its agent, which must end as without stops.
func TestAgentKilled(t *testing.T) {
	for kind, least := range map[string]int{"plan": 19, "conversation": 15} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			calm := newAgentShop(t, t.TempDir(), kind)
			want, decided := calm.settle(t, "conversation")
			history, effects := calm.history(t), calm.happened(t)
			if len(decided) > 0 || len(effects) < 5 {
				t.Fatalf("it did %v, and decided about %q", effects, decided)
			}
			kills := 0
			for stopped := true; stopped && !t.Failed(); kills++ {
				place, after := t.TempDir(), kills%2 == 1
				s := newAgentShop(t, place, kind)
				s.j.fails, s.j.left, s.j.after = true, kills+1, after
				_, _, err := s.trySettle(t, "conversation")
				if stopped = err != nil; stopped && !errors.Is(err, errDown) {
					t.Fatal(err)
				}
				s = newAgentShop(t, place, kind)
				got, decided := s.settle(t, "conversation")
				if diff := cmp.Diff(history, s.history(t)); diff != "" {
					t.Errorf("stopped at append %d, after it: %t: %s", kills+1, after, diff)
				}
				if diff := cmp.Diff(timeless(want), timeless(got)); diff != "" {
					t.Errorf("stopped at append %d, after it: %t: the run is another: %s", kills+1, after, diff)
				}
				s.once(t, effects, decided)
			}
			if kills < least {
				t.Errorf("there were %d stops", kills)
			}
		})
	}
}
