package output

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

	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/internal/regularfile"
)

// inputs collects what a run depends on.
type inputs struct {
	items     map[inputItem]bool
	addedDirs map[string]bool // directories that addDir has added
	inModule  bool
}

// newInputs returns inputs with only the file that GOWORK names, if any.
func newInputs(work string) *inputs {
	in := &inputs{items: map[inputItem]bool{}, addedDirs: map[string]bool{}}
	if filepath.IsAbs(work) {
		in.addWorkspace(work)
	}
	return in
}

func (in *inputs) allItems() []inputItem { return slices.Collect(maps.Keys(in.items)) }

func (in *inputs) addItem(k itemKind, name string) (isNew bool) {
	i := inputItem{k, name}
	isNew = !in.items[i]
	in.items[i] = true
	return isNew
}

// addLink adds the links in a path, because relative paths depend on their targets.
func (in *inputs) addLink(path string) { in.addItem(linkTarget, path) }

// addPattern adds the inputs of a pattern. It reports false if only the go command knows whether the
// pattern matches a package. This is so if the pattern is an import path, or a wildcard for directories
// without .aion files.
func (in *inputs) addPattern(from, pattern string) bool {
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
		in.addDir(root)
		return true
	}
	found := false
	_ = filepath.WalkDir(root, func(dir string, e fs.DirEntry, err error) error {
		switch {
		case err != nil || !e.IsDir():
			return nil
		case dir != root && load.IsIgnoredDir(dir):
			return filepath.SkipDir
		case isRelevantDir(dir):
			in.addDir(dir)
			found = true
		}
		in.addItem(dirNames, dir)
		return nil
	})
	return found
}

// isRelevantDir reports whether a directory has .aion files or generated files, to judge by their names.
func isRelevantDir(dir string) bool {
	return slices.ContainsFunc(readNames(dir), func(name string) bool {
		return strings.EqualFold(filepath.Ext(name), load.AionSuffix) || load.MayBeGenerated(name)
	})
}

// addDir adds all files in a directory that aiongen reads. For a generated file, it adds the directory of
// the source as well, because the file is left over once its source is removed.
func (in *inputs) addDir(dir string) {
	if in.addedDirs[dir] {
		return
	}
	in.addedDirs[dir] = true
	in.addLink(dir)
	in.addFiles(dir, func(string) bool { return true })
	for _, name := range readNames(dir) {
		at := filepath.Join(dir, name)
		if filepath.Ext(at) != ".go" {
			continue
		}
		if from, ok := load.ReadOrigin(at); ok && load.MayBeGenerated(name) {
			in.addItem(dirNames, filepath.Join(dir, filepath.FromSlash(path.Dir(from))))
		} else {
			in.addDirectives(at)
		}
	}
}

// addDirectives adds the variables to which the go:generate lines of a file refer.
func (in *inputs) addDirectives(path string) {
	file, err := regularfile.Open(path)
	if err != nil {
		return
	}
	defer file.Close()
	for _, name := range load.ReadDirectiveVariables(io.LimitReader(file, regularfile.MaxSize)) {
		in.addItem(envVariable, name)
	}
}

// addSources adds the files of an imported package.
func (in *inputs) addSources(dir string) {
	in.addFiles(dir, func(name string) bool { return !strings.HasSuffix(name, "_test.go") })
}

func (in *inputs) addFiles(dir string, read func(name string) bool) {
	in.addItem(dirNames, dir)
	for _, name := range readNames(dir) {
		if ext := strings.ToLower(filepath.Ext(name)); (ext == ".go" || ext == load.AionSuffix) && read(name) {
			in.addItem(fileContent, filepath.Join(dir, name))
		}
	}
	in.addParents(dir)
}

// addParents adds the go.mod and go.work files in a directory and its parents, whether or
// not they exist.
func (in *inputs) addParents(dir string) {
	for found := false; ; dir = filepath.Dir(dir) {
		mod := filepath.Join(dir, "go.mod")
		if !found {
			found = in.addModule(mod)
		}
		in.addWorkspace(filepath.Join(dir, "go.work"))
		if dir == filepath.Dir(dir) {
			in.inModule = in.inModule || found
			return
		}
	}
}

// addModule adds a go.mod file with its go.sum and modules.txt, and the modules in the directories to
// which its replace directives refer. It reports whether the file exists.
func (in *inputs) addModule(path string) (exists bool) {
	src, err := regularfile.ReadFile(path)
	if !in.addItem(fileContent, path) || err != nil {
		return err == nil
	}
	in.addSums(path, "go.sum")
	if mod, err := modfile.ParseLax(path, src, nil); err == nil {
		in.addReplaced(filepath.Dir(path), mod.Replace)
	}
	return true
}

// addWorkspace adds a go.work file, its go.work.sum and modules.txt, and its modules.
func (in *inputs) addWorkspace(path string) {
	src, err := regularfile.ReadFile(path)
	if !in.addItem(fileContent, path) || err != nil {
		return
	}
	in.addSums(path, strings.TrimSuffix(filepath.Base(path), ".work")+".work.sum")
	work, err := modfile.ParseWork(path, src, nil)
	if err != nil {
		return
	}
	for _, use := range work.Use {
		in.addModule(filepath.Join(absolutePath(filepath.Dir(path), use.Path), "go.mod"))
	}
	in.addReplaced(filepath.Dir(path), work.Replace)
}

func (in *inputs) addSums(path, sums string) {
	dir := filepath.Dir(path)
	in.addItem(fileContent, filepath.Join(dir, sums))
	in.addItem(fileContent, filepath.Join(dir, "vendor", "modules.txt"))
}

func (in *inputs) addReplaced(dir string, all []*modfile.Replace) {
	for _, r := range all {
		if r.New.Version == "" {
			in.addModule(filepath.Join(absolutePath(dir, r.New.Path), "go.mod"))
		}
	}
}

func absolutePath(dir, path string) string {
	if path = filepath.FromSlash(path); !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	return filepath.Clean(path)
}
