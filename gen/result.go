package gen

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/regular"
	"github.com/aiongen/aiongen/gen/contract"
	"github.com/aiongen/aiongen/gen/emit"
)

// Result is what a run changes on disk; without changes all files are up to
// date.
type Result struct {
	Changes []Change
	Tools   []contract.Tool // as [Tools] returns them
}

// Change is a file that is not as it should be.
type Change struct {
	Name     string // relative to Config.Dir, with slashes
	Old, New []byte // nil: the file does not exist, or should not

	dir string // absolute; "" is the current one
}

func (c Change) path() string {
	name := filepath.FromSlash(c.Name)
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(c.dir, name)
}

// compare adds the changes that make a directory hold exactly the given files.
func (g *generator) compare(t target, files []emit.File, result *Result) {
	generated := g.folder(t.dir).generated
	if from, occupied := g.occupant(t); occupied && len(files) > 0 {
		g.faults.Errorf("many-packages", diag.Span{File: g.shown(t.dir)}, "this directory already holds what was generated from %s", from).
			WithHelp("generate each package into a directory of its own")
		return
	}
	for _, f := range files {
		path := filepath.Join(t.dir, f.Name)
		old, ours := generated[f.Name]
		if !ours {
			if !g.free(path) {
				continue
			}
			old = nil
		}
		if !ours || !bytes.Equal(old, f.Content) {
			result.add(g, path, old, f.Content)
		}
	}
	g.leftOver(t, files, result)
}

// free reports whether there is no file of that name yet.
func (g *generator) free(path string) bool {
	_, err := os.Stat(path)
	at := diag.Span{File: g.shown(path)}
	switch {
	case err == nil:
		g.faults.Errorf("foreign-file", at, "aiongen did not generate this file, so it does not overwrite it").
			WithHelp("rename it; generated files take names like users.aion.go, and %s", emit.RegisterFile)
	case !errors.Is(err, fs.ErrNotExist):
		g.faults = append(g.faults, unreadable(at.File, err)...)
	}
	return errors.Is(err, fs.ErrNotExist)
}

func (r *Result) add(g *generator, path string, old, content []byte) {
	r.Changes = append(r.Changes, Change{Name: g.shown(path), Old: old, New: content, dir: g.load.Dir})
}

// leftOver removes generated files whose .aion file is gone.
func (g *generator) leftOver(t target, files []emit.File, result *Result) {
	if _, occupied := g.occupant(t); occupied {
		return // they are another package's
	}
	generated := g.folder(t.dir).generated
	for _, name := range slices.Sorted(maps.Keys(generated)) {
		if !slices.ContainsFunc(files, func(f emit.File) bool { return f.Name == name }) {
			result.add(g, filepath.Join(t.dir, name), generated[name], nil)
		}
	}
}

// occupant returns the .aion files of another directory that generated files of
// the target came from, if these still exist.
func (g *generator) occupant(t target) (from string, occupied bool) {
	generated := g.folder(t.dir).generated
	for _, name := range slices.Sorted(maps.Keys(generated)) {
		from, _ := sourceOf(generated[name])
		dir := from[:strings.LastIndex(from, "/")+1]
		if dir != t.Source && len(g.folder(filepath.Join(t.dir, filepath.FromSlash(dir))).aion) > 0 {
			return from, true
		}
	}
	return "", false
}

// Diff shows the changes as a unified diff; empty if there are none.
func (r *Result) Diff() []byte {
	var out bytes.Buffer
	for _, c := range r.Changes {
		from, to := c.Name, c.Name
		if c.Old == nil {
			from = "/dev/null"
		}
		if c.New == nil {
			to = "/dev/null"
		}
		out.Write(diff.Diff(from, c.Old, to, c.New))
	}
	return out.Bytes()
}

// A WriteError says which file could not be written or removed, and why.
type WriteError struct {
	Name string // as that of the Change
	Err  error
}

func (e *WriteError) Error() string { return fmt.Sprintf("cannot write %s: %v", e.Name, e.Err) }

// Unwrap returns the error of the system.
func (e *WriteError) Unwrap() error { return e.Err }

// Write makes the changes. Each file is replaced whole, and keeps its mode: all
// are written beside their places first, and moved there when none failed. The
// error is a *WriteError.
func (r *Result) Write() error {
	var moves []move
	defer func() {
		for _, m := range moves {
			os.Remove(m.from) // those that were moved are gone already
		}
	}()
	for _, c := range r.Changes {
		if c.New == nil {
			continue
		}
		m, err := stage(c)
		if err != nil {
			return c.failed(err)
		}
		moves = append(moves, m)
	}
	for _, m := range moves {
		if err := os.Rename(m.from, m.to); err != nil {
			return m.change.failed(err)
		}
	}
	for _, c := range r.Changes {
		if c.New != nil {
			continue
		}
		if err := os.Remove(c.path()); err != nil {
			return c.failed(err)
		}
	}
	return nil
}

// failed is an error in place of one that names another file, or the same.
func (c Change) failed(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		err = path.Err
	}
	if link, ok := errors.AsType[*os.LinkError](err); ok {
		err = link.Err
	}
	return &WriteError{c.Name, err}
}

// A move puts a file in its place.
type move struct {
	from, to string
	change   Change
}

// stage writes a file beside its place, under a name that the go command does
// not look at. A link stays one, and what may not be written is not replaced.
func stage(c Change) (move, error) {
	m := move{to: c.path(), change: c}
	var mode fs.FileMode // of the file that is there, if one is
	if target, err := filepath.EvalSymlinks(m.to); err == nil {
		m.to = target
		if mode, err = writable(target); err != nil {
			return m, err
		}
	}
	if err := os.MkdirAll(filepath.Dir(m.to), 0o777); err != nil {
		return m, err
	}
	m.from = filepath.Join(filepath.Dir(m.to), fmt.Sprintf(".aiongen-%016x", rand.Uint64()))
	f, err := os.OpenFile(m.from, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return m, err
	}
	_, err = f.Write(c.New)
	if mode != 0 {
		err = errors.Join(err, f.Chmod(mode))
	}
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(m.from)
	}
	return m, err
}

// writable returns the mode of a file, if that may be written.
func writable(path string) (fs.FileMode, error) {
	if _, err := regular.Stat(path); err != nil {
		return 0, err
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return 0, err
	}
	info, err := f.Stat()
	if err = errors.Join(err, f.Close()); err != nil {
		return 0, err
	}
	return info.Mode().Perm(), nil
}

// State says in a word what is the matter with the file: stale, missing or left
// over.
func (c Change) State() string {
	switch {
	case c.Old == nil:
		return "missing"
	case c.New == nil:
		return "left over"
	}
	return "stale"
}
