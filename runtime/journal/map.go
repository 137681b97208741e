package journal

import (
	"context"
	"iter"
	"slices"
	"sync"
)

// Map is a [Journal] in memory, ready to use when it is zero. Runs looks at every
// run. A Map must not be copied once it is in use.
type Map struct {
	mu   sync.RWMutex
	runs map[string][]Entry // nil if it was deleted; entries are never modified in place
}

var _ Journal = (*Map)(nil)

// Append is [Journal.Append].
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
	there, known := m.runs[run]
	switch {
	case known && there == nil:
		return &Gone{Run: run, Deleted: true}
	case n > len(there):
		return &Gone{Run: run, Entries: len(there)}
	case n < len(there):
		if !slices.EqualFunc(there[n:min(n+len(entries), len(there))], entries, Entry.Same) {
			return &Taken{Run: run, N: n}
		}
		return nil
	}
	if m.runs == nil {
		m.runs = map[string][]Entry{}
	}
	for _, e := range entries {
		e.Data = slices.Clone(e.Data)
		there = append(there, e)
	}
	m.runs[run] = there
	return nil
}

// Read is [Journal.Read].
func (m *Map) Read(ctx context.Context, run string, from int) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		entries, err := m.read(ctx, run)
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

func (m *Map) read(ctx context.Context, run string) ([]Entry, error) {
	if err := Check(ctx, run); err != nil {
		return nil, err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	entries, known := m.runs[run]
	if len(entries) == 0 {
		return nil, &Gone{Run: run, Deleted: known}
	}
	return entries, nil
}

// Runs is [Journal.Runs].
func (m *Map) Runs(ctx context.Context, filter Filter) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		if err := ctx.Err(); err != nil {
			yield(Info{}, &Error{Kind: Failed, Err: err})
			return
		}
		for _, info := range filter.Page(m.all()) {
			if !yield(info, nil) {
				return
			}
		}
	}
}

func (m *Map) all() []Info {
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

// Delete is [Journal.Delete].
func (m *Map) Delete(ctx context.Context, run string) error {
	if err := Check(ctx, run); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, known := m.runs[run]; known {
		m.runs[run] = nil
	}
	return nil
}
