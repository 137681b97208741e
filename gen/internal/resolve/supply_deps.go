package resolve

import (
	"go/types"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/model"
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

// proposeNames returns names for a field of a type: the name of the type and, for a type of another
// package, the name prefixed with the package.
func (s *Supply) proposeNames(t types.Type) []string {
	written, err := s.write.GoType(t)
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
	foreign := named.Obj().Pkg() != s.write.Package.Types
	def := s.write.NewDef(named)
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
