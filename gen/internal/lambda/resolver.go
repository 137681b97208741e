package lambda

import (
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
	"github.com/aiongen/aiongen/internal/words"
)

// nameResolver resolves names of the lambda and of Go.
type nameResolver struct {
	*faultReport
	Env       map[string]*ir.Value // the parameters and loop variables in scope, and fields that a condition has narrowed, such as user.age; see truthTest
	Python    []string             // the functions of Python that a lambda may call
	usesRange bool                 // the lambda calls range, so the size of lists may depend on numbers
}

// withNarrowed runs build while the values of the given names replace those in Env. A condition has narrowed
// these names; see truthTest.
func (n *nameResolver) withNarrowed(names map[string]*ir.Value, build func()) {
	outer := n.Env
	n.Env = maps.Clone(outer)
	maps.Copy(n.Env, names)
	build()
	n.Env = outer
}

// withElement runs build with a name bound to a loop element. Narrowed fields of an outer variable with the same name
// do not apply inside.
func (n *nameResolver) withElement(name string, element *ir.Value, build func()) {
	outer := n.Env
	n.Env = maps.Clone(outer)
	maps.DeleteFunc(n.Env, func(path string, _ *ir.Value) bool { return strings.HasPrefix(path, name+".") })
	n.Env[name] = element
	build()
	n.Env = outer
}

// isPython reports whether name is a Python function that lambdas support.
func (n *nameResolver) isPython(name string) bool { return slices.Contains(n.Python, name) }

// isUnknown reports whether a name is not declared in the lambda or the package and is not one of weakNames.
func (n *nameResolver) isUnknown(name string) bool {
	return n.Env[name] == nil && !weakNames[name] && len(n.Find(n.Package(), name)) == 0
}

// resolveName returns the object of the package that a name refers to. It reports a fault and returns
// nil if there is none or more than one.
func (n *nameResolver) resolveName(name string, at pysyntax.Place) types.Object {
	found := n.Find(n.Package(), name)
	switch len(found) {
	case 1:
		if n.checkUsable(found[0], at) {
			return found[0]
		}
	case 0:
		n.reportUndefined(name, at)
	default:
		n.addAmbiguousObjects(name, at, found)
	}
	return nil
}

// checkUsable reports an object to which generated code cannot refer. It returns false if it reported a fault.
func (n *nameResolver) checkUsable(obj types.Object, at pysyntax.Place) bool {
	err := n.Usable(obj)
	if err != nil {
		n.addFault("lambda-name", at, "%v", err).Related = n.Declared(obj)
	}
	return err == nil
}

func (n *nameResolver) reportUndefined(name string, at pysyntax.Place) {
	if weakNames[name] && !n.isPython(name) {
		d := n.addUnsupported(at, "Python's "+name)
		if instanceTypes[name] {
			d.WithHelp("%s is a Python type: call it, or leave it out", name)
		} else {
			functionReplacement(name).addHelp(d)
		}
		return
	}
	d := n.addFault("lambda-name", at, "undefined: %s is neither a parameter of the lambda nor declared in package %s", name, n.Package().Name())
	var candidates []string
	for name := range n.Env {
		candidates = append(candidates, name)
	}
	for _, name := range n.Package().Scope().Names() {
		candidates = append(candidates, name, goname.SnakeCase(name))
	}
	near := words.NearestFitting(name, candidates, n.isValue)
	switch {
	case n.helpMissingDeps(d, name):
	case n.isPython(name):
		d.WithHelp("%s is a Python function: call it", name)
	case otherSpellings[name] != "":
		d.WithHelp("write %s", otherSpellings[name]).WithFix(diag.Edit{Span: d.Span, Text: otherSpellings[name]})
	case n.Import(name) != nil:
		d.WithHelp("%[1]s is a package: write %[1]s.Name to refer to a name in it", name)
	case near != "":
		d.WithHelp("did you mean %s?", near).WithGuess(diag.Edit{Span: d.Span, Text: near})
	}
}

// isValue reports whether name is a parameter, a variable or a constant, and not a function or a type.
func (n *nameResolver) isValue(name string) bool {
	if n.Env[name] != nil {
		return true
	}
	switch n.findOnly(n.Package(), name).(type) {
	case *types.Var, *types.Const:
		return true
	}
	return false
}

// otherSpellings maps literals of other languages to Python's.
var otherSpellings = map[string]string{
	"null": "None", "nil": "None", "none": "None", "undefined": "None", "true": "True", "false": "False",
}

// isHidden reports whether an object of the package hides the Python function with the given name. If the
// function is not in weakNames, only an object with exactly the same name hides it.
func (n *nameResolver) isHidden(name string) bool {
	if !weakNames[name] {
		return n.Package().Scope().Lookup(name) != nil
	}
	return slices.ContainsFunc(n.Find(n.Package(), name), func(obj types.Object) bool {
		fn, _ := ir.FunctionOf(obj)
		return fn != nil || obj.Name() == name
	})
}

// weakNames are the functions and types of Python that are hidden by a Go function of the same name in any spelling:
// Filter hides filter. Lambdas support only some of them.
var weakNames = map[string]bool{
	"ascii": true, "bin": true, "bytes": true, "callable": true, "chr": true, "compile": true, "complex": true, "dict": true,
	"divmod": true, "enumerate": true, "eval": true, "exec": true, "filter": true, "format": true, "frozenset": true,
	"getattr": true, "globals": true, "hasattr": true, "hash": true, "hex": true, "id": true, "input": true,
	"isinstance": true, "iter": true, "list": true, "locals": true, "map": true, "next": true, "object": true, "oct": true,
	"open": true, "ord": true, "pow": true, "print": true, "range": true, "repr": true, "reversed": true, "set": true,
	"setattr": true, "slice": true, "tuple": true, "type": true, "vars": true, "zip": true, "__import__": true,
}

// resolveCallee returns the object that the name of a called function refers to. It reports a fault and returns nil if
// there is none or more than one.
func (n *nameResolver) resolveCallee(f *pysyntax.Name) types.Object {
	if !n.isUnknown(f.Name) {
		return n.resolveName(f.Name, f.Location())
	}
	d := n.addFault("ghost-tool", f.Location(), "ghost tool: there is no function %s in package %s", f.Name, n.Package().Name())
	if n.LeftOut(d, n.Package(), f.Name) {
		return nil
	}
	var candidates []string
	found := map[string]types.Object{}
	for _, name := range n.Package().Scope().Names() {
		obj := n.Package().Scope().Lookup(name)
		if fn, _ := ir.FunctionOf(obj); fn != nil {
			found[name], found[goname.SnakeCase(name)] = obj, obj
			candidates = append(candidates, name, goname.SnakeCase(name))
		}
	}
	candidates = append(candidates, n.Python...)
	near := words.Nearest(f.Name, candidates)
	switch module := moduleOf[f.Name]; {
	case module != "":
		d.WithHelp("%s belongs to Python's module %s: write a Go function that does the same with Go's package %s, and call it", f.Name, module, pythonModules[module])
	case near != "":
		d.WithHelp("did you mean %s?", near).WithGuess(diag.Edit{Span: d.Span, Text: near})
		if obj := found[near]; obj != nil {
			d.Related = n.Declared(obj)
		}
	default:
		d.WithHelp("no function has a similar name: declare %s in a Go file of package %s", goname.Exported(f.Name, "Run"), n.Package().Name())
	}
	return nil
}

// resolveStatic returns the object that an expression refers to regardless of the lambda's arguments: an object of a
// package, an injected value, or a field or method of either. It returns nil for other expressions.
func (n *nameResolver) resolveStatic(e pysyntax.Expr) types.Object {
	switch e := e.(type) {
	case *pysyntax.Name:
		if n.Env[e.Name] == nil {
			return n.findOnly(n.Package(), e.Name)
		}
	case *pysyntax.Attr:
		if in := n.findInjected(e.Name.Name); len(in) == 1 && n.isDeps(e.X) {
			return in[0].Var
		}
		if pkg := n.findPackage(e.X); pkg != nil {
			return n.findOnly(pkg, e.Name.Name)
		}
		if t := n.staticType(e.X); t != nil {
			_, member := n.Member(t, e.Name.Name)
			return member
		}
	}
	return nil
}

// staticType returns the type of an expression that resolveStatic resolves to a variable or field, or, for a call of
// a function that resolveStatic resolves, the type of its first result. It returns nil for other expressions.
func (n *nameResolver) staticType(e pysyntax.Expr) types.Type {
	if call, ok := e.(*pysyntax.Call); ok {
		if fn, sig := ir.FunctionOf(n.resolveStatic(call.Func)); fn != nil && sig.Results().Len() > 0 {
			return sig.Results().At(0).Type()
		}
		return nil
	}
	if v, ok := n.resolveStatic(e).(*types.Var); ok {
		return v.Type()
	}
	return nil
}

// findOnly returns the only object of a package that a name may refer to, or nil if there is none or more than one.
func (n *nameResolver) findOnly(pkg *types.Package, name string) types.Object {
	if found := n.Find(pkg, name); len(found) == 1 {
		return found[0]
	}
	return nil
}

// findPackage returns the package that an expression names, or nil.
func (n *nameResolver) findPackage(e pysyntax.Expr) *types.Package {
	name, ok := e.(*pysyntax.Name)
	if !ok || n.Env[name.Name] != nil || len(n.Find(n.Package(), name.Name)) > 0 {
		return nil
	}
	return n.Import(name.Name)
}

// findPackageMember returns an object of an imported package. It reports a fault and returns nil if
// there is none or more than one.
func (n *nameResolver) findPackageMember(pkg *types.Package, e *pysyntax.Attr) types.Object {
	switch found := n.Find(pkg, e.Name.Name); len(found) {
	case 1:
		return found[0]
	case 0:
		d := n.addFault("lambda-name", e.Name.Place, "there is no %s in package %s", e.Name.Name, pkg.Name())
		near := words.Nearest(e.Name.Name, slices.DeleteFunc(pkg.Scope().Names(), func(name string) bool { return !token.IsExported(name) }))
		switch module := writtenName(e.X); {
		case n.LeftOut(d, pkg, e.Name.Name):
		case pythonModules[module] != "" && !strings.EqualFold(near, e.Name.Name):
			d.WithHelp("%s is Go's package %s here, not the Python module: write a Go function that does the same, and call it instead of %s.%s", module, pkg.Path(), module, e.Name.Name)
		case near != "":
			d.WithHelp("did you mean %s?", near).WithGuess(diag.Edit{Span: d.Span, Text: near})
		}
	default:
		n.addAmbiguousObjects(e.Name.Name, e.Name.Place, found)
	}
	return nil
}

// visibleParams returns the parameters of a signature for which a lambda passes arguments. It omits those that
// the runtime or the application supplies, such as a context.
func (n *nameResolver) visibleParams(sig *types.Signature) []*types.Var {
	var list []*types.Var
	for v := range sig.Params().Variables() {
		if !n.Supplied(v.Type()) {
			list = append(list, v)
		}
	}
	return list
}

// paramIndex returns the index of the parameter with the given name in Go or Python spelling, or -1.
func (n *nameResolver) paramIndex(visible []*types.Var, name string) int {
	for i, v := range visible {
		if v.Name() == name || goname.SnakeCase(v.Name()) == name {
			return i
		}
	}
	return -1
}

// targetParam is a parameter of a Go function to which a parameter of the lambda is passed directly.
type targetParam struct {
	Type     types.Type
	Function types.Object
}

// findTargetParams returns, for each parameter of a lambda, the parameters of Go functions to which it is passed. The
// parameters of the lambda must be in Env.
func (n *nameResolver) findTargetParams(l *pysyntax.Lambda) map[string][]*targetParam {
	found := map[string][]*targetParam{}
	pysyntax.Walk(l.Body, func(e pysyntax.Expr) {
		call, ok := e.(*pysyntax.Call)
		if !ok {
			return
		}
		fn, sig := ir.FunctionOf(n.resolveStatic(call.Func))
		if fn == nil {
			return
		}
		visible := n.visibleParams(sig)
		for i, arg := range call.Args {
			name, ok := arg.Value.(*pysyntax.Name)
			if !ok {
				continue
			}
			if arg.Name != "" {
				i = n.paramIndex(visible, arg.Name)
			}
			t := paramType(sig, visible, i)
			if arg.Star {
				t = starType(sig, visible, i)
			}
			if t != nil {
				found[name.Name] = append(found[name.Name], &targetParam{t, fn})
			}
		}
	})
	return found
}

// paramType returns the type of the parameter that receives argument i, or nil if i is -1 or there are too many
// arguments.
func paramType(sig *types.Signature, visible []*types.Var, i int) types.Type {
	last := len(visible) - 1
	switch {
	case sig.Variadic() && i >= last && last >= 0:
		return ir.ElemType(visible[last].Type())
	case 0 <= i && i <= last:
		return visible[i].Type()
	}
	return nil
}

// starType returns the type of the variadic parameter to which the starred argument i is passed, or nil.
func starType(sig *types.Signature, visible []*types.Var, i int) types.Type {
	if last := len(visible) - 1; sig.Variadic() && i == last {
		return visible[last].Type()
	}
	return nil
}

func countPositional(e *pysyntax.Call) int {
	n := 0
	for _, a := range e.Args {
		if a.Name == "" && !a.Star {
			n++
		}
	}
	return n
}

// typeNames returns the names of the types in a call such as isinstance(x, (int, str)). ok is false if
// checkInstance does not support the call.
func typeNames(e *pysyntax.Call) (names []string, ok bool) {
	if len(e.Args) != 2 || e.Args[0].Star || countPositional(e) != 2 {
		return nil, false
	}
	list := []pysyntax.Expr{e.Args[1].Value}
	if tuple, ok := list[0].(*pysyntax.List); ok {
		list = tuple.Elems
	}
	for _, e := range list {
		name, ok := e.(*pysyntax.Name)
		if !ok || !instanceTypes[name.Name] {
			return nil, false
		}
		names = append(names, name.Name)
	}
	return names, len(names) > 0
}

// instanceTypes are the types that isinstance supports. For those in the second line the result is always
// False, because no value in a lambda has such a type.
var instanceTypes = map[string]bool{
	"str": true, "int": true, "float": true, "bool": true, "list": true, "dict": true,
	"tuple": true, "set": true, "frozenset": true, "bytes": true, "complex": true,
}
