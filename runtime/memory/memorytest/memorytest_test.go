package memorytest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/aiongen/aiongen/runtime/memory"
)

// brokenStore is a valid store, except for the functions that replace its methods.
type brokenStore struct {
	memory.Map
	write  func(ctx context.Context, s *memory.Map, key string, value any) error
	read   func(ctx context.Context, s *memory.Map, key string) (json.RawMessage, bool, error)
	search func(ctx context.Context, s *memory.Map, prefix string) []memory.Entry
	delete func(ctx context.Context, s *memory.Map, key string) error
}

func (b *brokenStore) Write(ctx context.Context, key string, value any) error {
	if b.write != nil {
		return b.write(ctx, &b.Map, key, value)
	}
	return b.Map.Write(ctx, key, value)
}

func (b *brokenStore) Read(ctx context.Context, key string) (json.RawMessage, bool, error) {
	if b.read != nil {
		return b.read(ctx, &b.Map, key)
	}
	return b.Map.Read(ctx, key)
}

func (b *brokenStore) Search(ctx context.Context, prefix string) iter.Seq2[memory.Entry, error] {
	if b.search == nil {
		return b.Map.Search(ctx, prefix)
	}
	return func(yield func(memory.Entry, error) bool) {
		for _, entry := range b.search(ctx, &b.Map, prefix) {
			if !yield(entry, nil) {
				return
			}
		}
	}
}

func (b *brokenStore) Delete(ctx context.Context, key string) error {
	if b.delete != nil {
		return b.delete(ctx, &b.Map, key)
	}
	return b.Map.Delete(ctx, key)
}

// allEntries returns all entries of a store.
func allEntries(s *memory.Map) []memory.Entry {
	entries, _ := searchAll(context.Background(), s, "")
	return entries
}

// searchWhere returns a search for the keys that a function selects.
func searchWhere(match func(key, prefix string) bool) func(context.Context, *memory.Map, string) []memory.Entry {
	return func(_ context.Context, s *memory.Map, prefix string) []memory.Entry {
		return slices.DeleteFunc(allEntries(s), func(e memory.Entry) bool { return !match(e.Key, prefix) })
	}
}

// found is a correct search.
var found = searchWhere(strings.HasPrefix)

// TestBroken checks that every check finds its fault.
func TestBroken(t *testing.T) {
	var reads atomic.Int32
	read3 := make(chan struct{})
	shared := map[string]json.RawMessage{}
	for name, test := range map[string]struct {
		check string
		store *brokenStore
	}{
		"the first write stays": {"read", &brokenStore{write: func(ctx context.Context, s *memory.Map, key string, value any) error {
			if _, found, _ := s.Read(ctx, key); found {
				return nil
			}
			return s.Write(ctx, key, value)
		}}},
		"null is nothing": {"read", &brokenStore{read: func(ctx context.Context, s *memory.Map, key string) (json.RawMessage, bool, error) {
			value, found, err := s.Read(ctx, key)
			return value, found && string(value) != "null", err
		}}},
		"nothing is an error": {"read", &brokenStore{read: func(ctx context.Context, s *memory.Map, key string) (json.RawMessage, bool, error) {
			value, found, err := s.Read(ctx, key)
			if err == nil && !found {
				err = errors.New("not found")
			}
			return value, found, err
		}}},
		"keys end at NUL": {"keys", &brokenStore{write: func(ctx context.Context, s *memory.Map, key string, value any) error {
			head, _, _ := strings.Cut(key[:1]+"\x00"+key[1:], "\x00\x00")
			return s.Write(ctx, head, value)
		}}},
		"keys are text": {"keys", &brokenStore{write: func(ctx context.Context, s *memory.Map, key string, value any) error {
			return s.Write(ctx, strings.ToValidUTF8(key, "?"), value)
		}}},
		"a prefix is a pattern": {"keys", &brokenStore{search: searchWhere(func(key, prefix string) bool {
			matched, _ := path.Match(prefix+"*", strings.ReplaceAll(key, "/", "|"))
			return matched || prefix == "" || strings.HasPrefix(key, prefix) && strings.Contains(prefix, "/")
		})}},
		"long keys are cut": {"wrong keys", &brokenStore{write: func(ctx context.Context, s *memory.Map, key string, value any) error {
			return s.Write(ctx, key[:min(len(key), memory.MaxKey)], value)
		}}},
		"no key is nothing": {"wrong keys", &brokenStore{read: func(ctx context.Context, s *memory.Map, key string) (json.RawMessage, bool, error) {
			if key == "" {
				return nil, false, nil
			}
			return s.Read(ctx, key)
		}}},
		"HTML is escaped": {"values", &brokenStore{write: func(ctx context.Context, s *memory.Map, key string, value any) error {
			text, err := json.Marshal(value)
			if err != nil {
				return err
			}
			return s.Write(ctx, key, json.RawMessage(text))
		}}},
		"numbers are floats": {"values", &brokenStore{write: func(ctx context.Context, s *memory.Map, key string, value any) error {
			text, err := memory.Marshal(key, value)
			if err != nil {
				return err
			}
			var v any
			if err := json.Unmarshal(text, &v); err != nil {
				return err
			}
			return s.Write(ctx, key, v)
		}}},
		"a wrong value deletes": {"wrong values", &brokenStore{write: func(ctx context.Context, s *memory.Map, key string, value any) error {
			err := s.Write(ctx, key, value)
			if err != nil {
				_ = s.Delete(ctx, key)
			}
			return err
		}}},
		"values end at 1 MiB": {"limits", &brokenStore{read: func(ctx context.Context, s *memory.Map, key string) (json.RawMessage, bool, error) {
			value, found, err := s.Read(ctx, key)
			return value[:min(len(value), 1<<20)], found, err
		}}},
		"what is read is shared": {"aliases", &brokenStore{read: func(ctx context.Context, s *memory.Map, key string) (json.RawMessage, bool, error) {
			value, found, err := s.Read(ctx, key)
			if shared[key] == nil {
				shared[key] = value
			}
			return shared[key], found, err
		}}},
		"case does not matter": {"search", &brokenStore{search: searchWhere(func(key, prefix string) bool {
			return strings.HasPrefix(strings.ToLower(key), strings.ToLower(prefix))
		})}},
		"an empty prefix is none": {"search", &brokenStore{search: searchWhere(func(key, prefix string) bool {
			return prefix != "" && strings.HasPrefix(key, prefix)
		})}},
		"the newest come first": {"search", &brokenStore{search: func(ctx context.Context, s *memory.Map, prefix string) []memory.Entry {
			entries := found(ctx, s, prefix)
			slices.Reverse(entries)
			return entries
		}}},
		"a page of 1000": {"long search", &brokenStore{search: func(ctx context.Context, s *memory.Map, prefix string) []memory.Entry {
			entries := found(ctx, s, prefix)
			return entries[:min(len(entries), 1000)]
		}}},
		"writes wait for a search": {"search and change", &brokenStore{write: func(ctx context.Context, s *memory.Map, key string, value any) error {
			if key == "za1" {
				return errors.New("locked")
			}
			return s.Write(ctx, key, value)
		}}},
		"nothing to delete is an error": {"delete", &brokenStore{delete: func(ctx context.Context, s *memory.Map, key string) error {
			if _, found, err := s.Read(ctx, key); !found {
				return errors.Join(err, errors.New("not found"))
			}
			return s.Delete(ctx, key)
		}}},
		"a prefix is deleted": {"delete", &brokenStore{delete: func(ctx context.Context, s *memory.Map, key string) error {
			for _, e := range found(ctx, s, key) {
				_ = s.Delete(ctx, e.Key)
			}
			return nil
		}}},
		"contexts are ignored": {"context", &brokenStore{write: func(_ context.Context, s *memory.Map, key string, value any) error {
			return s.Write(context.Background(), key, value)
		}}},
		"a search ignores its context": {"context", &brokenStore{search: found}},
		"late writes": {"concurrent writes", &brokenStore{read: func(ctx context.Context, s *memory.Map, key string) (json.RawMessage, bool, error) {
			if strings.HasSuffix(key, "/4") {
				return nil, false, nil
			}
			return s.Read(ctx, key)
		}}},
		"torn writes": {"concurrent overwrites", &brokenStore{read: func(ctx context.Context, s *memory.Map, key string) (json.RawMessage, bool, error) {
			value, found, err := s.Read(ctx, key)
			return append(value[:len(value)-3], `?"}`...), found, err
		}}},
		"old values": {"concurrent overwrites", &brokenStore{write: func(ctx context.Context, s *memory.Map, key string, value any) error {
			if reads.CompareAndSwap(0, 9) {
				return nil // the state before the readers
			}
			<-read3 // two of them belong to the same reader
			return nil
		}, read: func(context.Context, *memory.Map, string) (json.RawMessage, bool, error) {
			round := int(reads.Add(-1))
			if round == 9-3 {
				close(read3)
			}
			filler := strings.Repeat("a", 1000*(1+max(0, round)))
			return fmt.Appendf(nil, `{"Writer":0,"Round":%d,"Filler":%q}`, max(0, round), filler), true, nil
		}}},
		"a search skips": {"concurrent use", &brokenStore{search: func(ctx context.Context, s *memory.Map, prefix string) []memory.Entry {
			entries := found(ctx, s, prefix)
			return entries[:max(0, len(entries)-1)]
		}}},
		"views see their neighbours": {"prefix", &brokenStore{search: searchWhere(func(key, prefix string) bool {
			return strings.HasPrefix(key, strings.TrimSuffix(prefix, "/"))
		})}},
	} {
		t.Run(name, func(t *testing.T) {
			i := slices.IndexFunc(checks, func(c check) bool { return c.name == test.check })
			err := checks[i].run(t.Context(), test.store)
			if err == nil {
				t.Errorf("the check %q finds nothing", test.check)
			}
			t.Log(err)
		})
	}
}
