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
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/output"
	"github.com/aiongen/aiongen/internal/regularfile"
)

// Result holds the changes of a run. Without changes, all files are up to date.
type Result struct {
	Changes []Change

	// costs maps each note about a tool to whether the generated files already contain the note.
	costs map[string]bool

	// marks are temporary register files that do not compile, one for each directory whose
	// generated files change; see addMark.
	marks []output.File

	saveRun func() // saves the run for the next one, after the changes have been written
}

// resultOf returns the result of a cached run, which has no changes.
func resultOf(last output.RunOutcome) *Result {
	r := &Result{costs: map[string]bool{}}
	for _, note := range last.Costs {
		r.costs[note] = true // the generated files of the cached run contain the note
	}
	return r
}

// Change is a pending change to one file.
type Change struct {
	Name string // relative to Config.Dir, with slashes
	New  []byte // content to write; nil to remove the file

	dir    string // absolute; "" is the current directory
	exists bool
	source []byte // old text of an .aion file; nil if the file is generated
}

// Old returns the content that New replaces, or nil if the file does not exist. For
// generated files it reads the file, so after [Result.Write] it returns the new content.
func (c Change) Old() []byte {
	if c.source != nil || !c.exists {
		return c.source
	}
	content, _ := regularfile.ReadFile(c.absolutePath()) // nil if the file has been removed since
	return content
}

// absolutePath returns the path of the file, relative to the current directory if dir is
// empty.
func (c Change) absolutePath() string {
	path := filepath.FromSlash(c.Name)
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(c.dir, path)
}

// addChanges adds the changes that write the given files to the target directory and remove
// other generated files there.
func (g *generator) addChanges(t target, files []emit.File, result *Result) {
	generated := g.Folders.Folder(t.dir).Generated
	g.addMark(t, result)
	if from, occupied := g.findOccupant(t); occupied && len(files) > 0 {
		g.Faults.Errorf("many-packages", diag.Span{File: g.shownPath(t.dir)}, "the directory already holds files generated from %s", from).
			WithHelp("generate each package into its own directory")
		return
	}
	names := slices.DeleteFunc(slices.Clone(g.Folders.Folder(t.dir).Names), func(name string) bool { _, isGenerated := generated[name]; return isGenerated })
	for _, f := range files {
		if other, ok := load.FindSameName(f.Name, names); ok {
			g.Faults.Errorf("foreign-file", diag.Span{File: g.shownPath(filepath.Join(t.dir, other))}, "its name differs from the generated file %s only by case", f.Name).
				WithHelp("rename it; the go command does not build two such files")
			continue
		}
		path := filepath.Join(t.dir, f.Name)
		g.generated[path] = f.Content
		exists := load.IsGenerated(path)
		if !exists && !g.canCreate(path) {
			continue
		}
		if current, err := isCurrent(path, f.Content); !exists || err != nil || !current {
			result.addChange(g, path, exists, f.Content)
		}
	}
	g.addRemovals(t, files, result)
}

// isCurrent reports whether a generated file has the given content. It accepts CRLF line ends, which
// git writes on Windows: Go ignores the carriage returns, even in raw strings.
func isCurrent(path string, content []byte) (bool, error) {
	found, err := regularfile.ReadFile(path)
	return bytes.Equal(found, content) || bytes.Equal(found, bytes.ReplaceAll(content, []byte("\n"), []byte("\r\n"))), err
}

// addMark adds a temporary register file that prevents the package from compiling while its
// files change. It adds none if the existing register file is not generated, or belongs to
// another package.
func (g *generator) addMark(t target, result *Result) {
	path := filepath.Join(t.dir, model.RegisterFile)
	if _, occupied := g.findOccupant(t); !occupied && g.Folders.IsGenerated(path) {
		result.marks = append(result.marks, output.File{Name: g.shownPath(path), Path: path, New: emit.UnfinishedFile(t.Name, t.Source)})
	}
}

// canCreate reports whether a generated file may be written to path, where no generated file
// exists. If another file is there, it adds a diagnostic and returns false.
func (g *generator) canCreate(path string) bool {
	info, err := os.Stat(path)
	if err == nil && info.Mode().IsRegular() {
		var f *os.File
		if f, err = regularfile.Open(path); err == nil { // an unreadable file may be a generated one
			err = f.Close()
		}
	}
	at := diag.Span{File: g.shownPath(path)}
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && g.Folders.IsGenerated(path):
		return true
	case err == nil:
		g.Faults.Errorf("foreign-file", at, "aiongen does not overwrite this file, because it did not generate it").
			WithHelp("rename it; generated files have names like users.aion.go, and %s", model.RegisterFile)
	default:
		g.Faults = append(g.Faults, load.ReportUnreadable(at.File, err)...)
	}
	return false
}

// addChange adds a change to a generated file.
func (r *Result) addChange(g *generator, path string, exists bool, content []byte) {
	r.Changes = append(r.Changes, Change{Name: g.shownPath(path), New: content, dir: g.Load.Dir, exists: exists})
}

// addRemovals adds the removal of generated files whose .aion file no longer exists.
func (g *generator) addRemovals(t target, files []emit.File, result *Result) {
	if _, occupied := g.findOccupant(t); occupied {
		return // the files belong to another package
	}
	generated := g.Folders.Folder(t.dir).Generated
	for _, name := range slices.Sorted(maps.Keys(generated)) {
		if !slices.ContainsFunc(files, func(f emit.File) bool { return f.Name == name }) {
			if path := filepath.Join(t.dir, name); load.IsGenerated(path) {
				result.addChange(g, path, true, nil)
			}
		}
	}
}

// findOccupant reports whether the target directory contains files that were generated from
// another directory that still has .aion files. It returns one of the source files.
func (g *generator) findOccupant(t target) (from string, occupied bool) {
	generated := g.Folders.Folder(t.dir).Generated
	for _, name := range slices.Sorted(maps.Keys(generated)) {
		from := generated[name]
		dir := from[:strings.LastIndex(from, "/")+1]
		if dir != t.Source && len(g.Folders.Folder(filepath.Join(t.dir, filepath.FromSlash(dir))).Aion) > 0 {
			return from, true
		}
	}
	return "", false
}

// Write applies the changes. It first writes all files under temporary names and renames them
// only if all could be written. Files keep their modes. While several generated files of a
// package change, the package does not compile, so that a killed run cannot leave a package that
// compiles from a mixture of old and new files. The next run removes leftover temporary files.
// The error is a [*WriteError]; if it is not nil, the generated files are unchanged.
func (r *Result) Write() error {
	var files []output.File
	for _, c := range r.Changes {
		files = append(files, output.File{Name: c.Name, Path: c.absolutePath(), New: c.New, Original: c.source})
	}
	if err := output.Write(files, r.marks); err != nil {
		return err
	}
	if len(files) > 0 && r.saveRun != nil { // a run without changes is saved already
		r.saveRun()
	}
	return nil
}

// WriteError reports a file that could not be written or removed. Name is the name of the
// Change, and Err is the reason.
type WriteError = output.Error

// Diff returns the changes as a unified diff, empty if there are none.
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

// addCosts adds the notes about the tools of a package to result.costs.
func (g *generator) addCosts(t target, notes []string, result *Result) {
	if len(notes) == 0 {
		return
	}
	var files [][]byte
	for name := range g.Folders.Folder(t.dir).Generated {
		if path := filepath.Join(t.dir, name); load.IsGenerated(path) {
			if file, err := regularfile.ReadFile(path); err == nil {
				files = append(files, file)
			}
		}
	}
	for _, note := range notes {
		contained := slices.ContainsFunc(files, func(file []byte) bool { return emit.HasNote(file, note) })
		result.costs[note] = contained || result.costs[note]
	}
}

// Fresh returns the list without the notes about tools that the generated files already
// contain.
func (r *Result) Fresh(list diag.List) diag.List {
	return slices.DeleteFunc(slices.Clone(list), func(d *diag.Diagnostic) bool { return r.costs[d.Message] })
}

// WithoutCosts returns the list without the notes about tools. These notes describe limits of Go
// types that no edit of an .aion file can avoid.
func (r *Result) WithoutCosts(list diag.List) diag.List {
	return slices.DeleteFunc(slices.Clone(list), func(d *diag.Diagnostic) bool {
		_, cost := r.costs[d.Message]
		return cost
	})
}

// State describes the file on disk: "stale", "missing", or "left over" if it should be removed.
func (c Change) State() string {
	switch {
	case !c.exists:
		return "missing"
	case c.New == nil:
		return "left over"
	}
	return "stale"
}
