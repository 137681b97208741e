package genkit

import (
	"testing"

	"github.com/aiongen/aiongen/internal/pagetest"
)

// TestPage compiles the programs in docs/howto/migrating.md that use genkit.
func TestPage(t *testing.T) {
	pagetest.BuildPrograms(t, "../../docs/howto/migrating.md", "adapters/genkit")
}
