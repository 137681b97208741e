package find

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/gen/internal/load"
)

// TestMatches takes patterns as the go command does, seen from a module that a
// link leads to.
func TestMatches(t *testing.T) {
	real := t.TempDir()
	if err := os.MkdirAll(filepath.Join(real, "a", "tools"), 0o777); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	p := &load.Package{Path: "example.com/m/a/tools", Dir: filepath.Join(link, "a", "tools")}
	for pattern, want := range map[string]bool{
		"./...": true, "./a/...": true, "./a/tools/...": true, "./a/tools": true, "./a/to...": true, "./.../tools": true,
		"./a/../a/tools": true, "../...": true, filepath.Join(link, "..."): true, filepath.Join(real, "..."): true, filepath.Join(real, "a", "tools"): true,
		"...": true, "example.com/...": true, "example.com/m/a/tools/...": true, "example.com/m/a/tools": true, ".../tools": true,

		".": false, "./a": false, "./b/...": false, "./to...": false, "./a/.../tools": false, "./a/tool": false,
		"example.com/m": false, "example.com/m/a/tool": false, "a/tools": false, "example.com/n/...": false, "./a.tools": false, "./\xff...": false,
	} {
		if got := matches(pattern, link, p); got != want {
			t.Errorf("%s: %v, want %v", pattern, got, want)
		}
	}
}

// TestClosed: a wildcard that leads into a directory which may not be read matches
// nothing, of which the go command says why.
func TestClosed(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.26\n", "m.go": "package m\n", "m.aion": "[]\n", "closed/c.go": "package c\n"} {
		if err := errors.Join(os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777), os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	closed := filepath.Join(dir, "closed")
	if err := os.Chmod(closed, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(closed, 0o777) })
	if _, err := os.ReadDir(closed); err == nil {
		t.Skip("who may read everything finds none")
	}
	f := New(Config{Dir: dir, Patterns: []string{"./..."}})
	if found := f.Sources(t.Context()); len(found) > 0 || len(f.Faults) != 1 || f.Faults[0].Code != "go-list" || !strings.Contains(f.Faults[0].Message, "permission denied") {
		t.Errorf("%v, %v", found, f.Faults)
	}
}
