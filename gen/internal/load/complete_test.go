package load_test

import (
	"go/types"
	"os"
	"path/filepath"
	"testing"

	"github.com/aiongen/aiongen/gen/internal/load"
)

// TestCompleteImport completes a package that is only imported indirectly: from the cache, which
// one run of the go command fills, and from export data of the compiler.
func TestCompleteImport(t *testing.T) {
	if testing.Short() {
		t.Skip("reads the standard library from source")
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	asked := countGo(t)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.26\n",
		"m.go":   "package m\n\nimport \"go/ast\"\n\nvar Literal ast.BasicLit\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name, flags string
		known       bool // before
		lists       int
	}{
		{"without a cache", "", true, 1},
		{"from the cache", "", false, 0},
		{"with go/packages", "-work", false, -1},
	} {
		t.Setenv("GOFLAGS", tt.flags)
		cfg := load.Config{Dir: dir, Generated: noGenerated}
		pkgs, err := load.Find(t.Context(), cfg, ".")
		if err != nil {
			t.Fatal(err)
		}
		before := len(asked("list"))
		if err := load.Check(t.Context(), cfg, pkgs[0]); err != nil {
			t.Fatal(err)
		}
		kind := pkgs[0].Types.Scope().Lookup("Literal").Type().Underlying().(*types.Struct).Field(2).Type()
		token := kind.(*types.Named).Obj().Pkg()
		if known := token.Scope().Lookup("ADD") != nil; known != tt.known {
			t.Errorf("%s: ADD is known: %t", tt.name, known)
		}
		pkgs[0].CompleteImport(token)
		if add := token.Scope().Lookup("ADD"); add == nil || add.Type() != kind {
			t.Errorf("%s: ADD is %v", tt.name, add)
		}
		if lists := len(asked("list")) - before; tt.lists >= 0 && lists != tt.lists {
			t.Errorf("%s: the go command listed packages %d times, want %d", tt.name, lists, tt.lists)
		}
	}
}
