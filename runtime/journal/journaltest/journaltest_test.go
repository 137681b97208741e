package journaltest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/journal"
)

// brokenJournal is a journal with some faulty methods.
type brokenJournal struct {
	journal.Map
	append func(ctx context.Context, m *journal.Map, run string, n int, entries []journal.Entry) error
	read   func(e journal.Entry) (journal.Entry, bool)
	runs   func(all []journal.Info, f journal.Filter) []journal.Info
	delete func(ctx context.Context, m *journal.Map, run string) error
}

func (b *brokenJournal) Append(ctx context.Context, run string, n int, entries ...journal.Entry) error {
	if b.append != nil {
		return b.append(ctx, &b.Map, run, n, entries)
	}
	return b.Map.Append(ctx, run, n, entries...)
}

func (b *brokenJournal) Read(ctx context.Context, run string, from int) iter.Seq2[journal.Entry, error] {
	if b.read == nil {
		return b.Map.Read(ctx, run, from)
	}
	return func(yield func(journal.Entry, error) bool) {
		for e, err := range b.Map.Read(ctx, run, from) {
			if changed, there := b.read(e); there && !yield(changed, err) {
				return
			}
		}
	}
}

func (b *brokenJournal) Runs(ctx context.Context, f journal.Filter) iter.Seq2[journal.Info, error] {
	if b.runs == nil {
		return b.Map.Runs(ctx, f)
	}
	return func(yield func(journal.Info, error) bool) {
		var all []journal.Info
		for info := range b.Map.Runs(context.Background(), journal.Filter{}) {
			all = append(all, info)
		}
		for _, info := range b.runs(all, f) {
			if !yield(info, nil) {
				return
			}
		}
	}
}

func (b *brokenJournal) Delete(ctx context.Context, run string) error {
	if b.delete != nil {
		return b.delete(ctx, &b.Map, run)
	}
	return b.Map.Delete(ctx, run)
}

// length returns the number of entries of a run.
func length(m *journal.Map, run string) int {
	entries, _ := readAll(context.Background(), m, run, 0)
	return len(entries)
}

type appendFunc = func(ctx context.Context, m *journal.Map, run string, n int, entries []journal.Entry) error

// appendToOther returns an Append that uses another run.
func appendToOther(name func(string) string) appendFunc {
	return func(ctx context.Context, m *journal.Map, run string, n int, entries []journal.Entry) error {
		return m.Append(ctx, name(run), n, entries...)
	}
}

// appendChanged returns an Append that changes the entries.
func appendChanged(change func(*journal.Entry)) appendFunc {
	return func(ctx context.Context, m *journal.Map, run string, n int, entries []journal.Entry) error {
		entries = slices.Clone(entries)
		for i := range entries {
			change(&entries[i])
		}
		return m.Append(ctx, run, n, entries...)
	}
}

var appends = map[string]struct {
	check  string
	append appendFunc
}{
	"the writer is lost":    {"read", appendChanged(func(e *journal.Entry) { e.By = "x" })},
	"what was seen is lost": {"read", appendChanged(func(e *journal.Entry) { e.Seen = 0 })},
	"numbers are floats": {"data", appendChanged(func(e *journal.Entry) {
		e.Data = []byte(strings.ReplaceAll(string(e.Data), "90071992547409931234567890.10", "9.0e25"))
	})},
	"gaps are filled": {"numbers", func(ctx context.Context, m *journal.Map, run string, n int, entries []journal.Entry) error {
		return m.Append(ctx, run, min(n, length(m, run)), entries...)
	}},
	"what is there is lost answers": {"numbers", func(ctx context.Context, m *journal.Map, run string, n int, entries []journal.Entry) error {
		if n >= 0 && n < length(m, run) {
			return nil
		}
		return m.Append(ctx, run, n, entries...)
	}},
	"what is there is always taken": {"lost answers", func(ctx context.Context, m *journal.Map, run string, n int, entries []journal.Entry) error {
		if n < length(m, run) {
			return &journal.ConflictError{Run: run, N: n}
		}
		return m.Append(ctx, run, n, entries...)
	}},
	"writers are not compared": {"lost answers", appendChanged(func(e *journal.Entry) { e.By = "a" })},
	"one by one": {"all or nothing", func(ctx context.Context, m *journal.Map, run string, n int, entries []journal.Entry) error {
		for i, e := range entries {
			if err := m.Append(ctx, run, n+i, e); err != nil {
				return err
			}
		}
		return nil
	}},
	"nothing is an append": {"wrong entries", func(ctx context.Context, m *journal.Map, run string, n int, entries []journal.Entry) error {
		if len(entries) == 0 {
			return nil
		}
		return m.Append(ctx, run, n, entries...)
	}},
	"IDs have no case":   {"IDs", appendToOther(strings.ToLower)},
	"IDs are cut":        {"IDs", appendToOther(func(run string) string { return run[:min(len(run), 255)] })},
	"IDs are valid":      {"IDs", appendToOther(func(run string) string { return strings.ToValidUTF8(run, "?") })},
	"data ends at a MiB": {"limits", appendChanged(func(e *journal.Entry) { e.Data = e.Data[:min(len(e.Data), 1<<20)] })},
	"contexts are ignored": {"context", func(_ context.Context, m *journal.Map, run string, n int, entries []journal.Entry) error {
		return m.Append(context.Background(), run, n, entries...)
	}},
	"whoever begins, begins": {"one begins", func(ctx context.Context, m *journal.Map, run string, n int, entries []journal.Entry) error {
		_ = m.Append(ctx, run, n, entries...)
		return nil
	}},
	"the next free number is taken": {"numbers", func(ctx context.Context, m *journal.Map, run string, n int, entries []journal.Entry) error {
		return m.Append(ctx, run, max(n, length(m, run)), entries...)
	}},
	"second entries go astray": {"two writers", func(ctx context.Context, m *journal.Map, run string, n int, entries []journal.Entry) error {
		return m.Append(ctx, run, n, entries[0])
	}},
}

// pageRuns returns a Runs that pages correctly, except for one change.
func pageRuns(change func([]journal.Info, *journal.Filter)) func([]journal.Info, journal.Filter) []journal.Info {
	return func(all []journal.Info, f journal.Filter) []journal.Info {
		change(all, &f)
		return f.Page(all)
	}
}

var others = map[string]struct {
	check   string
	journal *brokenJournal
}{
	"data is shared": {"aliases", func() *brokenJournal {
		shared := map[int]journal.Entry{}
		return &brokenJournal{read: func(e journal.Entry) (journal.Entry, bool) {
			if _, known := shared[e.N]; !known {
				shared[e.N] = e
			}
			return shared[e.N], true
		}}
	}()},
	"the fourth entry is skipped": {"constant cost", &brokenJournal{read: func(e journal.Entry) (journal.Entry, bool) { return e, e.N != 3 }}},
	"the status is not looked at": {"runs", &brokenJournal{runs: pageRuns(func(_ []journal.Info, f *journal.Filter) { f.Status = nil })}},
	"there is no limit":           {"runs", &brokenJournal{runs: pageRuns(func(_ []journal.Info, f *journal.Filter) { f.Limit = 0 })}},
	"the oldest come first": {"runs", &brokenJournal{runs: func(all []journal.Info, f journal.Filter) []journal.Info {
		page := f.Page(all)
		slices.Reverse(page)
		return page
	}}},
	"pages are by time":   {"pages", &brokenJournal{runs: pageRuns(func(_ []journal.Info, f *journal.Filter) { f.After.Run += "\xff" })}},
	"a page of 500":       {"many runs", &brokenJournal{runs: pageRuns(func(_ []journal.Info, f *journal.Filter) { f.Limit = 500 })}},
	"a deleted run stays": {"delete", &brokenJournal{delete: func(context.Context, *journal.Map, string) error { return nil }}},
	"nothing to delete is an error": {"delete", &brokenJournal{delete: func(ctx context.Context, m *journal.Map, run string) error {
		if length(m, run) == 0 {
			return errors.New("not found")
		}
		return m.Delete(ctx, run)
	}}},
}

// TestBroken checks that every check finds its fault.
func TestBroken(t *testing.T) {
	for name, test := range appends {
		others[name] = struct {
			check   string
			journal *brokenJournal
		}{test.check, &brokenJournal{append: test.append}}
	}
	found := map[string]bool{}
	for name, test := range others {
		t.Run(name, func(t *testing.T) {
			i := slices.IndexFunc(checks, func(c check) bool { return c.name == test.check })
			err := checks[i].run(t.Context(), test.journal)
			if err == nil {
				t.Errorf("the check %q finds nothing", test.check)
			}
			t.Logf("%.300v", err)
		})
		found[test.check] = true
	}
	for _, c := range checks {
		if !found[c.name] {
			t.Errorf("nobody knows what the check %q finds", c.name)
		}
	}
}

// A test of a custom journal. Run needs an empty journal each time.
func Example() {
	test := func(t *testing.T) {
		Run(t, func(*testing.T) journal.Journal { return new(journal.Map) })
	}
	fmt.Printf("%T\n", test)
	// Output: func(*testing.T)
}
