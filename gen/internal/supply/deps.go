package supply

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/gotype"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// A Dep is a field of Deps. Where no name of it is said, it goes by the first of some
// that is free.
type Dep struct {
	*model.Dep
	Names []string
}

// Name is what the field is called where some names are taken.
func (d Dep) Name(taken goname.Names) string {
	for _, name := range d.Names {
		if !taken[name] {
			return name
		}
	}
	return d.Names[len(d.Names)-1]
}

// deps are the fields of Deps that tools have needed so far.
type deps struct {
	write  gotype.Writer
	fields []Dep        // in the order of first use
	byType typeutil.Map // to *model.Dep
}

func (ds *deps) has(t types.Type) bool { return ds.byType.At(t) != nil }

// of is the field for a type. The name of the field and the need are those of who
// asks for it first.
func (ds *deps) of(t types.Type, name, need string) (*model.Dep, error) {
	if known, ok := ds.byType.At(t).(*model.Dep); ok {
		return known, nil
	}
	goType, err := ds.write.Type(t)
	if err != nil {
		return nil, err
	}
	d := Dep{&model.Dep{Field: name, Type: goType, Need: need, Nilable: gotype.IsNilable(t)}, ds.names(t)}
	ds.byType.Set(t, d.Dep)
	ds.fields = append(ds.fields, d)
	return d.Dep, nil
}

// names are what a field is called after: its type, with the package in front only
// where that tells two apart.
func (ds *deps) names(t types.Type) []string {
	written, err := ds.write.Type(t)
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok { // an alias of an interface without a name
		return []string{"Receiver"}
	}
	if err == nil && written.Kind == model.GoPointer {
		written = written.Elems[0]
	}
	foreign := named.Obj().Pkg() != ds.write.Package.Types
	def := ds.write.Def(named)
	prefix := goname.Capitalised(def.Package)
	if err == nil && written.Name != named.Obj().Name() { // which only the alias can be said of
		def.Stem = goname.Capitalised(written.Name)
		if foreign {
			def.Stem = prefix + def.Stem
		}
	}
	if foreign {
		return []string{strings.TrimPrefix(def.Stem, prefix), def.Stem}
	}
	return []string{def.Stem}
}
