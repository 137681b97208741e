package lambda

import (
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
	"github.com/aiongen/aiongen/internal/words"
)

// checkCall checks a call of a Go function, a Python function or a method.
func (c *checker) checkCall(e *pysyntax.Call) *ir.Value {
	switch f := e.Func.(type) {
	case *pysyntax.Name:
		return c.checkNameCall(e, f)
	case *pysyntax.Attr:
		if pkg := c.findPackage(f.X); pkg != nil {
			if obj := c.findPackageMember(pkg, f); obj != nil {
				return c.checkObjectCall(e, f.Name.Name, obj)
			}
			return ir.NewBad()
		}
		if c.isDeps(f.X) {
			return c.checkInjectedCall(e, f)
		}
		if w := (suggester{c.nameResolver}); w.reportModuleCall(e, f) || w.reportFromKeys(e, f) {
			return ir.NewBad()
		}
		if e.Unbound {
			return pythonCall{c, e}.checkUnbound(f)
		}
		return c.checkMethodOf(e, f, c.checkOwner(f))
	case *pysyntax.Bad:
		return ir.NewBad()
	}
	c.addUnsupported(e.Location(), "a call of anything but a function or method name")
	return ir.NewBad()
}

// checkNameCall checks a call such as f(x), where f is a name.
func (c *checker) checkNameCall(e *pysyntax.Call, f *pysyntax.Name) *ir.Value {
	if v, ok := c.Env[f.Name]; ok {
		if !v.IsBad() {
			c.addValueMismatch(v, f.Location(), "%s is not a function: %s", f.Name, c.describeValue(v))
		}
		return ir.NewBad()
	}
	if c.isDeps(f) {
		c.reportBareDeps(f.Location())
		return ir.NewBad()
	}
	if b, ok := builtins[f.Name]; ok && !c.isHidden(f.Name) {
		return pythonCall{c, e}.checkBuiltin(b)
	}
	if c.isUnsupported(f.Name) {
		suggester{c.nameResolver}.reportUnsupportedCall(e, f)
		return ir.NewBad()
	}
	obj := c.resolveCallee(f)
	if obj == nil {
		return ir.NewBad()
	}
	return c.checkObjectCall(e, f.Name, obj)
}

// checkObjectCall checks a call of a package-level object.
func (c *checker) checkObjectCall(e *pysyntax.Call, name string, obj types.Object) *ir.Value {
	fn, sig := ir.FunctionOf(obj)
	if fn == nil {
		if t, ok := obj.(*types.TypeName); ok {
			return c.checkZeroStruct(e, t)
		}
		c.addMismatch(e.Func.Location(), "%s is not a function", obj.Name()).Related = c.Declared(obj)
		return ir.NewBad()
	}
	if !c.checkUsable(obj, e.Func.Location()) {
		return ir.NewBad()
	}
	c.called.Functions = append(c.called.Functions, obj)
	f := c.GlobalValue(obj)
	return c.checkGoCall(e, name, obj, sig, func() *ir.Step { return &ir.Step{Args: []*ir.Step{c.requireCallable(f, obj, e.Location()).Step}} })
}

// checkZeroStruct checks a call of a type, such as Options(), which returns its zero value.
func (c *checker) checkZeroStruct(e *pysyntax.Call, obj *types.TypeName) *ir.Value {
	named, isNamed := types.Unalias(obj.Type()).(*types.Named)
	switch {
	case !hasZeroStruct(obj.Type()) || isNamed && named.TypeParams().Len() > named.TypeArgs().Len():
		d := c.addMismatch(e.Func.Location(), "a lambda cannot make a %s", obj.Name())
		d.WithHelp("write a Go function that returns one, and call it here").Related = c.Declared(obj)
		methods := slices.Collect(types.NewMethodSet(types.NewPointer(obj.Type())).Methods())
		if i := slices.IndexFunc(methods, func(m *types.Selection) bool { return m.Obj().Exported() }); i >= 0 {
			d.WithHelp("or write its method as the function instead of a lambda, such as %q", obj.Name()+"."+methods[i].Obj().Name())
		}
	case len(e.ArgsInOrder()) > 0:
		d := c.addMismatch(e.Func.Location(), "%s is a type: a lambda can make its zero value, %[1]s(), but not one with values", obj.Name())
		d.WithHelp("write a Go function that returns one with values, and call it here").Related = c.Declared(obj)
	case c.checkUsable(obj, e.Func.Location()):
		return c.EmptyDisplay(obj.Type()).SetOrigin(ir.Origin{What: obj.Name() + "()"})
	}
	return ir.NewBad()
}

// checkGoCall checks a call of a Go function.
func (c *checker) checkGoCall(e *pysyntax.Call, name string, obj types.Object, sig *types.Signature, callee func() *ir.Step) *ir.Value {
	v := c.buildCall(e, name, obj, sig, callee)
	if e == c.body {
		c.called.OnlyCall = obj
	}
	return v
}

// checkInjectedCall checks a call of a function that the application supplies.
func (c *checker) checkInjectedCall(e *pysyntax.Call, f *pysyntax.Attr) *ir.Value {
	v := c.checkInjected(f)
	if v.IsBad() {
		return v
	}
	sig, ok := v.Type.Underlying().(*types.Signature)
	if !ok {
		c.addValueMismatch(v, f.Location(), "%s is not a function: %s", v.Origin.What, c.describeValue(v))
		return ir.NewBad()
	}
	return c.checkGoCall(e, v.Origin.What, c.findDep(f.Name), sig, func() *ir.Step { return &ir.Step{Args: []*ir.Step{v.Step}} })
}

// requireCallable adds a run-time check that a function in a variable or field is not nil.
func (c *checker) requireCallable(f *ir.Value, obj types.Object, at pysyntax.Place) *ir.Value {
	if _, variable := obj.(*types.Var); !variable {
		return f
	}
	return c.requireNotNone(f, at, c.CallPure(nil, ir.PyRef("Errorf"), c.StrLiteral("TypeError"), c.StrLiteral("'NoneType' object is not callable")))
}

// checkMethodOf checks a call of the method f of x.
func (c *checker) checkMethodOf(e *pysyntax.Call, f *pysyntax.Attr, x *ir.Value) *ir.Value {
	if x.IsBad() {
		return x
	}
	k, name := x.Kind(), f.Name.Name
	path, obj := c.Member(x.Type, name)
	if obj != nil {
		fn, sig := ir.FunctionOf(obj)
		if fn == nil {
			c.addValueMismatch(x, f.Location(), "the field %s is not a function", name)
			return ir.NewBad()
		}
		if x.HasType(ir.PlainType(x.Type)) || k == ir.Object || ir.IsContainer(x.Type) || textMethods[name] == nil {
			x = c.makeAddressable(c.requireNotNil(x, f), fn)
			return c.checkGoCall(e, name, obj, sig, func() *ir.Step { return c.methodStep(x, path, obj, e.Location()) })
		}
	}
	if method := textMethods[name]; method != nil && (k == ir.Str || k == ir.Any || k == ir.Optional) {
		return pythonCall{c, e}.checkTextCall(f, x, method)
	}
	if name == "get" && isDictLike(x) {
		return pythonCall{c, e}.checkGet(f, x)
	}
	c.reportNoMethod(x, e, f)
	return ir.NewBad()
}

// reportNoMethod reports a call of a method that a value does not have.
func (c *checker) reportNoMethod(x *ir.Value, e *pysyntax.Call, f *pysyntax.Attr) {
	w := suggester{c.nameResolver}
	switch k, name := x.Kind(), f.Name.Name; {
	case k == ir.Str || k == ir.Any:
		d := c.addUnsupported(f.Name.Place, "the method "+name)
		if name == "encode" && k == ir.Str && w.suggestText(d, e, f) {
			return
		}
		if !w.helpMethod(d, methodReplacement(k, name), f, e.Location(), e.Args) {
			if near := words.Nearest(name, slices.Collect(maps.Keys(textMethods))); near != "" && w.suggest(d, f.Name.Place, near) {
				return
			}
			d.WithHelp("the supported methods are those of strings: %s", strings.Join(slices.Sorted(maps.Keys(textMethods)), " "))
		}
	case ir.KindNames[k] != "":
		d := c.addUnsupported(f.Name.Place, "the method "+name+" of "+withArticle(ir.KindNames[k]))
		w.helpMethod(d, methodReplacement(k, name), f, e.Location(), e.Args)
	case name == "get" && len(e.Args) > 0 && w.suggestField(x, e, f):
	case len(e.Args) == 0 && w.reportStructView(x, e, f):
	default:
		c.reportNoMember(x, f, nil)
	}
}

// methodStep returns the call of a method of x, or of a function in a field of x. The caller adds the arguments.
func (c *checker) methodStep(x *ir.Value, path []string, obj types.Object, at pysyntax.Place) *ir.Step {
	if _, field := obj.(*types.Var); !field {
		return &ir.Step{Args: []*ir.Step{x.Step}, Fields: path}
	}
	f := c.SelectField(obj.Type(), x, path...)
	f.Step.Timing = ir.InTurn
	return &ir.Step{Args: []*ir.Step{c.requireCallable(f, obj, at).Step}}
}

// makeAddressable stores x in a variable if it is not addressable and the method has a pointer receiver.
func (o *valueBuilder) makeAddressable(x *ir.Value, method types.Object) *ir.Value {
	fn, ok := method.(*types.Func)
	if !ok || ir.IsPointer(x.Type) || types.IsInterface(x.Type) || x.IsVariable() || x.Op == ir.Global {
		return x
	}
	if recv := fn.Signature().Recv(); recv == nil || !ir.IsPointer(recv.Type()) {
		return x
	}
	if x.Timing != ir.Anytime {
		return x.KeepInVariable()
	}
	return o.DefineVariable("", x.Type, x)
}
