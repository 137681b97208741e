package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestChangelog checks that each change in CHANGELOG.md is in the section of a version.
func TestChangelog(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repositoryRoot(t), "CHANGELOG.md"))
	if err != nil {
		t.Fatal(err)
	}
	head, _, ok := strings.Cut(string(text), "\n## [Unreleased]\n")
	if !ok {
		t.Fatal("there is no section Unreleased")
	}
	for line := range strings.Lines(head) {
		if strings.HasPrefix(line, "- ") {
			t.Errorf("a change is above the section Unreleased: %s", line)
		}
	}
}
