package gen

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/emit"
	"github.com/aiongen/aiongen/gen/load"
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

	path string
}

// compare adds the changes that make a directory hold exactly the given files.
func (g *generator) compare(t target, files []emit.File, result *Result) {
	for _, f := range files {
		path := filepath.Join(t.dir, f.Name)
		old, err := os.ReadFile(path)
		switch {
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			g.faults.Errorf("unreadable", diag.Span{File: load.Relative(g.load.Dir, path)}, "%v", err)
		case err == nil && !isGenerated(path):
			g.faults.Errorf("foreign-file", diag.Span{File: load.Relative(g.load.Dir, path)}, "aiongen did not generate this file, so it does not overwrite it").
				WithHelp("rename it; generated files take names like users.aion.go, and %s", emit.RegisterFile)
		case !bytes.Equal(old, f.Content) || err != nil:
			result.add(g, path, old, f.Content)
		}
	}
	g.leftOver(t, files, result)
}

func (r *Result) add(g *generator, path string, old, content []byte) {
	r.Changes = append(r.Changes, Change{Name: load.Relative(g.load.Dir, path), Old: old, New: content, path: path})
}

// leftOver removes generated files whose .aion file is gone. One that another
// package's files still account for is a clash, not a left-over.
func (g *generator) leftOver(t target, files []emit.File, result *Result) {
	_, generated := list(t.dir)
	for _, name := range generated {
		if slices.ContainsFunc(files, func(f emit.File) bool { return f.Name == name }) {
			continue
		}
		path := filepath.Join(t.dir, name)
		from, _ := generatedFrom(path)
		if foreign(t, from) {
			if len(files) > 0 {
				g.faults.Errorf("many-packages", diag.Span{File: load.Relative(g.load.Dir, path)}, "this directory already holds what was generated from %s", from).
					WithHelp("generate each package into a directory of its own")
			}
			continue
		}
		old, err := os.ReadFile(path)
		if err == nil {
			result.add(g, path, old, nil)
		}
	}
}

// foreign reports whether a generated file came from .aion files of another
// directory than the target's source, and these still exist.
func foreign(t target, from string) bool {
	dir := from[:strings.LastIndex(from, "/")+1]
	if dir == t.Source {
		return false
	}
	aionFiles, _ := list(filepath.Join(t.dir, filepath.FromSlash(dir)))
	return len(aionFiles) > 0
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

// Write makes the changes. Each file is replaced whole: all are written beside
// their places first, and moved there when none failed.
func (r *Result) Write() error {
	var staged []string
	defer func() {
		for _, name := range staged {
			os.Remove(name) // those that were moved are gone already
		}
	}()
	for _, c := range r.Changes {
		if c.New == nil {
			staged = append(staged, "") // keeps the indexes of both in step
			continue
		}
		name, err := stage(c)
		if err != nil {
			return err
		}
		staged = append(staged, name)
	}
	for i, c := range r.Changes {
		var err error
		if c.New == nil {
			err = os.Remove(c.path)
		} else {
			err = os.Rename(staged[i], c.path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// stage writes a file beside its place, under a name that the go command does
// not look at.
func stage(c Change) (string, error) {
	if err := os.MkdirAll(filepath.Dir(c.path), 0o777); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(filepath.Dir(c.path), ".aiongen-*")
	if err != nil {
		return "", err
	}
	_, err = f.Write(c.New)
	err = errors.Join(err, f.Chmod(0o644), f.Close())
	if err != nil {
		os.Remove(f.Name())
	}
	return f.Name(), err
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
