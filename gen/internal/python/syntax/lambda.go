// Package syntax reads Python's notation for functions of one expression, as
// .aion files use it: Parse turns a text into a tree and lists every fault in it
// at once. Names are only names here; what they stand for, and what type an
// expression has, is for the compiler to say. From top to bottom:
//
//	parse.go               a whole lambda
//	operators.go           expressions, by precedence
//	atoms.go               what is no operation: names, literals, calls, displays
//	template.go, text.go   what str.format fills, and string literals
//	parser.go, scan.go     tokens
//	faults.go, lambda.go   what is made of them
package syntax

import (
	"math/big"
	"slices"
)

// A Place is a stretch of the text, in bytes, from From to before To.
type Place struct{ From, To int }

// At returns the place itself, so that every node that embeds one is an Expr.
func (p Place) At() Place { return p }

// An Expr is an expression: one of the pointer types below.
type Expr interface {
	At() Place
	expr()
}

// A Lambda is a function: `lambda user, limit: find(user)[:limit]`. Within
// another, it is only found as the argument key of a call.
type Lambda struct {
	Place
	Params []Param
	Body   Expr
}

// A Param is the name of a parameter.
type Param struct {
	Place
	Name string
}

type (
	// A Bad expression is one that a fault was reported for.
	Bad struct{ Place }

	// A Name is the name of a parameter, a function, a variable or a constant.
	Name struct {
		Place
		Name string
	}

	// An Int is an integer literal, of any size.
	Int struct {
		Place
		Value *big.Int
	}

	// A Float is a floating-point literal. One beyond the range is infinite, as
	// it is in Python.
	Float struct {
		Place
		Value float64
	}

	// A Str is a string literal, or several in a row.
	Str struct {
		Place
		Value string
	}

	// An FString is a formatted string literal.
	FString struct {
		Place
		Parts []Part
	}

	// A Bool is True or False.
	Bool struct {
		Place
		Value bool
	}

	// None is the literal None.
	None struct{ Place }

	// A List is a list display: [a, b].
	List struct {
		Place
		Elems []Expr
	}

	// A Dict is a dictionary display: {'a': x}.
	Dict struct {
		Place
		Items []Item
	}

	// An Attr is an attribute reference: x.name.
	Attr struct {
		Place
		X    Expr
		Name Param
	}

	// A Call calls a function or a method.
	Call struct {
		Place
		Func Expr
		Args []Arg
	}

	// An Index is a subscription: x[i].
	Index struct {
		Place
		X, Index Expr
	}

	// A Slice is a slicing: x[i:j:step]. Bounds that are left out are nil.
	Slice struct {
		Place
		X, Start, Stop, Step Expr
	}

	// A Cond is a conditional expression: x if c else y.
	Cond struct {
		Place
		Then, If, Else Expr
	}

	// A Unary is -x, +x or not x.
	Unary struct {
		Place
		Op Op
		X  Expr
	}

	// A Binary is an arithmetic operation, or one with `and` or `or`.
	Binary struct {
		Place
		Op   Op
		X, Y Expr
	}

	// A Compare is a chain of comparisons: x < y <= z. Each operand is evaluated
	// at most once, and none behind a comparison that is false.
	Compare struct {
		Place
		X    Expr
		Rest []Comparison
	}

	// A Comp is a list comprehension: [elem for name in list if condition].
	Comp struct {
		Place
		Elem Expr
		Var  Param
		In   Expr
		If   Expr // nil if there is no condition
	}
)

// An Item is a key of a dictionary display with its value.
type Item struct{ Key, Value Expr }

// A Part of a formatted string is text or, where Value is not nil, a value.
type Part struct {
	Text   string
	Value  Expr
	Format Format
}

// A Format says how a value becomes text: as str does, with Verb 'd' as an
// integer in digits, with 's' only if it is a string, and with 'f' as a number
// with Precision digits behind the point.
type Format struct {
	Verb      byte // 0, 'd', 's' or 'f'
	Precision int  // of 'f'; 6 if none is written
}

// An Arg is an argument of a call.
type Arg struct {
	Place
	Name  string // of a keyword argument
	Star  bool   // *value
	Value Expr
}

// A Comparison is an operator and what stands at its right.
type Comparison struct {
	Op Op
	Y  Expr
}

// An Op is an operator with the place where it stands.
type Op struct {
	Place
	Text string // as in Python, with one space within "not in" and "is not"
}

func (*Lambda) expr()  {}
func (*Bad) expr()     {}
func (*Name) expr()    {}
func (*Int) expr()     {}
func (*Float) expr()   {}
func (*Str) expr()     {}
func (*FString) expr() {}
func (*Bool) expr()    {}
func (*None) expr()    {}
func (*List) expr()    {}
func (*Dict) expr()    {}
func (*Attr) expr()    {}
func (*Call) expr()    {}
func (*Index) expr()   {}
func (*Slice) expr()   {}
func (*Cond) expr()    {}
func (*Unary) expr()   {}
func (*Binary) expr()  {}
func (*Compare) expr() {}
func (*Comp) expr()    {}

// Walk calls visit for an expression, and then for all that are parts of it.
func Walk(e Expr, visit func(Expr)) {
	if e == nil {
		return
	}
	visit(e)
	for _, part := range Parts(e) {
		Walk(part, visit)
	}
}

// Parts are the expressions that an expression is made of, in the order in which
// they are evaluated. What is left out, such as a bound of a slice, is nil.
func Parts(e Expr) (list []Expr) {
	switch e := e.(type) {
	case *FString:
		for _, p := range e.Parts {
			list = append(list, p.Value)
		}
	case *List:
		return e.Elems
	case *Dict:
		for _, item := range e.Items {
			list = append(list, item.Key, item.Value)
		}
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
		return []Expr{e.In, e.Elem, e.If}
	case *Lambda:
		return []Expr{e.Body}
	}
	return list
}

// IsTest reports whether an expression is a bool whatever it is made of.
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

// Ordered are the arguments of a call as Python evaluates them: those by keyword last,
// also where a starred one follows them.
func (c *Call) Ordered() []Arg {
	keyword := func(a Arg) bool { return a.Name != "" }
	return slices.Concat(
		slices.DeleteFunc(slices.Clone(c.Args), keyword),
		slices.DeleteFunc(slices.Clone(c.Args), func(a Arg) bool { return !keyword(a) }))
}
