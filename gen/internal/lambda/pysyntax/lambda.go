package pysyntax

import (
	"math/big"
	"slices"
)

// Place is a range of the text in bytes, from From up to but not including To.
type Place struct{ From, To int }

// Location returns p. Every node embeds a Place, which makes it an Expr.
func (p Place) Location() Place { return p }

// Expr is an expression: one of the pointer types below.
type Expr interface {
	Location() Place
	exprNode()
}

// Lambda is a function such as `lambda user, limit: find(user)[:limit]`. Inside another lambda,
// only the argument key of a call may be one.
type Lambda struct {
	Place
	Params []Param
	Body   Expr
	Source string // the text, "" for a lambda inside another one
}

// Param is the name of a parameter, or of an attribute.
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

	// Star is an element of a list display that stands for the elements of x: [*x].
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

		Unbound    bool // the receiver was the first argument, as in str.lower(s)
		MayBeTuple bool // a tuple as the value may be a list: an index with a constant follows, or it is a result
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

	// Comp is a comprehension: [elem for name in list if condition]. In round brackets it is a generator,
	// in curly ones a set.
	Comp struct {
		Place
		Brackets Brackets
		Key      Expr // of a dictionary comprehension, otherwise nil
		Elem     Expr
		Loops    []Loop // at least one, from the outermost to the innermost

		bare bool // a generator without parentheses of its own
	}

	// Iter stands for the elements of something that only a loop or a function sees, such as range(n) in
	// [… for i in range(n)]. The parser does not return it.
	Iter struct {
		Place
		Call      *Call // of the function or method that makes the elements
		Unordered bool  // the order of the elements does not affect the result
	}
)

// Loop is a part of a comprehension: for name in list if condition.
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

// Part is a part of a formatted string: text if Value is nil, otherwise a value.
type Part struct {
	Text       string
	Value      Expr
	Conversion Conversion
	Spec       Expr // the format specification, or nil: a Str, or an FString if it contains values
}

// Conversion converts a value before it is formatted: 's' and 'r' convert to text as str and repr do.
// The codes of % other than s and r convert to the number that they take. 0 converts nothing.
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
	Text string // the Python operator, with one space in "not in" and "is not"
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
	if e == nil {
		return
	}
	visit(e)
	for _, part := range Parts(e) {
		Walk(part, visit)
	}
}

// Parts returns the direct subexpressions of an expression in evaluation order. Omitted ones, such as
// a bound of a slice, are nil.
//
//nolint:gocyclo // one case per kind of expression
func Parts(e Expr) (list []Expr) {
	switch e := e.(type) {
	case *FString:
		for _, p := range e.Parts {
			list = append(list, p.Value, p.Spec)
		}
	case *List:
		return e.Elems
	case *Dict:
		for _, item := range e.Items {
			list = append(list, item.Key, item.Value)
		}
	case *Star:
		return []Expr{e.X}
	case *Attr:
		return []Expr{e.X}
	case *Call:
		list = append(list, e.Func)
		for _, a := range e.Args {
			list = append(list, a.Value)
		}
	case *Index:
		return []Expr{e.X, e.Index}
	case *Slice:
		return []Expr{e.X, e.Start, e.Stop, e.Step}
	case *Cond:
		return []Expr{e.If, e.Then, e.Else}
	case *Unary:
		return []Expr{e.X}
	case *Binary:
		return []Expr{e.X, e.Y}
	case *Compare:
		list = append(list, e.X)
		for _, c := range e.Rest {
			list = append(list, c.Y)
		}
	case *Comp:
		for _, l := range e.Loops {
			list = append(list, l.In, l.If)
		}
		list = append(list, e.Key, e.Elem)
	case *Iter:
		return Parts(e.Call)
	case *Lambda:
		return []Expr{e.Body}
	}
	return list
}

// Names returns the names that a loop binds.
func (l Loop) Names() []Param { return append([]Param{l.Var}, l.More...) }

// IsTest reports whether an expression is a bool regardless of its operands.
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

// MapParts returns a copy of an expression whose direct subexpressions are replaced by what change
// returns for them. It calls change in evaluation order.
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
		made := *e
		made.Parts = slices.Clone(e.Parts)
		for i, p := range e.Parts {
			made.Parts[i].Value, made.Parts[i].Spec = part(p.Value), part(p.Spec)
		}
		return &made
	case *List:
		made := *e
		made.Elems = slices.Clone(e.Elems)
		for i, elem := range e.Elems {
			made.Elems[i] = part(elem)
		}
		return &made
	case *Dict:
		made := *e
		made.Items = slices.Clone(e.Items)
		for i, item := range e.Items {
			made.Items[i] = Item{part(item.Key), part(item.Value)}
		}
		return &made
	case *Star:
		return &Star{e.Place, part(e.X)}
	case *Attr:
		return &Attr{e.Place, part(e.X), e.Name}
	case *Call:
		made := *e
		made.Func, made.Args = part(e.Func), slices.Clone(e.Args)
		for i, a := range e.Args {
			made.Args[i].Value = part(a.Value)
		}
		return &made
	case *Index:
		return &Index{e.Place, part(e.X), part(e.Index)}
	case *Slice:
		return &Slice{e.Place, part(e.X), part(e.Start), part(e.Stop), part(e.Step)}
	case *Cond:
		made := &Cond{Place: e.Place, If: part(e.If)}
		made.Then, made.Else = part(e.Then), part(e.Else)
		return made
	case *Unary:
		return &Unary{e.Place, e.Op, part(e.X)}
	case *Binary:
		return &Binary{e.Place, e.Op, part(e.X), part(e.Y)}
	case *Compare:
		made := &Compare{e.Place, part(e.X), slices.Clone(e.Rest)}
		for i, c := range e.Rest {
			made.Rest[i].Y = part(c.Y)
		}
		return made
	}
	return e
}
