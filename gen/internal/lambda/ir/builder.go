package ir

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"math/big"
	"slices"
)

// Builder appends steps to the current block.
type Builder struct {
	block *Block
	fails bool // a step of the current function may fail
}

// NewBuilder returns a builder for an empty function.
func NewBuilder() *Builder { return &Builder{block: &Block{}} }

// Block returns the current block.
func (b *Builder) Block() *Block { return b.block }

// MayFail reports whether the current function may fail.
func (b *Builder) MayFail() bool { return b.fails }

// BuildBlock returns a new block with the steps that build appends.
func (b *Builder) BuildBlock(build func()) *Block {
	inner := &Block{}
	b.AppendTo(inner, build)
	return inner
}

// AppendSteps appends the steps of a block to the current one.
func (b *Builder) AppendSteps(block *Block) { b.block.Steps = append(b.block.Steps, block.Steps...) }

// AppendTo makes block the current block while build runs.
func (b *Builder) AppendTo(block *Block, build func()) {
	outer := b.block
	b.block = block
	build()
	b.block = outer
}

// addStep appends a step and sets its Timing to the strictest of its own timing and those of its operands.
func (b *Builder) addStep(s *Step) {
	s.OwnTiming = s.Timing
	for _, arg := range s.Args {
		s.Timing = max(s.Timing, arg.Timing)
	}
	b.block.Steps = append(b.block.Steps, s)
}

// addValue appends a step that has a value. The value is bad if an operand or the result of a block is, so that callers
// need not check their operands.
func (b *Builder) addValue(s *Step) *Value {
	b.addStep(s)
	isBad := func(s *Step) bool { return s != nil && s.Op == Literal && s.Type == nil } // a step of NewBad
	if slices.ContainsFunc(s.Args, isBad) || slices.ContainsFunc(s.Blocks, func(b *Block) bool { return isBad(b.Result) }) {
		return NewBad()
	}
	return &Value{Step: s, Type: s.Type}
}

func newLiteral(x any, t types.Type) *Value {
	return &Value{Step: &Step{Op: Literal, Constant: x, Type: t}, Type: t, Constant: x}
}

// IntLiteral returns a constant of type int.
func (b *Builder) IntLiteral(n int64) *Value {
	return newLiteral(n, GoInt).SetBits(max(1, big.NewInt(n).BitLen()))
}

// FloatLiteral returns a constant of type float64.
func (b *Builder) FloatLiteral(f float64) *Value { return newLiteral(f, GoFloat) }

// StrLiteral returns a constant of type string.
func (b *Builder) StrLiteral(s string) *Value { return newLiteral(s, GoString) }

// BoolLiteral returns a constant of type bool.
func (b *Builder) BoolLiteral(x bool) *Value { return newLiteral(x, GoBool) }

// NoneLiteral returns None.
func (b *Builder) NoneLiteral() *Value { return newLiteral(nil, GoNone) }

// NewParam returns a variable that is set elsewhere: a parameter or a loop element.
func (b *Builder) NewParam(name string, t types.Type) *Value {
	return &Value{Step: &Step{Op: Local, Name: name, Type: t}, Type: t}
}

// RefValue returns a value for a Ref step, so that the function it refers to can be passed as an argument.
func (b *Builder) RefValue(ref *Step) *Value { return &Value{Step: ref, Type: GoAny} }

// stepsOf returns the steps of values.
func stepsOf(values []*Value) []*Step {
	list := make([]*Step, len(values))
	for i, v := range values {
		list[i] = v.Step
	}
	return list
}

// CallPure calls a function whose result depends only on its arguments.
func (b *Builder) CallPure(t types.Type, f *Step, args ...*Value) *Value {
	return b.addValue(&Step{Op: Call, Timing: Once, Type: t, Args: append([]*Step{f}, stepsOf(args)...)})
}

// CallInTurn calls a function that reads a list or dict. Other calls may change that list or dict, so the
// order of the calls is preserved.
func (b *Builder) CallInTurn(t types.Type, f *Step, args ...*Value) *Value {
	return b.addValue(&Step{Op: Call, Timing: InTurn, Type: t, Args: append([]*Step{f}, stepsOf(args)...)})
}

// TryCall calls a helper that returns a result and an error. name is the preferred name of the variable for
// the result. place is the position of the operation in the .aion file, for the error.
func (b *Builder) TryCall(name string, t types.Type, place string, f *Step, args ...*Value) *Value {
	return b.addFailing(&Step{Op: Call, Name: name, Type: t, Place: place, Args: append([]*Step{f}, stepsOf(args)...)})
}

// CheckCall calls a helper that returns only an error.
func (b *Builder) CheckCall(place string, f *Step, args ...*Value) {
	b.TryCall("", nil, place, f, args...)
}

func (b *Builder) addFailing(s *Step) *Value {
	v := b.addValue(s)
	s.Fails, s.Timing = true, Anytime // the result is stored in a variable, which can be read at any time
	b.fails = true
	return v
}

// CallForeign appends s as a call of a Go function that the lambda names. The caller has set the operands
// and results of s.
func (b *Builder) CallForeign(s *Step) *Value {
	s.Op, s.Foreign, s.Timing = Call, true, InTurn
	if s.Fails {
		return b.addFailing(s)
	}
	v := b.addValue(s)
	if s.Type == nil || s.Results != nil {
		s.Timing = Anytime
	}
	return v
}

// FailIf adds a step that returns the error failure from the function if test is true.
func (b *Builder) FailIf(place string, test, failure *Value) {
	b.fails = true
	b.addStep(&Step{Op: FailIf, Place: place, Args: stepsOf([]*Value{test, failure})})
}

// CastTo converts v to t with a Go conversion, which cannot fail.
func (b *Builder) CastTo(t types.Type, v *Value) *Value {
	return b.addValue(&Step{Op: Convert, Timing: Once, Type: t, Args: []*Step{v.Step}})
}

// BinaryOp applies a binary Go operator.
func (b *Builder) BinaryOp(t types.Type, x *Value, op token.Token, y *Value) *Value {
	return b.addValue(&Step{Op: Binary, Timing: Once, Type: t, Token: op, Args: []*Step{x.Step, y.Step}})
}

// UnaryOp applies a unary Go operator. token.MUL dereferences a pointer.
func (b *Builder) UnaryOp(t types.Type, op token.Token, x *Value) *Value {
	timing := Once
	if op == token.AND || op == token.MUL {
		timing = Anytime
	}
	return b.addValue(&Step{Op: Unary, Timing: timing, Type: t, Token: op, Args: []*Step{x.Step}})
}

// NegateBool negates a condition.
func (b *Builder) NegateBool(v *Value) *Value {
	if x, ok := v.Constant.(bool); ok {
		return b.BoolLiteral(!x)
	}
	if v.Op == Unary && v.Token == token.NOT && !v.InVariable {
		return &Value{Step: v.Args[0], Type: GoBool}
	}
	return b.UnaryOp(GoBool, token.NOT, v)
}

// SelectField selects a field or method of x. If x is a pointer, function calls may set the field, so the
// field is read in its position among the calls.
func (b *Builder) SelectField(t types.Type, x *Value, fields ...string) *Value {
	timing := Anytime
	if IsPointer(x.Type) {
		timing = InTurn
	}
	return b.addValue(&Step{Op: Select, Timing: timing, Type: t, Fields: fields, Args: []*Step{x.Step}})
}

// ElementAt returns element i of a list that is in a variable.
func (b *Builder) ElementAt(t types.Type, list *Value, i int) *Value {
	return b.addValue(&Step{Op: Index, Type: t, Number: i, Args: []*Step{list.Step}})
}

// SliceFrom returns the part of a list from element i on.
func (b *Builder) SliceFrom(t types.Type, list *Value, i int) *Value {
	return b.addValue(&Step{Op: Rest, Timing: InTurn, Type: t, Number: i, Args: []*Step{list.Step}})
}

// NewDisplay returns a list of values, or a dict of alternating keys and values.
func (b *Builder) NewDisplay(t types.Type, values ...*Value) *Value {
	return b.addValue(&Step{Op: Display, Timing: Once, Type: t, Args: stepsOf(values)})
}

// EmptyDisplay returns an empty list or dict.
func (b *Builder) EmptyDisplay(t types.Type) *Value {
	v := b.NewDisplay(t)
	v.NilFree = true
	return v
}

// FuncLiteral returns a function literal with one parameter. build returns the value that it returns. The literal
// has an additional error result if a step of its body may fail.
func (b *Builder) FuncLiteral(resultType types.Type, param *Value, build func() *Value) *Value {
	outer := b.fails
	b.fails = false
	var result *Value
	body := b.BuildBlock(func() {
		result = build()
		b.AddReturn(result.Step)
	})
	f := b.addValue(&Step{Op: Func, Timing: Once, Type: resultType, Param: param.Step, Blocks: []*Block{body}, Fails: b.fails})
	b.fails = outer
	if result.IsBad() {
		return result
	}
	return f
}

// LogicOp joins two conditions with && or ||. The steps of right run only if left does not decide the result.
func (b *Builder) LogicOp(op token.Token, left *Value, right *Block) *Value {
	timing := Once
	for _, s := range right.Steps {
		timing = max(timing, s.Timing)
	}
	return b.addValue(&Step{Op: Logic, Timing: timing, Type: GoBool, Token: op, Args: []*Step{left.Step}, Blocks: []*Block{right}})
}

// ChooseBlock runs then if test is true, else otherwise, and returns the result of that block.
func (b *Builder) ChooseBlock(name string, t types.Type, test *Value, then, otherwise *Block) *Value {
	v := b.addValue(&Step{Op: Choose, Name: name, Type: t, Args: []*Step{test.Step}, Blocks: []*Block{then, otherwise}})
	v.Timing = Anytime // the result is stored in a variable, which can be read at any time
	return v
}

// DefineVariable defines a variable, initialized with start unless start is nil.
func (b *Builder) DefineVariable(name string, t types.Type, start *Value) *Value {
	v := b.NewVariable()
	b.StartVariable(v, name, t, start)
	return v
}

// NewVariable returns a variable whose type is not known yet. StartVariable defines it.
func (b *Builder) NewVariable() *Value { return &Value{Step: &Step{Op: Define}} }

// StartVariable defines a variable from NewVariable, initialized with start unless start is nil.
func (b *Builder) StartVariable(variable *Value, name string, t types.Type, start *Value) {
	s := variable.Step
	variable.Type, s.Name, s.Type = t, name, t
	if start != nil {
		s.Args = []*Step{start.Step}
	}
	b.addStep(s)
	s.Timing = Anytime
}

// AssignVariable sets a variable.
func (b *Builder) AssignVariable(to, v *Value) {
	b.addStep(&Step{Op: Assign, Target: to.Step, Args: []*Step{v.Step}})
}

// AssignEntry sets the value of a key in a dict that is in a variable.
func (b *Builder) AssignEntry(dict, key, v *Value) {
	b.addStep(&Step{Op: Assign, Target: dict.Step, Args: stepsOf([]*Value{key, v})})
}

// AddIf runs a block if a condition is true.
func (b *Builder) AddIf(test *Value, then *Block) {
	b.addStep(&Step{Op: If, Args: []*Step{test.Step}, Blocks: []*Block{then}})
}

// AddRange runs a block for each element of a list.
func (b *Builder) AddRange(list, element *Value, body *Block) {
	b.addStep(&Step{Op: Range, Args: []*Step{list.Step}, Param: element.Step, Blocks: []*Block{body}})
}

// AddBreak leaves the innermost loop.
func (b *Builder) AddBreak() { b.addStep(&Step{Op: Break}) }

// AddReturn returns values from the function.
func (b *Builder) AddReturn(values ...*Step) { b.addStep(&Step{Op: Return, Args: values}) }

// GlobalValue refers to a package-level variable or function.
func (b *Builder) GlobalValue(obj types.Object) *Value {
	s := &Step{Op: Global, Type: obj.Type(), Object: obj}
	if _, variable := obj.(*types.Var); variable {
		s.Timing = InTurn
	}
	return b.addValue(s)
}

// NewConstant refers to a package-level constant and records its value. The result is bad if the value does
// not fit int64 or float64.
func NewConstant(obj *types.Const) *Value {
	v := &Value{Step: &Step{Op: Global, Object: obj}, Type: types.Default(obj.Type())}
	if types.Identical(v.Type, types.Typ[types.Rune]) {
		v.Type = GoInt
	}
	v.Step.Type = v.Type
	if !v.HasType(PlainType(v.Type)) {
		return v
	}
	switch value := obj.Val(); v.Kind() {
	case Int:
		n, exact := constant.Int64Val(constant.ToInt(value))
		if !exact {
			return NewBad()
		}
		v.Constant, v.Bits = n, max(1, big.NewInt(n).BitLen())
	case Float:
		f, _ := constant.Float64Val(value)
		if math.IsInf(f, 0) {
			return NewBad()
		}
		v.Constant = f
	case Str:
		v.Constant = constant.StringVal(value)
	case Bool:
		v.Constant = constant.BoolVal(value)
	}
	return v
}
