package naming

import (
	"slices"

	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/supply"
)

// deps names the fields of Deps after the types of receivers.
func (n *namer) deps(m *model.Package, deps []supply.Dep) {
	fields := goname.Names{}
	for _, d := range deps {
		fields.Reserve(d.Field) // those that are said come first
	}
	for _, d := range deps {
		if d.Field == "" {
			d.Field = fields.Take(d.Name(fields))
		}
		n.goTypes(d.Type)
		m.Deps = append(m.Deps, d.Dep)
	}
	if slices.ContainsFunc(deps, func(d supply.Dep) bool { return d.Nilable }) {
		n.imports["errors"] = "errors"
	}
}
