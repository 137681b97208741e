package telemetry_test

import (
	"testing"

	"github.com/aiongen/aiongen/internal/pagetest"
	_ "github.com/aiongen/aiongen/runtime/llm/openai" // in the program of the page
)

// TestPage compiles the program in docs/howto/telemetry.md.
func TestPage(t *testing.T) {
	pagetest.BuildPrograms(t, "../../docs/howto/telemetry.md", "adapters/telemetry")
}
