package exports

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/load/internal/modules"
)

// About says where a package lies.
type About struct {
	Path, Name, Dir string
	Module          string `json:",omitempty"` // path; empty for the standard library
	GoVersion       string `json:",omitempty"` // language version of its module, "1.26"
	Files           []string
	Changing        bool `json:",omitempty"` // as it imports, directly or not, what can change
}

// listed is what the go command says of a package.
type listed struct {
	ImportPath, Name, Dir string
	GoFiles, CgoFiles     []string
	Imports               []string
	ImportMap             map[string]string
	Module                *struct{ Path, GoVersion string }
	Error                 *struct{ Err string }

	place   int  // in the list, which has what is imported first
	changes bool // it can change, or what it imports
	usesC   bool // or what it imports does, the standard library aside
}

const fields = "ImportPath,Name,Dir,GoFiles,CgoFiles,Imports,ImportMap,Module,Error"

func (l *listed) files() (paths []string) {
	for _, names := range [][]string{l.GoFiles, l.CgoFiles} {
		for _, name := range names {
			paths = append(paths, filepath.Join(l.Dir, name))
		}
	}
	return paths
}

func (l *listed) fault() error {
	if l.Error == nil {
		return nil
	}
	return errors.New(strings.TrimSpace(l.Error.Err))
}

func (l *listed) about() *About {
	a := &About{Path: l.ImportPath, Name: l.Name, Dir: l.Dir, Files: l.files(), Changing: l.changes}
	if l.Module != nil {
		a.Module, a.GoVersion = l.Module.Path, l.Module.GoVersion
	}
	return a
}

// resolve is the path of the package that an import means.
func (l *listed) resolve(imported string) string {
	if path, ok := l.ImportMap[imported]; ok {
		return path
	}
	return imported
}

// list asks for packages and all that they import.
func list(ctx context.Context, set *modules.Set, dir string, paths []string) (map[string]*listed, error) {
	args := []string{"list", "-e", "-deps", "-pgo=off", "-json=" + fields}
	if set.Tags != "" {
		args = append(args, "-tags="+set.Tags)
	}
	cmd := exec.CommandContext(ctx, "go", append(append(args, "--"), paths...)...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); ok && len(exit.Stderr) > 0 {
			err = errors.New(strings.TrimSpace(string(exit.Stderr)))
		}
		return nil, fmt.Errorf("finding imports: %w", err)
	}
	found := map[string]*listed{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		l := new(listed)
		if err := decoder.Decode(l); err == io.EOF {
			return found, nil
		} else if err != nil {
			return nil, fmt.Errorf("finding imports: %w", err)
		}
		l.place = len(found)
		l.usesC = len(l.CgoFiles) > 0 && l.Module != nil || slices.ContainsFunc(l.Imports, func(path string) bool {
			imported := found[l.resolve(path)]
			return imported != nil && imported.usesC
		})
		l.changes = l.Dir != "" && !isFixed(set, l.Dir) || slices.ContainsFunc(l.Imports, func(path string) bool {
			imported := found[l.resolve(path)]
			return imported != nil && imported.changes
		})
		found[l.ImportPath] = l
	}
}

// isFixed reports whether what lies in a directory does not change: that of a release
// of Go, or of a version of a module.
func isFixed(set *modules.Set, dir string) bool {
	for _, root := range []string{filepath.Join(set.Env["GOROOT"], "src"), set.Env["GOMODCACHE"]} {
		if rel, err := filepath.Rel(root, dir); err == nil && root != "" && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}
