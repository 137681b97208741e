package check

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
	"github.com/aiongen/aiongen/gen/internal/python/ops"
	"github.com/aiongen/aiongen/gen/internal/python/scope"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
	"github.com/aiongen/aiongen/internal/words"
)

// A checker checks one lambda.
type checker struct {
	ops.Ops
	*scope.Names
	expr     func(syntax.Expr, types.Type) *code.Value // checks an expression: what stands here is below that
	supplied []*code.Value                             // what the runtime supplies, in the order of first use
	body     syntax.Expr                               // of the lambda
	called   Called
	checked  map[*code.Step]bool // objects that are not nil here
	returns  []*pending
}

// within makes a block of its own, behind which nothing counts as checked that is
// checked in it.
func (c *checker) within(build func()) *code.Block {
	outer := c.checked
	c.checked = maps.Clone(outer)
	b := c.Within(build)
	c.checked = outer
	return b
}

// single checks an expression that has one value.
func (c *checker) single(e syntax.Expr, want types.Type) *code.Value {
	v := c.expr(e, want)
	if v.Kind() == kind.Tuple {
		scope.Because(c.Mismatch(e.At(), "%s: a function with several results can only be the whole of a lambda", c.Describe(v)), v).
			WithHelp("write a Go function that returns one of them")
		return code.Bad()
	}
	return v
}

// singles checks expressions in their order.
func (c *checker) singles(list []syntax.Expr, want types.Type) (values []*code.Value) {
	for _, e := range list {
		values = append(values, c.single(e, want))
	}
	return values
}

// nameExpr checks a name that is no function: a parameter, a variable or a constant.
func (c *checker) nameExpr(e *syntax.Name) *code.Value {
	if v, ok := c.Env[e.Name]; ok {
		return v.As(v.Type) // where it is used
	}
	if c.IsDeps(e) {
		c.NoValue(e.At())
		return code.Bad()
	}
	obj := c.Resolve(e.Name, e.At())
	if obj == nil {
		return code.Bad()
	}
	return c.object(obj, e.At())
}

// object is a variable or a constant of a package as a value.
func (c *checker) object(obj types.Object, at syntax.Place) *code.Value {
	from := code.Origin{What: obj.Name(), Why: "as Go declares it", Related: c.Declared(obj)}
	switch obj := obj.(type) {
	case *types.Const:
		v := code.Constant(obj)
		if v.Bad() {
			c.Fault("lambda-number", at, "%s, which is %v, does not fit Go's %s", obj.Name(), obj.Val(), types.Default(obj.Type())).Related = from.Related
		}
		return v.From(from)
	case *types.Var:
		c.FromGo(obj.Type())
		return c.Global(obj).From(from)
	case *types.Func:
		c.Mismatch(at, "%s is a function: call it, as in %s(…)", obj.Name(), goname.Snake(obj.Name()))
	default:
		d := c.Mismatch(at, "%s is a type, and no value", obj.Name())
		d.Related = from.Related
		c.HelpForgotten(d, goname.Snake(obj.Name()))
	}
	return code.Bad()
}

// attribute checks a field, or what a package has.
func (c *checker) attribute(e *syntax.Attr) *code.Value {
	if v, known := c.Env[pathOf(e)]; known {
		return v.As(v.Type) // where it is used
	}
	if pkg := c.PackageOf(e.X); pkg != nil {
		if obj := c.PackageMember(pkg, e); obj != nil {
			return c.object(obj, e.At())
		}
		return code.Bad()
	}
	if c.IsDeps(e.X) {
		return c.injected(e)
	}
	x := c.owner(e)
	if x.Bad() {
		return x
	}
	path, obj := c.Member(x.Type, e.Name.Name)
	field, isField := obj.(*types.Var)
	if !isField {
		c.noMember(x, e, obj)
		return code.Bad()
	}
	v := c.Select(field.Type(), c.there(x, e), path...)
	v.Step.Name = goname.Unexported(field.Name())
	c.FromGo(v.Type)
	return v.From(code.Origin{What: "field " + field.Name(), Why: "as Go declares it", Related: c.Declared(field)})
}

// injected is what the application supplies under a name behind deps. Register looks
// that it is there.
func (c *checker) injected(e *syntax.Attr) *code.Value {
	in := c.Dep(e.Name)
	if in == nil {
		return code.Bad()
	}
	v := c.supply(in.Type())
	v = v.As(v.Type) // where it is used
	v.NotNil = true
	c.FromGo(v.Type)
	return v.From(code.Origin{What: "deps." + e.Name.Name, Why: "as it is injected", Related: c.Declared(in)})
}

// supply is the parameter of a type that the runtime supplies. The context comes
// first, as everywhere in Go.
func (c *checker) supply(t types.Type) *code.Value {
	for _, v := range c.supplied {
		if v.Is(t) {
			return v
		}
	}
	v := c.Param(kind.Variable(t), t)
	if !strings.HasSuffix(types.TypeString(t, nil), "context.Context") {
		c.supplied = append(c.supplied, v)
		return v
	}
	v.Step.Name = "ctx"
	c.supplied = slices.Insert(c.supplied, 0, v)
	return v
}

// owner is the value whose attribute is asked for. A name that is nothing else may
// have been meant as a package.
func (c *checker) owner(e *syntax.Attr) *code.Value {
	if name, ok := e.X.(*syntax.Name); ok && c.IsUnknown(name.Name) && !c.IsPython(name.Name) {
		c.NoPackage(name)
		return code.Bad()
	}
	return c.single(e.X, nil)
}

// there returns an object whose fields and methods can be used: one that is not nil.
func (c *checker) there(x *code.Value, e *syntax.Attr) *code.Value {
	if !kind.IsPointer(x.Type) && !types.IsInterface(x.Type) || x.NotNil || c.checked[x.Step] {
		return x
	}
	x = c.NotNone(x, e.At(), c.Made(nil, code.Py("NoAttribute"), c.Str(e.Name.Name)))
	c.checked[x.Step] = true
	return x
}

// pathOf is a name, or a field of one as in a.b.c; empty for other expressions.
func pathOf(e syntax.Expr) string {
	switch e := e.(type) {
	case *syntax.Name:
		return e.Name
	case *syntax.Attr:
		if of := pathOf(e.X); of != "" {
			return of + "." + e.Name.Name
		}
	}
	return ""
}

// noMember reports an attribute that a value does not have, or a method that is
// not called.
func (c *checker) noMember(x *code.Value, e *syntax.Attr, obj types.Object) {
	k, name := x.Kind(), e.Name.Name
	switch {
	case obj != nil:
		c.Mismatch(e.At(), "%s is a method: call it, as in .%s(…)", obj.Name(), name)
		return
	case k == kind.Str && ops.Methods[name] != nil:
		c.Mismatch(e.At(), "%s is a method: call it, as in .%s(…)", name, name)
		return
	case k == kind.Any:
		c.Unsupported(e.Name.Place, "the attribute "+name+" of a value of any type").
			WithHelp("index it, x['%s'], or give the argument a Go type in its note", name)
		return
	case kind.Names[k] != "" && (x.Is(kind.Plain(x.Type)) || kind.IsContainer(x.Type)):
		d := c.Unsupported(e.Name.Place, "the attribute "+name+" of "+article(kind.Names[k]))
		if k == kind.Dict {
			d.WithHelp("a dict is indexed: x['%s']", name)
		} else {
			instead.Of(k, name).Helps(d)
		}
		return
	}
	unspelled := func(member string) bool { return !goname.Spells(name, member) }
	if several := slices.DeleteFunc(c.Members(x.Type), unspelled); len(several) > 1 {
		c.Ambiguous(name, e.Name.Place, several)
		return
	}
	d := scope.Because(c.Fault("lambda-name", e.Name.Place, "%s has no field or method %s", c.TypeName(x.Type), name), x)
	if near := words.Nearest(name, c.Members(x.Type)); near != "" {
		d.WithHelp("did you mean %s?", near).WithGuess(diag.Edit{Span: d.Span, Text: near})
	}
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
