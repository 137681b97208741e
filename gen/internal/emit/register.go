package emit

import (
	"fmt"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/aiongen/aiongen/gen/internal/emit/code"
	"github.com/aiongen/aiongen/gen/internal/model"
)

func (e *emitter) register() error {
	e.Const().Id("_").Op("=").Id(e.Wire(model.Generated))
	if len(e.p.Deps) > 0 {
		e.deps()
	}
	e.Line()
	r := e.Local("r")
	e.Add(code.Comment("Register mounts every tool of this package on %s. It mounts all or none.", r))
	registry := r + " *" + e.Tool("Registry")
	if len(e.p.Deps) == 0 {
		e.Func().Id(code.Call("Register", registry)).Error().Block(
			jen.Return(jen.Id(code.Call(r+".Register", "Tools()..."))),
		)
	} else {
		all, err, d := e.Local("all"), e.Local("err"), e.Local("d")
		e.Func().Id(code.Call("Register", registry, d+" Deps")).Error().Block(
			jen.Id(all+", "+err+" := "+code.Call("Tools", d)),
			jen.If(jen.Id(err+" != nil")).Block(jen.Return(jen.Id(err))),
			jen.Return(jen.Id(code.Call(r+".Register", all+"..."))),
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
			g.Id(d.Field).Id(e.GoType(d.Type))
		}
	})
}

func (e *emitter) listTools() {
	list := "[]" + e.Tool("Tool")
	tools := jen.Id(list).ValuesFunc(func(g *jen.Group) {
		for _, t := range e.p.Tools() {
			g.Line().Id(e.mounted(t))
		}
		g.Line()
	})
	e.Add(code.Comment("Tools returns the tools in the order of the .aion files, for choosing among them."))
	if len(e.p.Deps) == 0 {
		e.Func().Id("Tools()").Id(list).Block(jen.Return(tools))
		return
	}
	e.Func().Id(code.Call("Tools", e.Local("d")+" Deps")).Id(code.Call("", list, "error")).BlockFunc(func(g *jen.Group) {
		for _, d := range e.p.Deps {
			if d.Nilable {
				e.mustBe(g, e.Member("d", d.Field), fmt.Sprintf("%s: Deps.%s is nil, but %s", e.p.Name, d.Field, d.Need))
			}
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
		names := t.Func.Dep.Field
		for _, s := range t.Func.Walk {
			if names += "." + s.Name; !s.Nilable || met[names] {
				continue
			}
			met[names] = true
			e.mustBe(g, e.Member("d", names), fmt.Sprintf("%s: Deps.%s is nil, but %s calls a method behind it", e.p.Name, names, t.Name))
		}
	}
}

// mustBe prints that there are no tools if something is nil.
func (e *emitter) mustBe(g *jen.Group, x, message string) {
	g.If(jen.Id(x + " == nil")).Block(
		jen.Return(jen.Nil(), jen.Id(code.Call(e.Declared("errors", "New"), strconv.Quote(message)))),
	)
}
