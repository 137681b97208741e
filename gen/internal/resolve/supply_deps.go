package resolve

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/shape"
)

// A Dep is a field of Deps, the generated struct that holds the values that the application supplies.
// If it has no explicit name, ChooseName chooses one of Names.
type Dep struct {
	*model.Dep
	Names []string
}

// ChooseName returns the first of Names that is not taken, or the last one if all are taken.
func (d Dep) ChooseName(taken goname.Names) string {
	for _, name := range d.Names {
		if !taken[name] {
			return name
		}
	}
	return d.Names[len(d.Names)-1]
}

// A depsCollector collects the fields of Deps that tools need.
type depsCollector struct {
	write  shape.TypeWriter
	fields []Dep        // in the order of first use
	byType typeutil.Map // to *model.Dep
}

func (ds *depsCollector) hasField(t types.Type) bool { return ds.byType.At(t) != nil }

// fieldFor returns the field for a type. The first call for a type creates the field with the given
// name and need, which is the reason for the field: "find takes it".
func (ds *depsCollector) fieldFor(t types.Type, name, need string) (*model.Dep, error) {
	if dep, ok := ds.byType.At(t).(*model.Dep); ok {
		return dep, nil
	}
	goType, err := ds.write.GoType(t)
	if err != nil {
		return nil, err
	}
	d := Dep{&model.Dep{Field: name, Type: goType, Need: need, Nilable: shape.IsNilable(t)}, ds.proposeNames(t)}
	ds.byType.Set(t, d.Dep)
	ds.fields = append(ds.fields, d)
	return d.Dep, nil
}

// proposeNames returns names for a field of a type: the name of the type and, for a type of another
// package, the name prefixed with the package.
func (ds *depsCollector) proposeNames(t types.Type) []string {
	written, err := ds.write.GoType(t)
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok { // an alias of an unnamed interface
		return []string{"Receiver"}
	}
	if err == nil && written.Kind == model.GoPointer {
		written = written.Elems[0]
	}
	foreign := named.Obj().Pkg() != ds.write.Package.Types
	def := ds.write.NewDef(named)
	prefix := goname.Capitalize(def.Package)
	if err == nil && written.Name != named.Obj().Name() { // generated code can name only an alias of the type
		def.Stem = goname.Capitalize(written.Name)
		if foreign {
			def.Stem = prefix + def.Stem
		}
	}
	if foreign {
		return []string{strings.TrimPrefix(def.Stem, prefix), def.Stem}
	}
	return []string{def.Stem}
}
