package load

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// A FolderCache caches directories as they were when they were first read.
type FolderCache struct {
	files Overlay
	read  map[string]*Folder // by path
}

// NewFolderCache returns an empty FolderCache. The texts in files replace those on disk.
func NewFolderCache(files Overlay) FolderCache { return FolderCache{files, map[string]*Folder{}} }

// Folder returns a directory, which it reads on first use.
func (c FolderCache) Folder(dir string) *Folder {
	if c.read[dir] == nil {
		c.read[dir] = readFolder(dir, c.files)
	}
	return c.read[dir]
}

// IsGenerated reports whether aiongen generated a file, judging by its name and header. It returns true for a
// file that does not exist, because another run may be replacing it.
func (c FolderCache) IsGenerated(path string) bool {
	dir, name := filepath.Split(path)
	if !MayBeGenerated(name) {
		return false
	}
	if _, ok := c.Folder(filepath.Clean(dir)).Generated[name]; ok || IsGenerated(path) {
		return true
	}
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}
