package load

import (
	"go/parser"
	"go/token"
	"testing"
)

// TestDependsOnSystem checks the names and the build constraints of files.
func TestDependsOnSystem(t *testing.T) {
	for _, test := range []struct {
		name, line string
		want       bool
	}{
		{"p.go", "", false},
		{"linux.go", "", false},
		{"p_unix.go", "", false},
		{"p_linux.go", "", true},
		{"p_windows_arm64.go", "", true},
		{"p_wasm.go", "", true},
		{"p.go", "//go:build go1.20 && !race && extra", false},
		{"p.go", "//go:build ignore", false},
		{"p.go", "//go:build go1.20 && unix", true},
		{"p.go", "//go:build extra || !plan9", true},
		{"p.go", "//go:build !(extra || arm64)", true},
		{"p.go", "//go:build cgo", true},
	} {
		file, err := parser.ParseFile(token.NewFileSet(), test.name, test.line+"\n\npackage p\n", parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if got := dependsOnSystem(file, test.name); got != test.want {
			t.Errorf("%s %s: %t", test.name, test.line, got)
		}
	}
}
