// Package overlay reads files as an editor shows them: what it holds of a file stands
// for what is on disk.
package overlay

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/aiongen/aiongen/internal/regular"
)

// Files holds texts by absolute path. A file that is not among them is as on disk, and
// one whose text is nil is none.
type Files map[string][]byte

// ReadFile reads a regular file.
func (f Files) ReadFile(path string) ([]byte, error) {
	text, ok := f[path]
	switch {
	case !ok:
		return regular.ReadFile(path)
	case text == nil:
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	return text, nil
}

// Open is ReadFile for [go/build.Context].
func (f Files) Open(path string) (io.ReadCloser, error) {
	if _, ok := f[path]; !ok {
		return regular.Open(path)
	}
	text, err := f.ReadFile(path)
	return io.NopCloser(bytes.NewReader(text)), err
}

// ReadDir is Entries for [go/build.Context].
func (f Files) ReadDir(dir string) (infos []fs.FileInfo, err error) {
	entries, err := f.Entries(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil { // else it is gone by now
			infos = append(infos, info)
		}
	}
	return infos, err
}

// Entries lists a directory, in the order of names.
func (f Files) Entries(dir string) ([]fs.DirEntry, error) {
	entries, err := os.ReadDir(dir)
	if len(f) == 0 {
		return entries, err
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		_, hidden := f[filepath.Join(dir, e.Name())]
		return hidden // it is gone, or comes below
	})
	for path, text := range f {
		if text != nil && filepath.Dir(path) == dir {
			entries, err = append(entries, fs.FileInfoToDirEntry(file{path, len(text)})), nil
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// A file is one that an editor holds.
type file struct {
	path string
	size int
}

func (f file) Name() string       { return filepath.Base(f.path) }
func (f file) Size() int64        { return int64(f.size) }
func (f file) Mode() fs.FileMode  { return 0o666 }
func (f file) ModTime() time.Time { return time.Time{} }
func (f file) IsDir() bool        { return false }
func (f file) Sys() any           { return nil }
