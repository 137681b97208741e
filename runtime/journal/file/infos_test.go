package file

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/journal"
)

// TestInfoCache lists runs again after each kind of change by another process.
func TestInfoCache(t *testing.T) {
	j, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	other, err := Open(j.folder)
	if err != nil {
		t.Fatal(err)
	}
	entry := journal.Entry{Kind: "begin", By: "w", Status: "running", Time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	list := func() (text string) {
		t.Helper()
		// The files look old, so that their ends are remembered.
		files, err := filepath.Glob(filepath.Join(j.folder, "*"+suffix))
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range files {
			old := time.Date(2025, 1, 1, 0, 0, i, 0, time.UTC)
			if info, err := os.Stat(name); err != nil || time.Since(info.ModTime()) < time.Hour && os.Chtimes(name, old, old) != nil {
				t.Fatal("the time of a file cannot be set")
			}
		}
		for range 2 {
			text = ""
			for info, err := range j.Runs(t.Context(), journal.Filter{}) {
				if err != nil {
					t.Fatal(err)
				}
				text += info.Run + " " + info.Status + " "
			}
		}
		return text
	}
	check := func(want string) {
		t.Helper()
		if got := list(); strings.TrimSpace(got) != want {
			t.Errorf("listed %q, want %q", got, want)
		}
	}
	for _, id := range []string{"a", "b"} {
		if err := other.Append(t.Context(), id, 0, entry); err != nil {
			t.Fatal(err)
		}
	}
	check("a running b running")
	entry.Status = "completed"
	if err := other.Append(t.Context(), "b", 1, entry); err != nil {
		t.Fatal(err)
	}
	check("a running b completed")
	if err := other.Delete(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	check("b completed")
	if len(j.infos.byName) != 2 {
		t.Errorf("%d files are remembered", len(j.infos.byName))
	}
}
