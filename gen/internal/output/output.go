// Package output writes generated files: all of a run or none, past other runs and
// kills.
//
// Its layers, from top to bottom:
//
//	output           writing, and what a killed run left
//	lock, lock_unix  one run at a time
//	error            what could not be written
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

	"github.com/aiongen/aiongen/gen/internal/folder"
	"github.com/aiongen/aiongen/internal/lazyregexp"
	"github.com/aiongen/aiongen/internal/regular"
)

// A File is one that is not as it should be.
type File struct {
	Name string // as errors have it
	Path string // where it stands
	New  []byte // nil: it should not exist
	Read []byte // what New was made of; nil where that is nothing that others write
}

// Write makes files as they should be. Each is replaced whole, and keeps its mode:
// all are written beside their places first, and moved there when none failed. Of
// several, marks stand in the place of some while the others change, so that a run
// that is killed leaves no directory that mixes old with new unseen; what else it
// leaves the next run removes. The error is an *Error; then files in directories
// with marks are as they were.
func Write(changes, marks []File) error {
	w := writer{}
	defer w.end()
	if err := w.begin(changes, marks); err != nil {
		return err
	}
	// What is removed goes first: its name may differ by case only from one that comes.
	changes = slices.Clone(changes)
	slices.SortStableFunc(changes, func(a, b File) int { return min(len(a.New), 1) - min(len(b.New), 1) })
	files, err := w.stageAll(changes)
	if err != nil {
		return err
	}
	if len(files) == 1 || marks == nil {
		return w.replace(files)
	}
	staged, err := w.stageAll(marksOf(marks, files))
	if err != nil {
		return err
	}
	return w.replaceMarked(files, staged)
}

// A writer changes files, alone in their directories.
type writer struct {
	unlock []func()
	temps  []string // files that are gone at the end
	moves  []move   // in order
}

type move struct{ from, to string }

// place is where a file is that may be a link: one that leads out of the module would
// have what others own written, by whoever wrote the link.
func (f File) place() (string, error) {
	at := folder.Resolved(f.Path)
	if module := folder.Module(folder.Resolved(filepath.Dir(f.Path))); !folder.Within(module, at) {
		return "", fmt.Errorf("it is a link that leads out of its module, to %s; name that file where it is, or put a copy here", at)
	}
	return at, nil
}

// A staged file is one that waits beside its place.
type staged struct {
	File
	at   string // its place; a link stays one
	temp string // where it waits; "" if it is to be removed
}

// beforeStep is called before each change to the file system, for tests that end
// the process there.
var beforeStep = func() {}

// begin locks the directories that are written to, in an order that all runs keep,
// and those that a killed run has left something in, and removes that.
func (w *writer) begin(changes, marks []File) error {
	dirs := map[string]File{}
	for _, c := range changes {
		at, err := c.place()
		if err != nil {
			return c.failed(err)
		}
		dir := filepath.Dir(at)
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return c.failed(err)
		}
		dirs[dir] = c
	}
	for _, c := range marks {
		at, err := c.place()
		if err != nil {
			return c.failed(err)
		}
		if dir := filepath.Dir(at); len(leftIn(dir)) > 0 {
			dirs[dir] = c
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		unlock, err := lock(dir)
		if err != nil {
			return dirs[dir].failed(err)
		}
		w.unlock = append(w.unlock, unlock)
		for _, name := range leftIn(dir) {
			beforeStep()
			os.Remove(name) // what cannot be removed harms nobody
		}
	}
	return nil
}

// end removes what is not in its place, and lets others write.
func (w *writer) end() {
	for _, name := range w.temps {
		beforeStep()
		os.Remove(name) // those that were moved are gone already
	}
	for _, unlock := range w.unlock {
		unlock()
	}
}

var tempName = lazyregexp.Regexp{Text: `^\.aiongen-[0-9a-f]{16}$`}

// IsTemp reports whether a file has the name of one that waits beside its place, or
// that another took the place of.
func IsTemp(name string) bool { return tempName.Get().MatchString(name) }

// temp returns a new name beside a file, which the go command does not look at.
func (w *writer) temp(path string) string {
	name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".aiongen-%016x", rand.Uint64()))
	w.temps = append(w.temps, name)
	return name
}

// leftIn returns the files in a directory that await their place, or that others
// took the place of. Once the directory is locked no living run has any.
func leftIn(dir string) (names []string) {
	entries, _ := os.ReadDir(dir) // of one that cannot be read nothing can be removed
	for _, e := range entries {
		if IsTemp(e.Name()) && e.Type().IsRegular() {
			names = append(names, filepath.Join(dir, e.Name()))
		}
	}
	return names
}

// stageAll writes files beside their places. Those that another run has brought
// up to date meanwhile are left out.
func (w *writer) stageAll(changes []File) (files []staged, err error) {
	for _, c := range changes {
		f := staged{File: c}
		if f.at, err = c.place(); err != nil {
			return nil, c.failed(err)
		}
		if f.done() {
			continue
		}
		if c.New != nil {
			if err := w.stage(&f); err != nil {
				return nil, c.failed(err)
			}
		}
		files = append(files, f)
	}
	return files, nil
}

// done reports whether there is nothing left to do.
func (f staged) done() bool {
	if f.New == nil {
		_, err := os.Lstat(f.at)
		return errors.Is(err, fs.ErrNotExist)
	}
	same, err := regular.Holds(f.at, f.New)
	return err == nil && same
}

// stage writes a file beside its place. What may not be written is not replaced.
func (w *writer) stage(f *staged) error {
	mode, err := writable(f.at)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := f.asRead(); err != nil {
		return err
	}
	f.temp = w.temp(f.at)
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

// asRead returns an error if the file is not what it was when it was read.
func (f staged) asRead() error {
	if f.Read == nil {
		return nil
	}
	same, err := regular.Holds(f.at, f.Read)
	if err == nil && !same {
		err = errors.New("it has changed since it was read; run aiongen again")
	}
	return err
}

// writable returns the mode of a file, if that may be written.
func writable(path string) (fs.FileMode, error) {
	info, err := regular.Stat(path)
	if err != nil {
		return 0, err
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return 0, err
	}
	return info.Mode().Perm(), f.Close()
}

// replace puts files in their places that have nothing to do with each other.
func (w *writer) replace(files []staged) error {
	for _, f := range files {
		beforeStep()
		err := error(nil)
		switch {
		case f.done(): // under another name, which is a link to this one
		case f.temp == "":
			err = os.Remove(f.at)
		default:
			if err = f.asRead(); err == nil {
				err = os.Rename(f.temp, f.at)
			}
		}
		if err != nil {
			return f.failed(err)
		}
	}
	return nil
}

// marksOf returns the marks of the directories that files are in.
func marksOf(marks []File, files []staged) (needed []File) {
	for _, m := range marks {
		if slices.ContainsFunc(files, func(f staged) bool { return filepath.Dir(f.Path) == filepath.Dir(m.Path) }) {
			needed = append(needed, m)
		}
	}
	return needed
}

// replaceMarked puts files in their places while marks stand in the places of
// some of them, or of none. These get their own last, or what was there.
func (w *writer) replaceMarked(files, marks []staged) error {
	last := make([]staged, len(marks))
	for i, m := range marks {
		var err error
		last[i] = m
		if last[i].temp, err = w.exchange(m); err != nil {
			return err
		}
	}
	for _, f := range files {
		if i := slices.IndexFunc(marks, func(m staged) bool { return m.at == f.at }); i >= 0 {
			last[i] = f
		} else if _, err := w.exchange(f); err != nil {
			return err
		}
	}
	for _, f := range last {
		if _, err := w.exchange(f); err != nil {
			return err
		}
	}
	return nil
}

// exchange puts a file in its place, and what was there beside it: "" if there was
// nothing. If that fails, all is put back that was exchanged before.
func (w *writer) exchange(f staged) (old string, err error) {
	old = w.temp(f.at)
	err = w.move(f.at, old)
	if errors.Is(err, fs.ErrNotExist) {
		old, err = "", nil
	}
	if err == nil && f.temp != "" {
		err = w.move(f.temp, f.at)
	}
	if err != nil {
		w.undo()
		return "", f.failed(err)
	}
	return old, nil
}

func (w *writer) move(from, to string) error {
	beforeStep()
	err := os.Rename(from, to)
	if err == nil {
		w.moves = append(w.moves, move{from, to})
	}
	return err
}

func (w *writer) undo() {
	for _, m := range slices.Backward(w.moves) {
		beforeStep()
		os.Rename(m.to, m.from) // there is nothing else to try
	}
	w.moves = nil
}
