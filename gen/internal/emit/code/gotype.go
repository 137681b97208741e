package code

import (
	"github.com/dave/jennifer/jen"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// GoType prints a Go type.
func GoType(t model.GoType) *jen.Statement {
	switch t.Kind {
	case model.GoPointer:
		return jen.Op("*").Add(GoType(t.Elems[0]))
	case model.GoSlice:
		return jen.Index().Add(GoType(t.Elems[0]))
	case model.GoArray:
		return jen.Index(jen.Lit(int(t.Len))).Add(GoType(t.Elems[0]))
	case model.GoMap:
		return jen.Map(GoType(t.Elems[0])).Add(GoType(t.Elems[1]))
	case model.GoChan:
		return jen.Chan().Parens(GoType(t.Elems[0]))
	case model.GoSendChan:
		return jen.Chan().Op("<-").Parens(GoType(t.Elems[0]))
	case model.GoReceiveChan:
		return jen.Op("<-").Chan().Parens(GoType(t.Elems[0]))
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
		named.Types(GoTypes(t.Elems)...)
	}
	return named
}

func GoTypes(list []model.GoType) []jen.Code {
	var printed []jen.Code
	for _, t := range list {
		printed = append(printed, GoType(t))
	}
	return printed
}

func signature(t model.GoType) *jen.Statement {
	params := GoTypes(t.Elems)
	if last := len(t.Elems) - 1; t.Spread {
		params[last] = jen.Op("...").Add(GoType(t.Elems[last].Elems[0]))
	}
	results := GoTypes(t.Result)
	if len(results) == 1 {
		return jen.Params(params...).Add(results[0])
	}
	return jen.Params(params...).Params(results...)
}

func structType(t model.GoType) *jen.Statement {
	return jen.StructFunc(func(g *jen.Group) {
		for _, f := range t.Fields {
			field := jen.Id(f.Name).Add(GoType(f.Type))
			if f.Name == "" {
				field = GoType(f.Type)
			}
			if f.Tag != "" {
				field.Add(Literal(f.Tag))
			}
			g.Add(field)
		}
	})
}

func interfaceType(t model.GoType) *jen.Statement {
	return jen.InterfaceFunc(func(g *jen.Group) {
		for _, f := range t.Fields {
			if f.Name == "" {
				g.Add(GoType(f.Type))
				continue
			}
			g.Id(f.Name).Add(signature(f.Type))
		}
	})
}
