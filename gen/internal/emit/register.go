package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/aiongen/aiongen/gen/internal/emit/code"
	"github.com/aiongen/aiongen/gen/internal/model"
)

func (e *emitter) register() error {
	e.Const().Id("_").Op("=").Add(code.Wire(model.Generated))
	if len(e.p.Deps) > 0 {
		e.deps()
	}
	e.Line()
	r := e.Local("r")
	e.Add(code.Comment("Register mounts every tool of this package on %#v. It mounts all or none.", r))
	if len(e.p.Deps) == 0 {
		e.Func().Id("Register").Params(r.Clone().Op("*").Add(code.Tool("Registry"))).Error().Block(
			jen.Return(r.Clone().Dot("Register").Call(jen.Id("Tools").Call().Op("..."))),
		)
	} else {
		all, err, d := e.Local("all"), e.Local("err"), e.Local("d")
		e.Func().Id("Register").Params(r.Clone().Op("*").Add(code.Tool("Registry")), d.Clone().Id("Deps")).Error().Block(
			jen.List(all, err).Op(":=").Id("Tools").Call(d),
			jen.If(err.Clone().Op("!=").Nil()).Block(jen.Return(err)),
			jen.Return(r.Clone().Dot("Register").Call(all.Clone().Op("..."))),
		)
	}
	e.Line()
	e.listTools()
	if e.p.Prompts != nil {
		e.prompts(e.p.Prompts)
	}
	return nil
}

func (e *emitter) deps() {
	e.Line()
	e.Add(code.Comment("Deps holds what the application supplies to the tools. No field may be nil."))
	e.Type().Id("Deps").StructFunc(func(g *jen.Group) {
		for _, d := range e.p.Deps {
			g.Id(d.Field).Add(code.GoType(d.Type))
		}
	})
}

func (e *emitter) listTools() {
	list := jen.Index().Add(code.Tool("Tool"))
	tools := list.Clone().ValuesFunc(func(g *jen.Group) {
		for _, t := range e.p.Tools() {
			g.Line().Add(e.mounted(t))
		}
		g.Line()
	})
	e.Add(code.Comment("Tools returns the tools in the order of the .aion files, for choosing among them."))
	if len(e.p.Deps) == 0 {
		e.Func().Id("Tools").Params().Add(list).Block(jen.Return(tools))
		return
	}
	e.Func().Id("Tools").Params(e.Local("d").Id("Deps")).Params(list, jen.Error()).BlockFunc(func(g *jen.Group) {
		for _, d := range e.p.Deps {
			if !d.Nilable {
				continue
			}
			message := fmt.Sprintf("%s: Deps.%s is nil, but %s", e.p.Name, d.Field, d.Need)
			g.If(e.Local("d").Dot(d.Field).Op("==").Nil()).Block(
				jen.Return(jen.Nil(), jen.Qual("errors", "New").Call(jen.Lit(message))),
			)
		}
		e.walks(g)
		g.Return(tools, jen.Nil())
	})
}

// walks prints how Register finds out that something is nil on the way from what the
// application supplies to a method.
func (e *emitter) walks(g *jen.Group) {
	met := map[string]bool{}
	for _, t := range e.p.Tools() {
		if t.Func == nil || t.Func.Dep == nil {
			continue
		}
		names := "Deps." + t.Func.Dep.Field
		for i, s := range t.Func.Walk {
			if names += "." + s.Name; !s.Nilable || met[names] {
				continue
			}
			met[names] = true
			message := fmt.Sprintf("%s: %s is nil, but %s calls a method behind it", e.p.Name, names, t.Name)
			g.If(walked(e.Local("d").Dot(t.Func.Dep.Field), t.Func.Walk[:i+1]).Op("==").Nil()).Block(
				jen.Return(jen.Nil(), jen.Qual("errors", "New").Call(jen.Lit(message))),
			)
		}
	}
}
