package journal

import (
	"context"
	"iter"
	"slices"
	"sync"
)

// Map is a [Journal] in memory. The zero Map is ready to use. Runs visits every run. A Map must
// not be copied after its first use.
type Map struct {
	mu   sync.RWMutex
	runs map[string][]Entry // nil for a deleted run; entries are never modified in place
}

var _ Journal = (*Map)(nil)

// Append implements [Journal].
func (m *Map) Append(ctx context.Context, run string, n int, entries ...Entry) error {
	if err := Check(ctx, run); err != nil {
		return err
	}
	entries, err := Prepare(run, n, entries)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	stored, exists := m.runs[run]
	switch {
	case exists && stored == nil:
		return &NotFoundError{Run: run, Deleted: true}
	case n > len(stored):
		return &NotFoundError{Run: run, Entries: len(stored)}
	case n < len(stored):
		if !slices.EqualFunc(stored[n:min(n+len(entries), len(stored))], entries, Entry.Same) {
			return &ConflictError{Run: run, N: n}
		}
		return nil
	}
	if m.runs == nil {
		m.runs = map[string][]Entry{}
	}
	for _, e := range entries {
		e.Data = slices.Clone(e.Data)
		stored = append(stored, e)
	}
	m.runs[run] = stored
	return nil
}

// Read implements [Journal].
func (m *Map) Read(ctx context.Context, run string, from int) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		entries, err := m.readRun(ctx, run)
		if err != nil {
			yield(Entry{}, err)
			return
		}
		for _, e := range entries[min(max(from, 0), len(entries)):] {
			if err := Check(ctx, run); err != nil {
				yield(Entry{}, err)
				return
			}
			e.Data = slices.Clone(e.Data)
			if !yield(e, nil) {
				return
			}
		}
	}
}

func (m *Map) readRun(ctx context.Context, run string) ([]Entry, error) {
	if err := Check(ctx, run); err != nil {
		return nil, err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	entries, exists := m.runs[run]
	if len(entries) == 0 {
		return nil, &NotFoundError{Run: run, Deleted: exists}
	}
	return entries, nil
}

// Runs implements [Journal].
func (m *Map) Runs(ctx context.Context, filter Filter) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		if err := ctx.Err(); err != nil {
			yield(Info{}, &Error{Kind: Failed, Err: err})
			return
		}
		for _, info := range filter.Page(m.allRuns()) {
			if !yield(info, nil) {
				return
			}
		}
	}
}

func (m *Map) allRuns() []Info {
	m.mu.RLock()
	defer m.mu.RUnlock()
	all := make([]Info, 0, len(m.runs))
	for run, entries := range m.runs {
		if len(entries) > 0 {
			all = append(all, entries[len(entries)-1].Info(run))
		}
	}
	return all
}

// Delete implements [Journal].
func (m *Map) Delete(ctx context.Context, run string) error {
	if err := Check(ctx, run); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, exists := m.runs[run]; exists {
		m.runs[run] = nil
	}
	return nil
}
