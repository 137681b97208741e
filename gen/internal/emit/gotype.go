package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// goType prints a Go type.
func goType(t model.GoType) *jen.Statement {
	switch t.Kind {
	case model.GoPointer:
		return jen.Op("*").Add(goType(t.Elems[0]))
	case model.GoSlice:
		return jen.Index().Add(goType(t.Elems[0]))
	case model.GoArray:
		return jen.Index(jen.Lit(int(t.Len))).Add(goType(t.Elems[0]))
	case model.GoMap:
		return jen.Map(goType(t.Elems[0])).Add(goType(t.Elems[1]))
	case model.GoChan:
		return jen.Chan().Parens(goType(t.Elems[0]))
	case model.GoSendChan:
		return jen.Chan().Op("<-").Parens(goType(t.Elems[0]))
	case model.GoReceiveChan:
		return jen.Op("<-").Chan().Parens(goType(t.Elems[0]))
	case model.GoFunc:
		return jen.Func().Add(signature(t))
	case model.GoStruct:
		return structType(t)
	case model.GoInterface:
		return interfaceType(t)
	}
	named := jen.Id(t.Name)
	if t.Path != "" {
		named = jen.Qual(t.Path, t.Name)
	}
	if len(t.Elems) > 0 {
		named.Types(goTypes(t.Elems)...)
	}
	return named
}

func goTypes(list []model.GoType) []jen.Code {
	var printed []jen.Code
	for _, t := range list {
		printed = append(printed, goType(t))
	}
	return printed
}

func signature(t model.GoType) *jen.Statement {
	params := goTypes(t.Elems)
	if last := len(t.Elems) - 1; t.Spread {
		params[last] = jen.Op("...").Add(goType(t.Elems[last].Elems[0]))
	}
	results := goTypes(t.Result)
	if len(results) == 1 {
		return jen.Params(params...).Add(results[0])
	}
	return jen.Params(params...).Params(results...)
}

func structType(t model.GoType) *jen.Statement {
	return jen.StructFunc(func(g *jen.Group) {
		for _, f := range t.Fields {
			field := jen.Id(f.Name).Add(goType(f.Type))
			if f.Name == "" {
				field = goType(f.Type)
			}
			if f.Tag != "" {
				field.Add(literal(f.Tag))
			}
			g.Add(field)
		}
	})
}

func interfaceType(t model.GoType) *jen.Statement {
	return jen.InterfaceFunc(func(g *jen.Group) {
		for _, f := range t.Fields {
			if f.Name == "" {
				g.Add(goType(f.Type))
				continue
			}
			g.Id(f.Name).Add(signature(f.Type))
		}
	})
}
