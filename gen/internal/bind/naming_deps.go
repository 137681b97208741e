package bind

import (
	"slices"

	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/resolve"
)

// nameDeps names the fields of Deps after their types.
func (n *namer) nameDeps(m *model.Package, deps []resolve.Dep) {
	fields := goname.Names{}
	for _, d := range deps {
		fields.Reserve(d.Field) // explicit names take precedence
	}
	for _, d := range deps {
		if d.Field == "" {
			d.Field = fields.Take(d.ChooseName(fields))
		}
		n.addTypes(d.Type)
		m.Deps = append(m.Deps, d.Dep)
	}
	if slices.ContainsFunc(deps, func(d resolve.Dep) bool { return d.Nilable }) {
		n.imports["errors"] = "errors"
	}
}
