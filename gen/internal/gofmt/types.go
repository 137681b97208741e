package gofmt

import "go/token"

func (s *setter) typ() {
	s.enter()
	switch s.tok.kind {
	case token.IDENT:
		s.take()
		s.typeArguments()
	case token.MUL:
		s.take()
		s.typ()
	case token.LBRACK:
		s.array()
	case token.MAP:
		s.take()
		s.want(token.LBRACK)
		s.typ()
		s.want(token.RBRACK)
		s.typ()
	case token.CHAN, token.ARROW:
		s.channel()
	case token.FUNC:
		s.take()
		s.signature()
	case token.STRUCT:
		s.members((*setter).field)
	case token.INTERFACE:
		s.members((*setter).method)
	default:
		panic(errUnknown)
	}
	s.leave()
}

// isType reports whether a type begins with a token; not one in parentheses.
func isType(kind token.Token) bool {
	switch kind {
	case token.IDENT, token.MUL, token.LBRACK, token.MAP, token.CHAN, token.ARROW, token.FUNC, token.STRUCT, token.INTERFACE:
		return true
	}
	return false
}

// typeArguments sets the rest of a named type.
func (s *setter) typeArguments() {
	if s.at(token.PERIOD) {
		s.take()
		s.want(token.IDENT)
	}
	if !s.at(token.LBRACK) {
		return
	}
	s.take()
	s.typ()
	for s.at(token.COMMA) {
		s.take()
		s.blank()
		s.typ()
	}
	s.want(token.RBRACK)
}

// beginsArray reports whether the bracket that is next begins an array or a slice;
// others are before arguments.
func (s *setter) beginsArray() bool {
	next := s.peek()
	return next == ']' || isDigit(next)
}

func (s *setter) array() {
	s.take()
	switch s.tok.kind {
	case token.INT, token.ELLIPSIS:
		s.take()
	case token.IDENT:
		s.take()
		if s.at(token.PERIOD) {
			s.take()
			s.want(token.IDENT)
		}
	}
	s.want(token.RBRACK)
	s.typ()
}

func (s *setter) channel() {
	if s.at(token.ARROW) {
		s.take()
		s.want(token.CHAN)
	} else {
		s.want(token.CHAN)
		if s.at(token.ARROW) {
			s.take()
		}
	}
	s.blank()
	if !s.at(token.LPAREN) {
		s.typ()
		return
	}
	s.take()
	s.typ()
	s.want(token.RPAREN)
}

// signature sets parameters and results.
func (s *setter) signature() {
	s.params(true)
	switch {
	case s.at(token.LPAREN):
		s.blank()
		n, named := s.params(false)
		refuse(n == 0 || n == 1 && !named) // gofmt takes these parentheses away
	case s.tok.lines == 0 && isType(s.tok.kind):
		s.blank()
		s.typ()
	}
}

// params sets parameters or results, of which all have names or none.
func (s *setter) params(variadic bool) (n int, named bool) {
	pairs, types := 0, 0
	last := lone
	s.want(token.LPAREN)
	for ; !s.at(token.RPAREN); n++ {
		if n > 0 {
			s.want(token.COMMA)
			s.blank()
		}
		switch last = s.param(variadic && !(n > 0 && last == lone)); last {
		case pair:
			pairs++
		case unnamed:
			types++
		}
	}
	s.take()
	refuse(pairs > 0 && (types > 0 || last != pair))
	return n, pairs > 0
}

// A parameter is a name with a type, a type, or a word that may be either.
type parameter int

const (
	lone parameter = iota
	pair
	unnamed
)

func (s *setter) param(variadic bool) parameter {
	kind := unnamed
	if s.at(token.IDENT) {
		s.take()
		switch {
		case s.at(token.COMMA), s.at(token.RPAREN):
			return lone
		case s.at(token.PERIOD), s.at(token.LBRACK) && !s.beginsArray():
			s.typeArguments()
			return unnamed
		}
		s.blank()
		kind = pair
	}
	if s.at(token.ELLIPSIS) {
		refuse(!variadic)
		s.take()
		s.typ()
		refuse(!s.at(token.RPAREN))
	} else {
		s.typ()
	}
	return kind
}

// members sets what a struct or an interface has, each member on lines of its own.
func (s *setter) members(member func(*setter, *row)) {
	s.take()
	if s.at(token.LBRACE) && s.peek() == '}' {
		s.take()
		s.take()
		return
	}
	s.blank()
	refuse(!s.at(token.LBRACE))
	rows := s.beginRows()
	for s.tok.kind != token.RBRACE {
		s.nextRow(rows)
		var r row
		breaks := s.breaks
		member(s, &r)
		s.rows = append(s.rows, r)
		if s.breaks > breaks {
			s.align(rows)
		}
	}
	s.endRows(rows)
}

// field sets a field of a struct: names in a column, the type in the next one if there
// is a tag.
func (s *setter) field(r *row) {
	at, breaks := len(s.out), s.breaks
	pointer := s.at(token.MUL)
	if pointer {
		s.take()
	}
	several := s.names() > 1
	embedded := s.tok.lines > 0 || s.at(token.STRING) || s.at(token.PERIOD) || s.at(token.LBRACK) && !s.beginsArray()
	refuse(pointer && !embedded || several && (pointer || embedded))
	if embedded {
		s.typeArguments()
	} else {
		s.cell(r, at)
		at = len(s.out)
		s.typ()
	}
	if s.at(token.STRING) {
		refuse(s.breaks > breaks)
		s.cell(r, at)
		s.take()
	}
}

// method sets a method of an interface, or an interface that is embedded in it.
func (s *setter) method(*row) {
	s.want(token.IDENT)
	if s.at(token.LPAREN) {
		s.signature()
	} else {
		s.typeArguments()
	}
}
