package gen

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/emit"
)

// Result is what a run changes on disk. An empty result means that all files
// are up to date.
type Result struct {
	Changes []Change
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
	_, err := os.ReadFile(path)
	at := diag.Span{File: g.shown(path)}
	switch {
	case err == nil:
		g.faults.Errorf("foreign-file", at, "aiongen did not generate this file, so it does not overwrite it").
			WithHelp("rename it; generated files take names like users.aion.go, and %s", emit.RegisterFile)
	case !errors.Is(err, fs.ErrNotExist):
		g.faults.Errorf("unreadable", at, "%v", err)
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

// Write makes the changes. Each file is replaced whole, and keeps its mode: all
// are written beside their places first, and moved there when none failed.
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
			return err
		}
		moves = append(moves, m)
	}
	for _, m := range moves {
		if err := os.Rename(m.from, m.to); err != nil {
			return err
		}
	}
	for _, c := range r.Changes {
		if c.New != nil {
			continue
		}
		if err := os.Remove(c.path()); err != nil {
			return err
		}
	}
	return nil
}

// A move puts a file in its place.
type move struct{ from, to string }

// stage writes a file beside its place, under a name that the go command does
// not look at. A link stays one, and what may not be written is not replaced.
func stage(c Change) (move, error) {
	place, mode := c.path(), fs.FileMode(0o644)
	if target, err := filepath.EvalSymlinks(place); err == nil {
		place = target
		old, err := os.OpenFile(place, os.O_WRONLY, 0)
		if err != nil {
			return move{}, err
		}
		info, err := old.Stat()
		if err = errors.Join(err, old.Close()); err != nil {
			return move{}, err
		}
		mode = info.Mode().Perm()
	}
	if err := os.MkdirAll(filepath.Dir(place), 0o777); err != nil {
		return move{}, err
	}
	f, err := os.CreateTemp(filepath.Dir(place), ".aiongen-*")
	if err != nil {
		return move{}, err
	}
	_, err = f.Write(c.New)
	err = errors.Join(err, f.Chmod(mode), f.Close())
	if err != nil {
		os.Remove(f.Name())
	}
	return move{f.Name(), place}, err
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
