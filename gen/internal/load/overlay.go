package load

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/aiongen/aiongen/internal/regularfile"
)

// Overlay holds texts that replace files on disk, by absolute path. A nil text marks a file as
// removed.
type Overlay map[string][]byte

// ReadFile reads a regular file.
func (f Overlay) ReadFile(path string) ([]byte, error) {
	text, ok := f[path]
	switch {
	case !ok:
		return regularfile.ReadFile(path)
	case text == nil:
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	return text, nil
}

// Open opens a file. It serves as the field OpenFile of [go/build.Context].
func (f Overlay) Open(path string) (io.ReadCloser, error) {
	if _, ok := f[path]; !ok {
		return regularfile.Open(path)
	}
	text, err := f.ReadFile(path)
	return io.NopCloser(bytes.NewReader(text)), err
}

// ReadDir lists a directory. It serves as the field ReadDir of [go/build.Context].
func (f Overlay) ReadDir(dir string) (infos []fs.FileInfo, err error) {
	entries, err := f.dirEntries(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil { // skip a file that was removed since
			infos = append(infos, info)
		}
	}
	return infos, err
}

// dirEntries lists a directory, sorted by name.
func (f Overlay) dirEntries(dir string) ([]fs.DirEntry, error) {
	entries, err := os.ReadDir(dir)
	if len(f) == 0 {
		return entries, err
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		_, hidden := f[filepath.Join(dir, e.Name())]
		return hidden // removed, or added below
	})
	for path, text := range f {
		if text != nil && filepath.Dir(path) == dir {
			entries, err = append(entries, fs.FileInfoToDirEntry(overlayFile{path, len(text)})), nil
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// An overlayFile is the [fs.FileInfo] of a file in an Overlay.
type overlayFile struct {
	path string
	size int
}

func (f overlayFile) Name() string       { return filepath.Base(f.path) }
func (f overlayFile) Size() int64        { return int64(f.size) }
func (f overlayFile) Mode() fs.FileMode  { return 0o666 }
func (f overlayFile) ModTime() time.Time { return time.Time{} }
func (f overlayFile) IsDir() bool        { return false }
func (f overlayFile) Sys() any           { return nil }
