package file

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/journal"
)

// TestMissingFolder checks that a journal whose folder was removed returns errors instead of behaving
// like an empty one.
func TestMissingFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "runs")
	j, err := Open(folder)
	if err == nil {
		err = errors.Join(j.Append(t.Context(), "r", 0, note("a")), os.RemoveAll(folder))
	}
	if err != nil {
		t.Fatal(err)
	}
	_, read := texts(j, "r")
	var list error
	for _, list = range j.Runs(t.Context(), journal.Filter{}) {
	}
	for what, err := range map[string]error{
		"Read": read, "Runs": list, "Delete": j.Delete(t.Context(), "r"),
		"Append": j.Append(t.Context(), "r", 1, note("b")), "Append of the first": j.Append(t.Context(), "s", 0, note("a")),
	} {
		if e, ok := errors.AsType[*journal.Error](err); !ok || e.Code() != journal.Failed || !strings.Contains(err.Error(), "folder") || !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestLeftBehind checks that files of processes that were killed while creating them are removed, but
// not files that may still be written.
func TestLeftBehind(t *testing.T) {
	folder := t.TempDir()
	for name, age := range map[string]time.Duration{"new-1.tmp": 2 * maxCreationTime, "new-2.tmp2": 2 * maxCreationTime, "new-3.tmp": time.Minute, "mine.tmp": 2 * maxCreationTime} {
		path, then := filepath.Join(folder, name), time.Now().Add(-age)
		if err := errors.Join(os.WriteFile(path, []byte("+0"), 0o600), os.Chtimes(path, then, then)); err != nil {
			t.Fatal(err)
		}
	}
	j, err := Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Append(t.Context(), "r", 0, note("a")); err != nil {
		t.Fatal(err)
	}
	for info, err := range j.Runs(t.Context(), journal.Filter{}) {
		if err != nil || info.Run != "r" {
			t.Errorf("there is a run %+v, %v", info, err)
		}
	}
	left, err := fs.Glob(os.DirFS(folder), "*.tmp*")
	if err != nil || !slices.Equal(left, []string{"mine.tmp", "new-3.tmp"}) {
		t.Errorf("the files %q are left, %v", left, err)
	}
}
