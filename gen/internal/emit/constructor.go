package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/aiongen/aiongen/gen/internal/emit/code"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// constructor prints the function that returns a tool, which says how to run it.
// That of a method takes a receiver.
func (e *emitter) constructor(t *model.Tool) {
	e.Line()
	e.Add(code.Comment("%s returns the %s tool, to call with typed arguments and to hook.", t.Constructor, t.Name))
	result, bind := code.Tool("Of").Types(argsType(t), e.resultType(t)), "Bind"
	parts := []jen.Code{jen.Op("&").Id(t.Definition), e.argsReader(t), e.runOf(t)}
	if t.Result == nil {
		result, bind = code.Tool("Do").Types(argsType(t)), "BindDo"
	} else {
		parts = append(parts, e.FromFunc(t.Result))
	}
	value := code.Tool(bind).Call(parts...)
	e.Func().Id(t.Constructor).Params(e.takes(t)...).Op("*").Add(result).BlockFunc(func(g *jen.Group) {
		if !t.UsesScope() {
			g.Return(value)
			return
		}
		x := e.Local("t")
		offered := x.Clone().Dot("Tool")
		var needs []jen.Code
		for _, ref := range t.Needs() {
			needs = append(needs, code.Wire("Fits").Types(code.GoType(ref.Go)))
		}
		if t.Lacks() {
			offered.Dot("Needs").Call(needs...)
		}
		if t.Variable != "" {
			method := "Keeps"
			if len(t.Lost()) > 0 {
				method = "Yields"
			}
			offered.Dot(method).Call(jen.Lit(t.Variable))
		}
		g.Add(x).Op(":=").Add(value)
		g.Add(x).Dot("Tool").Op("=").Add(offered)
		g.Return(x)
	})
}

// mounted is a tool as a registry takes it. Those that need a scope say so in their
// constructors.
func (e *emitter) mounted(t *model.Tool) *jen.Statement {
	if t.UsesScope() {
		var given []jen.Code
		if d := e.given(t); d != nil {
			given = append(given, d)
		}
		return jen.Id(t.Constructor).Call(given...).Dot("Tool")
	}
	invoke := jen.Id(t.Invoke)
	if d := e.given(t); d != nil {
		invoke = jen.Func().Params(e.invocation()...).Block(invoke.Call(e.Local("ctx"), e.Local("in"), d))
	}
	return code.Tool("Generated").Call(jen.Op("&").Id(t.Definition), invoke)
}

// invoke prints the function that makes a call of a tool: read the arguments,
// run, write the result.
func (e *emitter) invoke(t *model.Tool) {
	in, a := e.Local("in"), e.Local("a")
	run := e.callRun(t, jen.Op("&").Add(a.Clone()))
	e.Line()
	e.Func().Id(t.Invoke).Params(append(e.invocation(), e.takes(t)...)...).BlockFunc(func(g *jen.Group) {
		g.Var().Add(a.Clone()).Add(argsType(t))
		g.Add(e.argsReader(t)).Call(in.Clone().Dot("Arguments").Call(), jen.Op("&").Add(a.Clone()))
		ready := in.Clone().Dot("Ready").Call()
		if t.Result == nil {
			g.If(ready).Block(in.Clone().Dot("Failed").Call(run))
			return
		}
		g.If(jen.Op("!").Add(ready)).Block(jen.Return())
		g.List(e.Local("r"), e.Local("err")).Op(":=").Add(run)
		g.If(jen.Op("!").Add(in.Clone()).Dot("Failed").Call(e.Local("err"))).Block(
			e.Write(in.Clone().Dot("Result").Call(), jen.Lit(""), t.Result, e.Local("r")),
		)
	})
}

// invocation are the parameters of what a registry calls.
func (e *emitter) invocation() []jen.Code {
	return []jen.Code{
		e.Local("ctx").Qual("context", "Context"),
		e.Local("in").Op("*").Add(code.Tool("Invocation")),
	}
}
