// Package memorytest checks that a store keeps the contract of [memory.Store].
// Every store of this module passes it; call [Run] from a test of your own one.
//
// Its layers, from top to bottom:
//
//	memorytest  the suite
//	checks      what a store has to do
//	concurrent  what it has to do for several at once
//	expect      what comes of one operation
package memorytest

import (
	"context"
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
