package output

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// file returns a file in a directory.
func file(dir, name string, content []byte) File {
	return File{Name: name, Path: filepath.Join(dir, name), New: content}
}

// TestWrite writes into new directories, and over files with various modes.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, "old")
	if err := os.WriteFile(old, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	plain, err := os.OpenFile(filepath.Join(dir, "plain"), os.O_CREATE, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	usual, err := plain.Stat()
	if err != nil {
		t.Fatal(err)
	}
	files := []File{file(dir, "old", []byte("new")), file(dir, "a/b/new", []byte("new")), file(dir, "plain", nil)}
	if err := Write(files, nil); err != nil {
		t.Fatal(err)
	}
	for name, mode := range map[string]fs.FileMode{"old": 0o600, "a/b/new": usual.Mode()} {
		content, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || string(content) != "new" {
			t.Errorf("%s: %q, %v", name, content, err)
		}
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode() != mode {
			t.Errorf("%s: %v, %v; want mode %v", name, info.Mode(), err, mode)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("left are %v, %v", entries, err)
	}
}

// TestWriteMeanwhile writes over a file that has changed since it was read, and over one that was
// deleted. Both must stay as they are, and nothing else may be written.
func TestWriteMeanwhile(t *testing.T) {
	for _, meanwhile := range []func(path string) error{
		func(path string) error { return os.WriteFile(path, []byte("mine"), 0o666) },
		os.Remove,
	} {
		dir := t.TempDir()
		first, second := file(dir, "first", []byte("new")), file(dir, "second", []byte("new"))
		first.Original, second.Original = []byte("old"), []byte("old")
		if err := errors.Join(os.WriteFile(first.Path, []byte("old"), 0o666), os.WriteFile(second.Path, []byte("old"), 0o666), meanwhile(second.Path)); err != nil {
			t.Fatal(err)
		}
		before, _ := os.ReadFile(second.Path)
		if bad, ok := errors.AsType[*Error](Write([]File{first, second}, nil)); !ok || bad.Name != "second" {
			t.Errorf("got %v", bad)
		}
		untouched, err := os.ReadFile(first.Path)
		after, _ := os.ReadFile(second.Path)
		if err != nil || string(untouched) != "old" || string(after) != string(before) {
			t.Errorf("%q, %q, %v", untouched, after, err)
		}
	}
}

// TestWriteError writes to an impossible path. The error names the intended file, and no other file
// changes.
func TestWriteError(t *testing.T) {
	for _, tt := range []struct {
		name    string
		content []byte
	}{
		{"old/new", []byte("in a file")},
		{"dir", []byte("over a directory")},
	} {
		dir := t.TempDir()
		if err := errors.Join(os.Mkdir(filepath.Join(dir, "dir"), 0o777), os.WriteFile(filepath.Join(dir, "old"), []byte("old"), 0o666)); err != nil {
			t.Fatal(err)
		}
		files := []File{file(dir, "old", []byte("new")), file(dir, tt.name, tt.content)}
		bad, ok := errors.AsType[*Error](Write(files, nil))
		if !ok || bad.Name != tt.name || errors.Is(bad, fs.ErrInvalid) {
			t.Errorf("%s: got %v", tt.name, bad)
			continue
		}
		if _, path := errors.AsType[*fs.PathError](bad); path {
			t.Errorf("%s: %v names a file twice", tt.name, bad)
		}
		content, err := os.ReadFile(filepath.Join(dir, "old"))
		if entries, _ := os.ReadDir(dir); err != nil || string(content) != "old" || len(entries) != 2 {
			t.Errorf("%s: %q, %v, %v", tt.name, content, err, entries)
		}
	}
}
