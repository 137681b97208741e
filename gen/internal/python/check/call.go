package check

import (
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/python/args"
	"github.com/aiongen/aiongen/gen/internal/python/code"
	"github.com/aiongen/aiongen/gen/internal/python/instead"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
	"github.com/aiongen/aiongen/gen/internal/python/ops"
	"github.com/aiongen/aiongen/gen/internal/python/scope"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// call checks a call: of a function of Go, of Python, or of a method.
func (c *checker) call(e *syntax.Call) *code.Value {
	switch f := e.Func.(type) {
	case *syntax.Name:
		return c.callName(e, f)
	case *syntax.Attr:
		if pkg := c.PackageOf(f.X); pkg != nil {
			if obj := c.PackageMember(pkg, f); obj != nil {
				return c.callObject(e, f.Name.Name, obj)
			}
			return code.Bad()
		}
		if c.IsDeps(f.X) {
			return c.callInjected(e, f)
		}
		return c.callMethod(e, f)
	case *syntax.Bad:
		return code.Bad()
	}
	c.Unsupported(e.At(), "a call of what is no name")
	return code.Bad()
}

// callName checks the call of a name. A function of the package that has just this
// name hides one of Python; one in another spelling does not.
func (c *checker) callName(e *syntax.Call, f *syntax.Name) *code.Value {
	if v, ok := c.Env[f.Name]; ok {
		if !v.Bad() {
			scope.Because(c.Mismatch(f.At(), "%s is no function: %s", f.Name, c.Describe(v)), v)
		}
		return code.Bad()
	}
	if c.IsDeps(f) {
		c.NoValue(f.At())
		return code.Bad()
	}
	if builtin := builtins[f.Name]; builtin != nil && c.Package().Scope().Lookup(f.Name) == nil {
		return builtin(pythonCall{c, e})
	}
	obj := c.Callee(f)
	if obj == nil {
		return code.Bad()
	}
	return c.callObject(e, f.Name, obj)
}

// callObject checks the call of an object of a package.
func (c *checker) callObject(e *syntax.Call, name string, obj types.Object) *code.Value {
	fn, sig := kind.Function(obj)
	if fn == nil {
		c.Mismatch(e.Func.At(), "%s is no function", obj.Name()).Related = c.Declared(obj)
		return code.Bad()
	}
	if err := c.Usable(obj); err != nil {
		c.Fault("lambda-name", e.Func.At(), "%v", err).Related = c.Declared(obj)
		return code.Bad()
	}
	c.called.Functions = append(c.called.Functions, obj)
	f := c.Global(obj)
	return c.callGo(e, name, obj, sig, func() *code.Step { return &code.Step{Args: []*code.Step{c.callable(f, obj, e.At()).Step}} })
}

// callGo checks the call of a Go function, which is made when its arguments are there.
func (c *checker) callGo(e *syntax.Call, name string, obj types.Object, sig *types.Signature, callee func() *code.Step) *code.Value {
	v := args.Caller{Ops: c.Ops, Names: c.Names, Expr: c.single, Supply: c.supply}.Call(e, name, obj, sig, callee)
	if e == c.body {
		c.called.Whole = obj
	}
	return v
}

// callInjected checks the call of a function that the application supplies.
func (c *checker) callInjected(e *syntax.Call, f *syntax.Attr) *code.Value {
	v := c.injected(f)
	if v.Bad() {
		return v
	}
	sig, ok := v.Type.Underlying().(*types.Signature)
	if !ok {
		scope.Because(c.Mismatch(f.At(), "%s is no function: %s", v.Origin.What, c.Describe(v)), v)
		return code.Bad()
	}
	return c.callGo(e, v.Origin.What, c.Dep(f.Name), sig, func() *code.Step { return &code.Step{Args: []*code.Step{v.Step}} })
}

// callable is a function that can be called: one in a variable or a field may be nil.
func (c *checker) callable(f *code.Value, obj types.Object, at syntax.Place) *code.Value {
	if _, variable := obj.(*types.Var); !variable {
		return f
	}
	return c.NotNone(f, at, c.Made(nil, code.Py("Errorf"), c.Str("TypeError"), c.Str("'NoneType' object is not callable")))
}

// callMethod checks the call of a method, of a string or of a Go type.
func (c *checker) callMethod(e *syntax.Call, f *syntax.Attr) *code.Value {
	x := c.owner(f)
	if x.Bad() {
		return x
	}
	k, name := x.Kind(), f.Name.Name
	path, obj := c.Member(x.Type, name)
	if obj != nil {
		fn, sig := kind.Function(obj)
		if fn == nil {
			scope.Because(c.Mismatch(f.At(), "the field %s is no function", name), x)
			return code.Bad()
		}
		if x.Is(kind.Plain(x.Type)) || k == kind.Object || kind.IsContainer(x.Type) || ops.Methods[name] == nil {
			x = c.addressable(c.there(x, f), fn)
			return c.callGo(e, name, obj, sig, func() *code.Step { return c.methodOf(x, path, obj, e.At()) })
		}
	}
	switch method := ops.Methods[name]; {
	case method != nil && (k == kind.Str || k == kind.Any || k == kind.Optional):
		return pythonCall{c, e}.callText(f, x, method)
	case k == kind.Str || k == kind.Any:
		d := c.Unsupported(f.Name.Place, "the method "+name)
		if !instead.Of(k, name).Helps(d) {
			d.WithHelp("the methods are those of strings: %s", strings.Join(slices.Sorted(maps.Keys(ops.Methods)), " "))
		}
		return code.Bad()
	case kind.Names[k] != "":
		instead.Of(k, name).Helps(c.Unsupported(f.Name.Place, "the method "+name+" of "+article(kind.Names[k])))
		return code.Bad()
	}
	c.noMember(x, f, nil)
	return code.Bad()
}

// methodOf is the call of a method, or of what a field holds.
func (c *checker) methodOf(x *code.Value, path []string, obj types.Object, at syntax.Place) *code.Step {
	if _, field := obj.(*types.Var); !field {
		return &code.Step{Args: []*code.Step{x.Step}, Fields: path}
	}
	f := c.Select(obj.Type(), x, path...)
	f.Step.When = code.InTurn
	return &code.Step{Args: []*code.Step{c.callable(f, obj, at).Step}}
}

// addressable puts a value into a variable if a method takes its address.
func (c *checker) addressable(x *code.Value, method types.Object) *code.Value {
	fn, ok := method.(*types.Func)
	if !ok || kind.IsPointer(x.Type) || types.IsInterface(x.Type) || x.IsVariable() || x.Op == code.Global {
		return x
	}
	if recv := fn.Signature().Recv(); recv == nil || !kind.IsPointer(recv.Type()) {
		return x
	}
	if x.When != code.Anytime {
		return x.Kept()
	}
	return c.Define("", x.Type, x)
}
