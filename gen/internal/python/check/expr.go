package check

import (
	"go/types"
	"math/big"

	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/python/code"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
	"github.com/aiongen/aiongen/gen/internal/python/ops"
	"github.com/aiongen/aiongen/gen/internal/python/scope"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

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

// expr checks an expression. The type is a wish, for displays and conditional
// expressions, whose parts else have no type in common.
func (c *checker) expr(e syntax.Expr, want types.Type) *code.Value {
	switch e := e.(type) {
	case *syntax.Name:
		return c.nameExpr(e)
	case *syntax.Int:
		if !e.Value.IsInt64() {
			c.Fault("lambda-number", e.At(), "%v does not fit a 64-bit integer", e.Value)
			return code.Bad()
		}
		return c.Int(e.Value.Int64())
	case *syntax.Float:
		return c.Float(e.Value)
	case *syntax.Str:
		return c.Str(e.Value)
	case *syntax.Bool:
		return c.Bool(e.Value)
	case *syntax.None:
		return c.None()
	case *syntax.FString:
		return c.fstring(e)
	case *syntax.List:
		return c.shallow(c.list(e, want), e.At())
	case *syntax.Dict:
		return c.shallow(c.dict(e, want), e.At())
	case *syntax.Attr:
		return c.attribute(e)
	case *syntax.Call:
		return c.call(e, want)
	case *syntax.Index:
		x := c.single(e.X, nil)
		return c.Index(e, x, c.single(e.Index, nil))
	case *syntax.Slice:
		return c.slice(e)
	case *syntax.Cond:
		return c.cond(e, want)
	case *syntax.Unary:
		return c.unary(e)
	case *syntax.Binary:
		if e.Op.Text == "and" || e.Op.Text == "or" {
			return c.logical(e, want)
		}
		x := c.single(e.X, nil)
		return c.Arithmetic(e, x, c.single(e.Y, nil))
	case *syntax.Compare:
		return c.compare(e)
	case *syntax.Comp:
		return c.shallow(c.comprehension(e, want), e.At())
	}
	return code.Bad() // a fault was reported
}

func (c *checker) unary(e *syntax.Unary) *code.Value {
	if e.Op.Text == "not" {
		return c.condition(e).Value
	}
	if n, ok := e.X.(*syntax.Int); ok && e.Op.Text == "-" {
		if n := new(big.Int).Neg(n.Value); n.IsInt64() {
			return c.Int(n.Int64())
		}
	}
	return c.Sign(e.Op.Text, c.single(e.X, nil), e.At())
}

func (c *checker) slice(e *syntax.Slice) *code.Value {
	x := c.single(e.X, nil)
	sound := !x.Bad()
	var bounds [3]*code.Value
	for i, bound := range []syntax.Expr{e.Start, e.Stop, e.Step} {
		if bound != nil {
			bounds[i] = c.single(bound, nil)
			sound = sound && !bounds[i].Bad()
		}
	}
	if !sound {
		return code.Bad()
	}
	return c.Slice(e, x, bounds)
}

func (c *checker) fstring(e *syntax.FString) *code.Value {
	var pieces []ops.Piece
	for _, part := range e.Parts {
		piece := ops.Piece{Text: part.Text}
		if part.Value != nil {
			piece.Value = c.Formatted(c.single(part.Value, nil), part.Format, part.Value.At())
		}
		pieces = append(pieces, piece)
	}
	return c.Joined(pieces)
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
	if name, ok := e.X.(*syntax.Name); ok && c.isUnknown(name.Name) && builtins[name.Name] == nil {
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
