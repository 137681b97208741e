package memory

import (
	"context"
	"encoding/json"
	"iter"
	"strings"
)

// Prefix returns a view of the entries of a store whose keys begin with prefix. In the view, the
// keys do not have the prefix. The limit [MaxKey] applies to the key with the prefix, and errors
// show keys with the prefix.
func Prefix(store Store, prefix string) Store {
	return &prefixStore{store: store, prefix: prefix}
}

type prefixStore struct {
	store  Store
	prefix string
}

func (v *prefixStore) Write(ctx context.Context, key string, value any) error {
	if err := Check(ctx, key); err != nil {
		return err
	}
	return v.store.Write(ctx, v.prefix+key, value)
}

func (v *prefixStore) Read(ctx context.Context, key string) (json.RawMessage, bool, error) {
	if err := Check(ctx, key); err != nil {
		return nil, false, err
	}
	return v.store.Read(ctx, v.prefix+key)
}

func (v *prefixStore) Search(ctx context.Context, prefix string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for entry, err := range v.store.Search(ctx, v.prefix+prefix) {
			if err != nil {
				yield(Entry{}, err)
				return
			}
			key, inside := strings.CutPrefix(entry.Key, v.prefix)
			if !inside || key == "" { // the prefix itself is not a key of the view
				continue
			}
			if !yield(Entry{Key: key, Value: entry.Value}, nil) {
				return
			}
		}
	}
}

func (v *prefixStore) Delete(ctx context.Context, key string) error {
	if err := Check(ctx, key); err != nil {
		return err
	}
	return v.store.Delete(ctx, v.prefix+key)
}
