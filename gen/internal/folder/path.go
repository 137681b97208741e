package folder

import (
	"cmp"
	"go/token"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/internal/regular"
)

// Resolved is a path without links, as far as it exists.
func Resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if parent := filepath.Dir(path); parent != path {
		return filepath.Join(Resolved(parent), filepath.Base(path))
	}
	return path
}

// Within reports whether a path lies below a directory, links followed.
func Within(dir, path string) bool {
	rel, err := filepath.Rel(Resolved(dir), Resolved(path))
	return err == nil && filepath.IsLocal(rel)
}

// ImportPath is the import path of a directory, which need not exist yet: that
// of the module around it and the way from there.
func ImportPath(dir string) string {
	root, mod := module(dir)
	if root == "" {
		return filepath.Base(dir)
	}
	return path.Join(modfile.ModulePath(mod), load.Relative(root, dir))
}

// Module is the directory of the module that a directory is in: itself, where there
// is none.
func Module(dir string) string {
	root, _ := module(dir)
	return cmp.Or(root, dir)
}

// module returns the directory of the module around one, "" if there is none, and its
// go.mod.
func module(dir string) (root string, mod []byte) {
	for root = dir; ; root = filepath.Dir(root) {
		if mod, err := regular.ReadFile(filepath.Join(root, "go.mod")); err == nil {
			return root, mod
		}
		if root == filepath.Dir(root) {
			return "", nil
		}
	}
}

// PackageName is a package name for a directory whose path ends in base.
func PackageName(base string) string {
	name := strings.Map(func(r rune) rune {
		if r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' {
			return r
		}
		return -1
	}, strings.ToLower(base))
	if token.IsIdentifier(name) {
		return name
	}
	return "tools"
}
