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
	localNames goname.Names      // names of the target package that are in use
	imports    map[string]string // names of packages by path
}

func newReferences(w shape.TypeWriter) references {
	imports := map[string]string{model.ToolPath: "tool", model.WirePath: "wire", "context": "context"}
	return references{w, goname.Names{}, imports}
}

// addTypes records what types refer to.
func (r *references) addTypes(list ...model.GoType) {
	for _, t := range list {
		if t.Kind == model.GoNamed && t.Path != "" && t.Path != "unsafe" {
			own := t.Pkg
			if own == "" {
				own = r.write.Package.Name
			}
			r.addReference(t.Path, own, t.Name)
		}
		r.addTypes(t.Elems...)
		r.addTypes(t.Result...)
		for _, f := range t.Fields {
			r.addTypes(f.Type)
		}
	}
}

// addReference records a name that generated code refers to: an import, or a name of the
// target package that no local variable may hide.
func (r *references) addReference(path, own, name string) {
	if path == r.write.Target.Path {
		r.localNames.Reserve(name)
	} else {
		r.imports[path] = own
	}
}

// nameImports chooses the names of imports, which must differ from the names that the package
// declares, and those of variables, which must not hide objects that generated code refers to.
func (r *references) nameImports(m *model.Package, free goname.Names, literals []*resolve.DeclaredLiteral) {
	taken := maps.Clone(free)
	for _, name := range r.write.Target.Imported {
		delete(taken, name) // imports of other files do not clash
	}
	taken.Reserve(r.write.Target.Declared...)
	taken.Reserve("err") // package jen, which prints a file, renames such an import
	named := map[string]string{}
	for _, path := range slices.Sorted(maps.Keys(r.imports)) {
		own := r.imports[path]
		name := importName(path, own, taken, literals)
		r.localNames.Reserve(name)
		named[path] = name
		m.Imports = append(m.Imports, model.Import{Path: path, Name: name, Renamed: name != own})
	}
	for _, l := range literals {
		l.Qualify(named, r.write.Target.Path)
	}
}

// importName chooses the name of an import. It differs from all taken names and from those
// that a literal declares which needs the package.
func importName(path, own string, taken goname.Names, literals []*resolve.DeclaredLiteral) string {
	var hidden []string
	for _, l := range literals {
		if slices.Contains(l.Generated.Imports, path) {
			hidden = append(hidden, l.DeclaredNames()...)
		}
	}
	free := taken
	if hidden != nil {
		free = maps.Clone(taken) // other imports may use the hidden names
		free.Reserve(hidden...)
	}
	name := free.Take(own)
	taken.Reserve(name)
	return name
}
