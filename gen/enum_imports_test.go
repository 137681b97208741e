package gen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// enumSource uses go/token only through go/ast.
const enumSource = `package desk

import "go/ast"

// Query has a literal.
type Query struct {
	Literal ast.BasicLit
}

// Find finds a ticket.
func Find(q Query) string { return q.Literal.Value }
`

// TestUnrelatedImport checks that the constants of a type are known even if no file imports
// their package, and that an import of it changes nothing.
func TestUnrelatedImport(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long with the race detector; the full suite runs it")
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir()) // cache for types
	dir := desk(t, `[ { name --> "find", function --> "Find" --> {} } ]`)
	generate := func(source string) (code string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "desk.go"), []byte(source), 0o644); err != nil {
			t.Fatal(err)
		}
		result, list := Generate(t.Context(), Config{Dir: dir})
		if err := list.Err(); err != nil {
			t.Fatal(err)
		}
		for _, change := range result.Changes {
			code += string(change.New)
		}
		return code
	}
	first := generate(enumSource)
	if !strings.Contains(first, "9 (STRING)") {
		t.Errorf("the constants of go/token are not in %s", first)
	}
	for name, source := range map[string]string{
		"again, with cached types": enumSource,
		"with an import":           strings.Replace(enumSource, `import "go/ast"`, "import (\n\t\"go/ast\"\n\t_ \"go/token\"\n)", 1),
	} {
		if code := generate(source); code != first {
			t.Errorf("%s, the code differs", name)
		}
	}
}
