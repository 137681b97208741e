package emit

import (
	"fmt"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/aiongen/aiongen/gen/internal/emit/code"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// registerFile are the parts of the file that is generated once a package.
func registerFile(p *model.Package) []part {
	parts := []part{(*emitter).register, (*emitter).listTools}
	if p.Prompts != nil {
		parts = append(parts, (*emitter).prompts)
	}
	return parts
}

// register prints what the application mounts the tools with.
func (e *emitter) register() error {
	return e.once(func(f *jen.File) {
		f.Const().Id("_").Op("=").Id(e.Wire(model.Generated))
		if len(e.p.Deps) > 0 {
			f.Line().Comment(code.Comment("Deps holds what the application supplies to the tools. No field may be nil."))
			f.Type().Id("Deps").StructFunc(func(fields *jen.Group) {
				for _, d := range e.p.Deps {
					fields.Id(d.Field).Id(e.GoType(d.Type))
				}
			})
		}
		r := e.Local("r")
		f.Line().Comment(code.Comment("Register mounts every tool of this package on %s. It mounts all or none.", r))
		registry := jen.Id(r).Op("*").Id(e.Tool("Registry"))
		if len(e.p.Deps) == 0 {
			f.Func().Id("Register").Params(registry).Error().Block(
				jen.Return(jen.Id(r).Dot("Register").Call(jen.Id("Tools").Call().Op("..."))))
			return
		}
		all, err, d := jen.Id(e.Local("all")), jen.Id(e.Local("err")), jen.Id(e.Local("d"))
		f.Func().Id("Register").Params(registry, jen.Add(d).Id("Deps")).Error().Block(
			jen.List(all, err).Op(":=").Id("Tools").Call(d),
			jen.If(jen.Add(err).Op("!=").Nil()).Block(jen.Return(err)),
			jen.Return(jen.Id(r).Dot("Register").Call(jen.Add(all).Op("..."))))
	})
}

// listTools prints the list of all tools, which grows with them.
func (e *emitter) listTools() error {
	list := "[]" + e.Tool("Tool")
	tools := func(behind string) {
		e.In("return "+list+"{", func() {
			for _, t := range e.p.Tools() {
				e.Add(e.mounted(t), ",")
			}
		}, "}"+behind)
	}
	e.comment("Tools returns the tools in the order of the .aion files, for choosing among them.")
	if len(e.p.Deps) == 0 {
		e.In("func Tools() "+list+" {", func() { tools("") }, "}")
		return nil
	}
	e.In("func "+code.Call("Tools", e.Local("d")+" Deps")+code.Call(" ", list, "error")+" {", func() {
		for _, d := range e.p.Deps {
			if d.Nilable {
				e.mustBe(e.Member("d", d.Field), fmt.Sprintf("%s: Deps.%s is nil, but %s", e.p.Name, d.Field, d.Need))
			}
		}
		e.walks()
		tools(", nil")
	}, "}")
	return nil
}

// walks prints how Register finds out that something is nil on the way from what the
// application supplies to a method.
func (e *emitter) walks() {
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
			e.mustBe(e.Member("d", names), fmt.Sprintf("%s: Deps.%s is nil, but %s calls a method behind it", e.p.Name, names, t.Name))
		}
	}
}

// mustBe prints that there are no tools if something is nil.
func (e *emitter) mustBe(x, message string) {
	e.If(x+" == nil", "return nil, "+code.Call(e.Declared("errors", "New"), strconv.Quote(message)))
}
