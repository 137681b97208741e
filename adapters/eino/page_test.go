package eino_test

import (
	"testing"

	"github.com/aiongen/aiongen/internal/pagetest"
)

// TestPage compiles the programs in docs/howto/migrating.md that use eino.
func TestPage(t *testing.T) {
	pagetest.BuildPrograms(t, "../../docs/howto/migrating.md", "adapters/eino")
}
