package unchanged

import (
	"go/build"
	"io"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/aiongen/aiongen/gen/internal/directive"
	"github.com/aiongen/aiongen/gen/internal/folder"
	"github.com/aiongen/aiongen/internal/regular"
)

// inputs collects what a run depends on.
type inputs struct {
	items    map[item]bool
	wholes   map[string]bool // directories that whole has added
	inModule bool
}

// newInputs returns none but the file that GOWORK names, if it names one.
func newInputs(work string) *inputs {
	in := &inputs{items: map[item]bool{}, wholes: map[string]bool{}}
	if filepath.IsAbs(work) {
		in.workspace(work)
	}
	return in
}

func (in *inputs) list() []item { return slices.Collect(maps.Keys(in.items)) }

func (in *inputs) add(k kind, name string) (isNew bool) {
	i := item{k, name}
	isNew = !in.items[i]
	in.items[i] = true
	return isNew
}

// follow adds where a path leads, which relative paths between directories depend on.
func (in *inputs) follow(path string) { in.add(target, path) }

// pattern adds what a pattern of packages depends on. It is false for those that are no
// directories, and for wildcards that match no .aion files: the go command says
// whether they match a package.
func (in *inputs) pattern(from, pattern string) bool {
	if !build.IsLocalImport(pattern) && !filepath.IsAbs(pattern) {
		return false
	}
	root, wildcard := strings.CutSuffix(filepath.FromSlash(pattern), string(filepath.Separator)+"...")
	if strings.Contains(root, "...") {
		return false
	}
	if !filepath.IsAbs(root) {
		root = filepath.Join(from, root)
	}
	if !wildcard {
		in.whole(root)
		return true
	}
	found := false
	// The function returns no error of its own.
	_ = filepath.WalkDir(root, func(dir string, e fs.DirEntry, err error) error {
		switch {
		case err != nil || !e.IsDir():
			return nil
		case dir != root && folder.Ignored(dir):
			return filepath.SkipDir
		case concerns(dir):
			in.whole(dir)
			found = true
		}
		in.add(names, dir)
		return nil
	})
	return found
}

// concerns reports whether there are files in a directory that have the name of .aion
// files, or of generated ones.
func concerns(dir string) bool {
	return slices.ContainsFunc(readNames(dir), func(name string) bool {
		return strings.EqualFold(filepath.Ext(name), folder.Suffix) || folder.MayBeGenerated(name)
	})
}

// whole adds all in a directory that aiongen reads: it is that of a package that takes
// part, or that of generated files. Those are left over once there is nothing more where
// they came from.
func (in *inputs) whole(dir string) {
	if in.wholes[dir] {
		return
	}
	in.wholes[dir] = true
	in.follow(dir)
	in.files(dir, func(string) bool { return true })
	for _, name := range readNames(dir) {
		at := filepath.Join(dir, name)
		if filepath.Ext(at) != ".go" {
			continue
		}
		if from, ok := folder.SourceOf(at); ok && folder.MayBeGenerated(name) {
			in.add(names, filepath.Join(dir, filepath.FromSlash(path.Dir(from))))
		} else {
			in.directives(at)
		}
	}
}

// directives adds the variables that the go:generate lines of a file may refer to.
func (in *inputs) directives(path string) {
	file, err := regular.Open(path)
	if err != nil {
		return
	}
	defer file.Close()
	for _, name := range directive.Variables(io.LimitReader(file, regular.MaxSize)) {
		in.add(variable, name)
	}
}

// sources adds the package in a directory, as others import it.
func (in *inputs) sources(dir string) {
	in.files(dir, func(name string) bool { return !strings.HasSuffix(name, "_test.go") })
}

func (in *inputs) files(dir string, read func(name string) bool) {
	in.add(names, dir)
	for _, name := range readNames(dir) {
		if ext := strings.ToLower(filepath.Ext(name)); (ext == ".go" || ext == folder.Suffix) && read(name) {
			in.add(content, filepath.Join(dir, name))
		}
	}
	in.surroundings(dir)
}

// surroundings adds the modules and workspaces that a directory is in, and the files
// that would put it in others.
func (in *inputs) surroundings(dir string) {
	for found := false; ; dir = filepath.Dir(dir) {
		mod := filepath.Join(dir, "go.mod")
		if !found {
			found = in.module(mod)
		}
		in.workspace(filepath.Join(dir, "go.work"))
		if dir == filepath.Dir(dir) {
			in.inModule = in.inModule || found
			return
		}
	}
}

// module adds a go.mod file, what stands beside it, and the directories that it
// replaces others with.
func (in *inputs) module(path string) (exists bool) {
	src, err := regular.ReadFile(path)
	if !in.add(content, path) || err != nil {
		return err == nil
	}
	in.beside(path, "go.sum")
	if mod, err := modfile.ParseLax(path, src, nil); err == nil {
		in.replaced(filepath.Dir(path), mod.Replace)
	}
	return true
}

// workspace does so for a go.work file.
func (in *inputs) workspace(path string) {
	src, err := regular.ReadFile(path)
	if !in.add(content, path) || err != nil {
		return
	}
	in.beside(path, strings.TrimSuffix(filepath.Base(path), ".work")+".work.sum")
	work, err := modfile.ParseWork(path, src, nil)
	if err != nil {
		return
	}
	for _, use := range work.Use {
		in.module(filepath.Join(absolute(filepath.Dir(path), use.Path), "go.mod"))
	}
	in.replaced(filepath.Dir(path), work.Replace)
}

func (in *inputs) beside(path, sums string) {
	dir := filepath.Dir(path)
	in.add(content, filepath.Join(dir, sums))
	in.add(content, filepath.Join(dir, "vendor", "modules.txt"))
}

func (in *inputs) replaced(dir string, all []*modfile.Replace) {
	for _, r := range all {
		if r.New.Version == "" {
			in.module(filepath.Join(absolute(dir, r.New.Path), "go.mod"))
		}
	}
}

func absolute(dir, path string) string {
	if path = filepath.FromSlash(path); !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	return filepath.Clean(path)
}
