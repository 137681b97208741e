package memorytest_test

import (
	"testing"

	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/memory/memorytest"
)

// A test of a store in your own package. Name it TestStore.
func Example() {
	testStore := func(t *testing.T) {
		memorytest.Run(t, func(t *testing.T) memory.Store {
			return new(memory.Map) // your store, empty; close it with t.Cleanup
		})
	}
	_ = testStore
	// Output:
}
