package pysyntax

import (
	"math/big"
	"slices"
)

// Place is a range of bytes in the text of the lambda, from From up to but not including To.
type Place struct{ From, To int }

// Location returns p. Every node embeds Place and so implements this method of Expr.
func (p Place) Location() Place { return p }

// Expr is an expression: one of the pointer types below.
type Expr interface {
	Location() Place
	exprNode()
}

// Lambda is a function such as `lambda user, limit: find(user)[:limit]`. The parser accepts lambdas everywhere
// inside it. Package lambda reports those other than the keyword argument key, as in sorted(users, key=lambda
// u: u.name), and the function of map or filter.
type Lambda struct {
	Place
	Params []Param
	Body   Expr
	Source string // the text of an outermost lambda, otherwise ""
}

// Param is the name of a parameter, a loop variable or an attribute, with its place.
type Param struct {
	Place
	Name string
}

type (
	// Bad is an expression for which a fault was reported.
	Bad struct{ Place }

	// Name refers to a parameter, a function, a variable or a constant.
	Name struct {
		Place
		Name string
	}

	// Int is an integer literal of any size.
	Int struct {
		Place
		Value *big.Int
	}

	// Float is a floating-point literal. A literal beyond the range of float64 is infinite, as in Python.
	Float struct {
		Place
		Value float64
	}

	// Str is a string literal, or several adjacent ones.
	Str struct {
		Place
		Value string
	}

	// FString is a formatted string literal, or a literal formatted with the operator %.
	FString struct {
		Place
		Parts       []Part
		ValuesFirst bool // all values are evaluated before the first one is formatted, as % does
	}

	// Bool is True or False.
	Bool struct {
		Place
		Value bool
	}

	// None is the literal None.
	None struct{ Place }

	// List is a display of a list, a tuple or a set: [a, b], (a, b) or {a, b}.
	List struct {
		Place
		Brackets Brackets
		Elems    []Expr
	}

	// Star is an element of a list display that inserts all elements of x: [*x].
	Star struct {
		Place
		X Expr
	}

	// Dict is a dictionary display: {'a': x}.
	Dict struct {
		Place
		Items []Item
	}

	// Attr is an attribute reference: x.name.
	Attr struct {
		Place
		X    Expr
		Name Param
	}

	// Call calls a function or a method.
	Call struct {
		Place
		Func Expr
		Args []Arg

		Unbound    bool // written as str.lower(s), with the receiver as the first argument
		MayBeTuple bool // the call may return a tuple, as divmod does, because a list can replace it: a constant index follows, or the lambda returns it
	}

	// Index is a subscription: x[i].
	Index struct {
		Place
		X, Index Expr
	}

	// Slice is a slicing: x[i:j:step]. Omitted bounds are nil.
	Slice struct {
		Place
		X, Start, Stop, Step Expr
	}

	// Cond is a conditional expression: x if c else y.
	Cond struct {
		Place
		Then, If, Else Expr
	}

	// Unary is -x, +x or not x.
	Unary struct {
		Place
		Op Op
		X  Expr
	}

	// Binary is an arithmetic operation, or an operation with `and` or `or`.
	Binary struct {
		Place
		Op   Op
		X, Y Expr
	}

	// Compare is a chain of comparisons: x < y <= z. Each operand is evaluated at most once, and no
	// operand is evaluated after a comparison that is false.
	Compare struct {
		Place
		X    Expr
		Rest []Comparison
	}

	// Comp is a comprehension: [elem for name in list if condition]. With parentheses instead of [] it is a
	// generator, with braces a set or a dict.
	Comp struct {
		Place
		Brackets Brackets
		Key      Expr // of a dictionary comprehension, otherwise nil
		Elem     Expr
		Loops    []Loop // at least one, from the outermost to the innermost

		bare bool // a generator without parentheses of its own
	}

	// Iter is a call whose result is only iterated over, such as range(n) in [… for i in range(n)]. The parser
	// does not create it; package lambda replaces calls with Iters.
	Iter struct {
		Place
		Call      *Call // the call that returns the elements
		Unordered bool  // the order of the elements does not affect the result
	}
)

// Loop is one clause of a comprehension: for name in list if condition.
type Loop struct {
	Var  Param
	More []Param // the names after Var, as in for key, value in …
	In   Expr
	If   Expr // nil if there is no condition
}

// Brackets says which brackets enclose a display or a comprehension.
type Brackets int

// The brackets of a list, of a tuple or generator, and of a set.
const (
	Square Brackets = iota
	Round
	Curly
)

// Item is a key of a dictionary display and its value, or a dictionary **value if Key is nil.
type Item struct{ Key, Value Expr }

// Part is a part of a formatted string: the value Value, or Text if Value is nil.
type Part struct {
	Text       string
	Value      Expr
	Conversion Conversion
	Spec       Expr // the format specification, or nil: a Str, or an FString if it contains values
}

// Conversion says how to convert a value before formatting it: 's' as str does, 'r' as repr does, 0 not at all.
// Any other letter is the code of a directive of the operator %, such as 'd' in '%d' % x: the value is
// converted to a number that the directive accepts.
type Conversion byte

// Arg is an argument of a call.
type Arg struct {
	Place
	Name  string // of a keyword argument
	Star  bool   // *value
	Value Expr
}

// Comparison is an operator and its right operand.
type Comparison struct {
	Op Op
	Y  Expr
}

// Op is an operator and its place.
type Op struct {
	Place
	Text string // the Python operator; "not in" and "is not" are written with one space
}

func (*Lambda) exprNode()  {}
func (*Bad) exprNode()     {}
func (*Name) exprNode()    {}
func (*Int) exprNode()     {}
func (*Float) exprNode()   {}
func (*Str) exprNode()     {}
func (*FString) exprNode() {}
func (*Bool) exprNode()    {}
func (*None) exprNode()    {}
func (*List) exprNode()    {}
func (*Star) exprNode()    {}
func (*Dict) exprNode()    {}
func (*Attr) exprNode()    {}
func (*Call) exprNode()    {}
func (*Index) exprNode()   {}
func (*Slice) exprNode()   {}
func (*Cond) exprNode()    {}
func (*Unary) exprNode()   {}
func (*Binary) exprNode()  {}
func (*Compare) exprNode() {}
func (*Comp) exprNode()    {}
func (*Iter) exprNode()    {}

// Walk calls visit for an expression and then for all its subexpressions.
func Walk(e Expr, visit func(Expr)) {
	visit(e)
	for _, part := range Parts(e) {
		Walk(part, visit)
	}
}

// Parts returns the direct subexpressions of an expression in evaluation order.
func Parts(e Expr) (list []Expr) {
	MapParts(e, func(part Expr) Expr {
		list = append(list, part)
		return part
	})
	return list
}

// Names returns the names that a loop binds.
func (l Loop) Names() []Param { return append([]Param{l.Var}, l.More...) }

// IsTest reports whether the value of an expression is always a bool, regardless of the types of its operands.
func IsTest(e Expr) bool {
	switch e := e.(type) {
	case *Compare:
		return true
	case *Unary:
		return e.Op.Text == "not"
	case *Binary:
		return (e.Op.Text == "and" || e.Op.Text == "or") && IsTest(e.X) && IsTest(e.Y)
	}
	return false
}

// ArgsInOrder returns the arguments of a call in the order in which Python evaluates them: keyword
// arguments last, even if a starred argument follows them.
func (c *Call) ArgsInOrder() []Arg {
	keyword := func(a Arg) bool { return a.Name != "" }
	return slices.Concat(
		slices.DeleteFunc(slices.Clone(c.Args), keyword),
		slices.DeleteFunc(slices.Clone(c.Args), func(a Arg) bool { return !keyword(a) }))
}

// MapParts returns a copy of an expression in which each direct subexpression is replaced by the result of
// change. It calls change in evaluation order. Expressions without parts are returned unchanged.
//
//nolint:gocyclo // one case per kind of expression
func MapParts(e Expr, change func(Expr) Expr) Expr {
	part := func(e Expr) Expr {
		if e == nil {
			return nil
		}
		return change(e)
	}
	switch e := e.(type) {
	case *FString:
		copied := *e
		copied.Parts = slices.Clone(e.Parts)
		for i, p := range e.Parts {
			copied.Parts[i].Value, copied.Parts[i].Spec = part(p.Value), part(p.Spec)
		}
		return &copied
	case *List:
		copied := *e
		copied.Elems = slices.Clone(e.Elems)
		for i, elem := range e.Elems {
			copied.Elems[i] = part(elem)
		}
		return &copied
	case *Dict:
		copied := *e
		copied.Items = slices.Clone(e.Items)
		for i, item := range e.Items {
			copied.Items[i] = Item{part(item.Key), part(item.Value)}
		}
		return &copied
	case *Star:
		return &Star{e.Place, part(e.X)}
	case *Attr:
		return &Attr{e.Place, part(e.X), e.Name}
	case *Call:
		copied := *e
		copied.Func, copied.Args = part(e.Func), slices.Clone(e.Args)
		for i, a := range e.Args {
			copied.Args[i].Value = part(a.Value)
		}
		return &copied
	case *Index:
		return &Index{e.Place, part(e.X), part(e.Index)}
	case *Slice:
		return &Slice{e.Place, part(e.X), part(e.Start), part(e.Stop), part(e.Step)}
	case *Cond:
		test := part(e.If)
		return &Cond{e.Place, part(e.Then), test, part(e.Else)}
	case *Unary:
		return &Unary{e.Place, e.Op, part(e.X)}
	case *Binary:
		return &Binary{e.Place, e.Op, part(e.X), part(e.Y)}
	case *Compare:
		return mapCompare(e, part)
	case *Comp:
		return mapComp(e, part)
	case *Iter:
		return &Iter{e.Place, MapParts(e.Call, change).(*Call), e.Unordered}
	case *Lambda:
		return &Lambda{e.Place, e.Params, part(e.Body), e.Source}
	}
	return e
}

func mapCompare(e *Compare, change func(Expr) Expr) Expr {
	copied := &Compare{e.Place, change(e.X), slices.Clone(e.Rest)}
	for i, c := range e.Rest {
		copied.Rest[i].Y = change(c.Y)
	}
	return copied
}

func mapComp(e *Comp, change func(Expr) Expr) Expr {
	copied := *e
	copied.Loops = slices.Clone(e.Loops)
	for i, l := range e.Loops {
		copied.Loops[i].In, copied.Loops[i].If = change(l.In), change(l.If)
	}
	copied.Key, copied.Elem = change(e.Key), change(e.Elem)
	return &copied
}
