package gen

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/internal/regularfile"
	"github.com/aiongen/aiongen/runtime/schema"
)

// Catalog returns the changes that write web pages about the tools of packages to the directory
// Config.Output and remove the pages of earlier catalogs. The pages show the definitions that
// the targets of Config.Lint receive, by default all targets, and what [Lint] reports about
// them. Catalog never changes a file that it did not write; if such a file has the name of a
// page, it reports an error. The pages depend only on the packages and the targets.
func Catalog(ctx context.Context, cfg Config) (*Result, diag.List) {
	tools, faults := Tools(ctx, cfg)
	result := &Result{costs: map[string]bool{}}
	if faults.Err() != nil {
		return result, faults
	}
	targets := cfg.Lint
	if targets == nil {
		targets = schema.Targets()
	}
	files, err := writeCatalogPages(tools, targets)
	if err != nil {
		faults.Errorf("internal", diag.Span{}, "%v", err).WithHelp("this is a bug in aiongen; please report it with the .aion file")
		return result, faults
	}
	w := catalogWriter{Config: cfg}
	for _, f := range files {
		w.addFile(f)
	}
	w.addRemovals(files)
	if faults = append(faults, w.faults...); faults.Err() == nil {
		result.Changes = w.changes
	}
	return result, faults
}

// A catalogWriter compares the files of a catalog with those in its directory.
type catalogWriter struct {
	Config
	changes []Change
	faults  diag.List
}

// change returns a change to a file of the directory.
func (w *catalogWriter) change(name string, content []byte) Change {
	return Change{Name: filepath.ToSlash(filepath.Join(w.Output, name)), New: content, dir: w.Dir}
}

// addFile adds the change that writes a file, unless the file is current.
func (w *catalogWriter) addFile(f catalogFile) {
	c := w.change(f.Name, f.Content)
	fromCatalog, err := isCatalogFile(c.absolutePath())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		w.changes = append(w.changes, c)
	case err != nil:
		w.faults = append(w.faults, load.ReportUnreadable(c.Name, err)...)
	case !fromCatalog:
		w.faults.Errorf("foreign-file", diag.Span{File: c.Name}, "aiongen does not overwrite this file, because it is not from a catalog").
			WithHelp("choose another directory with -o, or rename the file")
	default:
		c.exists = true
		if same, err := regularfile.HasContent(c.absolutePath(), f.Content); err != nil || !same {
			w.changes = append(w.changes, c)
		}
	}
}

// addRemovals adds the removal of pages of tools that no longer exist.
func (w *catalogWriter) addRemovals(files []catalogFile) {
	entries, err := os.ReadDir(w.change("", nil).absolutePath())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.faults.Errorf("no-directory", diag.Span{File: filepath.ToSlash(w.Output)}, "%v", err)
	}
	for _, e := range entries {
		if !isToolPage(e.Name()) || slices.ContainsFunc(files, func(f catalogFile) bool { return f.Name == e.Name() }) {
			continue
		}
		c := w.change(e.Name(), nil)
		if fromCatalog, err := isCatalogFile(c.absolutePath()); fromCatalog && err == nil {
			c.exists = true
			w.changes = append(w.changes, c)
		}
	}
}

// isCatalogFile reports whether the first line of a file says that Catalog wrote the file.
func isCatalogFile(path string) (bool, error) {
	file, err := regularfile.Open(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	beginning, err := io.ReadAll(io.LimitReader(file, 256))
	line, _, _ := bytes.Cut(beginning, []byte("\n"))
	return bytes.Contains(line, []byte(catalogMark)), err
}
