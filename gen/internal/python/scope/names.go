package scope

import (
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/python/code"
	"github.com/aiongen/aiongen/gen/internal/python/instead"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
	"github.com/aiongen/aiongen/internal/words"
)

// Names are what names stand for: those of the lambda, and those of Go.
type Names struct {
	*Report
	Env    map[string]*code.Value // names of the lambda that are in scope, and fields that are known better
	Python []string               // the functions of Python that a lambda may call
}

// Narrowed runs build with names that are known better.
func (n *Names) Narrowed(names map[string]*code.Value, build func()) {
	outer := n.Env
	n.Env = maps.Clone(outer)
	maps.Copy(n.Env, names)
	build()
	n.Env = outer
}

// Bound runs build with a name that stands for an element, whose fields are not those
// of what else the name stands for.
func (n *Names) Bound(name string, element *code.Value, build func()) {
	outer := n.Env
	n.Env = maps.Clone(outer)
	maps.DeleteFunc(n.Env, func(path string, _ *code.Value) bool { return strings.HasPrefix(path, name+".") })
	n.Env[name] = element
	build()
	n.Env = outer
}

// IsPython reports whether a name is one of a function of Python, unless Go hides it.
func (n *Names) IsPython(name string) bool { return slices.Contains(n.Python, name) }

// IsUnknown reports whether a name stands for nothing that a lambda can hold.
func (n *Names) IsUnknown(name string) bool {
	return n.Env[name] == nil && !outside[name] && len(n.Find(n.Package(), name)) == 0
}

// Resolve finds what a name stands for in the package; nil, and a fault, if there
// is nothing.
func (n *Names) Resolve(name string, at syntax.Place) types.Object {
	found := n.Find(n.Package(), name)
	switch len(found) {
	case 1:
		if err := n.Usable(found[0]); err != nil {
			n.Fault("lambda-name", at, "%v", err).Related = n.Declared(found[0])
			return nil
		}
		return found[0]
	case 0:
		n.undefined(name, at)
	default:
		n.ambiguous(name, at, found)
	}
	return nil
}

func (n *Names) undefined(name string, at syntax.Place) {
	if outside[name] {
		d := n.Unsupported(at, "Python's "+name)
		instead.OfFunction(name).Helps(d)
		return
	}
	d := n.Fault("lambda-name", at, "there is no %s: no parameter of the lambda, and nothing in package %s", name, n.Package().Name())
	var known []string
	for name := range n.Env {
		known = append(known, name)
	}
	for _, name := range n.Package().Scope().Names() {
		known = append(known, name, goname.Snake(name))
	}
	near := words.Nearest(name, known)
	switch {
	case n.HelpForgotten(d, name):
	case n.IsPython(name):
		d.WithHelp("%s is a function of Python: call it", name)
	case spellings[name] != "":
		d.WithHelp("write %s", spellings[name]).WithFix(diag.Edit{Span: d.Span, Text: spellings[name]})
	case n.Import(name) != nil:
		d.WithHelp("it is a package: write %s.Name for what it has", name)
	case near != "":
		d.WithHelp("did you mean %s?", near).WithGuess(diag.Edit{Span: d.Span, Text: near})
	}
}

// spellings are Python's for what other languages have.
var spellings = map[string]string{
	"null": "None", "nil": "None", "none": "None", "undefined": "None", "true": "True", "false": "False",
}

// outside are the functions and types of Python that lambdas here do not have.
var outside = map[string]bool{
	"ascii": true, "bin": true, "bytes": true, "callable": true, "chr": true, "complex": true, "dict": true,
	"divmod": true, "enumerate": true, "eval": true, "exec": true, "filter": true, "format": true, "frozenset": true,
	"getattr": true, "globals": true, "hasattr": true, "hash": true, "hex": true, "id": true, "input": true,
	"isinstance": true, "iter": true, "list": true, "locals": true, "map": true, "next": true, "object": true, "oct": true,
	"open": true, "ord": true, "pow": true, "print": true, "range": true, "repr": true, "reversed": true, "set": true,
	"setattr": true, "slice": true, "tuple": true, "type": true, "vars": true, "zip": true, "__import__": true,
}

// Callee finds the function that a name stands for.
func (n *Names) Callee(f *syntax.Name) types.Object {
	if !n.IsUnknown(f.Name) {
		return n.Resolve(f.Name, f.At())
	}
	d := n.Fault("ghost-tool", f.At(), "ghost tool: there is no function %s in package %s", f.Name, n.Package().Name())
	if n.LeftOut(d, n.Package(), f.Name) {
		return nil
	}
	var known []string
	found := map[string]types.Object{}
	for _, name := range n.Package().Scope().Names() {
		obj := n.Package().Scope().Lookup(name)
		if fn, _ := kind.Function(obj); fn != nil {
			found[name], found[goname.Snake(name)] = obj, obj
			known = append(known, name, goname.Snake(name))
		}
	}
	known = append(known, n.Python...)
	if near := words.Nearest(f.Name, known); near != "" {
		d.WithHelp("did you mean %s?", near).WithGuess(diag.Edit{Span: d.Span, Text: near})
		if obj := found[near]; obj != nil {
			d.Related = n.Declared(obj)
		}
	}
	return nil
}

// plain resolves an expression that hangs on no name of the lambda: what is of a
// package, what the application supplies, or a field or method of either.
func (n *Names) plain(e syntax.Expr) types.Object {
	switch e := e.(type) {
	case *syntax.Name:
		if n.Env[e.Name] == nil {
			return n.only(n.Package(), e.Name)
		}
	case *syntax.Attr:
		if in := n.injected(e.Name.Name); len(in) == 1 && n.IsDeps(e.X) {
			return in[0].Var
		}
		if pkg := n.PackageOf(e.X); pkg != nil {
			return n.only(pkg, e.Name.Name)
		}
		if v, ok := n.plain(e.X).(*types.Var); ok {
			_, member := n.Member(v.Type(), e.Name.Name)
			return member
		}
	}
	return nil
}

// only is the object of a package that a name stands for, nil unless it is one.
func (n *Names) only(pkg *types.Package, name string) types.Object {
	if found := n.Find(pkg, name); len(found) == 1 {
		return found[0]
	}
	return nil
}

// PackageOf is the package that an expression names, if it does.
func (n *Names) PackageOf(e syntax.Expr) *types.Package {
	name, ok := e.(*syntax.Name)
	if !ok || n.Env[name.Name] != nil || len(n.Find(n.Package(), name.Name)) > 0 {
		return nil
	}
	return n.Import(name.Name)
}

// NoPackage reports a name in front of a dot that stands for nothing.
func (n *Names) NoPackage(name *syntax.Name) {
	d := n.Fault("lambda-name", name.At(), "there is no %s: no parameter of the lambda, nothing in package %s, and no package that its files import", name.Name, n.Package().Name())
	if !n.HelpForgotten(d, name.Name) {
		d.WithHelp("to use a package, import it in a Go file of package %s", n.Package().Name())
	}
}

// PackageMember finds an object of an imported package; nil, and a fault, if there is
// nothing, or more than one that may be meant.
func (n *Names) PackageMember(pkg *types.Package, e *syntax.Attr) types.Object {
	switch found := n.Find(pkg, e.Name.Name); len(found) {
	case 1:
		return found[0]
	case 0:
		d := n.Fault("lambda-name", e.Name.Place, "there is no %s in package %s", e.Name.Name, pkg.Name())
		if near := words.Nearest(e.Name.Name, pkg.Scope().Names()); !n.LeftOut(d, pkg, e.Name.Name) && near != "" {
			d.WithHelp("did you mean %s?", near).WithGuess(diag.Edit{Span: d.Span, Text: near})
		}
	default:
		n.ambiguous(e.Name.Name, e.Name.Place, found)
	}
	return nil
}

// Visible are the parameters of a signature without those that are supplied.
func (n *Names) Visible(sig *types.Signature) []*types.Var {
	var list []*types.Var
	for v := range sig.Params().Variables() {
		if !n.Supplied(v.Type()) {
			list = append(list, v)
		}
	}
	return list
}

// ParamIndex finds a parameter by the name that Python gives it; -1 if there is none.
func (n *Names) ParamIndex(visible []*types.Var, name string) int {
	for i, v := range visible {
		if v.Name() == name || goname.Snake(v.Name()) == name {
			return i
		}
	}
	return -1
}

// A Receiver is a parameter of a Go function that takes a parameter of the lambda
// as it is.
type Receiver struct {
	Type     types.Type
	Function types.Object
}

// Receivers finds, for each parameter of a lambda, the first parameter of a Go
// function that it is handed to. The parameters are in scope, whatever they stand for.
func (n *Names) Receivers(l *syntax.Lambda) map[string]*Receiver {
	found := map[string]*Receiver{}
	syntax.Walk(l.Body, func(e syntax.Expr) {
		call, ok := e.(*syntax.Call)
		if !ok {
			return
		}
		fn, sig := kind.Function(n.plain(call.Func))
		if fn == nil {
			return
		}
		visible := n.Visible(sig)
		for i, arg := range call.Args {
			name, ok := arg.Value.(*syntax.Name)
			if !ok || arg.Star || found[name.Name] != nil {
				continue
			}
			if t := n.parameterOf(sig, visible, i, arg.Name); t != nil {
				found[name.Name] = &Receiver{t, fn}
			}
		}
	})
	return found
}

// parameterOf is the type of the parameter that an argument goes to, given by
// position or by name; nil if there is none.
func (n *Names) parameterOf(sig *types.Signature, visible []*types.Var, i int, name string) types.Type {
	if name != "" {
		i = n.ParamIndex(visible, name)
	}
	last := len(visible) - 1
	switch {
	case i < 0 || last < 0:
		return nil
	case sig.Variadic() && i >= last:
		return visible[last].Type().(*types.Slice).Elem()
	case i > last:
		return nil
	}
	return visible[i].Type()
}
