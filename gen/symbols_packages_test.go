package gen_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/aiongen/aiongen/gen"
)

// TestPackages checks what a session says about packages: one with two documents and two
// go:generate lines, one without a line, and one without documents.
func TestPackages(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":       "module example.com/m\n\ngo 1.26\n",
		"tools/a.go":   "package tools\n\n//go:generate go tool aiongen\n//go:generate go tool aiongen -o out\n\nfunc Find() {}\n",
		"tools/a.aion": "[ { name --> \"find\", function --> \"Find\" --> {} } ]\n",
		"tools/b.aion": "[]\n",
		"more/c.go":    "package more\n",
		"more/c.aion":  "[ { name --> \"ghost\", function --> \"Ghost\" --> {} } ]\n",
		"none/d.go":    "package none\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s := gen.NewSession(gen.Config{Dir: dir, Patterns: []string{"./..."}})
	if got := s.Packages(); got != nil {
		t.Errorf("before a run: %v", got)
	}
	s.Generate(t.Context())
	got := ""
	for _, p := range s.Packages() {
		rel, err := filepath.Rel(dir, p.Dir)
		got += fmt.Sprintln(p.Path, filepath.ToSlash(rel), p.Documents, p.Directives, err)
	}
	const want = "example.com/m/more more 1 [] <nil>\nexample.com/m/tools tools 2 [tools/a.go:3:1 tools/a.go:4:1] <nil>\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
