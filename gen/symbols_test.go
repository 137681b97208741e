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
	dir := writeFiles(t, map[string]string{
		"go.mod":       "module example.com/m\n\ngo 1.26\n",
		"tools/a.go":   "package tools\n\n//go:generate go tool aiongen\n//go:generate go tool aiongen -o out\n\nfunc Find() {}\n",
		"tools/a.aion": "[ { name --> \"find\", function --> \"Find\" --> {} } ]\n",
		"tools/b.aion": "[]\n",
		"more/c.go":    "package more\n",
		"more/c.aion":  "[ { name --> \"ghost\", function --> \"Ghost\" --> {} } ]\n",
		"none/d.go":    "package none\n",
	})
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

// TestVariableMethods checks which methods of variables a tool can call.
func TestVariableMethods(t *testing.T) {
	dir := writeFiles(t, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.26\n",
		"a.aion": "[]\n",
		"a.go": `package m

import "fmt"

type Store struct{}

// Find finds.
func (s *Store) Find(words string) error { return nil }

func (s Store) count() int { return 0 }

var (
	value   Store
	pointer *Store
	shown   fmt.Stringer
	number  int
)

func function() {}
`,
	})
	s := gen.NewSession(gen.Config{Dir: dir})
	s.Generate(t.Context())
	for variable, want := range map[string]string{
		"value":    "value.Find func(words string) error; value.count func() int; ",
		"pointer":  "pointer.Find func(words string) error; pointer.count func() int; ",
		"shown":    "shown.String func() string; ",
		"number":   "",
		"function": "",
		"Store":    "",
		"missing":  "",
	} {
		got := ""
		for _, f := range s.VariableMethods("a.aion", variable) {
			got += f.Name + " " + f.Type + "; "
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", variable, got, want)
		}
	}
	if got := s.VariableMethods("b.aion", "value"); got != nil {
		t.Errorf("for a document that does not exist: %v", got)
	}
}

// writeFiles writes files into a new directory.
func writeFiles(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
