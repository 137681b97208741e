package load

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// An ImportablePackage is a package that could be imported.
type ImportablePackage struct{ Path, Name string }

// Importable lists the packages of the standard library and of the build list, sorted by path. It
// runs the go command, so use it only to report a missing package. A Memory keeps the list until a
// package or an import is added or removed.
func (p *Package) Importable() []ImportablePackage {
	im := p.importer
	if im.importable != nil {
		return im.importable
	}
	key := ""
	if p.set != nil {
		key = p.set.importableKey()
	}
	if cached := &im.memory.importable; key != "" && cached.key == key {
		im.importable = cached.packages
		return im.importable
	}
	loaded, err := packages.Load(im.cfg.packagesConfig(im.ctx, packages.NeedName), "all", "std") // best effort
	im.importable = []ImportablePackage{}
	for _, k := range loaded {
		if k.Name != "" && k.Name != "main" && !strings.Contains("/"+k.PkgPath+"/", "/vendor/") {
			im.importable = append(im.importable, ImportablePackage{k.PkgPath, k.Name})
		}
	}
	slices.SortFunc(im.importable, func(a, b ImportablePackage) int { return strings.Compare(a.Path, b.Path) })
	if err == nil {
		im.memory.importable = importableList{key, im.importable}
	}
	return im.importable
}

// An importableList is the result of Importable.
type importableList struct {
	key      string // see importableKey; "" if the list must not be reused
	packages []ImportablePackage
}

// importableKey returns a hash of everything that affects the result of Importable: the versions of modules,
// and the names and imports of all packages that can change. It includes the imports of tests.
func (s *moduleSet) importableKey() string {
	key := sha256.New()
	fmt.Fprintln(key, cacheKey(s))
	for _, m := range s.modules {
		for _, dir := range listDirs(m.Dir) {
			p, err := s.context.ImportDir(dir, 0) // an error may be only that of one file
			fmt.Fprintf(key, "%q %q %q %q %q %v\n", dir, p.Name, p.Imports, p.TestImports, p.XTestImports, err)
		}
	}
	return hex.EncodeToString(key.Sum(nil))
}
