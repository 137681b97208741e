package emit

import (
	"fmt"
	"strconv"

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
	e.Comment(code.Comment("Register mounts every tool of this package on %s. It mounts all or none.", r))
	registry := r + " *" + e.Tool("Registry")
	if len(e.p.Deps) == 0 {
		e.Id(code.Func(code.Call("Register", registry)+" error", func(l *code.Lines) {
			l.Return(code.Call(r+".Register", "Tools()..."))
		}))
	} else {
		all, err, d := e.Local("all"), e.Local("err"), e.Local("d")
		e.Id(code.Func(code.Call("Register", registry, d+" Deps")+" error", func(l *code.Lines) {
			l.Add(all, ", ", err, " := ", code.Call("Tools", d))
			l.If(err+" != nil", "return "+err)
			l.Return(code.Call(r+".Register", all+"..."))
		}))
	}
	e.Line()
	e.listTools()
	if e.p.Prompts != nil {
		e.prompts(e.p.Prompts)
	}
	return nil
}

func (e *emitter) deps() {
	e.Line().Comment(code.Comment("Deps holds what the application supplies to the tools. No field may be nil."))
	e.Type().Id("Deps").Id(code.Struct(func(l *code.Lines) {
		for _, d := range e.p.Deps {
			l.Add(d.Field, " ", e.GoType(d.Type))
		}
	}))
}

func (e *emitter) listTools() {
	list := "[]" + e.Tool("Tool")
	tools := code.Values(list, func(l *code.Lines) {
		for _, t := range e.p.Tools() {
			l.Add(e.mounted(t), ",")
		}
	})
	e.Comment(code.Comment("Tools returns the tools in the order of the .aion files, for choosing among them."))
	if len(e.p.Deps) == 0 {
		e.Id(code.Func("Tools() "+list, func(l *code.Lines) { l.Return(tools) }))
		return
	}
	e.Id(code.Func(code.Call("Tools", e.Local("d")+" Deps")+code.Call(" ", list, "error"), func(l *code.Lines) {
		for _, d := range e.p.Deps {
			if d.Nilable {
				e.mustBe(l, e.Member("d", d.Field), fmt.Sprintf("%s: Deps.%s is nil, but %s", e.p.Name, d.Field, d.Need))
			}
		}
		e.walks(l)
		l.Return(tools, "nil")
	}))
}

// walks prints how Register finds out that something is nil on the way from what the
// application supplies to a method.
func (e *emitter) walks(l *code.Lines) {
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
			e.mustBe(l, e.Member("d", names), fmt.Sprintf("%s: Deps.%s is nil, but %s calls a method behind it", e.p.Name, names, t.Name))
		}
	}
}

// mustBe prints that there are no tools if something is nil.
func (e *emitter) mustBe(l *code.Lines, x, message string) {
	l.If(x+" == nil", "return nil, "+code.Call(e.Declared("errors", "New"), strconv.Quote(message)))
}
