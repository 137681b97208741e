package emit

import (
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// argsType returns the Go type of the arguments.
func (e *emitter) argsType(t *model.Tool) string {
	if t.Args.Reader == "" {
		return "struct{}"
	}
	return e.GoType(t.Args.Go)
}

func (e *emitter) argsReader(t *model.Tool) string {
	if t.Args.Reader == "" {
		return e.wire("NoArgumentsInto")
	}
	return t.Args.Reader
}

// runExpr returns an expression for the function that runs a tool on its arguments: the tool's own
// function or the generated one. A tool with injected parameters gets a closure that captures them.
func (e *emitter) runExpr(t *model.Tool) string {
	switch {
	case t.Func.RunsItself():
		return e.calleeExpr(t.Func)
	case len(e.injectedParams(t)) > 0:
		head := Call("func", e.contextParam(), e.Local("a")+" *"+e.argsType(t)) + " " + e.resultTypes(t)
		return head + " {\nreturn " + e.runCall(t, e.Local("a")) + "\n}"
	}
	return t.Run
}

// runCall returns the call that runs a tool on its arguments.
func (e *emitter) runCall(t *model.Tool, args string) string {
	switch {
	case t.Func.RunsItself():
		return Call(e.calleeExpr(t.Func), e.Local("ctx"), args)
	case len(e.injectedParams(t)) > 0:
		return Call(t.Run, e.Local("ctx"), e.Local("d"), args)
	}
	return Call(t.Run, e.Local("ctx"), args)
}

// resultTypes returns the result list of the function that runs a tool.
func (e *emitter) resultTypes(t *model.Tool) string {
	if t.Result == nil {
		return "error"
	}
	return Call("", e.GoType(t.Result.Go), "error")
}

// injectedParams returns the parameter for the values that the application supplies to a tool: the
// receiver, or all of Deps if the tool needs more.
func (e *emitter) injectedParams(t *model.Tool) []string {
	switch {
	case t.Func.TakesInjected():
		return []string{e.Local("d") + " Deps"}
	case t.Func != nil && t.Func.Dep != nil:
		return []string{e.Local("d") + " " + e.GoType(t.Func.Dep.Type)}
	}
	return nil
}

// contextParam returns the parameter for a context.
func (e *emitter) contextParam() string {
	return e.Local("ctx") + " " + e.qualify("context", "Context")
}

// usesContext reports whether a call of a function uses the context.
func usesContext(f *model.Func) bool {
	return f != nil && (f.Sequence != nil || slices.ContainsFunc(f.Fill, func(x model.Fill) bool { return x.Source.IsInContext() }) ||
		slices.ContainsFunc(f.Args, func(x model.Arg) bool { return x.Source.IsInContext() || x.Source.IsSupplied() || x.Option != nil }))
}

// usesArguments reports whether a call of a function uses arguments that the model sends.
func usesArguments(f *model.Func) bool {
	return f != nil && slices.ContainsFunc(f.Args, func(x model.Arg) bool { return x.Source.IsFromModel() })
}

// runResults returns the result list of the function that emitRun prints. The results have names
// if the body sets them.
func (e *emitter) runResults(t *model.Tool) string {
	f := t.Func
	switch {
	case t.Result == nil && (f.TakesSupplied() || f.DropsResults()):
		return Call("", e.Local("err")+" error")
	case t.Result != nil && f != nil && (f.Sequence != nil || len(f.Results) > 1 || f.TakesSupplied() || f.Holder != "" && len(f.Walk) > 0):
		return Call("", e.Local("r")+" "+e.GoType(t.Result.Go), e.Local("err")+" error")
	}
	return e.resultTypes(t)
}

// emitRun prints the function that runs a tool on its arguments.
func (e *emitter) emitRun(t *model.Tool) {
	f := t.Func
	if f.RunsItself() {
		return
	}
	ctx, a := "_", "_"
	if usesContext(f) {
		ctx = e.Local("ctx")
	}
	if usesArguments(f) {
		a = e.Local("a")
	}
	params := append([]string{ctx + " " + e.qualify("context", "Context")}, e.injectedParams(t)...)
	results := e.runResults(t)
	e.addBlank()
	e.addBlock("func "+Call(t.Run, append(params, a+" *"+e.argsType(t))...)+" "+results+" {", func() {
		if f == nil {
			e.addReturn(Literal(t.Link), "nil")
			return
		}
		e.emitHolderChecks(t)
		e.emitSupplied(t)
		e.emitFills(f)
		e.emitCall(t)
	}, "}")
}

// contextFunctions are the functions of the runtime that return a value from the context, and the
// variables for these values.
var contextFunctions = map[model.ArgSource]struct{ variable, path, function string }{
	model.FromCall:   {"call", model.ToolPath, "SuppliedCall"},
	model.FromScope:  {"scope", model.ToolPath, "SuppliedScope"},
	model.FromLogger: {"logger", model.LogPath, "SuppliedLogger"},
	model.FromMemory: {"store", model.MemoryPath, "Supplied"},
}

// emitSupplied prints the statements that get the values that the runtime supplies to a function.
func (e *emitter) emitSupplied(t *model.Tool) {
	seen := map[model.ArgSource]bool{}
	for _, a := range t.Func.Args {
		if !a.Source.IsSupplied() || seen[a.Source] {
			continue
		}
		s := contextFunctions[a.Source]
		seen[a.Source] = true
		e.add(e.Local(s.variable), ", ", e.Local("err"), " := ", Call(e.qualify(s.path, s.function), e.Local("ctx")))
		e.addIf(e.Local("err")+" != nil", "return")
	}
}

// contextValue returns an expression for the context, or for the exchange in it.
func (e *emitter) contextValue(s model.ArgSource) string {
	if s == model.FromExchange {
		return Call(e.tool("ExchangeFrom"), e.Local("ctx"))
	}
	return e.Local("ctx")
}

// calleeExpr returns the function part of a call, such as d.Store.Find.
func (e *emitter) calleeExpr(f *model.Func) string {
	switch {
	case f.Dep != nil && f.TakesInjected():
		return selectSteps(e.Member("d", f.Dep.Field), f.Walk) + "." + f.Name
	case f.Dep != nil:
		return selectSteps(e.Local("d"), f.Walk) + "." + f.Name
	}
	return e.functionExpr(f)
}

// emitFills prints assignments to the fields of the arguments that the application or the runtime
// supplies, not the model.
func (e *emitter) emitFills(f *model.Func) {
	for _, fill := range f.Fill {
		value := e.contextValue(fill.Source)
		if fill.Source == model.FromDeps {
			value = e.Member("d", fill.Dep.Field)
		}
		set := selectSteps(e.Local("a"), fill.Way) + " = " + value
		var conditions []string // no pointer before the field is nil
		for i, s := range fill.Way[:len(fill.Way)-1] {
			if s.Nilable {
				conditions = append(conditions, selectSteps(e.Local("a"), fill.Way[:i+1])+" != nil")
			}
		}
		if conditions == nil {
			e.add(set)
		} else {
			e.addIf(strings.Join(conditions, " && "), set)
		}
	}
}

// selectSteps returns the selector expression for steps from a variable.
func selectSteps(from string, steps []model.Step) string {
	for _, s := range steps {
		from += "." + s.Name
	}
	return from
}

// emitHolderChecks prints nil checks for a package variable and the fields that lead from it to the
// receiver. Register checks receivers in Deps.
func (e *emitter) emitHolderChecks(t *model.Tool) {
	f := t.Func
	if f.Holder == "" || len(f.Walk) == 0 {
		return
	}
	names := ""
	for i, s := range append([]model.Step{{Name: f.Holder, Nilable: f.HolderNil}}, f.Walk...) {
		names = strings.TrimPrefix(names+"."+s.Name, ".")
		if !s.Nilable {
			continue
		}
		failed := Call(e.qualify("errors", "New"), strconv.Quote(names+" is nil"))
		if t.Result != nil {
			failed = e.Local("r") + ", " + failed
		}
		e.addIf(selectSteps(e.qualify(f.Path, f.Holder), f.Walk[:i])+" == nil", "return "+failed)
	}
}

// emitCall prints the call of the function and the return statement.
func (e *emitter) emitCall(t *model.Tool) {
	f := t.Func
	call := Call(e.calleeExpr(f), e.callArgs(f)...)
	switch {
	case f.Sequence != nil:
		e.emitSequenceCall(t, call)
	case f.DropsResults() || len(f.Results) > 1:
		e.add(strings.Join(e.resultTargets(t), ", "), " = ", call)
		e.add("return") // named results avoid copying locks
	case f.Err:
		e.addReturn(call)
	case len(f.Results) == 1:
		e.addReturn(call, "nil")
	default:
		e.add(call)
		e.addReturn("nil")
	}
}

// resultTargets returns the variables to which a call assigns its results: fields of the tool's result,
// that result itself, or the variable of a sequence whose items are collected into it.
func (e *emitter) resultTargets(t *model.Tool) (targets []string) {
	next := 0
	for i, returned := range t.Func.Results {
		target := "_"
		if returned {
			target = e.resultTarget(t, next)
			next++
		}
		if t.Func.Sequence != nil && t.Func.Sequence.Result == i {
			target = e.Local("items")
		}
		targets = append(targets, target)
	}
	if t.Func.Err {
		targets = append(targets, e.Local("err"))
	}
	return targets
}

// resultTarget returns the variable for one of the results that the tool returns, given its index among
// them.
func (e *emitter) resultTarget(t *model.Tool, index int) string {
	if t.Func.CountReturned() == 1 {
		return e.Local("r")
	}
	return e.Member("r", t.Result.Fields[index].Path[0])
}

// contextOption returns the call that creates an option from the context.
func (e *emitter) contextOption(o *model.ContextOption) string {
	return Call(e.qualify(o.Path, o.Name), e.Local("ctx"))
}

// callArgs returns the arguments of the call of a function.
func (e *emitter) callArgs(f *model.Func) (args []string) {
	for _, a := range f.Args {
		switch a.Source {
		case model.FromContext, model.FromExchange:
			args = append(args, e.contextValue(a.Source))
		case model.FromDeps:
			args = append(args, e.Member("d", a.Dep.Field))
		case model.FromZero:
			switch {
			case a.Option != nil:
				args = append(args, e.contextOption(a.Option))
			case !a.Variadic:
				args = append(args, "*"+Call("new", e.GoType(a.Type)))
			}
		case model.FromArgs:
			args = append(args, "*"+e.Local("a"))
		case model.FromArgsPtr:
			args = append(args, e.Local("a"))
		case model.FromField:
			field := e.Member("a", a.Field)
			if a.Option != nil { // first, so that other options take precedence
				field = Call(e.qualify("slices", "Concat"), "[]"+e.GoType(a.Option.Elem)+"{"+e.contextOption(a.Option)+"}", field)
			}
			if a.Variadic {
				field += "..."
			}
			args = append(args, field)
		default:
			args = append(args, e.Local(contextFunctions[a.Source].variable))
		}
	}
	return args
}

// functionExpr returns the function as a value. For a method of an injected type, it is a method
// expression such as (*Store).Find, or a method value if fields lead to the receiver, as in
// new(App).Store.Find.
func (n Names) functionExpr(f *model.Func) string {
	switch {
	case f.Holder != "":
		return selectSteps(n.qualify(f.Path, f.Holder), f.Walk) + "." + f.Name
	case len(f.Walk) > 0:
		return selectSteps(Call("new", n.GoType(f.Dep.Type.Elems[0])), f.Walk) + "." + f.Name
	case f.Dep == nil:
		return n.qualify(f.Path, f.Name) + n.typeArguments(f.TypeArgs...)
	case f.Dep.Type.Kind == model.GoPointer:
		return "(" + n.GoType(f.Dep.Type) + ")." + f.Name
	}
	return n.GoType(f.Dep.Type) + "." + f.Name
}
