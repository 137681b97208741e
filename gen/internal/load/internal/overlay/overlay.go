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

// ReadDir lists a directory, in the order of names.
func (f Files) ReadDir(dir string) ([]fs.FileInfo, error) {
	entries, err := os.ReadDir(dir)
	var infos []fs.FileInfo
	for _, e := range entries {
		info, err := e.Info()
		if _, hidden := f[filepath.Join(dir, e.Name())]; hidden || err != nil {
			continue // it is gone, or comes below
		}
		infos = append(infos, info)
	}
	for path, text := range f {
		if text != nil && filepath.Dir(path) == dir {
			infos, err = append(infos, file{path, len(text)}), nil
		}
	}
	slices.SortFunc(infos, func(a, b fs.FileInfo) int { return strings.Compare(a.Name(), b.Name()) })
	return infos, err
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
