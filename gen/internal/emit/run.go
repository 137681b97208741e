package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/aiongen/aiongen/gen/internal/model"
)

func (e *emitter) resultType(t *model.Tool) *jen.Statement {
	if t.Result == nil {
		return nil
	}
	return goType(t.Result.Go)
}

// argsType is the Go type of the arguments.
func argsType(t *model.Tool) *jen.Statement {
	if t.Args.Reader == "" {
		return jen.Struct()
	}
	return goType(t.Args.Go)
}

func (e *emitter) argsReader(t *model.Tool) *jen.Statement {
	if t.Args.Reader == "" {
		return wire("NoArguments")
	}
	return jen.Id(t.Args.Reader)
}

// runOf is what runs a tool, as a value: its own function, or the one that calls
// it. Of a method, the receiver is a field or a variable.
func (e *emitter) runOf(t *model.Tool, receiver ...string) *jen.Statement {
	d := e.local(receiver[0])
	for _, field := range receiver[1:] {
		d.Dot(field)
	}
	switch isMethod := t.Func != nil && (t.Func.Dep != nil || t.Func.Injected()); {
	case t.Func.RunsItself() && isMethod:
		return d.Dot(t.Func.Name)
	case t.Func.RunsItself():
		return reference(t.Func)
	case isMethod:
		return jen.Id(t.Run).Call(d)
	}
	return jen.Id(t.Run)
}

// takes is the parameter of what makes a tool: its receiver or, of one that takes more
// from the application, Deps.
func (e *emitter) takes(t *model.Tool) []jen.Code {
	switch {
	case t.Func.Injected():
		return []jen.Code{e.local("d").Id("Deps")}
	case t.Func != nil && t.Func.Dep != nil:
		return []jen.Code{e.local("d").Add(goType(t.Func.Dep.Type))}
	}
	return nil
}

// run prints the function that runs a tool on its arguments. That of a method is
// made for a receiver.
func (e *emitter) run(t *model.Tool) {
	if t.Func.RunsItself() {
		return
	}
	e.Line()
	takes := e.takes(t)
	if len(takes) == 0 {
		e.Func().Id(t.Run).Add(e.runBody(t))
		return
	}
	e.Func().Id(t.Run).Params(takes...).Add(e.runType(t)).Block(
		jen.Return(jen.Func().Add(e.runBody(t))),
	)
}

// runType is the type of what runs a tool.
func (e *emitter) runType(t *model.Tool) *jen.Statement {
	run := jen.Func().Params(jen.Qual("context", "Context"), argsType(t))
	if t.Result == nil {
		return run.Error()
	}
	return run.Params(goType(t.Result.Go), jen.Error())
}

// runBody is a function without its name.
func (e *emitter) runBody(t *model.Tool) *jen.Statement {
	f := t.Func
	ctx, a := jen.Id("_"), jen.Id("_")
	if f != nil && slices.ContainsFunc(f.Args, func(x model.Arg) bool { return x.Source == model.FromContext || x.Source.Supplied() }) {
		ctx = e.local("ctx")
	}
	if f != nil && slices.ContainsFunc(f.Args, func(x model.Arg) bool { return x.Source.Given() }) {
		a = e.local("a")
	}
	params := []jen.Code{ctx.Qual("context", "Context"), a.Add(argsType(t))}
	run := jen.Params(params...)
	switch {
	case t.Result == nil && !f.Supplied() && !f.Drops():
		run.Error()
	case t.Result == nil:
		run.Params(e.local("err").Error())
	case f != nil && (len(f.Results) > 1 || f.Supplied()):
		run.Params(e.local("r").Add(goType(t.Result.Go)), e.local("err").Error())
	default:
		run.Params(goType(t.Result.Go), jen.Error())
	}
	return run.BlockFunc(func(g *jen.Group) {
		if f == nil {
			g.Return(literal(t.Link), jen.Nil())
			return
		}
		e.supply(g, t)
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
		failed := []jen.Code{e.local("err")}
		if t.Result != nil {
			failed = []jen.Code{e.local("r"), e.local("err")}
		}
		g.List(e.local(s.variable), e.local("err")).Op(":=").Qual(s.path, s.function).Call(e.local("ctx"))
		g.If(e.local("err").Op("!=").Nil()).Block(jen.Return(failed...))
	}
}

// callee is the function as it is called.
func (e *emitter) callee(f *model.Func) *jen.Statement {
	switch {
	case f.Dep != nil && f.Injected():
		return e.local("d").Dot(f.Dep.Field).Dot(f.Name)
	case f.Dep != nil:
		return e.local("d").Dot(f.Name)
	}
	return reference(f)
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
			targets = append(targets, e.local("r"))
		default:
			targets = append(targets, e.local("r").Dot(t.Result.Fields[next].Path[0]))
			next++
		}
	}
	err := jen.Nil()
	if t.Func.Err {
		err = e.local("err")
		targets = append(targets, e.local("err"))
	}
	g.List(targets...).Op("=").Add(call)
	if t.Result == nil {
		g.Return(err)
		return
	}
	g.Return(e.local("r"), err)
}

func (e *emitter) args(f *model.Func) []jen.Code {
	var args []jen.Code
	for _, a := range f.Args {
		switch a.Source {
		case model.FromContext:
			args = append(args, e.local("ctx"))
		case model.FromDeps:
			args = append(args, e.local("d").Dot(a.Dep.Field))
		case model.FromZero:
			if !a.Variadic {
				args = append(args, jen.Op("*").New(goType(a.Type)))
			}
		case model.FromArgs:
			args = append(args, e.local("a"))
		case model.FromArgsPtr:
			args = append(args, jen.Op("&").Add(e.local("a")))
		case model.FromField:
			field := e.local("a").Dot(a.Field)
			if a.Variadic {
				field.Op("...")
			}
			args = append(args, field)
		default:
			args = append(args, e.local(suppliers[a.Source].variable))
		}
	}
	return args
}

// reference is the function as a value; a method takes its receiver first.
func reference(f *model.Func) *jen.Statement {
	switch {
	case f.Holder != "":
		return jen.Qual(f.Path, f.Holder).Dot(f.Name)
	case f.Dep == nil && len(f.TypeArgs) > 0:
		return jen.Qual(f.Path, f.Name).Types(goTypes(f.TypeArgs)...)
	case f.Dep == nil:
		return jen.Qual(f.Path, f.Name)
	case f.Dep.Type.Kind == model.GoPointer:
		return jen.Parens(goType(f.Dep.Type)).Dot(f.Name)
	}
	return goType(f.Dep.Type).Dot(f.Name)
}
