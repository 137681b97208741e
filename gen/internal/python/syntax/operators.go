package syntax

import "strings"

// conditional reads an expression.
func (p *parser) conditional() Expr {
	p.depth++
	defer func() { p.depth-- }()
	start := p.here()
	if p.tooDeep(start) {
		return p.bad(p.from(start))
	}
	if p.is("lambda") {
		l := p.lambda()
		p.unsupported(l.Place, "a lambda within the lambda").help("only key= takes one")
		return p.bad(l.Place)
	}
	if p.is("yield", "await") {
		word := p.next()
		at := placeOf(&word)
		p.unsupported(at, "the keyword "+word.Value)
		p.skip(false)
		return p.bad(at)
	}
	e := p.or()
	if p.is("if") {
		e = p.cond(e, start)
	}
	if p.is(":=") {
		p.surplus(p.lex.Peek())
		p.next()
		p.expr()
		return p.bad(p.from(start))
	}
	return e
}

// tooDeep reports an expression that nests too deep, once, and skips the rest.
func (p *parser) tooDeep(start int) bool {
	if p.depth <= maxDepth {
		return false
	}
	if !p.ended {
		p.ended = true
		p.report("too-deep", Place{start, start + 1}, "the expression nests deeper than %d levels", maxDepth).
			help("write a Go function, and call it here")
	}
	for !p.lex.Peek().EOF() {
		p.next()
	}
	return true
}

func (p *parser) cond(then Expr, start int) Expr {
	p.next()
	c := &Cond{Then: then, If: p.or()}
	if p.expect("else", "behind the condition") {
		c.Else = p.expr()
	} else {
		c.Else = p.bad(p.from(p.last))
	}
	c.Place = p.from(start)
	return c
}

func (p *parser) disjunction() Expr { return p.logical("or", p.and) }
func (p *parser) and() Expr         { return p.logical("and", p.not) }

func (p *parser) logical(word string, operand func() Expr) Expr {
	start := p.here()
	x := operand()
	for p.is(word) {
		op := p.op()
		y := operand()
		x = &Binary{Place: p.from(start), Op: op, X: x, Y: y}
	}
	return x
}

func (p *parser) not() Expr {
	if !p.is("not") {
		return p.compare()
	}
	return p.unary(p.not)
}

// unary reads an operator and the operand that follows it.
func (p *parser) unary(operand func() Expr) Expr {
	p.depth++
	defer func() { p.depth-- }()
	start := p.here()
	if p.tooDeep(start) {
		return p.bad(p.from(start))
	}
	twice := p.last == start && p.word == p.lex.Peek().Value
	op := p.op()
	if twice && (p.lex.Peek().EOF() || p.is(")", "]", "}", ",", ":")) {
		p.syntax(Place{start - len(op.Text), p.last}, "Python has no operator %[1]s%[1]s", op.Text).help("write a %s 1", op.Text)
		return p.bad(p.from(start))
	}
	x := operand()
	if op.Text == "~" {
		p.unsupported(op.Place, "the operator ~")
		return p.bad(p.from(start))
	}
	return &Unary{Place: p.from(start), Op: op, X: x}
}

// op takes an operator.
func (p *parser) op() Op {
	t := p.next()
	return Op{placeOf(&t), t.Value}
}

func (p *parser) compare() Expr {
	start := p.here()
	x := p.binary(0)
	var rest []Comparison
	for {
		op, ok := p.comparison()
		if !ok {
			break
		}
		rest = append(rest, Comparison{op, p.operand(op)})
	}
	if rest == nil {
		return x
	}
	return &Compare{Place: p.from(start), X: x, Rest: rest}
}

// comparison takes a comparison operator, if there is one.
func (p *parser) comparison() (op Op, ok bool) {
	switch {
	case p.is("<", "<=", ">", ">=", "==", "!=", "in"):
		return p.op(), true
	case p.is("not"):
		op = p.op()
		op.Text = "not in"
		if !p.expect("in", "behind not") {
			return op, true
		}
	case p.is("is"):
		op = p.op()
		if p.accept("not") {
			op.Text = "is not"
		}
	default:
		return op, false
	}
	op.Place = p.from(op.From)
	return op, true
}

// operand reads what stands at the right of a comparison. `is` compares with
// None alone.
func (p *parser) operand(op Op) Expr {
	y := p.binary(0)
	if !strings.HasPrefix(op.Text, "is") {
		return y
	}
	switch y.(type) {
	case *None, *Bad:
		return y
	}
	p.unsupported(Place{op.From, y.At().To}, "the operator "+op.Text+" with something else than None").
		help("write %s to compare values", map[string]string{"is": "==", "is not": "!="}[op.Text])
	return p.bad(y.At())
}

// levels are the binary operators, from those that bind least.
var levels = [][]string{
	{"|"}, {"^"}, {"&"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "//", "%", "@"},
}

func (p *parser) binary(level int) Expr {
	if level == len(levels) {
		return p.factor()
	}
	start := p.here()
	x := p.binary(level + 1)
	for p.is(levels[level]...) {
		op := p.op()
		y := p.binary(level + 1)
		if level < 4 || op.Text == "@" {
			p.unsupported(op.Place, "the operator "+op.Text)
			x = p.bad(p.from(start))
			continue
		}
		x = &Binary{Place: p.from(start), Op: op, X: x, Y: y}
	}
	return x
}

func (p *parser) factor() Expr {
	if p.is("-", "+", "~") {
		return p.unary(p.factor)
	}
	start := p.here()
	x := p.primary()
	if !p.is("**") {
		return x
	}
	p.depth++
	defer func() { p.depth-- }()
	if p.tooDeep(start) {
		return p.bad(p.from(start))
	}
	op := p.op()
	y := p.factor()
	return &Binary{Place: p.from(start), Op: op, X: x, Y: y}
}
