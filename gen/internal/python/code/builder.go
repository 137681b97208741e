package code

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"math/big"

	"github.com/aiongen/aiongen/gen/internal/python/kind"
)

// A Builder appends steps to the block that is under way.
type Builder struct {
	block *Block
	fails bool // a step of the function that is under way does
}

// NewBuilder makes a builder with an empty function under way.
func NewBuilder() *Builder { return &Builder{block: &Block{}} }

// Block is the block that is under way.
func (b *Builder) Block() *Block { return b.block }

// Fails reports whether the function that is under way may fail.
func (b *Builder) Fails() bool { return b.fails }

// Within makes a block of its own.
func (b *Builder) Within(build func()) *Block {
	inner := &Block{}
	b.In(inner, build)
	return inner
}

// In appends to a block that was made before.
func (b *Builder) In(block *Block, build func()) {
	outer := b.block
	b.block = block
	build()
	b.block = outer
}

// Add appends a step. It is as bound to its time as its operands.
func (b *Builder) Add(s *Step) *Step {
	s.Own = s.When
	for _, arg := range s.Args {
		s.When = max(s.When, arg.When)
	}
	b.block.Steps = append(b.block.Steps, s)
	return s
}

func (b *Builder) value(s *Step) *Value { return &Value{Step: b.Add(s), Type: s.Type} }

// The values that are known.

func known(x any, t types.Type) *Value {
	return &Value{Step: &Step{Op: Literal, Known: x, Type: t}, Type: t, Known: x}
}

func (b *Builder) Int(n int64) *Value {
	return known(n, kind.GoInt).Sized(max(1, big.NewInt(n).BitLen()))
}

func (b *Builder) Float(f float64) *Value { return known(f, kind.GoFloat) }
func (b *Builder) Str(s string) *Value    { return known(s, kind.GoString) }
func (b *Builder) Bool(x bool) *Value     { return known(x, kind.GoBool) }
func (b *Builder) None() *Value           { return known(nil, kind.GoNone) }

// Param is a variable that something else sets: a parameter, or an element.
func (b *Builder) Param(name string, t types.Type) *Value {
	return &Value{Step: &Step{Op: Local, Name: name, Type: t}, Type: t}
}

// Ref is a name as an operand.
func (b *Builder) Ref(s *Step) *Value { return &Value{Step: s, Type: kind.GoAny} }

// steps are the steps of values.
func steps(values []*Value) []*Step {
	list := make([]*Step, len(values))
	for i, v := range values {
		list[i] = v.Step
	}
	return list
}

// Made is what a function makes of its arguments alone.
func (b *Builder) Made(t types.Type, f *Step, args ...*Value) *Value {
	return b.value(&Step{Op: Call, When: Once, Type: t, Args: append([]*Step{f}, steps(args)...)})
}

// Read is like Made, for what is read from a list or dict, which functions may change
// in the meantime.
func (b *Builder) Read(t types.Type, f *Step, args ...*Value) *Value {
	return b.value(&Step{Op: Call, When: InTurn, Type: t, Args: append([]*Step{f}, steps(args)...)})
}

// Try is a call of a helper with a result and an error. The name is one for a variable
// with the result.
func (b *Builder) Try(name string, t types.Type, place string, f *Step, args ...*Value) *Value {
	return b.failing(&Step{Op: Call, Name: name, Type: t, Place: place, Args: append([]*Step{f}, steps(args)...)})
}

// Check is a call of a helper that returns nothing but an error.
func (b *Builder) Check(place string, f *Step, args ...*Value) { b.Try("", nil, place, f, args...) }

func (b *Builder) failing(s *Step) *Value {
	v := b.value(s)
	s.Fails, s.When = true, Anytime // its result is in a variable
	b.fails = true
	return v
}

// Foreign is the call of a function of Go, whose result, if it has one, is of a type.
func (b *Builder) Foreign(s *Step) *Value {
	s.Op, s.Foreign, s.When = Call, true, InTurn
	if s.Fails {
		return b.failing(s)
	}
	v := b.value(s)
	if s.Type == nil || s.Results != nil {
		s.When = Anytime
	}
	return v
}

// FailIf ends the function with a complaint where a condition holds.
func (b *Builder) FailIf(place string, test, complaint *Value) {
	b.fails = true
	b.Add(&Step{Op: Refuse, Place: place, Args: steps([]*Value{test, complaint})})
}

// Cast is a conversion of Go that cannot fail.
func (b *Builder) Cast(t types.Type, v *Value) *Value {
	return b.value(&Step{Op: Convert, When: Once, Type: t, Args: []*Step{v.Step}})
}

// Binary applies an operator of Go.
func (b *Builder) Binary(t types.Type, x *Value, op token.Token, y *Value) *Value {
	return b.value(&Step{Op: Binary, When: Once, Type: t, Token: op, Args: []*Step{x.Step, y.Step}})
}

// Unary applies an operator of Go; that of pointers to what they point to is *.
func (b *Builder) Unary(t types.Type, op token.Token, x *Value) *Value {
	when := Once
	if op == token.AND || op == token.MUL {
		when = Anytime
	}
	return b.value(&Step{Op: Unary, When: when, Type: t, Token: op, Args: []*Step{x.Step}})
}

// Not is the opposite of a condition.
func (b *Builder) Not(v *Value) *Value {
	if x, ok := v.Known.(bool); ok {
		return b.Bool(!x)
	}
	if v.Op == Unary && v.Token == token.NOT && !v.Keep {
		return &Value{Step: v.Args[0], Type: kind.GoBool}
	}
	return b.Unary(kind.GoBool, token.NOT, v)
}

// Select is a field or method of a value, which functions may set in the meantime if
// the value is a pointer.
func (b *Builder) Select(t types.Type, x *Value, fields ...string) *Value {
	when := Anytime
	if kind.IsPointer(x.Type) {
		when = InTurn
	}
	return b.value(&Step{Op: Select, When: when, Type: t, Fields: fields, Args: []*Step{x.Step}})
}

// Element is an element of a list in a variable, by its number, and Rest the list from there.
func (b *Builder) Element(t types.Type, list *Value, i int) *Value {
	return b.value(&Step{Op: Index, Type: t, Number: i, Args: []*Step{list.Step}})
}

func (b *Builder) Rest(t types.Type, list *Value, i int) *Value {
	return b.value(&Step{Op: Rest, When: InTurn, Type: t, Number: i, Args: []*Step{list.Step}})
}

// Display is a list of values, or a dict of keys and values in turn.
func (b *Builder) Display(t types.Type, values ...*Value) *Value {
	return b.value(&Step{Op: Display, When: Once, Type: t, Args: steps(values)})
}

// Empty is a list or dict without elements.
func (b *Builder) Empty(t types.Type) *Value {
	v := b.Display(t)
	v.Whole = true
	return v
}

// Func is a function of one parameter. It has an error as well if its block fails.
func (b *Builder) Func(result types.Type, param *Value, build func() *Value) (f *Value, made *Value) {
	outer := b.fails
	b.fails = false
	body := b.Within(func() { made = build() })
	body.Result = made.Step
	f = b.value(&Step{Op: Func, When: Once, Type: result, Param: param.Step, Blocks: []*Block{body}, Fails: b.fails})
	b.fails = outer
	return f, made
}

// Logic joins two conditions, of which steps make the second one.
func (b *Builder) Logic(op token.Token, left *Value, right *Block) *Value {
	when := Once
	for _, s := range right.Steps {
		when = max(when, s.When)
	}
	return b.value(&Step{Op: Logic, When: when, Type: kind.GoBool, Token: op, Args: []*Step{left.Step}, Blocks: []*Block{right}})
}

// And joins two conditions that are there.
func (b *Builder) And(left, right *Value) *Value {
	return b.Binary(kind.GoBool, left, token.LAND, right)
}

// Choose is the result of one of two blocks.
func (b *Builder) Choose(name string, t types.Type, test *Value, then, otherwise *Block) *Value {
	v := b.value(&Step{Op: Choose, Name: name, Type: t, Args: []*Step{test.Step}, Blocks: []*Block{then, otherwise}})
	v.When = Anytime // it is a variable
	return v
}

// Define is a variable, which a value starts if there is one.
func (b *Builder) Define(name string, t types.Type, start *Value) *Value {
	s := &Step{Op: Define, Name: name, Type: t}
	if start != nil {
		s.Args = []*Step{start.Step}
	}
	v := b.value(s)
	v.When = Anytime
	return v
}

// Variable is a variable whose type is not known yet; Start defines it.
func (b *Builder) Variable() *Value { return &Value{Step: &Step{Op: Define}} }

// Start defines a variable, which a value starts.
func (b *Builder) Start(variable *Value, name string, t types.Type, start *Value) {
	s := variable.Step
	s.Name, s.Type, s.Args = name, t, []*Step{start.Step}
	b.Add(s)
	s.When = Anytime
}

// Assign sets a variable.
func (b *Builder) Assign(to, v *Value) {
	b.Add(&Step{Op: Assign, Target: to.Step, Args: []*Step{v.Step}})
}

// If runs a block where a condition holds.
func (b *Builder) If(test *Value, then *Block) {
	b.Add(&Step{Op: If, Args: []*Step{test.Step}, Blocks: []*Block{then}})
}

// Range runs a block for each element of a list.
func (b *Builder) Range(list, element *Value, body *Block) {
	b.Add(&Step{Op: Range, Args: []*Step{list.Step}, Param: element.Step, Blocks: []*Block{body}})
}

// Return ends the function.
func (b *Builder) Return(values ...*Step) { b.Add(&Step{Op: Return, Args: values}) }

// Global is a variable or a function of a package.
func (b *Builder) Global(obj types.Object) *Value {
	s := &Step{Op: Global, Type: obj.Type(), Object: obj}
	if _, variable := obj.(*types.Var); variable {
		s.When = InTurn
	}
	return b.value(s)
}

// Constant is a constant of a package, with what is known of it. It is bad if it fits
// no type of Go.
func Constant(obj *types.Const) *Value {
	v := &Value{Step: &Step{Op: Global, Object: obj}, Type: types.Default(obj.Type())}
	if types.Identical(v.Type, types.Typ[types.Rune]) {
		v.Type = kind.GoInt
	}
	v.Step.Type = v.Type
	if !v.Is(kind.Plain(v.Type)) {
		return v
	}
	switch value := obj.Val(); v.Kind() {
	case kind.Int:
		n, exact := constant.Int64Val(constant.ToInt(value))
		if !exact {
			return Bad()
		}
		v.Known, v.Bits = n, max(1, big.NewInt(n).BitLen())
	case kind.Float:
		f, _ := constant.Float64Val(value)
		if math.IsInf(f, 0) {
			return Bad()
		}
		v.Known = f
	case kind.Str:
		v.Known = constant.StringVal(value)
	case kind.Bool:
		v.Known = constant.BoolVal(value)
	}
	return v
}
