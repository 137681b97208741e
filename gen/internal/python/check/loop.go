package check

import (
	"go/token"
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/python/code"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
	"github.com/aiongen/aiongen/gen/internal/python/scope"
	"github.com/aiongen/aiongen/gen/internal/python/size"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// comprehension checks a list comprehension, which becomes a loop.
func (c *checker) comprehension(e *syntax.Comp, want types.Type) *code.Value {
	source := c.Iterable(c.single(e.In, nil), e.In.At(), "a comprehension")
	if source.Bad() {
		return source
	}
	elem := code.Wanted(want, kind.List)
	if name, ok := e.Elem.(*syntax.Name); ok && name.Name == e.Var.Name && e.If == nil && (elem == nil || types.Identical(elem, kind.Elem(source.Type))) {
		return c.Read(types.NewSlice(kind.Elem(source.Type)), code.Std("slices", "Clone"), source)
	}
	return c.loop(e.Var, source, e.If, e.Elem, elem, func() *code.Value { return c.single(e.Elem, elem) })
}

// loop appends what build makes of an expression for each element of a list, or for
// those that fulfil a condition, to a new list.
func (c *checker) loop(name syntax.Param, source *code.Value, condition, elem syntax.Expr, want types.Type, build func() *code.Value) *code.Value {
	base := "value"
	if name.Name != unnamed {
		base = scope.Local(name.Name)
	}
	element := c.Param(base, kind.Elem(source.Type)).From(source.Element())
	element.Whole = source.Whole
	list, size := c.Variable(), c.Variable()
	var made *code.Value
	measured := false
	appended := func() {
		made = c.elementOf(build(), elem, want)
		if made.Bad() {
			return
		}
		if c.multiplies(elem, name.Name, made.Type) {
			measured = true
			c.Check(c.Position(elem.At()), code.Dyn("Grow"), c.Unary(nil, token.AND, size), made)
		}
		c.Assign(list, c.Made(nil, code.Go("append"), list, made))
	}
	body := c.within(func() {
		c.Bound(name.Name, element, func() {
			if condition == nil {
				appended()
				return
			}
			test := c.condition(condition)
			c.If(test.Value, c.within(func() { c.Narrowed(test.then, appended) }))
		})
	})
	if made.Bad() {
		return made
	}
	t := types.NewSlice(made.Type)
	if measured {
		c.Start(size, "size", kind.GoInt, c.Int(0))
	}
	c.Start(list, "", t, c.Made(t, code.Go("make"), c.Ref(code.Of(code.Go(""), t)), c.Int(0), c.Made(kind.GoInt, code.Go("len"), source)))
	c.Range(source, element, body)
	return &code.Value{Step: list.Step, Type: t, Facts: code.Facts{Whole: made.Whole}}
}

// elementOf is a value as an element of a list. It is whole if it was that before it
// was converted.
func (c *checker) elementOf(v *code.Value, elem syntax.Expr, want types.Type) *code.Value {
	t := want
	if t == nil {
		t = kind.Settled(v.Type)
	}
	if t == nil {
		return code.Bad()
	}
	if kind.Of(t) == kind.None {
		t = kind.GoAny
	}
	made := *c.Convert(v, t, elem.At(), "an element of the list")
	made.Whole = v.Whole || !c.MayHoldNil(t)
	return &made
}

// multiplies reports whether a list of the values of an expression, one for each value
// of a name, may hold what other names stand for many times.
func (c *checker) multiplies(e syntax.Expr, name string, t types.Type) (found bool) {
	sizeless := func(t types.Type) bool { return t == nil || kind.IsNumber(t) || kind.Of(t) == kind.Object }
	if sizeless(t) {
		return false
	}
	syntax.Walk(e, func(part syntax.Expr) {
		switch part := part.(type) {
		case *syntax.Name:
			if v := c.Env[part.Name]; v != nil && part.Name != name {
				found = found || !sizeless(v.Type)
			}
		case *syntax.Comp:
			found = found || c.multiplies(part.Elem, part.Var.Name, t)
		case *syntax.Binary:
			found = found || part.Op.Text == "*"
		case *syntax.Call:
			found = found || size.IsMultiplying(part)
		}
	})
	return found
}
