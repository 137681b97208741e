package lsp

import (
	"bufio"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestEveryMethodHasAnswers checks that the sessions in testdata send every message that the server
// understands.
func TestEveryMethodHasAnswers(t *testing.T) {
	// What the commands of the sessions send, next to methods that they name.
	sent := map[string]string{
		"initialize": "initialize initialized", "open": "textDocument/didOpen", "edit": "textDocument/didChange",
		"close": "textDocument/didClose", "save": "workspace/didChangeWatchedFiles",
	}
	seen := map[string]bool{"shutdown": true} // at the end of each session
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		for lines := bufio.NewScanner(file); lines.Scan() && !strings.HasPrefix(lines.Text(), "-- "); {
			for i, word := range strings.Fields(lines.Text()) {
				for method := range strings.FieldsSeq(sent[word]) {
					seen[method] = seen[method] || i == 0
				}
				seen[word] = seen[word] || i == 1
			}
		}
	}
	methods := slices.Concat(slices.Collect(maps.Keys(lifecycle)), slices.Collect(maps.Keys(notifications)), slices.Collect(maps.Keys(requests)))
	for _, method := range methods {
		if !seen[method] {
			t.Errorf("no session sends %s", method)
		}
	}
}
