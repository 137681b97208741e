package gofmt

import "go/token"

// expressions sets several with commas between them, and tells how many, and how many
// of these are of more than a line.
func (s *setter) expressions() (n, broken int) {
	for {
		breaks := s.breaks
		s.expression()
		if n++; s.breaks > breaks {
			broken++
		}
		if !s.at(token.COMMA) {
			return n, broken
		}
		s.take()
		s.blank()
	}
}

// expression sets one, or a type, and reports whether it has operators of two operands.
func (s *setter) expression() (operates bool) {
	s.enter()
	from, first := len(s.operators), len(s.links)
	s.unary()
	for s.tok.lines == 0 {
		precedence := s.tok.kind.Precedence()
		if precedence == token.LowestPrec {
			break
		}
		s.operator(precedence)
		s.unary()
	}
	links := s.links[first:]
	if operates = len(links) > 0; operates {
		s.chain(from, links)
	}
	s.links = s.links[:first]
	s.leave()
	return operates
}

func (s *setter) unary() {
	switch s.tok.kind {
	case token.NOT, token.SUB, token.ADD, token.XOR, token.AND, token.ARROW:
		s.take()
		refuse(isUnary(s.tok.kind) && s.tok.kind != token.MUL || s.at(token.CHAN))
		s.unary()
	case token.MUL:
		s.enter()
		from := len(s.operators)
		s.take()
		s.unary()
		s.settle(from)
		s.leave()
	default:
		s.primary()
	}
}

// A role says whether an operand may be the type of a composite literal.
type role int

const (
	value role = iota
	name       // where no body may follow
	form       // it is one if { follows
)

func (s *setter) primary() {
	from := len(s.operators)
	may := s.operand()
	for s.tok.lines == 0 {
		switch s.tok.kind {
		case token.PERIOD:
			s.take()
			if s.at(token.LPAREN) {
				s.take()
				s.typ()
				s.want(token.RPAREN)
				may = value
			} else {
				s.want(token.IDENT)
				may = min(may, name)
			}
		case token.LBRACK:
			if s.index(from) {
				may = value
			}
			may = min(may, name)
		case token.LPAREN:
			s.call(from)
			may = value
		case token.LBRACE:
			if may == value || may == name && s.header {
				return
			}
			s.composite()
			may = value
		default:
			return
		}
	}
}

func (s *setter) operand() role {
	switch s.tok.kind {
	case token.IDENT:
		s.take()
		return name
	case token.INT, token.FLOAT:
		s.take()
		refuse(s.at(token.PERIOD))
		return value
	case token.STRING, token.CHAR:
		s.take()
		return value
	case token.LPAREN:
		s.parenthesized()
		return value
	case token.FUNC:
		s.literalFunction()
		return value
	case token.LBRACK, token.MAP, token.STRUCT:
		s.typ()
		return form
	case token.CHAN, token.INTERFACE:
		s.typ()
		return value
	}
	panic(errUnknown)
}

func (s *setter) parenthesized() {
	from := len(s.operators)
	header := s.header
	s.header = false
	s.take()
	refuse(s.at(token.LPAREN)) // gofmt takes away parentheses within parentheses
	s.expression()
	s.want(token.RPAREN)
	s.enclose(from)
	s.header = header
}

func (s *setter) literalFunction() {
	s.take()
	s.signature()
	if s.at(token.LBRACE) {
		s.blank()
		s.body()
		return
	}
	switch s.tok.kind { // it is the type of such functions
	case token.COMMA, token.RPAREN, token.RBRACK:
	default:
		panic(errUnknown)
	}
}

// index sets an index, a slice or the arguments of a type behind an operand, and
// reports whether it is a slice.
func (s *setter) index(operand int) (slice bool) {
	s.settle(operand)
	header := s.header
	s.header = false
	s.take()
	var low, high bool // have operators
	from := len(s.operators)
	first := s.at(token.COLON)
	if !first {
		low = s.expression()
	}
	if slice = s.at(token.COLON); slice {
		s.take()
		if !s.at(token.RBRACK) {
			high = s.expression()
			refuse(!first && (low || high)) // there are blanks at the colon, or not
		}
	}
	for !slice && s.at(token.COMMA) {
		s.take()
		s.blank()
		s.typ()
	}
	s.want(token.RBRACK)
	s.deepen(from, 1)
	s.header = header
	return slice
}

// call sets the arguments of a call behind an operand.
func (s *setter) call(operand int) {
	header := s.header
	s.header = false
	s.take()
	if s.list(token.RPAREN) > 1 {
		s.deepen(operand, 1)
	}
	s.header = header
}

// composite sets the elements of a composite literal.
func (s *setter) composite() {
	s.enter()
	header := s.header
	s.header = false
	s.want(token.LBRACE)
	s.list(token.RBRACE)
	s.header = header
	s.leave()
}

// list sets what stands in brackets, and the closing one. It tells how many elements
// there are.
func (s *setter) list(closing token.Token) (n int) {
	if s.tok.lines > 0 {
		return s.lines(closing)
	}
	breaks := s.breaks
	for ; !s.at(closing); n++ {
		if n > 0 {
			s.want(token.COMMA)
			s.blank()
		}
		broken := s.breaks > breaks
		pair := s.element(closing, nil)
		refuse(pair && broken) // gofmt begins a column
	}
	s.take()
	return n
}

// lines sets elements that have lines of their own.
func (s *setter) lines(closing token.Token) (n int) {
	s.indent++
	rows := len(s.rows)
	pairs := false
	for s.tok.kind != closing {
		if s.tok.lines > 1 {
			refuse(n == 0)
			s.align(rows)
		}
		s.line()
		at, breaks := len(s.out), s.breaks
		var r row
		pair := s.element(closing, &r)
		refuse(n > 0 && pair != pairs || len(s.out)-at > maxElement)
		pairs = pair
		if n++; s.breaks == breaks {
			s.rows = append(s.rows, r)
		} else {
			s.align(rows)
			s.alone(r)
		}
		s.want(token.COMMA)
	}
	refuse(n == 0 || s.tok.lines != 1)
	s.align(rows)
	s.indent--
	s.line()
	s.take()
	return n
}

// Keys that are longer stand in columns by rules of their own, as do elements that are
// longer than any line.
const (
	maxKey     = 40
	maxElement = 100_000
)

// alone gives a row its gap without a column.
func (s *setter) alone(r row) {
	if r.n > 0 {
		s.gaps[r.cells[0].gap].width = 1
	}
}

// element sets an argument or the element of a composite literal, and reports whether
// that is a pair of key and value. With a row it makes the key a cell.
func (s *setter) element(closing token.Token, r *row) (pair bool) {
	if closing == token.RPAREN {
		s.expression()
		if s.at(token.ELLIPSIS) {
			s.take()
			refuse(!s.at(token.RPAREN))
		}
		return false
	}
	at, gaps, breaks := len(s.out), len(s.gaps), s.breaks
	s.value()
	if !s.at(token.COLON) {
		return false
	}
	s.take()
	refuse(len(s.out)-at > maxKey || len(s.gaps) > gaps || s.breaks > breaks)
	if r != nil {
		s.cell(r, at)
	} else {
		s.blank()
	}
	s.value()
	return true
}

// value sets the element of a composite literal, of which the type may be left out.
func (s *setter) value() {
	if s.at(token.LBRACE) {
		s.composite()
		return
	}
	from := len(s.operators)
	s.expression()
	s.settle(from)
}
