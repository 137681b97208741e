package run_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sources returns the files of a folder that are no tests.
func sources(t *testing.T, folder string) (files []string) {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(all) == 0 {
		t.Fatalf("%s has no files: %v", folder, err)
	}
	return slices.DeleteFunc(all, func(file string) bool { return strings.HasSuffix(file, "_test.go") })
}

// TestSize counts the lines of the kernel.
func TestSize(t *testing.T) {
	lines := 0
	for _, file := range sources(t, ".") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines += bytes.Count(text, []byte("\n"))
	}
	if lines > 850 {
		t.Errorf("the kernel has %d lines, at most 850 are allowed", lines)
	}
}

// TestSource reads the kernel, and the functions of runs that there are: they do no input
// or output, start nothing, wait for nothing, and look at no clock but that of the run.
func TestSource(t *testing.T) {
	var clocks []string
	for _, folder := range []string{".", "../orchestrator/internal/planner", "../orchestrator/internal/talk"} {
		for _, path := range sources(t, folder) {
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, path, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, spec := range file.Imports {
				for _, prefix := range []string{"os", "net", "log", "math/rand", "syscall", "unsafe", "sync"} {
					if name := strings.Trim(spec.Path.Value, `"`); name == prefix || strings.HasPrefix(name, prefix+"/") {
						t.Errorf("%s imports %s", path, name)
					}
				}
			}
			ast.Inspect(file, func(n ast.Node) bool {
				what := ""
				switch n := n.(type) {
				case *ast.GoStmt:
					what = "a goroutine"
				case *ast.SelectStmt, *ast.SendStmt, *ast.ChanType:
					what = "a channel"
				case *ast.SelectorExpr:
					on, ok := n.X.(*ast.Ident)
					if ok && on.Name == "context" && strings.HasPrefix(n.Sel.Name, "With") {
						what = "a context of its own"
					}
					if ok && on.Name == "time" && slices.Contains([]string{"Now", "Sleep", "After", "AfterFunc", "NewTimer", "NewTicker", "Tick", "Since", "Until"}, n.Sel.Name) {
						clocks = append(clocks, filepath.Base(path)+": time."+n.Sel.Name)
					}
				}
				if what != "" {
					t.Errorf("%s: %s", set.Position(n.Pos()), what)
				}
				return true
			})
		}
	}
	if want := []string{"env.go: time.Now"}; !slices.Equal(clocks, want) { // what Clock replaces
		t.Errorf("there is %q", clocks)
	}
}
