package folder

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/aiongen/aiongen/gen/internal/overlay"
)

// A Cache holds directories as they were when they were first asked for.
type Cache struct {
	files overlay.Files
	read  map[string]*Folder // by path
}

// NewCache returns a Cache of nothing. The files are those that an editor holds.
func NewCache(files overlay.Files) Cache { return Cache{files, map[string]*Folder{}} }

// At reads a directory, if that is not done yet.
func (c Cache) At(dir string) *Folder {
	if c.read[dir] == nil {
		c.read[dir] = read(dir, c.files)
	}
	return c.read[dir]
}

// IsGenerated reports whether a file is aiongen's own, by its name and its
// header. One that is gone is, too: another run is about to put it back.
func (c Cache) IsGenerated(path string) bool {
	dir, name := filepath.Split(path)
	if !MayBeGenerated(name) {
		return false
	}
	if _, ok := c.At(filepath.Clean(dir)).Generated[name]; ok || IsGenerated(path) {
		return true
	}
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}
