package load

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// packageInfo describes a package without its types.
type packageInfo struct {
	Path, Name, Dir string
	Module          string `json:",omitempty"` // path; empty for the standard library
	GoVersion       string `json:",omitempty"` // language version of its module, "1.26"
	Files           []string
	Changing        bool `json:",omitempty"` // the files of the package, or of a direct or indirect import, can change
}

// A listedPackage is the output of go list for a package.
type listedPackage struct {
	ImportPath, Name, Dir string
	GoFiles, CgoFiles     []string
	Imports               []string
	ImportMap             map[string]string
	Module                *struct{ Path, GoVersion string }
	Error                 *struct{ Err string }

	index   int  // position in the list, in which each package comes after its imports
	changes bool // the files of the package, or of a direct or indirect import, can change
	usesC   bool // the package, or a direct or indirect import, uses C; the standard library does not count
}

const listFields = "ImportPath,Name,Dir,GoFiles,CgoFiles,Imports,ImportMap,Module,Error"

func (l *listedPackage) absoluteFiles() (paths []string) {
	for _, names := range [][]string{l.GoFiles, l.CgoFiles} {
		for _, name := range names {
			paths = append(paths, filepath.Join(l.Dir, name))
		}
	}
	return paths
}

func (l *listedPackage) loadError() error {
	if l.Error == nil {
		return nil
	}
	return errors.New(strings.TrimSpace(l.Error.Err))
}

func (l *listedPackage) newInfo() *packageInfo {
	a := &packageInfo{Path: l.ImportPath, Name: l.Name, Dir: l.Dir, Files: l.absoluteFiles(), Changing: l.changes}
	if l.Module != nil {
		a.Module, a.GoVersion = l.Module.Path, l.Module.GoVersion
	}
	return a
}

// resolveImport returns the path of the package that an import refers to.
func (l *listedPackage) resolveImport(imported string) string {
	if path, ok := l.ImportMap[imported]; ok {
		return path
	}
	return imported
}

// listPackages lists packages and all their imports.
func listPackages(ctx context.Context, set *moduleSet, dir string, paths []string) (map[string]*listedPackage, error) {
	args := []string{"list", "-e", "-deps", "-pgo=off", "-json=" + listFields}
	if set.Tags != "" {
		args = append(args, "-tags="+set.Tags)
	}
	out, err := runGo(ctx, dir, append(append(args, "--"), paths...)...)
	if err != nil {
		return nil, fmt.Errorf("finding imports: %w", err)
	}
	found := map[string]*listedPackage{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		l := new(listedPackage)
		if err := decoder.Decode(l); err == io.EOF {
			return found, nil
		} else if err != nil {
			return nil, fmt.Errorf("finding imports: %w", err)
		}
		l.index = len(found)
		l.usesC = len(l.CgoFiles) > 0 && l.Module != nil
		l.changes = l.Dir != "" && !isImmutable(set, l.Dir)
		for _, path := range l.Imports {
			if imported := found[l.resolveImport(path)]; imported != nil {
				l.usesC, l.changes = l.usesC || imported.usesC, l.changes || imported.changes
			}
		}
		found[l.ImportPath] = l
	}
}

// isImmutable reports whether the files in a directory never change, because the directory is in GOROOT
// or in the module cache.
func isImmutable(set *moduleSet, dir string) bool {
	for _, root := range []string{filepath.Join(set.Env["GOROOT"], "src"), set.Env["GOMODCACHE"]} {
		if rel, err := filepath.Rel(root, dir); err == nil && root != "" && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}
