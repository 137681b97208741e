package gen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSystemConstants checks that constants that exist only on some systems are neither an enum nor known values.
// The same code must be generated on all systems.
func TestSystemConstants(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long with the race detector; the full suite runs it")
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir()) // cache for types
	dir := desk(t, `[ { name --> "find", function --> "Find" --> {} } ]`)
	for name, source := range map[string]string{
		"desk.go": `package desk

import "syscall"

type (
	Color string // everywhere
	Mode  string // one constant on another system
	Level int    // all constants in a file for some systems, with iota
	Shape string // a constant that another one gives its type
	Tag   string // a build tag that is not a system
)

const (
	Red   Color = "red"
	Green Color = "green"
	Slow  Mode  = "slow"
	Fast  Mode  = "fast"
	Round Shape = "round"
	Flat  Shape = "flat"
	New   Tag   = "new"
	Old   Tag   = "old"
)

// Find finds something.
func Find(c Color, m Mode, l Level, s Shape, t Tag, signal syscall.Signal) {}
`,
		"desk_plan9.go": "package desk\n\nconst Plan9 Mode = \"plan9\"\n",
		"level.go":      "//go:build linux || !linux\n\npackage desk\n\nconst (\n\tLow Level = iota\n\tHigh\n)\n",
		"shape.go":      "//go:build plan9\n\npackage desk\n\nconst Default = Round\n",
		"tag.go":        "//go:build extra\n\npackage desk\n\nconst Extra Tag = \"extra\"\n",
		"other.go":      "//go:build plan9\n\npackage other\n\nconst Blue Color = \"blue\"\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(source), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	result, list := Generate(t.Context(), Config{Dir: dir})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	var code strings.Builder
	for _, change := range result.Changes {
		code.Write(change.New)
	}
	const want = `{"properties":{"c":{"type":"string","enum":["red","green"]`
	if !strings.Contains(code.String(), want) || strings.Count(code.String(), `"enum"`) != 2 {
		t.Errorf("want enums for Color and Tag only:\n%s", code.String())
	}
	for _, name := range []string{"slow", "High", "round", "SIGINT"} {
		if strings.Contains(code.String(), name) {
			t.Errorf("%s is in the generated code, but depends on the system", name)
		}
	}
}
