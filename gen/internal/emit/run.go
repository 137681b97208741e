package emit

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/aiongen/aiongen/gen/internal/emit/code"
	"github.com/aiongen/aiongen/gen/internal/model"
)

func (e *emitter) resultType(t *model.Tool) *jen.Statement {
	if t.Result == nil {
		return nil
	}
	return code.GoType(t.Result.Go)
}

// argsType is the Go type of the arguments.
func argsType(t *model.Tool) *jen.Statement {
	if t.Args.Reader == "" {
		return jen.Struct()
	}
	return code.GoType(t.Args.Go)
}

func (e *emitter) argsReader(t *model.Tool) *jen.Statement {
	if t.Args.Reader == "" {
		return code.Wire("NoArgumentsInto")
	}
	return jen.Id(t.Args.Reader)
}

// runOf is what runs a tool, as a value: its own function, or the one that calls
// it. That of a method takes the receiver from a variable.
func (e *emitter) runOf(t *model.Tool) *jen.Statement {
	switch {
	case t.Func.RunsItself():
		return e.callee(t.Func)
	case len(e.takes(t)) > 0:
		params := []jen.Code{e.Local("ctx").Qual("context", "Context"), e.Local("a").Op("*").Add(argsType(t))}
		return jen.Func().Params(params...).Add(e.returned(t)).Block(jen.Return(e.callRun(t, e.Local("a"))))
	}
	return jen.Id(t.Run)
}

// callRun is the call of what runs a tool on its arguments.
func (e *emitter) callRun(t *model.Tool, args *jen.Statement) *jen.Statement {
	switch {
	case t.Func.RunsItself():
		return e.callee(t.Func).Call(e.Local("ctx"), args)
	case len(e.takes(t)) > 0:
		return jen.Id(t.Run).Call(e.Local("ctx"), e.Local("d"), args)
	}
	return jen.Id(t.Run).Call(e.Local("ctx"), args)
}

// returned is what running a tool returns.
func (e *emitter) returned(t *model.Tool) *jen.Statement {
	if t.Result == nil {
		return jen.Error()
	}
	return jen.Params(code.GoType(t.Result.Go), jen.Error())
}

// takes is the parameter for what a tool takes from the application: what its function
// is a method of or, where it takes more, all of Deps.
func (e *emitter) takes(t *model.Tool) []jen.Code {
	switch {
	case t.Func.Injected():
		return []jen.Code{e.Local("d").Id("Deps")}
	case t.Func != nil && t.Func.Dep != nil:
		return []jen.Code{e.Local("d").Add(code.GoType(t.Func.Dep.Type))}
	}
	return nil
}

// given is what Register, which has Deps, gives a tool for that; nil if it takes
// nothing.
func (e *emitter) given(t *model.Tool) *jen.Statement {
	switch {
	case t.Func.Injected():
		return e.Local("d")
	case t.Func != nil && t.Func.Dep != nil:
		return e.Local("d").Dot(t.Func.Dep.Field)
	}
	return nil
}

// run prints the function that runs a tool on its arguments.
func (e *emitter) run(t *model.Tool) {
	f := t.Func
	if f.RunsItself() {
		return
	}
	ctx, a := jen.Id("_"), jen.Id("_")
	fills := f != nil && slices.ContainsFunc(f.Fill, func(x model.Fill) bool { return x.Source.InContext() })
	if fills || f != nil && slices.ContainsFunc(f.Args, func(x model.Arg) bool { return x.Source.InContext() || x.Source.Supplied() }) {
		ctx = e.Local("ctx")
	}
	if f != nil && slices.ContainsFunc(f.Args, func(x model.Arg) bool { return x.Source.Given() }) {
		a = e.Local("a")
	}
	params := append([]jen.Code{ctx.Qual("context", "Context")}, e.takes(t)...)
	e.Line()
	run := e.Func().Id(t.Run).Params(append(params, a.Op("*").Add(argsType(t)))...)
	switch {
	case t.Result == nil && (f.Supplied() || f.Drops()):
		run.Params(e.Local("err").Error())
	case t.Result != nil && f != nil && (len(f.Results) > 1 || f.Supplied() || f.Holder != "" && len(f.Walk) > 0):
		run.Params(e.Local("r").Add(code.GoType(t.Result.Go)), e.Local("err").Error())
	default:
		run.Add(e.returned(t))
	}
	run.BlockFunc(func(g *jen.Group) {
		if f == nil {
			g.Return(code.Literal(t.Link), jen.Nil())
			return
		}
		e.walk(g, t)
		e.supply(g, t)
		e.fill(g, f)
		e.call(g, t)
	})
}

// suppliers are the functions of the runtime that take from a context what a
// function needs, and the variables that hold it.
var suppliers = map[model.ArgSource]struct{ variable, path, function string }{
	model.FromCall:   {"call", model.ToolPath, "SuppliedCall"},
	model.FromScope:  {"scope", model.ToolPath, "SuppliedScope"},
	model.FromLogger: {"logger", model.LogPath, "Supplied"},
	model.FromMemory: {"store", model.MemoryPath, "Supplied"},
}

// supply prints how a function gets what it takes from the runtime.
func (e *emitter) supply(g *jen.Group, t *model.Tool) {
	seen := map[model.ArgSource]bool{}
	for _, a := range t.Func.Args {
		if !a.Source.Supplied() || seen[a.Source] {
			continue
		}
		s := suppliers[a.Source]
		seen[a.Source] = true
		g.List(e.Local(s.variable), e.Local("err")).Op(":=").Qual(s.path, s.function).Call(e.Local("ctx"))
		g.If(e.Local("err").Op("!=").Nil()).Block(jen.Return())
	}
}

// inContext is the context, or the exchange that is in it.
func (e *emitter) inContext(s model.ArgSource) *jen.Statement {
	if s == model.FromExchange {
		return jen.Qual(model.ToolPath, "ExchangeFrom").Call(e.Local("ctx"))
	}
	return e.Local("ctx")
}

// callee is the function as it is called.
func (e *emitter) callee(f *model.Func) *jen.Statement {
	switch {
	case f.Dep != nil && f.Injected():
		return walked(e.Local("d").Dot(f.Dep.Field), f.Walk).Dot(f.Name)
	case f.Dep != nil:
		return walked(e.Local("d"), f.Walk).Dot(f.Name)
	}
	return reference(f)
}

// fill prints how fields of the arguments get what no model writes.
func (e *emitter) fill(g *jen.Group, f *model.Func) {
	for _, fill := range f.Fill {
		value := e.inContext(fill.Source)
		if fill.Source == model.FromDeps {
			value = e.Local("d").Dot(fill.Dep.Field)
		}
		set := walked(e.Local("a"), fill.Way).Op("=").Add(value)
		var there *jen.Statement
		for i, s := range fill.Way[:len(fill.Way)-1] {
			if !s.Nilable {
				continue
			}
			known := walked(e.Local("a"), fill.Way[:i+1]).Op("!=").Nil()
			if there != nil {
				known = there.Op("&&").Add(known)
			}
			there = known
		}
		if there == nil {
			g.Add(set)
		} else {
			g.If(there).Block(set)
		}
	}
}

// walked is what is at the end of a way.
func walked(from *jen.Statement, way []model.Step) *jen.Statement {
	for _, s := range way {
		from.Dot(s.Name)
	}
	return from
}

// walk prints how a call finds out that something is nil on the way from a variable.
func (e *emitter) walk(g *jen.Group, t *model.Tool) {
	f := t.Func
	if f.Holder == "" || len(f.Walk) == 0 {
		return // Register looks
	}
	names := ""
	for i, s := range append([]model.Step{{Name: f.Holder, Nilable: f.HolderNil}}, f.Walk...) {
		names = strings.TrimPrefix(names+"."+s.Name, ".")
		if !s.Nilable {
			continue
		}
		failed := []jen.Code{jen.Qual("errors", "New").Call(jen.Lit(names + " is nil"))}
		if t.Result != nil {
			failed = append([]jen.Code{e.Local("r")}, failed...)
		}
		g.If(walked(jen.Qual(f.Path, f.Holder), f.Walk[:i]).Op("==").Nil()).Block(jen.Return(failed...))
	}
}

// call prints the call of the function and the return of what it returns.
func (e *emitter) call(g *jen.Group, t *model.Tool) {
	f := t.Func
	call := e.callee(f).Call(e.args(f)...)
	switch {
	case f.Drops() || len(f.Results) > 1:
		e.callSeveral(g, t, call)
	case f.Err:
		g.Return(call)
	case len(f.Results) == 1:
		g.Return(call, jen.Nil())
	default:
		g.Add(call)
		g.Return(jen.Nil())
	}
}

// callSeveral puts several results into the struct that holds them, or the one that
// is not dropped where it belongs.
func (e *emitter) callSeveral(g *jen.Group, t *model.Tool, call *jen.Statement) {
	var targets []jen.Code
	next := 0
	for _, returned := range t.Func.Results {
		switch {
		case !returned:
			targets = append(targets, jen.Id("_"))
		case t.Func.Returned() == 1:
			targets = append(targets, e.Local("r"))
		default:
			targets = append(targets, e.Local("r").Dot(t.Result.Fields[next].Path[0]))
			next++
		}
	}
	if t.Func.Err {
		targets = append(targets, e.Local("err"))
	}
	g.List(targets...).Op("=").Add(call)
	g.Return() // what it has named: a lock is not to be copied
}

func (e *emitter) args(f *model.Func) []jen.Code {
	var args []jen.Code
	for _, a := range f.Args {
		switch a.Source {
		case model.FromContext, model.FromExchange:
			args = append(args, e.inContext(a.Source))
		case model.FromDeps:
			args = append(args, e.Local("d").Dot(a.Dep.Field))
		case model.FromZero:
			if !a.Variadic {
				args = append(args, jen.Op("*").New(code.GoType(a.Type)))
			}
		case model.FromArgs:
			args = append(args, jen.Op("*").Add(e.Local("a")))
		case model.FromArgsPtr:
			args = append(args, e.Local("a"))
		case model.FromField:
			field := e.Local("a").Dot(a.Field)
			if a.Variadic {
				field.Op("...")
			}
			args = append(args, field)
		default:
			args = append(args, e.Local(suppliers[a.Source].variable))
		}
	}
	return args
}

// reference is the function as a value; a method takes its receiver first.
func reference(f *model.Func) *jen.Statement {
	switch {
	case f.Holder != "":
		return walked(jen.Qual(f.Path, f.Holder), f.Walk).Dot(f.Name)
	case len(f.Walk) > 0:
		return walked(jen.New(code.GoType(f.Dep.Type.Elems[0])), f.Walk).Dot(f.Name)
	case f.Dep == nil && len(f.TypeArgs) > 0:
		return jen.Qual(f.Path, f.Name).Types(code.GoTypes(f.TypeArgs)...)
	case f.Dep == nil:
		return jen.Qual(f.Path, f.Name)
	case f.Dep.Type.Kind == model.GoPointer:
		return jen.Parens(code.GoType(f.Dep.Type)).Dot(f.Name)
	}
	return code.GoType(f.Dep.Type).Dot(f.Name)
}
