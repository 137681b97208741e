package memorytest

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/aiongen/aiongen/runtime/memory"
)

// expectValue returns an error unless the key has the given value; "" means no entry.
func expectValue(ctx context.Context, s memory.Store, key, want string) error {
	value, found, err := s.Read(ctx, key)
	if err != nil {
		return err
	}
	if found != (want != "") || string(value) != want {
		return fmt.Errorf("Read(%.40q) = %.40q, %t; want %.40q", key, value, found, want)
	}
	return nil
}

// writeKeys writes entries whose values are their keys.
func writeKeys(ctx context.Context, s memory.Store, keys ...string) error {
	for _, key := range keys {
		if err := s.Write(ctx, key, key); err != nil {
			return err
		}
	}
	return nil
}

// expectKeys returns an error unless a search finds the given keys.
func expectKeys(ctx context.Context, s memory.Store, prefix string, want ...string) error {
	entries, err := searchAll(ctx, s, prefix)
	if err != nil {
		return err
	}
	var keys []string
	for _, e := range entries {
		keys = append(keys, e.Key)
	}
	if !slices.Equal(keys, want) {
		return fmt.Errorf("Search(%.40q) finds %.200q, want %.200q", prefix, keys, want)
	}
	return nil
}

// expectError returns an error unless err is a *memory.Error of the given code.
func expectError(err error, code string, call string, args ...any) error {
	var e *memory.Error
	if !errors.As(err, &e) || e.Code() != code {
		return fmt.Errorf("%s returns the error %v, want a *memory.Error with code %s", fmt.Sprintf(call, args...), err, code)
	}
	return nil
}

// searchAll returns all results of a search, and its error.
func searchAll(ctx context.Context, s memory.Store, prefix string) (entries []memory.Entry, err error) {
	for entry, err := range s.Search(ctx, prefix) {
		if err != nil {
			return entries, err
		}
		entries = append(entries, entry)
	}
	return entries, nil
}
