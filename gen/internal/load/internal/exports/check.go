package exports

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"go/version"
	"runtime"
	"sync"

	"github.com/aiongen/aiongen/gen/internal/load/internal/bodies"
	"github.com/aiongen/aiongen/gen/internal/load/internal/modules"
	"github.com/aiongen/aiongen/internal/regular"
)

// A universe checks packages from source, each once, beside each other.
type universe struct {
	fset  *token.FileSet
	sizes types.Sizes
	busy  chan struct{} // has room for as many as may work at a time

	mu    sync.Mutex
	done  map[string]*types.Package
	sound bool // all could be listed and read
}

// check returns the types of packages that do not change, as far as they can be told,
// and whether all of their files could be found and read.
func check(set *modules.Set, listed map[string]*listed) (checked map[string]*types.Package, sound bool) {
	u := &universe{
		fset: token.NewFileSet(), sizes: types.SizesFor("gc", set.Env["GOARCH"]),
		busy: make(chan struct{}, runtime.GOMAXPROCS(0)),
		done: map[string]*types.Package{}, sound: true,
	}
	pending := map[string]chan struct{}{} // closed when the package is done
	var all sync.WaitGroup
	for path, l := range listed {
		pending[path] = make(chan struct{})
		u.sound = u.sound && (l.Error == nil || l.changes)
	}
	for path, l := range listed {
		all.Go(func() {
			defer close(pending[path])
			for _, imported := range l.Imports {
				// What is listed later is part of a cycle, which has no beginning.
				if dep := listed[l.resolve(imported)]; dep != nil && dep.place < l.place {
					<-pending[dep.ImportPath]
				}
			}
			u.check(l)
		})
	}
	all.Wait()
	return u.done, u.sound
}

func (u *universe) check(l *listed) {
	if l.ImportPath == "unsafe" || l.changes || len(l.files()) == 0 {
		return
	}
	u.busy <- struct{}{}
	defer func() { <-u.busy }()
	files := u.parse(l)
	conf := types.Config{
		GoVersion:        languageVersion(l),
		IgnoreFuncBodies: true,
		FakeImportC:      true,
		Importer:         importer{u, l},
		Sizes:            u.sizes,
		Error:            func(error) {}, // what is wrong shows where something invalid is used
	}
	p, _ := conf.Check(l.ImportPath, u.fset, files, nil)
	u.mu.Lock()
	defer u.mu.Unlock()
	u.done[l.ImportPath] = p
}

func (u *universe) parse(l *listed) (files []*ast.File) {
	for _, name := range l.files() {
		src, err := regular.ReadFile(name)
		if err != nil {
			u.mu.Lock()
			u.sound = false
			u.mu.Unlock()
			continue
		}
		file, err := parser.ParseFile(u.fset, name, bodies.Cut(src), parser.SkipObjectResolution)
		if err != nil {
			file, _ = parser.ParseFile(u.fset, name, src, parser.SkipObjectResolution) // it declares what could be parsed
		}
		if file != nil {
			files = append(files, file)
		}
	}
	return files
}

// languageVersion is that of the module of a package, unless it is newer than this
// build of aiongen knows: what needs it is still read as well as can be.
func languageVersion(l *listed) string {
	if l.Module == nil || l.Module.GoVersion == "" || version.Compare("go"+l.Module.GoVersion, version.Lang(runtime.Version())) > 0 {
		return ""
	}
	return "go" + l.Module.GoVersion
}

// An importer finds what one package imports.
type importer struct {
	*universe
	by *listed
}

func (i importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if p := i.done[i.by.resolve(path)]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("package %s was not found", path)
}
