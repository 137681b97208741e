package pysyntax

import (
	"slices"
	"strings"
)

// parseConditional reads an expression of the lowest precedence, such as x if c else y.
func (p *parser) parseConditional() Expr {
	p.depth++
	defer func() { p.depth-- }()
	start := p.nextOffset()
	if p.checkDepth(start) {
		return p.newBad(p.placeFrom(start))
	}
	if p.nextIs("lambda") {
		return p.parseLambda()
	}
	if p.nextIs("yield", "await") {
		word := p.takeToken()
		at := placeOf(&word)
		f := p.addUnsupported(at, "the keyword "+word.Value)
		if word.Value == "await" {
			f.WithHelp("leave out await: a call of a Go function waits for its result")
		} else {
			f.WithHelp("leave out yield: the lambda returns one value, which may be a list")
			f.WithCause(ErrNotInGo)
		}
		p.skipTokens(false)
		return p.newBad(at)
	}
	e := p.parseOr()
	if p.nextIs("if") {
		e = p.parseIfElse(e, start)
	}
	if p.nextIs(":=") {
		p.reportSurplus(p.lex.Peek())
		p.takeToken()
		p.parseExpr()
		return p.newBad(p.placeFrom(start))
	}
	return e
}

func (p *parser) parseIfElse(then Expr, start int) Expr {
	p.takeToken()
	c := &Cond{Then: then, If: p.parseOr()}
	if p.accept("else") {
		c.Else = p.parseExpr()
	} else {
		f := p.addSyntax(placeOf(p.lex.Peek()), "expected else after the condition, found %s", tokenText(p.lex.Peek()))
		switch {
		case p.nextIs("elif") || p.lex.Peek().Value == "elif":
			f.WithHelp("nest conditional expressions: x if a else y if b else z")
			p.skipTokens(true)
		case !p.nextIs(":"):
			f.WithHelp("write the other value, such as else None")
			f.WithGuess(p.newEdit(Place{p.lastEnd, p.lastEnd}, " else None"))
		}
		c.Else = p.newBad(p.placeFrom(p.lastEnd))
	}
	c.Place = p.placeFrom(start)
	return c
}

func (p *parser) parseDisjunction() Expr { return p.parseLogical("or", p.parseConjunction) }
func (p *parser) parseConjunction() Expr { return p.parseLogical("and", p.parseNot) }

func (p *parser) parseLogical(word string, operand func() Expr) Expr {
	start := p.nextOffset()
	x := operand()
	for p.nextIs(word) {
		op := p.takeOperator()
		y := operand()
		x = &Binary{Place: p.placeFrom(start), Op: op, X: x, Y: y}
	}
	return x
}

func (p *parser) parseNot() Expr {
	if !p.nextIs("not") {
		return p.parseCompare()
	}
	return p.parseUnary(p.parseNot)
}

// parseUnary reads a prefix operator and calls operand to read its operand.
func (p *parser) parseUnary(operand func() Expr) Expr {
	p.depth++
	defer func() { p.depth-- }()
	start := p.nextOffset()
	if p.checkDepth(start) {
		return p.newBad(p.placeFrom(start))
	}
	isDoubled := p.lastEnd == start && p.lastText == p.lex.Peek().Value
	op := p.takeOperator()
	if isDoubled && (p.lex.Peek().EOF() || p.nextIs(")", "]", "}", ",", ":")) {
		doubled := Place{start - len(op.Text), p.lastEnd}
		p.suggestText(p.addSyntax(doubled, "Python has no operator %[1]s%[1]s", op.Text), doubled, " "+op.Text+" 1")
		return p.newBad(p.placeFrom(start))
	}
	x := operand()
	if op.Text == "~" {
		p.addUnsupported(op.Place, "the operator ~")
		return p.newBad(p.placeFrom(start))
	}
	return &Unary{Place: p.placeFrom(start), Op: op, X: x}
}

// takeOperator consumes an operator.
func (p *parser) takeOperator() Op {
	t := p.takeToken()
	return Op{placeOf(&t), t.Value}
}

func (p *parser) parseCompare() Expr {
	start := p.nextOffset()
	x := p.parseBinary(0)
	var rest []Comparison
	for {
		op, ok := p.takeComparison()
		if !ok {
			break
		}
		rest = append(rest, Comparison{op, p.parseRightSide(op)})
	}
	if rest == nil {
		return x
	}
	return &Compare{Place: p.placeFrom(start), X: x, Rest: rest}
}

// takeComparison consumes a comparison operator if the next token is one.
func (p *parser) takeComparison() (op Op, ok bool) {
	switch {
	case p.nextIs("<", "<=", ">", ">=", "==", "!=", "in"):
		return p.takeOperator(), true
	case p.nextIs("not"):
		op = p.takeOperator()
		op.Text = "not in"
		if !p.accept("in") {
			f := p.addSyntax(placeOf(p.lex.Peek()), "expected in after not, found %s", tokenText(p.lex.Peek()))
			f.WithHelp("write not in, or not before the whole condition")
			f.WithGuess(p.newEdit(Place{p.lastEnd, p.lastEnd}, " in"))
			return op, true
		}
	case p.nextIs("is"):
		op = p.takeOperator()
		if p.accept("not") {
			op.Text = "is not"
		}
	default:
		return op, false
	}
	op.Place = p.placeFrom(op.From)
	return op, true
}

// parseRightSide reads the right operand of a comparison. `is` compares only with None.
func (p *parser) parseRightSide(op Op) Expr {
	y := p.parseBinary(0)
	if !strings.HasPrefix(op.Text, "is") {
		return y
	}
	switch y.(type) {
	case *None, *Bad:
		return y
	}
	p.addUnsupported(Place{op.From, y.Location().To}, "the operator "+op.Text+" with anything but None").
		WithHelp("write %s to compare values", map[string]string{"is": "==", "is not": "!="}[op.Text])
	return p.newBad(y.Location())
}

// binaryLevels lists the binary operators by increasing precedence.
var binaryLevels = [][]string{
	{"|"}, {"^"}, {"&"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "//", "%", "@"},
}

func (p *parser) parseBinary(level int) Expr {
	if level == len(binaryLevels) {
		return p.parseFactor()
	}
	start := p.nextOffset()
	x := p.parseBinary(level + 1)
	for p.nextIs(binaryLevels[level]...) {
		op := p.takeOperator()
		y := p.parseBinary(level + 1)
		if slices.Contains([]string{"<<", ">>", "@"}, op.Text) {
			p.addUnsupported(op.Place, "the operator "+op.Text)
			x = p.newBad(p.placeFrom(start))
			continue
		}
		if template, ok := x.(*Str); ok && op.Text == "%" {
			x = p.formatPercent(template, y, p.placeFrom(start))
			continue
		}
		x = &Binary{Place: p.placeFrom(start), Op: op, X: x, Y: y}
	}
	return x
}

func (p *parser) parseFactor() Expr {
	if p.nextIs("-", "+", "~") {
		return p.parseUnary(p.parseFactor)
	}
	start := p.nextOffset()
	x := p.parsePrimary()
	if !p.nextIs("**") {
		return x
	}
	p.depth++
	defer func() { p.depth-- }()
	if p.checkDepth(start) {
		return p.newBad(p.placeFrom(start))
	}
	op := p.takeOperator()
	y := p.parseFactor()
	return &Binary{Place: p.placeFrom(start), Op: op, X: x, Y: y}
}
