// Package memorytest checks that a store keeps the contract of [memory.Store].
// Every store of this module passes it; call [Run] from a test of your own one.
package memorytest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/aiongen/aiongen/runtime/memory"
)

// Run checks the stores that open returns: each of them empty, and nobody else's.
// What they hold it releases with t.Cleanup.
func Run(t *testing.T, open func(t *testing.T) memory.Store) {
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			if err := c.run(t.Context(), open(t)); err != nil {
				t.Error(err)
			}
		})
	}
}

// check is a function that returns an error, no test, so that a test can see it
// fail.
type check struct {
	name string
	run  func(context.Context, memory.Store) error
}

var checks = []check{
	{"read", checkRead},
	{"keys", checkKeys},
	{"wrong keys", checkWrongKeys},
	{"values", checkValues},
	{"wrong values", checkWrongValues},
	{"limits", checkLimits},
	{"aliases", checkAliases},
	{"search", checkSearch},
	{"long search", checkLongSearch},
	{"search and change", checkSearchAndChange},
	{"delete", checkDelete},
	{"context", checkContext},
	{"concurrent writes", checkConcurrentWrites},
	{"concurrent overwrites", checkConcurrentOverwrites},
	{"concurrent use", checkConcurrentUse},
	{"prefix", checkPrefix},
}

// expect returns an error unless there is the given value under a key; no value
// stands for no entry.
func expect(ctx context.Context, s memory.Store, key, want string) error {
	value, found, err := s.Read(ctx, key)
	if err != nil {
		return err
	}
	if found != (want != "") || string(value) != want {
		return fmt.Errorf("Read(%.40q) = %.40q, %t; want %.40q", key, value, found, want)
	}
	return nil
}

// expectKeys returns an error unless a search finds the given keys.
func expectKeys(ctx context.Context, s memory.Store, prefix string, want ...string) error {
	entries, err := search(ctx, s, prefix)
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

// search returns all that a search finds, and its error.
func search(ctx context.Context, s memory.Store, prefix string) (entries []memory.Entry, err error) {
	for entry, err := range s.Search(ctx, prefix) {
		if err != nil {
			return entries, err
		}
		entries = append(entries, entry)
	}
	return entries, nil
}

// write writes keys, each with itself as the value.
func write(ctx context.Context, s memory.Store, keys ...string) error {
	for _, key := range keys {
		if err := s.Write(ctx, key, key); err != nil {
			return err
		}
	}
	return nil
}
