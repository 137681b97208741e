package llmtest_test

import (
	"testing"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/llmtest"
)

// newCache returns your model, which asks another one.
var newCache func(llm.Model) llm.Model

// A test of a model in a package of your own. Give it the name TestModel.
func Example() {
	testModel := func(t *testing.T) {
		llmtest.Test(t, llmtest.Provider{
			Name:  "cache",
			Model: func(_ testing.TB, d *llmtest.Double) llm.Model { return newCache(llm.Func(d.Generate)) },
		})
	}
	_ = testModel
	// Output:
}
