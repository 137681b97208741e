package gofmt

import (
	"go/token"
	"slices"
)

// An operator of two operands has blanks around it, unless gofmt sets it close: one of
// arithmetic, as deep in an expression as that gofmt counts more than one level.
// Levels are known from the inside only: when an expression turns out to be an operand,
// an index or one of several arguments, all that is in it is a level deeper.
type operator struct {
	gap   int // before it; the next one is behind it
	tight int // the level of the whole from which on it is set close
}

// levels are the operators whose gaps are open, and how they stand beside each other in
// the expressions that are being set.
type levels struct {
	operators []operator
	links     []link
}

// never is the level of what is never set close.
const never = 1 << 30

// arithmetic is the precedence from which on operators may be set close.
const arithmetic = 4

// A link is an operator between the operands of an expression.
type link struct{ precedence, operator int }

// maxLinks is how many of them there may be: each looks at all the others.
const maxLinks = 200

// operator sets an operator of two operands.
func (s *setter) operator(precedence int) {
	tight := never
	if precedence >= arithmetic {
		tight = 2
	}
	s.links = append(s.links, link{precedence, len(s.operators)})
	refuse(len(s.links) > maxLinks)
	s.operators = append(s.operators, operator{s.open(), tight})
	s.take()
	s.open()
	refuse(precedence >= arithmetic && isUnary(s.tok.kind)) // it may need a blank between them
}

func isUnary(kind token.Token) bool {
	switch kind {
	case token.ADD, token.SUB, token.NOT, token.XOR, token.AND, token.MUL, token.ARROW, token.TILDE:
		return true
	}
	return false
}

// settle closes the gaps of operators: the whole that they are in is the first level.
func (s *setter) settle(from int) {
	for _, o := range s.operators[from:] {
		width := 0
		if o.tight > 1 {
			width = 1
		}
		s.gaps[o.gap].width, s.gaps[o.gap+1].width = width, width
	}
	s.operators = s.operators[:from]
}

// deepen puts operators so many levels deeper.
func (l *levels) deepen(from, by int) { l.deepenUpTo(from, len(l.operators), by) }

func (l *levels) deepenUpTo(from, to, by int) {
	for i := from; i < to; i++ {
		l.operators[i].tight -= by
	}
}

// enclose puts operators into parentheses, which take a level away; but there is
// always one.
func (l *levels) enclose(from int) {
	for i := from; i < len(l.operators); i++ {
		if o := &l.operators[i]; o.tight > 1 {
			o.tight++
		}
	}
}

// chain counts levels in an expression of operands with operators between them: one
// for each precedence on the way to them.
func (l *levels) chain(from int, links []link) {
	for i, between := range links {
		above := depth(links, i)
		l.operators[between.operator].tight -= above
		if i > 0 && between.precedence <= links[i-1].precedence {
			above = depth(links, i-1)
		}
		l.deepenUpTo(from, between.operator, above+1)
		from = between.operator + 1
	}
	l.deepen(from, depth(links, len(links)-1)+1)
}

// depth is how many precedences there are above an operator in the tree of those that
// stand beside it.
func depth(links []link, of int) (n int) {
	var above [token.HighestPrec]bool
	lowest := links[of].precedence
	for _, l := range slices.Backward(links[:of]) {
		lowest = min(lowest, l.precedence)
		above[lowest] = true
	}
	lowest = links[of].precedence
	for _, l := range links[of+1:] {
		lowest = min(lowest, l.precedence)
		above[lowest] = true
	}
	for precedence := range links[of].precedence {
		if above[precedence] {
			n++
		}
	}
	return n
}
