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
	"github.com/aiongen/aiongen/gen/internal/emit"
	"github.com/aiongen/aiongen/gen/internal/folder"
	"github.com/aiongen/aiongen/gen/internal/output"
	"github.com/aiongen/aiongen/gen/internal/unchanged"
	"github.com/aiongen/aiongen/internal/regular"
)

// Result is what a run changes on disk; without changes all files are up to
// date.
type Result struct {
	Changes []Change

	// Notes on what types cost, and whether the generated files have them already.
	costs map[string]bool

	// For each directory of generated files what stands in the place of its
	// register file while others change.
	marks []output.File

	keep func() // keeps the run for the next, once files are as they should be
}

// recalled is the result of a run that would find all as the last one left it.
func recalled(last unchanged.Outcome) *Result {
	r := &Result{costs: map[string]bool{}}
	for _, note := range last.Costs {
		r.costs[note] = true // and generated files have them
	}
	return r
}

func (r *Result) outcome(faults diag.List) unchanged.Outcome {
	return unchanged.Outcome{Faults: faults, Costs: slices.Sorted(maps.Keys(r.costs))}
}

// Change is a file that is not as it should be.
type Change struct {
	Name string // relative to Config.Dir, with slashes
	New  []byte // nil: the file should not exist

	dir    string // absolute; "" is the current one
	exists bool
	source []byte // what a person wrote, and New was made of; nil: the file is generated
}

// Old returns what New is to replace, nil if the file does not exist. What was generated is
// read when it is asked for, since who writes over it need not hold it: once New is written,
// it is that.
func (c Change) Old() []byte {
	if c.source != nil || !c.exists {
		return c.source
	}
	content, _ := regular.ReadFile(c.path()) // of one that is gone meanwhile there is nothing
	return content
}

func (c Change) path() string {
	path := filepath.FromSlash(c.Name)
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(c.dir, path)
}

// compare adds the changes that make a directory hold exactly the given files.
func (g *generator) compare(t target, files []emit.File, result *Result) {
	generated := g.Folders.At(t.dir).Generated
	g.mark(t, result)
	if from, occupied := g.occupant(t); occupied && len(files) > 0 {
		g.Faults.Errorf("many-packages", diag.Span{File: g.Shown(t.dir)}, "this directory already holds what was generated from %s", from).
			WithHelp("generate each package into a directory of its own")
		return
	}
	names := slices.DeleteFunc(slices.Clone(g.Folders.At(t.dir).Names), func(name string) bool { _, ours := generated[name]; return ours })
	for _, f := range files {
		if other, ok := folder.Alike(f.Name, names); ok {
			g.Faults.Errorf("foreign-file", diag.Span{File: g.Shown(filepath.Join(t.dir, other))}, "its name and that of the generated file %s differ by case only", f.Name).
				WithHelp("rename it; the go command does not build two such files")
			continue
		}
		path := filepath.Join(t.dir, f.Name)
		g.generated[path] = f.Content
		ours := folder.IsGenerated(path)
		if !ours && !g.free(path) {
			continue
		}
		if same, err := regular.Holds(path, f.Content); !ours || err != nil || !same {
			result.add(g, path, ours, f.Content)
		}
	}
	g.leftOver(t, files, result)
}

// mark adds what makes the package of a directory not compile, unless somebody
// else's file stands there, or the mark of the package whose output it is.
func (g *generator) mark(t target, result *Result) {
	path := filepath.Join(t.dir, emit.RegisterFile)
	if _, occupied := g.occupant(t); !occupied && g.Folders.IsGenerated(path) {
		result.marks = append(result.marks, output.File{Name: g.Shown(path), Path: path, New: emit.Unfinished(t.Name, t.Source)})
	}
}

// free reports whether a file of that name may be written, of which there was
// none that is ours.
func (g *generator) free(path string) bool {
	info, err := os.Stat(path)
	if err == nil && info.Mode().IsRegular() {
		_, err = regular.Holds(path, nil) // what cannot be read may be ours
	}
	at := diag.Span{File: g.Shown(path)}
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && g.Folders.IsGenerated(path):
		return true
	case err == nil:
		g.Faults.Errorf("foreign-file", at, "aiongen did not generate this file, so it does not overwrite it").
			WithHelp("rename it; generated files take names like users.aion.go, and %s", emit.RegisterFile)
	default:
		g.Faults = append(g.Faults, folder.Unreadable(at.File, err)...)
	}
	return false
}

func (r *Result) add(g *generator, path string, exists bool, content []byte) {
	r.Changes = append(r.Changes, Change{Name: g.Shown(path), New: content, dir: g.Load.Dir, exists: exists})
}

// leftOver removes generated files whose .aion file is gone.
func (g *generator) leftOver(t target, files []emit.File, result *Result) {
	if _, occupied := g.occupant(t); occupied {
		return // they are another package's
	}
	generated := g.Folders.At(t.dir).Generated
	for _, name := range slices.Sorted(maps.Keys(generated)) {
		if !slices.ContainsFunc(files, func(f emit.File) bool { return f.Name == name }) {
			if path := filepath.Join(t.dir, name); folder.IsGenerated(path) {
				result.add(g, path, true, nil)
			}
		}
	}
}

// occupant returns the .aion files of another directory that generated files of
// the target came from, if these still exist.
func (g *generator) occupant(t target) (from string, occupied bool) {
	generated := g.Folders.At(t.dir).Generated
	for _, name := range slices.Sorted(maps.Keys(generated)) {
		from := generated[name]
		dir := from[:strings.LastIndex(from, "/")+1]
		if dir != t.Source && len(g.Folders.At(filepath.Join(t.dir, filepath.FromSlash(dir))).Aion) > 0 {
			return from, true
		}
	}
	return "", false
}

// Write makes the changes. Each file is replaced whole, and keeps its mode: all
// are written beside their places first, and moved there when none failed. Where
// several generated files change, their package does not compile before all have,
// so that a run that is killed leaves no package that mixes old with new; what
// else it leaves the next run removes. The error is a *WriteError; then generated
// files are as they were.
func (r *Result) Write() error {
	var files []output.File
	for _, c := range r.Changes {
		files = append(files, output.File{Name: c.Name, Path: c.path(), New: c.New, Read: c.source})
	}
	if err := output.Write(files, r.marks); err != nil {
		return err
	}
	if len(files) > 0 && r.keep != nil { // where nothing changes, it is kept already
		r.keep()
	}
	return nil
}

// A WriteError says in Name which file, as that of the Change, could not be written
// or removed, and in Err why.
type WriteError = output.Error

// Diff shows the changes as a unified diff; empty if there are none.
func (r *Result) Diff() []byte {
	var out bytes.Buffer
	for _, c := range r.Changes {
		from, to, old := c.Name, c.Name, c.Old()
		if old == nil {
			from = "/dev/null"
		}
		if c.New == nil {
			to = "/dev/null"
		}
		out.Write(diff.Diff(from, old, to, c.New))
	}
	return out.Bytes()
}

// addCosts adds the notes on the tools of a package that is generated into a
// directory.
func (g *generator) addCosts(t target, notes []string, result *Result) {
	if len(notes) == 0 {
		return
	}
	var files [][]byte
	for name := range g.Folders.At(t.dir).Generated {
		if path := filepath.Join(t.dir, name); folder.IsGenerated(path) {
			if file, err := regular.ReadFile(path); err == nil {
				files = append(files, file)
			}
		}
	}
	for _, note := range notes {
		told := slices.ContainsFunc(files, func(file []byte) bool { return emit.Tells(file, note) })
		result.costs[note] = told || result.costs[note]
	}
}

// Fresh returns the list without the notes on what types cost that were there when
// the files were last generated.
func (r *Result) Fresh(list diag.List) diag.List {
	return slices.DeleteFunc(slices.Clone(list), func(d *diag.Diagnostic) bool { return r.costs[d.Message] })
}

// WithoutCosts returns the list without any notes on what types cost, which nobody can
// settle in a .aion file.
func (r *Result) WithoutCosts(list diag.List) diag.List {
	return slices.DeleteFunc(slices.Clone(list), func(d *diag.Diagnostic) bool {
		_, cost := r.costs[d.Message]
		return cost
	})
}

// State says in a word what is the matter with the file: stale, missing or left
// over.
func (c Change) State() string {
	switch {
	case !c.exists:
		return "missing"
	case c.New == nil:
		return "left over"
	}
	return "stale"
}
