// Package output writes all generated files of a run or none, even if other runs write at
// the same time or the run is killed. Call Write.
//
// BeginRun finds out whether anything has changed since the last successful run, and a
// Watcher waits for changes.
package output

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/internal/lazyregexp"
	"github.com/aiongen/aiongen/internal/regularfile"
)

// A File is a pending change to one file.
type File struct {
	Name     string // name in errors
	Path     string // path of the file
	New      []byte // content to write; nil to remove the file
	Original []byte // content on which New is based; nil for generated files
}

// Write applies changes. It writes all new contents to temporary files first and renames these only if
// that succeeded. Files keep their modes.
//
// A mark is a file that does not compile, at most one for each directory. While several files of its
// directory change, the mark replaces a file there, so that a killed run never leaves a directory that
// silently mixes old and new files. The next run removes leftover temporary files. The error is an *Error;
// if it is not nil, files in directories with marks are unchanged.
func Write(changes, marks []File) error {
	w := writer{}
	defer w.release()
	if err := w.lockDirs(changes, marks); err != nil {
		return err
	}
	// Removals come first: the name of a new file may differ only by case.
	changes = slices.Clone(changes)
	slices.SortStableFunc(changes, func(a, b File) int { return min(len(a.New), 1) - min(len(b.New), 1) })
	files, err := w.stageAll(changes)
	if err != nil {
		return err
	}
	if len(files) == 1 || marks == nil {
		return w.replaceFiles(files)
	}
	staged, err := w.stageAll(selectMarks(marks, files))
	if err != nil {
		return err
	}
	return w.replaceMarked(files, staged)
}

// A writer changes files while it holds the locks of their directories.
type writer struct {
	unlock []func()
	temps  []string // files to remove at the end
	moves  []move   // renames so far, in order
}

type move struct{ from, to string }

// resolvePath returns the path of the file with links resolved. It rejects links to files outside of the
// module, so that a link in third-party code cannot cause other files to be overwritten.
func (f File) resolvePath() (string, error) {
	at := load.ResolveLinks(f.Path)
	if module := load.ModuleDir(load.ResolveLinks(filepath.Dir(f.Path))); !load.IsWithin(module, at) {
		return "", fmt.Errorf("it is a link to %s, outside of its module; use the path of that file, or copy it here", at)
	}
	return at, nil
}

// A stagedFile is a file whose new content is in a temporary file.
type stagedFile struct {
	File
	at   string // path with links resolved
	temp string // temporary file; "" to remove the file
}

// beforeStep is called before each change to the file system. Tests use it to kill the process at that
// step.
var beforeStep = func() {}

// lockDirs locks the directories to write to. It also locks directories with temporary files that a killed
// run has left behind, and removes these files. All runs lock directories in the same order.
func (w *writer) lockDirs(changes, marks []File) error {
	dirs := map[string]File{}
	for _, c := range changes {
		at, err := c.resolvePath()
		if err != nil {
			return c.newError(err)
		}
		dir := filepath.Dir(at)
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return c.newError(err)
		}
		dirs[dir] = c
	}
	for _, c := range marks {
		at, err := c.resolvePath()
		if err != nil {
			return c.newError(err)
		}
		if dir := filepath.Dir(at); len(findLeftovers(dir)) > 0 {
			dirs[dir] = c
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		unlock, err := lockDir(dir)
		if err != nil {
			return dirs[dir].newError(err)
		}
		w.unlock = append(w.unlock, unlock)
		for _, name := range findLeftovers(dir) {
			beforeStep()
			os.Remove(name) // a leftover file is harmless
		}
	}
	return nil
}

// release removes temporary files and unlocks the directories.
func (w *writer) release() {
	for _, name := range w.temps {
		beforeStep()
		os.Remove(name) // renamed files no longer exist
	}
	for _, unlock := range w.unlock {
		unlock()
	}
}

var tempName = lazyregexp.Regexp{Text: `^\.aiongen-[0-9a-f]{16}$`}

// isTemp reports whether a file has the name of a temporary file of this package.
func isTemp(name string) bool { return tempName.Get().MatchString(name) }

// newTempName returns a new temporary name in the directory of a file, which the go command
// ignores.
func (w *writer) newTempName(path string) string {
	name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".aiongen-%016x", rand.Uint64()))
	w.temps = append(w.temps, name)
	return name
}

// findLeftovers returns the temporary files in a directory. Once the directory is locked,
// they belong to killed runs.
func findLeftovers(dir string) (names []string) {
	entries, _ := os.ReadDir(dir) // nothing can be removed from an unreadable directory
	for _, e := range entries {
		if isTemp(e.Name()) && e.Type().IsRegular() {
			names = append(names, filepath.Join(dir, e.Name()))
		}
	}
	return names
}

// stageAll writes the new contents to temporary files. It leaves out files that are already
// up to date.
func (w *writer) stageAll(changes []File) (files []stagedFile, err error) {
	for _, c := range changes {
		f := stagedFile{File: c}
		if f.at, err = c.resolvePath(); err != nil {
			return nil, c.newError(err)
		}
		if f.isUpToDate() {
			continue
		}
		if c.New != nil {
			if err := w.stageFile(&f); err != nil {
				return nil, c.newError(err)
			}
		}
		files = append(files, f)
	}
	return files, nil
}

// isUpToDate reports whether the file already has its new content.
func (f stagedFile) isUpToDate() bool {
	if f.New == nil {
		_, err := os.Lstat(f.at)
		return errors.Is(err, fs.ErrNotExist)
	}
	same, err := regularfile.HasContent(f.at, f.New)
	return err == nil && same
}

// stageFile writes the new content to a temporary file. It returns an error if the file is
// read-only or has changed.
func (w *writer) stageFile(f *stagedFile) error {
	mode, err := writableMode(f.at)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := f.checkUnchanged(); err != nil {
		return err
	}
	f.temp = w.newTempName(f.at)
	beforeStep()
	file, err := os.OpenFile(f.temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = file.Write(f.New)
	if mode != 0 {
		err = errors.Join(err, file.Chmod(mode))
	}
	return errors.Join(err, file.Close())
}

// checkUnchanged returns an error if the file has changed since it was read.
func (f stagedFile) checkUnchanged() error {
	if f.Original == nil {
		return nil
	}
	same, err := regularfile.HasContent(f.at, f.Original)
	if err == nil && !same {
		err = errors.New("it has changed since it was read; run go tool aiongen again")
	}
	return err
}

// writableMode returns the mode of a file, or an error if it is not writable.
func writableMode(path string) (fs.FileMode, error) {
	info, err := regularfile.Stat(path)
	if err != nil {
		return 0, err
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return 0, err
	}
	return info.Mode().Perm(), f.Close()
}

// replaceFiles replaces files one by one, without undoing anything after an error.
func (w *writer) replaceFiles(files []stagedFile) error {
	for _, f := range files {
		beforeStep()
		err := error(nil)
		switch {
		case f.isUpToDate(): // already replaced through a link to it
		case f.temp == "":
			err = os.Remove(f.at)
		default:
			if err = f.checkUnchanged(); err == nil {
				err = os.Rename(f.temp, f.at)
			}
		}
		if err != nil {
			return f.newError(err)
		}
	}
	return nil
}

// selectMarks returns the marks for the directories of files.
func selectMarks(marks []File, files []stagedFile) (needed []File) {
	for _, m := range marks {
		if slices.ContainsFunc(files, func(f stagedFile) bool { return filepath.Dir(f.Path) == filepath.Dir(m.Path) }) {
			needed = append(needed, m)
		}
	}
	return needed
}

// replaceMarked first moves the marks into place. Then it replaces the other files. Finally it replaces
// each mark by the file that belongs in its place. After an error, it restores all files.
func (w *writer) replaceMarked(files, marks []stagedFile) error {
	last := make([]stagedFile, len(marks))
	for i, m := range marks {
		var err error
		last[i] = m
		if last[i].temp, err = w.exchangeFile(m); err != nil {
			return err
		}
	}
	for _, f := range files {
		if i := slices.IndexFunc(marks, func(m stagedFile) bool { return m.at == f.at }); i >= 0 {
			last[i] = f
		} else if _, err := w.exchangeFile(f); err != nil {
			return err
		}
	}
	for _, f := range last {
		if _, err := w.exchangeFile(f); err != nil {
			return err
		}
	}
	return nil
}

// exchangeFile replaces a file and returns the temporary name of its old content, or "" if
// there was none. After an error, it undoes all replacements so far.
func (w *writer) exchangeFile(f stagedFile) (old string, err error) {
	old = w.newTempName(f.at)
	err = w.moveFile(f.at, old)
	if errors.Is(err, fs.ErrNotExist) {
		old, err = "", nil
	}
	if err == nil && f.temp != "" {
		err = w.moveFile(f.temp, f.at)
	}
	if err != nil {
		w.undoMoves()
		return "", f.newError(err)
	}
	return old, nil
}

func (w *writer) moveFile(from, to string) error {
	beforeStep()
	err := os.Rename(from, to)
	if err == nil {
		w.moves = append(w.moves, move{from, to})
	}
	return err
}

func (w *writer) undoMoves() {
	for _, m := range slices.Backward(w.moves) {
		beforeStep()
		_ = os.Rename(m.to, m.from) // best effort: the caller reports the first error
	}
	w.moves = nil
}
