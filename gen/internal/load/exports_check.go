package load

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"runtime"
	"sync"

	"github.com/aiongen/aiongen/internal/regularfile"
)

// A sourceChecker type-checks packages from source in parallel, each once.
type sourceChecker struct {
	fset  *token.FileSet
	sizes types.Sizes
	busy  chan struct{} // limits the number of concurrent checks

	mu       sync.Mutex
	done     map[string]*types.Package
	complete bool // all files were listed and read
}

// checkExports type-checks the listed packages that do not change. It returns complete = false if some of
// their files could not be found or read.
func checkExports(set *moduleSet, listed map[string]*listedPackage) (checked map[string]*types.Package, complete bool) {
	u := &sourceChecker{
		fset: token.NewFileSet(), sizes: types.SizesFor("gc", set.Env["GOARCH"]),
		busy: make(chan struct{}, runtime.GOMAXPROCS(0)),
		done: map[string]*types.Package{}, complete: true,
	}
	pending := map[string]chan struct{}{} // closed when the package is done
	var all sync.WaitGroup
	for path, l := range listed {
		pending[path] = make(chan struct{})
		u.complete = u.complete && (l.Error == nil || l.changes)
	}
	for path, l := range listed {
		all.Go(func() {
			defer close(pending[path])
			for _, imported := range l.Imports {
				// A package that is listed later is part of an import cycle.
				if dep := listed[l.resolveImport(imported)]; dep != nil && dep.index < l.index {
					<-pending[dep.ImportPath]
				}
			}
			u.checkPackage(l)
		})
	}
	all.Wait()
	return u.done, u.complete
}

func (u *sourceChecker) checkPackage(l *listedPackage) {
	if l.ImportPath == "unsafe" || l.changes || len(l.absoluteFiles()) == 0 {
		return
	}
	u.busy <- struct{}{}
	defer func() { <-u.busy }()
	files := u.parseFiles(l)
	conf := types.Config{
		GoVersion:        languageVersion(l.newInfo().GoVersion),
		IgnoreFuncBodies: true,
		FakeImportC:      true,
		Importer:         checkedImporter{u, l},
		Sizes:            u.sizes,
		Error:            func(error) {}, // errors show up where an invalid object is used
	}
	p, _ := conf.Check(l.ImportPath, u.fset, files, nil)
	u.mu.Lock()
	defer u.mu.Unlock()
	u.done[l.ImportPath] = p
}

func (u *sourceChecker) parseFiles(l *listedPackage) (files []*ast.File) {
	for _, name := range l.absoluteFiles() {
		src, err := regularfile.ReadFile(name)
		if err != nil {
			u.mu.Lock()
			u.complete = false
			u.mu.Unlock()
			continue
		}
		file, _ := parseWithoutBodies(u.fset, name, src, parser.SkipObjectResolution) // keep what could be parsed
		if file != nil {
			files = append(files, file)
		}
	}
	return files
}

// A checkedImporter resolves the imports of one package.
type checkedImporter struct {
	*sourceChecker
	importing *listedPackage
}

func (i checkedImporter) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if p := i.done[i.importing.resolveImport(path)]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("package %s was not found", path)
}
