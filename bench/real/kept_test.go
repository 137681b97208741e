package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// maxEdits is how many lines of a tool a person may have edited.
const maxEdits = 3

// TestKept checks that the tools of each kept package need at most maxEdits edited lines, and that
// nothing is left to do in them.
func TestKept(t *testing.T) {
	subjects, err := chooseKept(nil)
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, s := range subjects {
		listed[s.name] = true
		dir := filepath.Join(keptDir, s.name)
		tools, err := countEdits(dir)
		if err != nil {
			t.Error(err)
			continue
		}
		if len(tools) < 2 {
			t.Errorf("%s: it has only %d tools", s.name, len(tools))
		}
		for _, tool := range tools {
			if tool.edits > maxEdits {
				t.Errorf("%s: %s has %d edited lines", s.name, tool.name, tool.edits)
			}
		}
		if text, err := os.ReadFile(filepath.Join(dir, "kept.aion")); err != nil || strings.Contains(string(text), "TODO") {
			t.Errorf("%s: the edited file has a TODO: %v", s.name, err)
		}
	}
	dirs, err := os.ReadDir(keptDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		if dir.IsDir() && !listed[dir.Name()] {
			t.Errorf("kept.txt does not list %s", dir.Name())
		}
	}
}

// TestHunks checks how edited lines are counted.
func TestHunks(t *testing.T) {
	for _, tt := range []struct {
		draft, kept string
		want        int
	}{
		{"a b c", "a b c", 0},
		{"a b c", "a x c", 1},
		{"a b c", "a c", 1},
		{"a b c d", "a x", 1},
		{"a b c", "a x y c", 2},
		{"a b c d", "x b y d", 2},
		{"", "a b", 2},
	} {
		if got := countHunks(strings.Fields(tt.draft), strings.Fields(tt.kept)); got != tt.want {
			t.Errorf("%s to %s are %d edits, not %d", tt.draft, tt.kept, got, tt.want)
		}
	}
}
