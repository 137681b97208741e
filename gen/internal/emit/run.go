package emit

import (
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/emit/code"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// argsType is the Go type of the arguments.
func (e *emitter) argsType(t *model.Tool) string {
	if t.Args.Reader == "" {
		return "struct{}"
	}
	return e.GoType(t.Args.Go)
}

func (e *emitter) argsReader(t *model.Tool) string {
	if t.Args.Reader == "" {
		return e.Wire("NoArgumentsInto")
	}
	return t.Args.Reader
}

// runOf is what runs a tool, as a value: its own function, or the one that calls
// it. That of a method takes the receiver from a variable.
func (e *emitter) runOf(t *model.Tool) string {
	switch {
	case t.Func.RunsItself():
		return e.callee(t.Func)
	case len(e.takes(t)) > 0:
		head := code.Call("func", e.context(), e.Local("a")+" *"+e.argsType(t)) + " " + e.returned(t)
		return head + " {\nreturn " + e.callRun(t, e.Local("a")) + "\n}"
	}
	return t.Run
}

// callRun is the call of what runs a tool on its arguments.
func (e *emitter) callRun(t *model.Tool, args string) string {
	switch {
	case t.Func.RunsItself():
		return code.Call(e.callee(t.Func), e.Local("ctx"), args)
	case len(e.takes(t)) > 0:
		return code.Call(t.Run, e.Local("ctx"), e.Local("d"), args)
	}
	return code.Call(t.Run, e.Local("ctx"), args)
}

// returned is what running a tool returns.
func (e *emitter) returned(t *model.Tool) string {
	if t.Result == nil {
		return "error"
	}
	return code.Call("", e.GoType(t.Result.Go), "error")
}

// takes is the parameter for what a tool takes from the application: what its function
// is a method of or, where it takes more, all of Deps.
func (e *emitter) takes(t *model.Tool) []string {
	switch {
	case t.Func.Injected():
		return []string{e.Local("d") + " Deps"}
	case t.Func != nil && t.Func.Dep != nil:
		return []string{e.Local("d") + " " + e.GoType(t.Func.Dep.Type)}
	}
	return nil
}

// given is what Register, which has Deps, gives a tool for that; nil if it takes
// nothing.
func (e *emitter) given(t *model.Tool) []string {
	switch {
	case t.Func.Injected():
		return []string{e.Local("d")}
	case t.Func != nil && t.Func.Dep != nil:
		return []string{e.Member("d", t.Func.Dep.Field)}
	}
	return nil
}

// context is the parameter for a context.
func (e *emitter) context() string { return e.Local("ctx") + " " + e.Declared("context", "Context") }

// run prints the function that runs a tool on its arguments.
func (e *emitter) run(t *model.Tool) {
	f := t.Func
	if f.RunsItself() {
		return
	}
	ctx, a := "_", "_"
	fills := f != nil && slices.ContainsFunc(f.Fill, func(x model.Fill) bool { return x.Source.InContext() })
	if fills || f != nil && slices.ContainsFunc(f.Args, func(x model.Arg) bool { return x.Source.InContext() || x.Source.Supplied() }) {
		ctx = e.Local("ctx")
	}
	if f != nil && slices.ContainsFunc(f.Args, func(x model.Arg) bool { return x.Source.Given() }) {
		a = e.Local("a")
	}
	params := append([]string{ctx + " " + e.Declared("context", "Context")}, e.takes(t)...)
	returned := e.returned(t)
	switch {
	case t.Result == nil && (f.Supplied() || f.Drops()):
		returned = code.Call("", e.Local("err")+" error")
	case t.Result != nil && f != nil && (len(f.Results) > 1 || f.Supplied() || f.Holder != "" && len(f.Walk) > 0):
		returned = code.Call("", e.Local("r")+" "+e.GoType(t.Result.Go), e.Local("err")+" error")
	}
	e.Next()
	e.In("func "+code.Call(t.Run, append(params, a+" *"+e.argsType(t))...)+" "+returned+" {", func() {
		if f == nil {
			e.Return(code.Literal(t.Link), "nil")
			return
		}
		e.walk(t)
		e.supply(t)
		e.fill(f)
		e.call(t)
	}, "}")
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
func (e *emitter) supply(t *model.Tool) {
	seen := map[model.ArgSource]bool{}
	for _, a := range t.Func.Args {
		if !a.Source.Supplied() || seen[a.Source] {
			continue
		}
		s := suppliers[a.Source]
		seen[a.Source] = true
		e.Add(e.Local(s.variable), ", ", e.Local("err"), " := ", code.Call(e.Declared(s.path, s.function), e.Local("ctx")))
		e.If(e.Local("err")+" != nil", "return")
	}
}

// inContext is the context, or the exchange that is in it.
func (e *emitter) inContext(s model.ArgSource) string {
	if s == model.FromExchange {
		return code.Call(e.Tool("ExchangeFrom"), e.Local("ctx"))
	}
	return e.Local("ctx")
}

// callee is the function as it is called.
func (e *emitter) callee(f *model.Func) string {
	switch {
	case f.Dep != nil && f.Injected():
		return walked(e.Member("d", f.Dep.Field), f.Walk) + "." + f.Name
	case f.Dep != nil:
		return walked(e.Local("d"), f.Walk) + "." + f.Name
	}
	return e.reference(f)
}

// fill prints how fields of the arguments get what no model writes.
func (e *emitter) fill(f *model.Func) {
	for _, fill := range f.Fill {
		value := e.inContext(fill.Source)
		if fill.Source == model.FromDeps {
			value = e.Member("d", fill.Dep.Field)
		}
		set := walked(e.Local("a"), fill.Way) + " = " + value
		var there []string
		for i, s := range fill.Way[:len(fill.Way)-1] {
			if s.Nilable {
				there = append(there, walked(e.Local("a"), fill.Way[:i+1])+" != nil")
			}
		}
		if there == nil {
			e.Add(set)
		} else {
			e.If(strings.Join(there, " && "), set)
		}
	}
}

// walked is what is at the end of a way.
func walked(from string, way []model.Step) string {
	for _, s := range way {
		from += "." + s.Name
	}
	return from
}

// walk prints how a call finds out that something is nil on the way from a variable.
func (e *emitter) walk(t *model.Tool) {
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
		failed := code.Call(e.Declared("errors", "New"), strconv.Quote(names+" is nil"))
		if t.Result != nil {
			failed = e.Local("r") + ", " + failed
		}
		e.If(walked(e.Declared(f.Path, f.Holder), f.Walk[:i])+" == nil", "return "+failed)
	}
}

// call prints the call of the function and the return of what it returns.
func (e *emitter) call(t *model.Tool) {
	f := t.Func
	call := code.Call(e.callee(f), e.args(f)...)
	switch {
	case f.Drops() || len(f.Results) > 1:
		e.callSeveral(t, call)
	case f.Err:
		e.Return(call)
	case len(f.Results) == 1:
		e.Return(call, "nil")
	default:
		e.Add(call)
		e.Return("nil")
	}
}

// callSeveral puts several results into the struct that holds them, or the one that
// is not dropped where it belongs.
func (e *emitter) callSeveral(t *model.Tool, call string) {
	var targets []string
	next := 0
	for _, returned := range t.Func.Results {
		switch {
		case !returned:
			targets = append(targets, "_")
		case t.Func.Returned() == 1:
			targets = append(targets, e.Local("r"))
		default:
			targets = append(targets, e.Member("r", t.Result.Fields[next].Path[0]))
			next++
		}
	}
	if t.Func.Err {
		targets = append(targets, e.Local("err"))
	}
	e.Add(strings.Join(targets, ", "), " = ", call)
	e.Add("return") // what it has named: a lock is not to be copied
}

func (e *emitter) args(f *model.Func) (args []string) {
	for _, a := range f.Args {
		switch a.Source {
		case model.FromContext, model.FromExchange:
			args = append(args, e.inContext(a.Source))
		case model.FromDeps:
			args = append(args, e.Member("d", a.Dep.Field))
		case model.FromZero:
			if !a.Variadic {
				args = append(args, "*"+code.Call("new", e.GoType(a.Type)))
			}
		case model.FromArgs:
			args = append(args, "*"+e.Local("a"))
		case model.FromArgsPtr:
			args = append(args, e.Local("a"))
		case model.FromField:
			field := e.Member("a", a.Field)
			if a.Variadic {
				field += "..."
			}
			args = append(args, field)
		default:
			args = append(args, e.Local(suppliers[a.Source].variable))
		}
	}
	return args
}

// reference is the function as a value; a method takes its receiver first.
func (e *emitter) reference(f *model.Func) string {
	switch {
	case f.Holder != "":
		return walked(e.Declared(f.Path, f.Holder), f.Walk) + "." + f.Name
	case len(f.Walk) > 0:
		return walked(code.Call("new", e.GoType(f.Dep.Type.Elems[0])), f.Walk) + "." + f.Name
	case f.Dep == nil:
		return e.Declared(f.Path, f.Name) + e.TypeArguments(f.TypeArgs...)
	case f.Dep.Type.Kind == model.GoPointer:
		return "(" + e.GoType(f.Dep.Type) + ")." + f.Name
	}
	return e.GoType(f.Dep.Type) + "." + f.Name
}
