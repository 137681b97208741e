// Package migrating tests the programs in docs/howto/migrating.md that use the MCP libraries of others.
package migrating

import (
	"testing"

	"github.com/aiongen/aiongen/internal/pagetest"
)

func TestPage(t *testing.T) {
	pagetest.BuildPrograms(t, "../../docs/howto/migrating.md", "conformance/migrating")
}
