// Package memorytest tests that a store keeps the contract of [memory.Store]. Call [Run] from a
// test of a custom store.
package memorytest

import (
	"context"
	"testing"

	"github.com/aiongen/aiongen/runtime/memory"
)

// Run tests the stores that open returns. Each must be empty and not used by anyone else. Use
// t.Cleanup to release their resources.
func Run(t *testing.T, open func(t *testing.T) memory.Store) {
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			if err := c.run(t.Context(), open(t)); err != nil {
				t.Error(err)
			}
		})
	}
}

// check returns an error instead of failing a test, so that a test can check that it fails.
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
