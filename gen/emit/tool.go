package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/aiongen/aiongen/gen/model"
)

// tools prints the tools of one .aion file, and the types that they read and
// write.
func (e *emitter) tools(f *model.File) {
	for _, t := range f.Tools {
		e.tool(t)
	}
	for _, t := range f.Types {
		e.functions(t)
	}
	for _, t := range f.Enums {
		e.values(t)
	}
	e.guard(f)
}

func (e *emitter) tool(t *model.Tool) {
	for _, s := range t.Declare {
		e.structDecl(s)
	}
	e.Line()
	e.Add(comment("%s and %s are the JSON Schemas of the %s tool.", t.InputName, t.OutputName, t.Name))
	e.Const().Defs(
		jen.Id(t.InputName).Op("=").Add(literal(t.Input)),
		jen.Id(t.OutputName).Op("=").Add(literal(t.Output)),
	)
	e.Line()
	e.definition(t)
	if t.Func != nil && t.Func.Literal != nil {
		e.literal(t.Func.Literal)
	}
	e.Line()
	e.invoke(t)
	for _, s := range t.Declare {
		e.functions(s.Type)
	}
}

func (e *emitter) structDecl(s model.Struct) {
	e.Line()
	e.Add(comment("%s", s.Doc))
	e.Type().Id(s.Type.Go.Name).StructFunc(func(g *jen.Group) {
		for _, f := range s.Type.Fields {
			if f.Description != "" {
				g.Add(comment("%s: %s", f.Path[0], f.Description))
			}
			tag := f.Name
			if f.Optional && f.Default == "" { // what is zero is no default
				tag += ",omitempty"
			}
			g.Id(f.Path[0]).Add(goType(f.Type.Go)).Tag(map[string]string{"json": tag})
		}
	})
}

func (e *emitter) definition(t *model.Tool) {
	e.Var().Id(t.Definition).Op("=").Add(runtime("Definition")).ValuesFunc(func(g *jen.Group) {
		set := func(field string, value jen.Code) { g.Line().Id(field).Op(":").Add(value) }
		set("Name", jen.Lit(t.Name))
		set("Description", literal(t.Description))
		if t.Link != "" {
			set("Link", literal(t.Link))
		}
		set("Input", jen.Index().Byte().Parens(jen.Id(t.InputName)))
		set("Output", jen.Index().Byte().Parens(jen.Id(t.OutputName)))
		g.Line()
	})
}

// literal prints a function literal as a function, whose lines count as those of
// the .aion file, so that the Go compiler's errors point there.
func (e *emitter) literal(l *model.Literal) {
	e.Line()
	e.Comment(fmt.Sprintf("//line %s:%d", oneLine(e.source), l.Line))
	code := e.Null()
	for _, p := range l.Pieces {
		if p.Path != "" {
			code.Qual(p.Path, p.Name)
		} else {
			code.Op(p.Text)
		}
	}
	e.Comment(resetLine)
}

// invoke prints the function that runs a tool: read the arguments, call, write
// the result. That of a method is made for a receiver.
func (e *emitter) invoke(t *model.Tool) {
	ctx := e.local("ctx")
	if t.Func == nil || !takesContext(t.Func) {
		ctx = jen.Id("_")
	}
	params := []jen.Code{ctx.Qual("context", "Context"), e.local("in").Op("*").Add(runtime("Invocation"))}
	if t.Func == nil || t.Func.Dep == nil {
		e.Func().Id(t.Invoke).Params(params...).BlockFunc(func(g *jen.Group) { e.run(g, t) })
		return
	}
	result := jen.Func().Params(jen.Qual("context", "Context"), jen.Op("*").Add(runtime("Invocation")))
	e.Func().Id(t.Invoke).Params(e.local("d").Add(goType(t.Func.Dep.Type))).Add(result).Block(
		jen.Return(jen.Func().Params(params...).BlockFunc(func(g *jen.Group) { e.run(g, t) })),
	)
}

func takesContext(f *model.Func) bool {
	return len(f.Args) > 0 && f.Args[0].Source == model.FromContext
}

func (e *emitter) run(g *jen.Group, t *model.Tool) {
	e.readArgs(g, t)
	g.If(jen.Op("!").Add(e.local("in")).Dot("Ready").Call()).Block(jen.Return())
	if t.Func == nil {
		g.Add(e.write(e.result(), jen.Lit(""), t.Result, literal(t.Link)))
		return
	}
	e.call(g, t)
	if t.Result == nil {
		g.Add(e.result().Dot("Null").Call(jen.Lit("")))
		return
	}
	g.Add(e.write(e.result(), jen.Lit(""), t.Result, e.local("r")))
}

func (e *emitter) result() *jen.Statement { return e.local("in").Dot("Result").Call() }

func (e *emitter) readArgs(g *jen.Group, t *model.Tool) {
	arguments := e.local("in").Dot("Arguments").Call()
	switch {
	case t.Args.Reader == "":
		g.Add(e.local("o")).Op(":=").Add(arguments).Dot("Object").Call()
		g.Add(e.local("o")).Dot("Done").Call()
	case usesArgs(t.Func):
		g.Add(e.local("a")).Op(":=").Id(t.Args.Reader).Call(arguments)
	default:
		g.Id(t.Args.Reader).Call(arguments)
	}
}

func usesArgs(f *model.Func) bool {
	for _, a := range f.Args {
		if a.Source != model.FromContext {
			return true
		}
	}
	return false
}

// call prints the call of the function, and what happens when it fails.
func (e *emitter) call(g *jen.Group, t *model.Tool) {
	f := t.Func
	call := reference(f)
	if f.Dep != nil {
		call = e.local("d").Dot(f.Name)
	}
	call.Call(e.args(f)...)
	failed := func(err jen.Code) jen.Code {
		return jen.If(e.local("in").Dot("Failed").Call(err)).Block(jen.Return())
	}
	r, err := e.local("r"), e.local("err")
	switch {
	case f.Results == 0 && f.Err:
		g.Add(failed(call))
	case f.Results == 0:
		g.Add(call)
	case f.Results == 1 && f.Err:
		g.List(r, err).Op(":=").Add(call)
		g.Add(failed(err))
	case f.Results == 1:
		g.Add(r).Op(":=").Add(call)
	default:
		e.callSeveral(g, t, call)
		if f.Err {
			g.Add(failed(err))
		}
	}
}

// callSeveral puts several results into the struct that holds them.
func (e *emitter) callSeveral(g *jen.Group, t *model.Tool, call *jen.Statement) {
	g.Var().Add(e.local("r")).Add(goType(t.Result.Go))
	var targets []jen.Code
	for _, field := range t.Result.Fields {
		targets = append(targets, e.local("r").Dot(field.Path[0]))
	}
	if t.Func.Err {
		g.Var().Add(e.local("err")).Error()
		targets = append(targets, e.local("err"))
	}
	g.List(targets...).Op("=").Add(call)
}

func (e *emitter) args(f *model.Func) []jen.Code {
	var args []jen.Code
	for _, a := range f.Args {
		switch a.Source {
		case model.FromContext:
			args = append(args, e.local("ctx"))
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
		}
	}
	return args
}

// guard prints a function that nobody calls and the compiler checks: it refers
// to every bound function at its exact type.
func (e *emitter) guard(f *model.File) {
	var refs []jen.Code
	for _, t := range f.Tools {
		if t.Func != nil && t.Func.Literal == nil {
			refs = append(refs, jen.Var().Id("_").Add(goType(t.Func.Type)).Op("=").Add(reference(t.Func)))
		}
	}
	if len(refs) == 0 {
		return
	}
	e.Line()
	e.Add(comment("The functions behind the tools, at their exact types: one that is gone or has"))
	e.Add(comment("changed fails the build here."))
	e.Func().Id("_").Params().Block(refs...)
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
