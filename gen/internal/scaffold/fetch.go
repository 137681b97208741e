package scaffold

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/resolve"
)

// Some functions return a command, a future, an operation or a request, which JSON cannot carry but whose method
// returns the content: client.Get(ctx, key).Result(). Their tool is a lambda that calls both.

// fetchMethods are the names of methods that return the content of a value, in order of preference.
var fetchMethods = []string{"Result", "Get", "Wait", "Await", "Do"}

// useFetchedResults replaces functions that return a value with a fetch method by lambdas, if these compile in the
// package of the file. Otherwise, the descriptions of the functions say what to write.
func (s *scaffold) useFetchedResults(declared declaredTypes, t target, doc *aion.Document, tools []*model.Tool) {
	var all []replacement
	for i, el := range doc.Elements {
		fn := lookupFunction(declared.pkg, s.chosen[i].name)
		fetch := declared.findFetch(fn)
		if fetch == "" || el.Description == nil {
			continue
		}
		lambda := newFetchLambda(el, tools[i], fn, fetch, declared.pkg.Path() == t.Path)
		all = append(all, replacement{i, lambda, fetchTODO(fn, lambda.Function.Text.Value) + el.Description.Value})
	}
	s.replaceElements(doc, all, func(lambdas *aion.Document) map[string]*aion.Element { return s.bindFetchLambdas(lambdas, t) })
}

// bindFetchLambdas returns the elements whose lambdas compile, by name. If a lambda only compiles without
// the notes on its arguments, the element has none.
func (s *scaffold) bindFetchLambdas(doc *aion.Document, t target) map[string]*aion.Element {
	all := slices.Clone(doc.Elements)
	compiled := s.bindLambdas(doc, t)
	doc.Elements = nil
	for _, el := range all {
		if compiled[el.Name.Value] == nil && el.Function.Args != nil {
			el.Function.Args = nil
			doc.Elements = append(doc.Elements, el)
		}
	}
	if len(doc.Elements) == 0 {
		return compiled
	}
	for name, el := range s.bindLambdas(doc, t) {
		el.Function.Args = nil
		compiled[name] = el
	}
	return compiled
}

// fetchTODO returns the beginning of the description of a function that could not become a lambda.
func fetchTODO(fn *types.Func, lambda string) string {
	qualifier := func(p *types.Package) string { return p.Name() }
	condition := "Import the package of the function in a Go file"
	if recv := fn.Signature().Recv(); recv != nil {
		condition = fmt.Sprintf("Declare tool.Inject[%s]()", types.TypeString(recv.Type(), qualifier))
	}
	return fmt.Sprintf("TODO: JSON cannot carry %s. %s, and name this function: %s ", types.TypeString(fn.Signature().Results().At(0).Type(), qualifier), condition, lambda)
}

// findFetch returns the calls that get the content from the result of a function, such as Result(). It
// returns "" if JSON can carry the result, or if no method returns its content.
func (d declaredTypes) findFetch(fn *types.Func) string {
	if fn == nil || countValues(fn.Signature()) != 1 {
		return ""
	}
	t := fn.Signature().Results().At(0).Type()
	if namedOf(t) == nil || d.hasContent(t) {
		return ""
	}
	for _, name := range fetchMethods {
		method := methodOf(t, name)
		if method == nil || !d.isFetchMethod(method) || name == "Get" && takesContextElsewhere(t) {
			continue
		}
		for _, setter := range []string{"Context", "WithContext"} {
			if !takesContext(method.Signature()) && setsContext(methodOf(t, setter), t) {
				return setter + "()." + name + "()"
			}
		}
		return name + "()"
	}
	return ""
}

// hasContent reports whether JSON can carry a part of a result, or generated code collects its items.
func (d declaredTypes) hasContent(t types.Type) bool {
	if sequence, _, _, err := d.shapes.ReadSequence(t, diag.Span{}); sequence != nil && err == nil {
		return true
	}
	result, _, err := d.shapes.ReadResult(t, diag.Span{})
	return err == nil && !result.HasOnlyRefs() && !d.shapes.IsBlank(t)
}

// isFetchMethod reports whether a method may fail, returns something that JSON can carry, and needs only
// arguments that the runtime supplies and options. The methods Do and Wait may return only an error, because
// they perform the operation of their receiver.
func (d declaredTypes) isFetchMethod(method *types.Func) bool {
	sig := method.Signature()
	for i := range sig.Params().Len() {
		if isOptions := sig.Variadic() && i == sig.Params().Len()-1; !isOptions && !resolve.IsRuntimeSupplied(sig.Params().At(i).Type()) {
			return false
		}
	}
	if !returnsError(sig) {
		return false
	}
	results := slices.Collect(sig.Results().Variables())[:countValues(sig)]
	if len(results) == 0 {
		return method.Name() == "Do" || method.Name() == "Wait"
	}
	return slices.ContainsFunc(results, func(v *types.Var) bool { return d.hasContent(v.Type()) })
}

// takesContextElsewhere reports whether a type has a method other than Get that takes a context. Such a type gives access
// to a resource: Get is one of several things to do with it.
func takesContextElsewhere(t types.Type) bool {
	for selection := range types.NewMethodSet(t).Methods() {
		if m := selection.Obj(); m.Exported() && m.Name() != "Get" && takesContext(m.Type().(*types.Signature)) {
			return true
		}
	}
	return false
}

// setsContext reports whether a method takes a context and returns its receiver, of type t.
func setsContext(method *types.Func, t types.Type) bool {
	if method == nil {
		return false
	}
	sig := method.Signature()
	return sig.Params().Len() == 1 && takesContext(sig) && sig.Results().Len() == 1 && types.Identical(sig.Results().At(0).Type(), t)
}

// methodOf returns the exported method of a type with a name, or nil.
func methodOf(t types.Type, name string) *types.Func {
	selection := types.NewMethodSet(t).Lookup(nil, name)
	if selection == nil {
		return nil
	}
	return selection.Obj().(*types.Func)
}

// newFetchLambda returns the element with a lambda that calls a function and then gets the content of its result. It
// keeps the notes on arguments if each of them is about one parameter.
func newFetchLambda(el *aion.Element, t *model.Tool, fn *types.Func, fetch string, own bool) *aion.Element {
	var names, callArgs []string
	for i, arg := range t.Func.Args {
		if !arg.Source.IsFromModel() {
			continue
		}
		name := chooseParameterName(fn.Signature().Params().At(i).Name(), len(names), names)
		names = append(names, name)
		if arg.Variadic {
			name = "*" + name
		}
		callArgs = append(callArgs, name)
	}
	callee := fn.Name()
	switch {
	case t.Func.Dep != nil:
		path := []string{"deps", goname.SnakeCase(t.Func.Dep.Field)}
		for _, step := range t.Func.Walk {
			path = append(path, step.Name)
		}
		callee = strings.Join(append(path, fn.Name()), ".")
	case !own:
		callee = fn.Pkg().Name() + "." + fn.Name()
	}
	text := fmt.Sprintf("lambda %s: %s(%s).%s", strings.Join(names, ", "), callee, strings.Join(callArgs, ", "), fetch)
	text = strings.Replace(text, "lambda :", "lambda:", 1)
	if len(el.Function.Args) == len(names) {
		return withFunction(el, text, slices.Clone(el.Function.Args))
	}
	return withFunction(el, text, nil)
}
