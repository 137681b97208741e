package emit

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/dave/jennifer/jen"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// tools prints the tools of one .aion file, and the types that they read and
// write.
func (e *emitter) tools(f *model.File) error {
	for _, t := range f.Tools {
		if err := e.tool(t); err != nil {
			return fmt.Errorf("printing tool %s: %w", t.Name, err)
		}
	}
	for _, t := range f.Types {
		e.functions(t)
	}
	for _, t := range f.Enums {
		e.values(t)
	}
	for _, t := range f.Matches {
		e.match(t)
	}
	e.guard(f)
	return e.literals(f)
}

func (e *emitter) tool(t *model.Tool) error {
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
	if t.Func != nil && t.Func.Literal != nil && t.Func.Literal.Lambda != nil {
		if err := e.lambda(t.Func); err != nil {
			return err
		}
	}
	e.constructor(t)
	e.run(t)
	e.invoke(t)
	for _, s := range t.Declare {
		e.functions(s.Type)
	}
	return nil
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
	e.Var().Id(t.Definition).Op("=").Add(tool("Definition")).ValuesFunc(func(g *jen.Group) {
		set := func(field string, value jen.Code) { g.Line().Id(field).Op(":").Add(value) }
		set("Name", jen.Lit(t.Name))
		if t.Title != "" {
			set("Title", literal(t.Title))
		}
		set("Description", literal(t.Description))
		if t.Link != "" {
			set("Link", literal(t.Link))
		}
		set("Input", jen.Index().Byte().Parens(jen.Id(t.InputName)))
		set("Output", jen.Index().Byte().Parens(jen.Id(t.OutputName)))
		if t.Example != "" {
			set("Example", jen.Index().Byte().Parens(literal(t.Example)))
		}
		if t.Annotations != (model.Annotations{}) {
			set("Annotations", annotations(t.Annotations))
		}
		g.Line()
	})
}

// annotations prints those that hold, without what follows from others.
func annotations(a model.Annotations) *jen.Statement {
	var set []jen.Code
	for _, x := range []struct {
		name  string
		holds bool
	}{{"ReadOnly", a.ReadOnly}, {"Additive", a.Additive && !a.ReadOnly}, {"Idempotent", a.Idempotent && !a.ReadOnly}, {"ClosedWorld", a.ClosedWorld}} {
		if x.holds {
			set = append(set, jen.Id(x.name).Op(":").True())
		}
	}
	return tool("Annotations").Values(set...)
}

// constructor prints the function that returns a tool, which says how to run it.
// That of a method takes a receiver.
func (e *emitter) constructor(t *model.Tool) {
	e.Line()
	e.Add(comment("%s returns the %s tool, to call with typed arguments and to hook.", t.Constructor, t.Name))
	var receiver []jen.Code
	if t.Func != nil && t.Func.Dep != nil {
		receiver = append(receiver, e.local("d").Add(goType(t.Func.Dep.Type)))
	}
	result, bind := tool("Of").Types(argsType(t), e.resultType(t)), "Bind"
	if t.Result == nil {
		result, bind = tool("Do").Types(argsType(t)), "BindDo"
	}
	value := tool(bind).Call(jen.Op("&").Id(t.Definition), e.runOf(t, "d"), jen.Id(t.Invoke))
	e.Func().Id(t.Constructor).Params(receiver...).Op("*").Add(result).BlockFunc(func(g *jen.Group) {
		if !scoped(t) {
			g.Return(value)
			return
		}
		x := e.local("t")
		offered := x.Clone().Dot("Tool")
		if needs := needs(t); len(needs) > 0 || t.TakesScope() {
			offered.Dot("Needs").Call(needs...)
		}
		if kept := t.Result.FindRef(); kept != nil {
			offered.Dot("Yields").Call(jen.Lit(stem(kept.Go)))
		}
		g.Add(x).Op(":=").Add(value)
		g.Add(x).Dot("Tool").Op("=").Add(offered)
		g.Return(x)
	})
}

func (e *emitter) resultType(t *model.Tool) *jen.Statement {
	if t.Result == nil {
		return nil
	}
	return goType(t.Result.Go)
}

// invoke prints the function that makes a call of a tool: read the arguments,
// run, write the result.
func (e *emitter) invoke(t *model.Tool) {
	ctx, in, run, a := e.local("ctx"), e.local("in"), e.local("run"), e.local("a")
	e.Line()
	e.Func().Id(t.Invoke).Params(append(e.invocation(), run.Clone().Add(e.runType(t)))...).BlockFunc(func(g *jen.Group) {
		g.Add(a).Op(":=").Add(e.argsReader(t)).Call(in.Clone().Dot("Arguments").Call())
		ready := in.Clone().Dot("Ready").Call()
		if t.Result == nil {
			g.If(ready).Block(in.Clone().Dot("Failed").Call(run.Clone().Call(ctx, a)))
			return
		}
		g.If(jen.Op("!").Add(ready)).Block(jen.Return())
		g.List(e.local("r"), e.local("err")).Op(":=").Add(run.Clone().Call(ctx, a))
		g.If(jen.Op("!").Add(in.Clone()).Dot("Failed").Call(e.local("err"))).Block(
			e.write(in.Clone().Dot("Result").Call(), jen.Lit(""), t.Result, e.local("r")),
		)
	})
}

// invocation are the parameters of what a registry calls.
func (e *emitter) invocation() []jen.Code {
	return []jen.Code{
		e.local("ctx").Qual("context", "Context"),
		e.local("in").Op("*").Add(tool("Invocation")),
	}
}

// stem is what the names of variables of a type begin with: reader of io.Reader,
// file of *os.File.
func stem(t model.GoType) string {
	for t.Kind != model.GoNamed && len(t.Elems) > 0 {
		t = t.Elems[len(t.Elems)-1]
	}
	isASCII := func(r rune) rune {
		if r > unicode.MaxASCII {
			return -1
		}
		return unicode.ToLower(r)
	}
	name := strings.Map(isASCII, t.Name)
	if t.Kind != model.GoNamed || name == "" || len(name) > longestStem {
		return "value"
	}
	return name
}

// longestStem leaves room for numbers in the names of variables.
const longestStem = 40

// needs are the checks that a scope has what a tool takes by reference alone.
func needs(t *model.Tool) (held []jen.Code) {
	for _, f := range t.Args.Fields {
		if f.Type.Kind == model.Ref && !f.Optional {
			held = append(held, wire("Fits").Types(goType(f.Type.Go)))
		}
	}
	return held
}

// scoped reports whether a tool can be called in a scope alone.
func scoped(t *model.Tool) bool {
	return len(needs(t)) > 0 || t.TakesScope() || t.Result.HoldsRef()
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

// runsItself reports whether the function of a tool is just what a call needs: it
// takes context and arguments, and returns the result and an error.
func runsItself(f *model.Func) bool {
	return f != nil && f.Err && f.Results <= 1 && takes(f, model.FromContext, model.FromArgs)
}

// runOf is what runs a tool, as a value: its own function, or the one that calls
// it. Of a method, the receiver is a field or a variable.
func (e *emitter) runOf(t *model.Tool, receiver ...string) *jen.Statement {
	d := e.local(receiver[0])
	for _, field := range receiver[1:] {
		d.Dot(field)
	}
	switch isMethod := t.Func != nil && t.Func.Dep != nil; {
	case runsItself(t.Func) && isMethod:
		return d.Dot(t.Func.Name)
	case runsItself(t.Func):
		return reference(t.Func)
	case isMethod:
		return jen.Id(t.Run).Call(d)
	}
	return jen.Id(t.Run)
}

// run prints the function that runs a tool on its arguments. That of a method is
// made for a receiver.
func (e *emitter) run(t *model.Tool) {
	if runsItself(t.Func) {
		return
	}
	e.Line()
	if t.Func == nil || t.Func.Dep == nil {
		e.Func().Id(t.Run).Add(e.runBody(t))
		return
	}
	e.Func().Id(t.Run).Params(e.local("d").Add(goType(t.Func.Dep.Type))).Add(e.runType(t)).Block(
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
	if f != nil && slices.ContainsFunc(f.Args, func(x model.Arg) bool { return !fromArgs(x) }) {
		ctx = e.local("ctx")
	}
	if f != nil && slices.ContainsFunc(f.Args, fromArgs) {
		a = e.local("a")
	}
	params := []jen.Code{ctx.Qual("context", "Context"), a.Add(argsType(t))}
	run := jen.Params(params...)
	switch {
	case t.Result == nil && !supplied(f):
		run.Error()
	case t.Result == nil:
		run.Params(e.local("err").Error())
	case f != nil && (f.Results > 1 || supplied(f)):
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

// takes reports whether a function takes just what these sources give.
func takes(f *model.Func, sources ...model.ArgSource) bool {
	return slices.EqualFunc(f.Args, sources, func(a model.Arg, s model.ArgSource) bool { return a.Source == s })
}

// fromArgs reports whether an argument comes from what the model wrote.
func fromArgs(a model.Arg) bool {
	return a.Source == model.FromField || a.Source == model.FromArgs || a.Source == model.FromArgsPtr
}

// suppliers are the functions of the runtime that take from a context what a
// function needs, and the variables that hold it.
var suppliers = map[model.ArgSource]struct{ variable, path, function string }{
	model.FromCall:   {"call", model.ToolPath, "SuppliedCall"},
	model.FromScope:  {"scope", model.ToolPath, "SuppliedScope"},
	model.FromLogger: {"logger", model.LogPath, "Supplied"},
	model.FromMemory: {"store", model.MemoryPath, "Supplied"},
}

// supplied reports whether a function takes something from the runtime.
func supplied(f *model.Func) bool {
	return f != nil && slices.ContainsFunc(f.Args, func(a model.Arg) bool { return suppliers[a.Source].function != "" })
}

// supply prints how a function gets what it takes from the runtime.
func (e *emitter) supply(g *jen.Group, t *model.Tool) {
	seen := map[model.ArgSource]bool{}
	for _, a := range t.Func.Args {
		s := suppliers[a.Source]
		if s.function == "" || seen[a.Source] {
			continue
		}
		seen[a.Source] = true
		failed := []jen.Code{e.local("err")}
		if t.Result != nil {
			failed = []jen.Code{e.local("r"), e.local("err")}
		}
		g.List(e.local(s.variable), e.local("err")).Op(":=").Qual(s.path, s.function).Call(e.local("ctx"))
		g.If(e.local("err").Op("!=").Nil()).Block(jen.Return(failed...))
	}
}

// mounted is a tool as a registry takes it. Those that need a scope say so in their
// constructors.
func (e *emitter) mounted(t *model.Tool) *jen.Statement {
	if scoped(t) {
		var receiver []jen.Code
		if t.Func.Dep != nil {
			receiver = append(receiver, e.local("d").Dot(t.Func.Dep.Field))
		}
		return jen.Id(t.Constructor).Call(receiver...).Dot("Tool")
	}
	receiver := []string{"d"}
	if t.Func != nil && t.Func.Dep != nil {
		receiver = append(receiver, t.Func.Dep.Field)
	}
	invoke := jen.Id(t.Invoke).Call(e.local("ctx"), e.local("in"), e.runOf(t, receiver...))
	return tool("New").Call(jen.Op("&").Id(t.Definition), jen.Func().Params(e.invocation()...).Block(invoke))
}

// callee is the function as it is called.
func (e *emitter) callee(f *model.Func) *jen.Statement {
	if f.Dep != nil {
		return e.local("d").Dot(f.Name)
	}
	return reference(f)
}

// call prints the call of the function and the return of what it returns.
func (e *emitter) call(g *jen.Group, t *model.Tool) {
	f := t.Func
	call := e.callee(f).Call(e.args(f)...)
	switch {
	case f.Results > 1:
		e.callSeveral(g, t, call)
	case f.Err:
		g.Return(call)
	case f.Results == 1:
		g.Return(call, jen.Nil())
	default:
		g.Add(call)
		g.Return(jen.Nil())
	}
}

// callSeveral puts several results into the struct that holds them.
func (e *emitter) callSeveral(g *jen.Group, t *model.Tool, call *jen.Statement) {
	var targets []jen.Code
	for _, field := range t.Result.Fields {
		targets = append(targets, e.local("r").Dot(field.Path[0]))
	}
	err := jen.Nil()
	if t.Func.Err {
		err = e.local("err")
		targets = append(targets, e.local("err"))
	}
	g.List(targets...).Op("=").Add(call)
	g.Return(e.local("r"), err)
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
		default:
			args = append(args, e.local(suppliers[a.Source].variable))
		}
	}
	return args
}

// guard prints a function that nobody calls and the compiler checks: it refers
// to every bound function at its exact type.
func (e *emitter) guard(f *model.File) {
	var refs []jen.Code
	refer := func(fn *model.Func) {
		refs = append(refs, jen.Var().Id("_").Add(goType(fn.Type)).Op("=").Add(reference(fn)))
	}
	for _, t := range f.Tools {
		switch {
		case t.Func == nil:
		case t.Func.Literal == nil:
			refer(t.Func)
		case t.Func.Literal.Lambda != nil:
			for _, called := range t.Func.Literal.Lambda.Calls {
				refer(called)
			}
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
