package load

import (
	"cmp"
	"go/token"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/aiongen/aiongen/internal/regularfile"
)

// ResolveLinks resolves the symbolic links in the part of a path that exists.
func ResolveLinks(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if parent := filepath.Dir(path); parent != path {
		return filepath.Join(ResolveLinks(parent), filepath.Base(path))
	}
	return path
}

// IsWithin reports whether path is dir or below it, after resolving symbolic links.
func IsWithin(dir, path string) bool {
	rel, err := filepath.Rel(ResolveLinks(dir), ResolveLinks(path))
	return err == nil && filepath.IsLocal(rel)
}

// ImportPathOf returns the import path of a directory, which need not exist. Outside of modules, it
// returns the base name.
func ImportPathOf(dir string) string {
	root, mod := findModule(dir)
	if root == "" {
		return filepath.Base(dir)
	}
	return path.Join(modfile.ModulePath(mod), Relative(root, dir))
}

// ModuleDir returns the root directory of the module that contains dir, or dir itself if
// there is none.
func ModuleDir(dir string) string {
	root, _ := findModule(dir)
	return cmp.Or(root, dir)
}

// findModule returns the root directory of the module that contains a directory, and the content of
// its go.mod file. The root is "" if there is no module.
func findModule(dir string) (root string, mod []byte) {
	for root = dir; ; root = filepath.Dir(root) {
		if mod, err := regularfile.ReadFile(filepath.Join(root, "go.mod")); err == nil {
			return root, mod
		}
		if root == filepath.Dir(root) {
			return "", nil
		}
	}
}

// PackageNameFor returns a package name for a directory with the given base name: myshop for
// my-shop, and tools if no name can be derived.
func PackageNameFor(base string) string {
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
