package load_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/aiongen/aiongen/gen/internal/load"
)

// TestImportable lists importable packages again only if a package or an import was added.
func TestImportable(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/m\n\ngo 1.26\n")
	write("a.go", "package m\n")
	cfg := load.Config{Dir: dir, Generated: noGenerated, Memory: load.NewMemory()}
	list := func() []load.ImportablePackage {
		t.Helper()
		cfg.Memory.StartRun()
		found, err := load.Find(t.Context(), cfg, "./...")
		if err != nil {
			t.Fatal(err)
		}
		if err := load.Check(t.Context(), cfg, found...); err != nil {
			t.Fatal(err)
		}
		return found[0].Importable()
	}
	first := list()
	write("a.go", "package m\n\nfunc F() {}\n")
	if again := list(); &again[0] != &first[0] {
		t.Error("a function does not affect the list")
	}
	write("other/other.go", "package renamed\n")
	if !slices.Contains(list(), load.ImportablePackage{Path: "example.com/m/other", Name: "renamed"}) {
		t.Error("the new package is missing")
	}
	write("other/other.go", "package other\n")
	if !slices.Contains(list(), load.ImportablePackage{Path: "example.com/m/other", Name: "other"}) {
		t.Error("the new name is missing")
	}
	last := list()
	for name, text := range map[string]string{
		"other/other_test.go": "package other\n\nimport _ \"example.com/m\"\n",
		"go.mod":              "module example.com/m\n\ngo 1.25\n",
	} {
		write(name, text)
		now := list()
		if &now[0] == &last[0] {
			t.Errorf("%s may have changed the list", name)
		}
		last = now
	}
}
