package naming

import (
	"maps"
	"slices"

	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/gotype"
	"github.com/aiongen/aiongen/gen/internal/literal"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// references are what generated code refers to by names of others.
type references struct {
	write     gotype.Writer
	mentioned goname.Names      // names of the target package
	imports   map[string]string // path of each package, and its name
}

func newReferences(w gotype.Writer) references {
	imports := map[string]string{model.ToolPath: "tool", model.WirePath: "wire", "context": "context"}
	return references{w, goname.Names{}, imports}
}

// goTypes notes what types refer to.
func (r *references) goTypes(list ...model.GoType) {
	for _, t := range list {
		if t.Kind == model.GoNamed && t.Path != "" && t.Path != "unsafe" {
			own := t.Pkg
			if own == "" {
				own = r.write.Package.Name
			}
			r.mention(t.Path, own, t.Name)
		}
		r.goTypes(t.Elems...)
		r.goTypes(t.Result...)
		for _, f := range t.Fields {
			r.goTypes(f.Type)
		}
	}
}

// mention notes the package of what generated code refers to, and keeps a name
// of the target package from being hidden by a variable.
func (r *references) mention(path, own, name string) {
	if path == r.write.Target.Path {
		r.mentioned.Reserve(name)
	} else {
		r.imports[path] = own
	}
}

// nameImports settles the names of imports, which must differ from what the
// package declares, and those of variables, which must not hide what generated
// code refers to.
func (r *references) nameImports(m *model.Package, free goname.Names, literals []*literal.Literal) {
	taken := maps.Clone(free)
	for _, name := range r.write.Target.Imported {
		delete(taken, name) // another file's imports are its own affair
	}
	taken.Reserve(r.write.Target.Declared...)
	named := map[string]string{}
	for _, path := range slices.Sorted(maps.Keys(r.imports)) {
		own := r.imports[path]
		name := importName(path, own, taken, literals)
		r.mentioned.Reserve(name)
		named[path] = name
		m.Imports = append(m.Imports, model.Import{Path: path, Name: name, Renamed: name != own})
	}
	for _, l := range literals {
		l.Qualify(named, r.write.Target.Path)
	}
}

// importName takes the name of an import: none that is taken, nor one that a
// literal hides where it needs the package.
func importName(path, own string, taken goname.Names, literals []*literal.Literal) string {
	var hidden []string
	for _, l := range literals {
		if slices.Contains(l.Made.Imports, path) {
			hidden = append(hidden, l.Declared()...)
		}
	}
	free := taken
	if hidden != nil {
		free = maps.Clone(taken) // other imports may have what is hidden here
		free.Reserve(hidden...)
	}
	name := free.Take(own)
	taken.Reserve(name)
	return name
}
