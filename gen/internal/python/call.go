package python

import (
	"cmp"
	"go/ast"
	"go/types"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// call translates a call: of a function of Go, of Python, or of a method.
func (g *generator) call(e *syntax.Call, want types.Type) *value {
	switch f := e.Func.(type) {
	case *syntax.Name:
		return g.callName(e, f, want)
	case *syntax.Attr:
		if pkg := g.packageOf(f.X); pkg != nil {
			if obj := g.member(pkg, f); obj != nil {
				return g.callObject(e, f.Name.Name, obj)
			}
			return bad()
		}
		return g.callMethod(e, f)
	case *syntax.Bad:
		return bad()
	}
	g.unsupported(e.At(), "a call of what is no name")
	return bad()
}

// callName translates the call of a name. A function of the package that has just
// this name hides one of Python; one in another spelling does not.
func (g *generator) callName(e *syntax.Call, f *syntax.Name, want types.Type) *value {
	if v, ok := g.env[f.Name]; ok {
		if !v.bad() {
			because(g.mismatch(f.At(), "%s is no function: %s", f.Name, g.describe(v)), v)
		}
		return bad()
	}
	builtin := builtins[f.Name]
	if builtin != nil && g.scope.Package.Scope().Lookup(f.Name) == nil {
		return builtin(g, e, want)
	}
	obj := g.callee(f)
	if obj == nil {
		return bad()
	}
	return g.callObject(e, f.Name, obj)
}

// callee finds the function that a name stands for.
func (g *generator) callee(f *syntax.Name) types.Object {
	if found := g.scope.Find(g.scope.Package, f.Name); len(found) > 0 || outside[f.Name] {
		return g.global(f.Name, f.At())
	}
	d := g.fault("ghost-tool", f.At(), "ghost tool: there is no function %s in package %s", f.Name, g.scope.Package.Name())
	if g.scope.LeftOut(d, g.scope.Package, f.Name) {
		return nil
	}
	var names []string
	found := map[string]types.Object{}
	for _, name := range g.scope.Package.Scope().Names() {
		obj := g.scope.Package.Scope().Lookup(name)
		if fn, _ := asFunction(obj); fn != nil {
			found[name], found[g.scope.Snake(name)] = obj, obj
			names = append(names, name, g.scope.Snake(name))
		}
	}
	for name := range builtins {
		names = append(names, name)
	}
	if near := diag.Nearest(f.Name, names); near != "" {
		d.WithHelp("did you mean %s?", near)
		if obj := found[near]; obj != nil {
			d.Related = g.scope.Declared(obj)
		}
	}
	return nil
}

// callObject translates the call of an object of a package.
func (g *generator) callObject(e *syntax.Call, name string, obj types.Object) *value {
	fn, sig := asFunction(obj)
	if fn == nil {
		d := g.mismatch(e.Func.At(), "%s is no function", obj.Name())
		d.Related = g.scope.Declared(obj)
		return bad()
	}
	if err := g.scope.Usable(obj); err != nil {
		g.fault("lambda-name", e.Func.At(), "%v", err).Related = g.scope.Declared(obj)
		return bad()
	}
	g.calls = append(g.calls, obj)
	f := &value{expr: g.ref(obj), typ: obj.Type(), fixed: true, pure: true}
	if isVariable(obj) {
		f.fixed, f.pure = false, false
	}
	g.hold(f)
	defer g.release(1)
	return g.callGo(e, name, obj, sig, func() ast.Expr { return g.callable(f, obj, e.At()) })
}

// callable is a function that can be called: one in a variable or a field may be nil.
func (g *generator) callable(f *value, obj types.Object, at syntax.Place) ast.Expr {
	if !isVariable(obj) {
		return f.expr
	}
	return g.notNone(f, at, call(g.py("Errorf"), quoted("TypeError"), quoted("'NoneType' object is not callable"))).expr
}

func isVariable(obj types.Object) bool {
	_, ok := obj.(*types.Var)
	return ok
}

// callMethod translates the call of a method, of a string or of a Go type.
func (g *generator) callMethod(e *syntax.Call, f *syntax.Attr) *value {
	x := g.hold(g.owner(f))
	defer g.release(1)
	if x.bad() {
		return bad()
	}
	path, obj := g.scope.Member(x.typ, f.Name.Name)
	if obj != nil {
		fn, sig := asFunction(obj)
		if fn == nil {
			because(g.mismatch(f.At(), "the field %s is no function", f.Name.Name), x)
			return bad()
		}
		if types.Identical(x.typ, plainType(x.typ)) || x.kind() == objectKind || x.kind() == listKind || x.kind() == dictKind || methods[f.Name.Name] == nil {
			*x = *g.there(x, f)
			g.addressable(x, fn)
			return g.callGo(e, f.Name.Name, obj, sig, func() ast.Expr {
				return g.callable(read(selector(x.expr, path...), obj.Type()), obj, e.At())
			})
		}
	}
	switch x.kind() {
	case strKind, anyKind, optionalKind:
		if method := methods[f.Name.Name]; method != nil {
			return g.callText(e, f, x, method)
		}
		if x.kind() == strKind || x.kind() == anyKind {
			d := g.unsupported(f.Name.Place, "the method "+f.Name.Name)
			if !insteadOf(x.kind(), f.Name.Name).helps(d) {
				d.WithHelp("the methods are those of strings: %s", strings.Join(sortedKeys(methods), " "))
			}
			return bad()
		}
	case listKind, dictKind, intKind, floatKind, boolKind, noneKind:
		d := g.unsupported(f.Name.Place, "the method "+f.Name.Name+" of "+article(kindNames[x.kind()]))
		insteadOf(x.kind(), f.Name.Name).helps(d)
		return bad()
	}
	g.noMember(x, f, nil)
	return bad()
}

// article is a word with a or an in front.
func article(word string) string {
	switch {
	case word == "None":
		return word
	case strings.IndexByte("aeiou", word[0]) >= 0:
		return "an " + word
	}
	return "a " + word
}

// addressable puts a value into a variable if a method takes its address.
func (g *generator) addressable(x *value, method types.Object) {
	fn, ok := method.(*types.Func)
	if !ok || isPointer(x.typ) || types.IsInterface(x.typ) {
		return
	}
	if recv := fn.Signature().Recv(); recv != nil && isPointer(recv.Type()) && x.local == nil {
		if id, ok := x.expr.(*ast.Ident); ok && g.uses[id] != nil {
			return // a variable of a package
		}
		x.fixed = false
		g.keep(x)
	}
}

// resultOf is what a call returns: a value, None, or several values.
func (g *generator) resultOf(c *goCall, x *ast.CallExpr) *value {
	results := c.sig.Results()
	n := results.Len()
	for r := range results.Variables() {
		g.fromGo(r.Type())
	}
	failing := n > 0 && types.Identical(results.At(n-1).Type(), errorType)
	if failing {
		n--
	}
	from := origin{what: "the result of " + c.name, why: "as Go declares it", related: g.scope.Declared(c.obj)}
	switch {
	case n == 0 && failing:
		g.check(x, "")
		return &value{typ: noneType, fixed: true, pure: true, origin: from}
	case n == 0:
		g.emit(&ast.ExprStmt{X: x})
		return &value{typ: noneType, fixed: true, pure: true, origin: from}
	case n == 1 && failing:
		v := g.tryCall(variableName(results.At(0).Type()), x, results.At(0).Type(), "")
		v.origin = from
		return v
	case n == 1:
		g.foreign[x] = true
		return &value{expr: x, typ: results.At(0).Type(), origin: from}
	}
	return g.several(c, x, n, failing)
}

// several evaluates a call with several results into variables.
func (g *generator) several(c *goCall, called *ast.CallExpr, n int, failing bool) *value {
	v := &value{pure: true, fixed: true, origin: origin{what: "the result of " + c.name, related: g.scope.Declared(c.obj)}}
	x := &try{block: g.block, assign: define(nil, called)}
	x.assign.Lhs = nil
	var vars []*types.Var
	for i := range n {
		r := c.sig.Results().At(i)
		l := g.newLocal(cmp.Or(r.Name(), variableName(r.Type())))
		x.locals = append(x.locals, l)
		x.assign.Lhs = append(x.assign.Lhs, l.declaration())
		v.several = append(v.several, l.use())
		vars = append(vars, r)
	}
	v.typ = types.NewTuple(vars...)
	if !failing {
		g.emit(x.assign)
		return v
	}
	x.assign.Lhs = append(x.assign.Lhs, ast.NewIdent("err"))
	x.check = g.failure("")
	g.emit(x.assign, x.check)
	g.fn.tries = append(g.fn.tries, x)
	return v
}
