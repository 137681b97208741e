package memory

import (
	"context"
	"encoding/json"
	"iter"
	"slices"
	"strings"
	"sync"
)

// Map is a [Store] in memory. The zero Map is ready to use. The time of Search is proportional to
// the number of all keys. A Map must not be copied after its first use.
type Map struct {
	mu     sync.RWMutex
	values map[string]json.RawMessage // never modified in place
}

var _ Store = (*Map)(nil)

// Write implements [Store].
func (m *Map) Write(ctx context.Context, key string, value any) error {
	if err := Check(ctx, key); err != nil {
		return err
	}
	text, err := Marshal(key, value)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.values == nil {
		m.values = map[string]json.RawMessage{}
	}
	m.values[key] = text
	return nil
}

// Read implements [Store].
func (m *Map) Read(ctx context.Context, key string) (json.RawMessage, bool, error) {
	if err := Check(ctx, key); err != nil {
		return nil, false, err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	value, found := m.values[key]
	return slices.Clone(value), found, nil
}

// Search implements [Store].
func (m *Map) Search(ctx context.Context, prefix string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		if err := ctx.Err(); err != nil {
			yield(Entry{}, &Error{Kind: Failed, Key: prefix, Err: err})
			return
		}
		for _, key := range m.sortedKeys(prefix) {
			value, found, err := m.Read(ctx, key)
			if err != nil {
				yield(Entry{}, err)
				return
			}
			if found && !yield(Entry{Key: key, Value: value}, nil) {
				return
			}
		}
	}
}

// sortedKeys returns the keys that begin with prefix, sorted.
func (m *Map) sortedKeys(prefix string) []string {
	m.mu.RLock()
	defer m.mu.RUnlock()
	var keys []string
	for key := range m.values {
		if strings.HasPrefix(key, prefix) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// Delete implements [Store].
func (m *Map) Delete(ctx context.Context, key string) error {
	if err := Check(ctx, key); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.values, key)
	return nil
}
