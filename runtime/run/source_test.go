package run_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// outside are the files of the kernel that start, wait for and time effects, and that other processes
// use to send signals.
var outside = []string{"callrunner.go", "event.go", "send.go", "appender.go"}

// sources returns the files of a folder that are neither tests nor outside.
func sources(t *testing.T, folder string) (files []string) {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(all) == 0 {
		t.Fatalf("%s has no files: %v", folder, err)
	}
	return slices.DeleteFunc(all, func(file string) bool { return strings.HasSuffix(file, "_test.go") || slices.Contains(outside, file) })
}

// TestSource reads the source of the kernel, and of the functions of runs. They must not do I/O, start
// goroutines, wait, or read any clock except that of the run.
func TestSource(t *testing.T) {
	var clocks []string
	for _, folder := range []string{".", "../orchestrator/internal/planner", "../orchestrator/internal/conversation"} {
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
	if want := []string{"env.go: time.Now"}; !slices.Equal(clocks, want) { // replaced by Clock
		t.Errorf("there is %q", clocks)
	}
}
