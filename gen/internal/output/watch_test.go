package output_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"testing"

	"github.com/aiongen/aiongen/gen/internal/output"
)

func Example_watcher() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	w, err := output.NewWatcher()
	if err != nil {
		log.Fatal(err)
	}
	defer w.Close()
	if _, err := w.SetDirs([]string{dir}); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.aion"), []byte("[]\n"), 0o666); err != nil {
		log.Fatal(err)
	}
	fmt.Println(w.Wait(context.Background(), func(path string, _ bool) bool { return filepath.Ext(path) == ".aion" }))
	// Output: <nil>
}

// TestWatcher checks that each kind of relevant change is reported, and no other.
func TestWatcher(t *testing.T) {
	root := t.TempDir()
	dir, later := filepath.Join(root, "dir"), filepath.Join(root, "new", "later")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	write := func(path string) { must(os.WriteFile(path, nil, 0o666)) }
	must(os.Mkdir(dir, 0o777))
	w, err := output.NewWatcher()
	must(err)
	defer w.Close()
	only := func(want bool) {
		t.Helper()
		if isNew, err := w.SetDirs([]string{dir, later}); err != nil || isNew != want {
			t.Fatalf("new: %t, want %t; %v", isNew, want, err)
		}
	}
	only(true)
	only(false)
	aion := filepath.Join(dir, "a.aion")
	for _, change := range []struct {
		name string
		make func()
	}{
		{"written", func() { write(aion) }},
		{"removed", func() { must(os.Remove(aion)) }},
		{"renamed to", func() { write(aion + "~"); must(os.Rename(aion+"~", aion)) }},
		{"opened", func() { must(os.Chmod(aion, 0o600)) }},
		{"a directory that comes", func() { must(os.MkdirAll(later, 0o777)) }},
		{"a directory that goes", func() { must(os.RemoveAll(dir)) }},
		{"and comes back", func() { must(os.Mkdir(dir, 0o777)) }},
	} {
		change.make()
		must(w.Wait(t.Context(), func(path string, _ bool) bool { return filepath.Ext(path) == ".aion" || filepath.Ext(path) == "" }))
		_, err := w.SetDirs([]string{dir, later})
		must(err)
	}
}

// TestOthers checks that irrelevant changes, and a Watcher that ends, wake nobody.
func TestOthers(t *testing.T) {
	dir := t.TempDir()
	w, err := output.NewWatcher()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if _, err := w.SetDirs([]string{dir}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if err := os.WriteFile(filepath.Join(dir, "README.md"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	asked := 0
	err = w.Wait(ctx, func(path string, _ bool) bool {
		asked++
		cancel()
		return false
	})
	if !errors.Is(err, context.Canceled) || asked == 0 {
		t.Error(asked, err)
	}
}

// TestTwoNames checks that changes in a directory are reported under its own name and under that of a
// link to it.
func TestTwoNames(t *testing.T) {
	root := t.TempDir()
	dir, link := filepath.Join(root, "dir"), filepath.Join(root, "link")
	if err := errors.Join(os.Mkdir(dir, 0o777), os.Symlink(dir, link)); err != nil {
		t.Fatal(err)
	}
	w, err := output.NewWatcher()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, want := range []bool{true, false, false} {
		if isNew, err := w.SetDirs([]string{link, dir}); err != nil || isNew != want {
			t.Fatalf("new: %t, want %t; %v", isNew, want, err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "a.aion"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	told := map[string]bool{}
	if err := w.Wait(t.Context(), func(path string, _ bool) bool {
		told[path] = true
		return len(told) == 2
	}); err != nil || !told[filepath.Join(dir, "a.aion")] || !told[filepath.Join(link, "a.aion")] {
		t.Error(told, err)
	}
}

// TestUnreadable checks that an unreadable directory is left out, and is not reported as new again and
// again.
func TestUnreadable(t *testing.T) {
	dir, closed := t.TempDir(), t.TempDir()
	if err := os.Chmod(closed, 0o311); err != nil {
		t.Fatal(err)
	}
	if _, err := os.ReadDir(closed); err == nil {
		t.Log("who may read everything sees no more here than that it is watched")
	}
	w, err := output.NewWatcher()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, want := range []bool{true, false} {
		if isNew, err := w.SetDirs([]string{dir, closed}); err != nil || isNew != want {
			t.Fatalf("new: %t, want %t; %v", isNew, want, err)
		}
	}
}
