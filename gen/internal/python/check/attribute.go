package check

import (
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/python/code"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// nameExpr checks a name that is no function: a parameter, a variable or a constant.
func (c *checker) nameExpr(e *syntax.Name) *code.Value {
	if v, ok := c.env[e.Name]; ok {
		return again(v)
	}
	obj := c.global(e.Name, e.At())
	if obj == nil {
		return code.Bad()
	}
	return c.object(obj, e.At())
}

// again is a value of the environment where it is used.
func again(v *code.Value) *code.Value {
	use := *v
	return &use
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
		c.Mismatch(at, "%s is a function: call it, as in %s(…)", obj.Name(), c.Snake(obj.Name()))
	default:
		c.Mismatch(at, "%s is a type, and no value", obj.Name()).Related = from.Related
	}
	return code.Bad()
}

// attribute checks a field, or what a package has.
func (c *checker) attribute(e *syntax.Attr) *code.Value {
	if v, known := c.env[pathOf(e)]; known {
		return again(v)
	}
	if pkg := c.packageOf(e.X); pkg != nil {
		if obj := c.member(pkg, e); obj != nil {
			return c.object(obj, e.At())
		}
		return code.Bad()
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

// owner is the value whose attribute is asked for. A name that is nothing else may
// have been meant as a package.
func (c *checker) owner(e *syntax.Attr) *code.Value {
	if name, ok := e.X.(*syntax.Name); ok && c.isUnknown(name.Name) && !c.isPython(name.Name) {
		c.noPackage(name)
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
