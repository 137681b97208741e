package gen

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/contract"
	"github.com/aiongen/aiongen/gen/internal/emit"
	"github.com/aiongen/aiongen/gen/internal/folder"
)

// Result is what a run changes on disk; without changes all files are up to
// date.
type Result struct {
	Changes []Change
	Tools   []contract.Tool // as [Tools] returns them

	// For each directory of generated files what stands in the place of its
	// register file while others change.
	marks []Change
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
	generated := g.folder(t.dir).Generated
	g.mark(t, result)
	if from, occupied := g.occupant(t); occupied && len(files) > 0 {
		g.faults.Errorf("many-packages", diag.Span{File: g.shown(t.dir)}, "this directory already holds what was generated from %s", from).
			WithHelp("generate each package into a directory of its own")
		return
	}
	names := slices.DeleteFunc(slices.Clone(g.folder(t.dir).Names), func(name string) bool { return generated[name] != nil })
	for _, f := range files {
		if other, ok := folder.Alike(f.Name, names); ok {
			g.faults.Errorf("foreign-file", diag.Span{File: g.shown(filepath.Join(t.dir, other))}, "its name and that of the generated file %s differ by case only", f.Name).
				WithHelp("rename it; the go command does not build two such files")
			continue
		}
		path := filepath.Join(t.dir, f.Name)
		old, ours := g.generated(t.dir, f.Name)
		if !ours && !g.free(path) {
			continue
		}
		if !ours || !bytes.Equal(old, f.Content) {
			result.add(g, path, old, f.Content)
		}
	}
	g.leftOver(t, files, result)
}

// mark adds what makes the package of a directory not compile, unless somebody
// else's file stands there.
func (g *generator) mark(t target, result *Result) {
	path := filepath.Join(t.dir, emit.RegisterFile)
	if g.isGenerated(path) {
		result.marks = append(result.marks, Change{Name: g.shown(path), New: emit.Unfinished(t.Name, t.Source), dir: g.load.Dir})
	}
}

// free reports whether a file of that name may be written, of which there was
// none that is ours.
func (g *generator) free(path string) bool {
	_, err := os.Stat(path)
	at := diag.Span{File: g.shown(path)}
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && g.isGenerated(path):
		return true
	case err == nil:
		g.faults.Errorf("foreign-file", at, "aiongen did not generate this file, so it does not overwrite it").
			WithHelp("rename it; generated files take names like users.aion.go, and %s", emit.RegisterFile)
	default:
		g.faults = append(g.faults, unreadable(at.File, err)...)
	}
	return false
}

func (r *Result) add(g *generator, path string, old, content []byte) {
	r.Changes = append(r.Changes, Change{Name: g.shown(path), Old: old, New: content, dir: g.load.Dir})
}

// leftOver removes generated files whose .aion file is gone.
func (g *generator) leftOver(t target, files []emit.File, result *Result) {
	if _, occupied := g.occupant(t); occupied {
		return // they are another package's
	}
	generated := g.folder(t.dir).Generated
	for _, name := range slices.Sorted(maps.Keys(generated)) {
		if !slices.ContainsFunc(files, func(f emit.File) bool { return f.Name == name }) {
			result.add(g, filepath.Join(t.dir, name), generated[name], nil)
		}
	}
}

// occupant returns the .aion files of another directory that generated files of
// the target came from, if these still exist.
func (g *generator) occupant(t target) (from string, occupied bool) {
	generated := g.folder(t.dir).Generated
	for _, name := range slices.Sorted(maps.Keys(generated)) {
		from, _ := folder.Source(generated[name])
		dir := from[:strings.LastIndex(from, "/")+1]
		if dir != t.Source && len(g.folder(filepath.Join(t.dir, filepath.FromSlash(dir))).Aion) > 0 {
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
