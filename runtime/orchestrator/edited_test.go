//go:build linux || darwin

package orchestrator_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// editEntries returns entries changed as if somebody had edited the journal by hand.
func editEntries(r *rand.Rand, entries []journal.Entry) []journal.Entry {
	entries = slices.Clone(entries)
	for range 1 + r.IntN(2) {
		i, k := r.IntN(len(entries)), r.IntN(len(entries))
		switch e, other := &entries[i], entries[k]; r.IntN(8) {
		case 0:
			entries = entries[:i+1]
		case 1:
			entries = slices.Insert(entries, k, *e)
		case 2:
			entries[i], entries[k] = other, *e
		case 3:
			e.Data = other.Data
		case 4:
			e.Kind = other.Kind
		case 5:
			e.Effect = other.Effect
		case 6:
			e.Seen = r.IntN(100) - 10
		default:
			from := r.IntN(len(e.Data))
			cut := slices.Delete(slices.Clone(e.Data), from, min(len(e.Data), from+1+r.IntN(20)))
			for _, other := range []string{`null`, `{}`, `{"call":null}`, `{"response":null,"read":null}`, `{"value":{"plan":{}}}`} {
				if json.Valid(cut) {
					break
				}
				if r.IntN(3) == 0 {
					cut = json.RawMessage(other)
				}
			}
			if json.Valid(cut) {
				e.Data = cut
			}
		}
	}
	return entries
}

// TestEdited checks that a journal that was edited by hand is valid or rejected, and that opening and
// continuing it never panics.
func TestEdited(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long with the race detector; the full suite runs it")
	}
	for _, kind := range []string{"plan", "conversation"} {
		s := newShop(t, t.TempDir())
		s.settle(t, kind)
		var entries []journal.Entry
		for e, err := range s.j.Read(t.Context(), "r", 0) {
			if err != nil {
				t.Fatal(err)
			}
			entries = append(entries, e)
		}
		came := map[string]int{}
		for seed := range uint64(500) {
			var j journal.Map
			for n, e := range editEntries(rand.New(rand.NewPCG(seed, 3)), entries) {
				if err := j.Append(t.Context(), "r", n, e); err != nil {
					t.Fatal(err)
				}
			}
			o, err := orchestrator.New(s, s.Registry, orchestrator.Journal(&j))
			if err != nil {
				t.Fatal(err)
			}
			r, err := o.Open(t.Context(), "r")
			var result *run.Result
			if err == nil {
				result, err = r.Execute(t.Context())
			}
			if err != nil {
				came[tool.Code(err)]++
				continue
			}
			came[result.Status]++
		}
		t.Log(kind, came)
		if came["drift"] < 50 || came["journal_corrupt"] < 20 || len(came) < 3 {
			t.Errorf("%s: %v", kind, came)
		}
	}
}
