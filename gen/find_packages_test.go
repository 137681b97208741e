package gen

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/gen/internal/load"
)

// TestClosed checks that a pattern which matches an unreadable directory is reported with the reason
// that the go command gives.
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
	f := newFinder(Config{Dir: dir, Patterns: []string{"./..."}}, nil, nil, load.NewMemory())
	if found := f.findSources(t.Context()); len(found) > 0 || len(f.Faults) != 1 || f.Faults[0].Code != "go-list" || !strings.Contains(f.Faults[0].Message, "permission denied") {
		t.Errorf("%v, %v", found, f.Faults)
	}
}
