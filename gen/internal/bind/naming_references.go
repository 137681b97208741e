package bind

import (
	"maps"
	"slices"

	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/resolve"
	"github.com/aiongen/aiongen/gen/internal/shape"
)

// references are the packages and declarations that generated code refers to.
type references struct {
	write      shape.TypeWriter
	localNames goname.Names      // names that local variables of generated code must not hide
	imports    map[string]string // names of packages by path
}

func newReferences(w shape.TypeWriter) references {
	imports := map[string]string{model.ToolPath: "tool", model.WirePath: "wire", "context": "context"}
	return references{w, goname.Names{}, imports}
}

// addTypes records the packages and declarations that types refer to.
func (r *references) addTypes(list ...model.GoType) {
	for _, t := range list {
		if t.Kind == model.GoNamed && t.Path != "" && t.Path != "unsafe" {
			pkgName := t.Pkg
			if pkgName == "" {
				pkgName = r.write.Package.Name
			}
			r.addReference(t.Path, pkgName, t.Name)
		}
		r.addTypes(t.Elems...)
		r.addTypes(t.Result...)
		for _, f := range t.Fields {
			r.addTypes(f.Type)
		}
	}
}

// addReference records a declaration that generated code refers to: its package must be imported
// or, if that is the target package, no local variable may hide the name.
func (r *references) addReference(path, pkgName, name string) {
	if path == r.write.Target.Path {
		r.localNames.Reserve(name)
	} else {
		r.imports[path] = pkgName
	}
}

// nameImports chooses the names of imports, which must differ from the names that the package
// declares. It reserves them, so that local variables do not hide the imports.
func (r *references) nameImports(m *model.Package, packageNames goname.Names, literals []*resolve.DeclaredLiteral) {
	taken := maps.Clone(packageNames)
	for _, name := range r.write.Target.Imported {
		delete(taken, name) // imports of other files do not clash
	}
	taken.Reserve(r.write.Target.Declared...)
	taken.Reserve("err") // the printer, package jennifer, would rename such an import
	names := map[string]string{}
	for _, path := range slices.Sorted(maps.Keys(r.imports)) {
		pkgName := r.imports[path]
		name := importName(path, pkgName, taken, literals)
		r.localNames.Reserve(name)
		names[path] = name
		m.Imports = append(m.Imports, model.Import{Path: path, Name: name, Renamed: name != pkgName})
	}
	for _, l := range literals {
		l.Qualify(names, r.write.Target.Path)
	}
}

// importName chooses the name of an import. It differs from all taken names and from the names that
// literals declare if they use the package.
func importName(path, pkgName string, taken goname.Names, literals []*resolve.DeclaredLiteral) string {
	var hidden []string
	for _, l := range literals {
		if slices.Contains(l.Generated.Imports, path) {
			hidden = append(hidden, l.DeclaredNames()...)
		}
	}
	usable := taken
	if hidden != nil {
		usable = maps.Clone(taken) // other imports may use the hidden names
		usable.Reserve(hidden...)
	}
	name := usable.Take(pkgName)
	taken.Reserve(name)
	return name
}
