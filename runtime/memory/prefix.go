package memory

import (
	"context"
	"encoding/json"
	"iter"
	"strings"
)

// Prefix returns a view of a store: of the entries whose keys begin with prefix,
// under what follows it in their keys. A key in the view and the prefix together
// may have [MaxKey] bytes. Errors name keys of the store.
func Prefix(store Store, prefix string) Store {
	return &view{store: store, prefix: prefix}
}

type view struct {
	store  Store
	prefix string
}

func (v *view) Write(ctx context.Context, key string, value any) error {
	if err := Check(ctx, key); err != nil {
		return err
	}
	return v.store.Write(ctx, v.prefix+key, value)
}

func (v *view) Read(ctx context.Context, key string) (json.RawMessage, bool, error) {
	if err := Check(ctx, key); err != nil {
		return nil, false, err
	}
	return v.store.Read(ctx, v.prefix+key)
}

func (v *view) Search(ctx context.Context, prefix string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for entry, err := range v.store.Search(ctx, v.prefix+prefix) {
			if err != nil {
				yield(Entry{}, err)
				return
			}
			key, inside := strings.CutPrefix(entry.Key, v.prefix)
			if !inside || key == "" { // the prefix itself is no key of the view
				continue
			}
			if !yield(Entry{Key: key, Value: entry.Value}, nil) {
				return
			}
		}
	}
}

func (v *view) Delete(ctx context.Context, key string) error {
	if err := Check(ctx, key); err != nil {
		return err
	}
	return v.store.Delete(ctx, v.prefix+key)
}
