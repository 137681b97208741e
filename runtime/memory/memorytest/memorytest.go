// Package memorytest tests that a store satisfies the contract of [memory.Store]. Call [Run] in a
// test of a custom store.
package memorytest

import (
	"context"
	"testing"

	"github.com/aiongen/aiongen/runtime/memory"
)

// Run tests stores. It calls open for each test, which must return a new empty store. open can release
// its resources with t.Cleanup.
func Run(t *testing.T, open func(t *testing.T) memory.Store) {
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			if err := c.run(t.Context(), open(t)); err != nil {
				t.Error(err)
			}
		})
	}
}

// check is a test of stores. It returns an error instead of failing a testing.T, so that tests of this
// package can check that it rejects incorrect stores.
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
