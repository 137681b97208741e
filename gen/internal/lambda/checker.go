package lambda

import (
	"fmt"
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

// checker checks one lambda.
type checker struct {
	operators
	*nameResolver
	expr     func(pysyntax.Expr, types.Type) *ir.Value // checkExpr, as a field to avoid a call cycle between files
	supplied []*ir.Value                               // parameters that the runtime supplies, in order of first use, except that the context comes first
	body     pysyntax.Expr                             // of the lambda, after rewriting
	called   CalledObjects
	notNil   map[*ir.Step]bool // objects for which a nil check was added
	returns  []*pendingResult
}

// buildBranch builds a block that runs conditionally. Code after it cannot rely on its nil checks.
func (c *checker) buildBranch(build func()) *ir.Block {
	outer := c.notNil
	c.notNil = maps.Clone(outer)
	b := c.BuildBlock(build)
	c.notNil = outer
	return b
}

// checkSingle checks an expression and reports a fault if it has several values. See checkExpr for want.
func (c *checker) checkSingle(e pysyntax.Expr, want types.Type) *ir.Value {
	v := c.expr(e, want)
	if v.Kind() == ir.Tuple {
		c.addValueMismatch(v, e.Location(), "%s: a function with several results can only be called as the whole lambda", c.describeValue(v)).
			WithHelp("write a Go function that returns one of them")
		return ir.NewBad()
	}
	return v
}

// checkName checks a name that is not called: a parameter, a variable or a constant.
func (c *checker) checkName(e *pysyntax.Name) *ir.Value {
	if v, ok := c.Env[e.Name]; ok {
		return v.WithType(v.Type) // a copy, for this use
	}
	if c.isDeps(e) {
		c.reportBareDeps(e.Location())
		return ir.NewBad()
	}
	obj := c.resolveName(e.Name, e.Location())
	if obj == nil {
		return ir.NewBad()
	}
	return c.objectValue(obj, e.Location())
}

// objectValue returns the value of a package-level variable or constant.
func (c *checker) objectValue(obj types.Object, at pysyntax.Place) *ir.Value {
	from := ir.Origin{What: obj.Name(), Why: "as Go declares it", Related: c.Declared(obj)}
	switch obj := obj.(type) {
	case *types.Const:
		v := ir.NewConstant(obj)
		if v.IsBad() {
			c.addFault("lambda-number", at, "%s, which is %v, does not fit Go's %s", obj.Name(), obj.Val(), types.Default(obj.Type())).Related = from.Related
		}
		return v.SetOrigin(from)
	case *types.Var:
		c.noteGoValue(obj.Type())
		return c.GlobalValue(obj).SetOrigin(from)
	case *types.Func:
		c.addMismatch(at, "%s is a function: call it, as in %s(…)", obj.Name(), goname.SnakeCase(obj.Name()))
	default:
		d := c.addMismatch(at, "%s is a type, not a value", obj.Name())
		d.Related = from.Related
		c.helpMissingDeps(d, goname.SnakeCase(obj.Name()))
	}
	return ir.NewBad()
}

// checkAttribute checks x.name, which may be a field of a value, an object of a package, or a value in deps.
func (c *checker) checkAttribute(e *pysyntax.Attr) *ir.Value {
	if v, narrowed := c.Env[dottedPath(e)]; narrowed {
		return v.WithType(v.Type) // a copy, for this use
	}
	if pkg := c.findPackage(e.X); pkg != nil {
		if obj := c.findPackageMember(pkg, e); obj != nil {
			return c.objectValue(obj, e.Location())
		}
		return ir.NewBad()
	}
	if c.isDeps(e.X) {
		return c.checkInjected(e)
	}
	x := c.checkOwner(e)
	if x.IsBad() {
		return x
	}
	path, obj := c.Member(x.Type, e.Name.Name)
	field, isField := obj.(*types.Var)
	if !isField {
		c.reportNoMember(x, e, obj)
		return ir.NewBad()
	}
	v := c.SelectField(field.Type(), c.requireNotNil(x, e), path...)
	v.Step.Name = goname.Unexported(field.Name())
	c.noteGoValue(v.Type)
	return v.SetOrigin(ir.Origin{What: "field " + field.Name(), Why: "as Go declares it", Related: c.Declared(field)})
}

// checkInjected checks deps.name. The value is never nil, because the generated function Register checks that.
func (c *checker) checkInjected(e *pysyntax.Attr) *ir.Value {
	in := c.findDep(e.Name)
	if in == nil {
		return ir.NewBad()
	}
	v := c.suppliedParam(in.Type())
	v = v.WithType(v.Type) // a copy, for this use
	v.NotNil = true
	c.noteGoValue(v.Type)
	return v.SetOrigin(ir.Origin{What: "deps." + e.Name.Name, Why: "as it is injected", Related: c.Declared(in)})
}

// suppliedParam returns the parameter for a value of type t that the runtime supplies, and adds the parameter
// if it does not exist. A context becomes the first parameter, as is usual in Go.
func (c *checker) suppliedParam(t types.Type) *ir.Value {
	for _, v := range c.supplied {
		if v.HasType(t) {
			return v
		}
	}
	v := c.NewParam(ir.VariableName(t), t)
	if !strings.HasSuffix(types.TypeString(t, nil), "context.Context") {
		c.supplied = append(c.supplied, v)
		return v
	}
	v.Step.Name = "ctx"
	c.supplied = slices.Insert(c.supplied, 0, v)
	return v
}

// optionWithContext returns a functional option of type t that carries the context of the call, or nil if no
// function is declared that returns one.
func (c *checker) optionWithContext(t types.Type) *ir.Value {
	option, context := c.ContextOption(t)
	if option == nil {
		return nil
	}
	c.called.Functions = append(c.called.Functions, option)
	f := c.GlobalValue(option)
	return c.CallForeign(&ir.Step{Type: t, Args: []*ir.Step{f.Step, c.suppliedParam(context).Step}})
}

// checkOwner checks the expression before the dot. If it is an unknown name, the fault also mentions packages.
func (c *checker) checkOwner(e *pysyntax.Attr) *ir.Value {
	if name, ok := e.X.(*pysyntax.Name); ok && c.isUnknown(name.Name) && !c.isPython(name.Name) {
		suggester{c.nameResolver}.reportNoPackage(name, e)
		return ir.NewBad()
	}
	return c.checkSingle(e.X, nil)
}

// requireNotNil adds a run-time check that an object is not nil before its attribute e is used.
func (c *checker) requireNotNil(x *ir.Value, e *pysyntax.Attr) *ir.Value {
	if !ir.IsPointer(x.Type) && !types.IsInterface(x.Type) || x.NotNil || c.notNil[x.Step] {
		return x
	}
	x = c.requireNotNone(x, e.Location(), c.CallPure(nil, ir.PyRef("NoAttribute"), c.StrLiteral(e.Name.Name)))
	c.notNil[x.Step] = true
	return x
}

// dottedPath returns the text of a name or of a field of one, such as a.b.c. It returns "" for other expressions.
func dottedPath(e pysyntax.Expr) string {
	switch e := e.(type) {
	case *pysyntax.Name:
		return e.Name
	case *pysyntax.Attr:
		if owner := dottedPath(e.X); owner != "" {
			return owner + "." + e.Name.Name
		}
	}
	return ""
}

// reportNoMember reports an attribute that x does not have, or a method obj that is not called.
func (c *checker) reportNoMember(x *ir.Value, e *pysyntax.Attr, obj types.Object) {
	k, name := x.Kind(), e.Name.Name
	switch {
	case obj != nil:
		c.addMismatch(e.Location(), "%s is a method: call it, as in .%s(…)", obj.Name(), name)
		return
	case k == ir.Str && textMethods[name] != nil:
		c.addMismatch(e.Location(), "%s is a method: call it, as in .%s(…)", name, name)
		return
	case k == ir.Any:
		c.addUnsupported(e.Name.Place, "the attribute "+name+" of a value of any type").
			WithHelp("index it, x['%s'], or give the argument a Go type in its note", name)
		return
	case ir.KindNames[k] != "" && (x.HasType(ir.PlainType(x.Type)) || ir.IsContainer(x.Type)):
		d := c.addUnsupported(e.Name.Place, "the attribute "+name+" of "+withArticle(ir.KindNames[k]))
		w := suggester{c.nameResolver}
		if k == ir.Dict && !w.suggest(d, e.Location(), fmt.Sprintf("%s['%s']", w.operand(e.X), name)) {
			d.WithHelp("a dict is indexed: x['%s']", name)
		} else if k != ir.Dict {
			w.helpMethod(d, methodReplacement(k, name), e, e.Location(), nil)
		}
		return
	}
	isOther := func(member string) bool { return !goname.IsSpelling(name, member) }
	if matches := slices.DeleteFunc(c.Members(x.Type), isOther); len(matches) > 1 {
		c.addAmbiguous(name, e.Name.Place, matches)
		return
	}
	d := explainOrigins(c.addFault("lambda-name", e.Name.Place, "%s has no field or method %s", c.TypeName(x.Type), name), x)
	suggester{c.nameResolver}.helpMember(d, x, e)
}

// helpMember adds help about an attribute that x does not have: a similar name, or some of those that exist.
func (w suggester) helpMember(d *diag.Diagnostic, x *ir.Value, e *pysyntax.Attr) {
	name := e.Name.Name
	near := words.Nearest(name, w.nameableFields(x))
	if near == "" {
		near = words.Nearest(name, w.Members(x.Type))
	}
	if near != "" {
		d.WithHelp("did you mean %s?", near).WithGuess(diag.Edit{Span: d.Span, Text: near})
	} else if members := w.Members(x.Type); len(members) > 0 {
		d.WithHelp("%s has %s", w.TypeName(x.Type), words.Sample(members))
	}
}

// withArticle returns a word with its indefinite article.
func withArticle(word string) string {
	switch {
	case word == "None":
		return word
	case strings.IndexByte("aeiou", word[0]) >= 0:
		return "an " + word
	}
	return "a " + word
}
