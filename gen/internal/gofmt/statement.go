package gofmt

import "go/token"

// body sets the body of a function.
func (s *setter) body() {
	if s.at(token.LBRACE) && s.peek() == '}' {
		s.take()
		s.take()
		return
	}
	header := s.header
	s.header = false
	s.block()
	s.header = header
}

// block sets statements, each of which is a line or more.
func (s *setter) block() {
	s.enter()
	s.want(token.LBRACE)
	s.indent++
	for s.tok.kind != token.RBRACE {
		s.line()
		s.comments()
		s.statement()
	}
	s.indent--
	s.line()
	s.take()
	s.leave()
}

func (s *setter) statement() {
	switch s.tok.kind {
	case token.VAR:
		s.take()
		s.blank()
		s.values(token.VAR)
	case token.RETURN:
		s.returned()
	case token.IF:
		s.condition()
	case token.FOR:
		s.loop()
	default:
		s.simple()
	}
}

// values sets names with a type or values or both; constants have values.
func (s *setter) values(kind token.Token) {
	s.names()
	if !s.at(token.ASSIGN) {
		s.blank()
		s.typ()
		if kind == token.VAR && !s.at(token.ASSIGN) {
			return
		}
	}
	s.blank()
	s.assigned()
}

// assigned sets an equals sign and values.
func (s *setter) assigned() {
	from := len(s.operators)
	s.want(token.ASSIGN)
	s.blank()
	s.expressions()
	s.settle(from)
}

func (s *setter) returned() {
	s.take()
	if s.tok.lines > 0 {
		return
	}
	from := len(s.operators)
	s.blank()
	n, broken := s.expressions()
	refuse(n > 1 && broken > 1) // gofmt indents these
	s.settle(from)
}

func (s *setter) condition() {
	s.take()
	s.blank()
	s.header = true
	if s.bare() != expression {
		s.want(token.SEMICOLON)
		s.blank()
		refuse(s.bare() != expression)
	}
	s.header = false
	s.blank()
	s.block()
	if !s.at(token.ELSE) {
		return
	}
	s.blank()
	s.take()
	s.blank()
	if s.at(token.IF) {
		s.enter()
		s.condition()
		s.leave()
	} else {
		s.block()
	}
}

// loop sets a loop over something, or one with a condition alone.
func (s *setter) loop() {
	s.take()
	s.blank()
	s.header = true
	if s.at(token.RANGE) {
		s.ranged()
	} else {
		refuse(s.bare() == assignment)
	}
	s.header = false
	s.blank()
	s.block()
}

func (s *setter) ranged() {
	s.take()
	s.blank()
	refuse(s.bare() != expression)
}

// A clause is a simple statement.
type clause int

const (
	expression clause = iota
	assignment
	iteration
)

// bare sets a simple statement in a header. Of an expression in parentheses gofmt takes
// these away.
func (s *setter) bare() clause {
	refuse(s.at(token.LPAREN))
	return s.simple()
}

func (s *setter) simple() clause {
	from, at, breaks := len(s.operators), len(s.out), s.breaks
	n, _ := s.expressions()
	kind := s.tok.kind
	switch {
	case s.tok.lines > 0, kind == token.SEMICOLON, kind == token.LBRACE:
		refuse(n > 1)
		s.settle(from)
		return expression
	case s.breaks > breaks:
		panic(errUnknown)
	case kind == token.INC, kind == token.DEC:
		refuse(n > 1)
		s.deepen(from, 1)
		s.take()
	case kind == token.DEFINE, kind == token.ASSIGN:
		refuse(kind == token.DEFINE && !isNames(s.out[at:]))
		s.beginAssignment()
		if s.header && s.at(token.RANGE) {
			s.settle(from)
			s.ranged()
			return iteration
		}
		if values, _ := s.expressions(); n > 1 && values > 1 {
			s.deepen(from, 1)
		}
	case token.ADD_ASSIGN <= kind && kind <= token.AND_NOT_ASSIGN:
		s.beginAssignment()
		values, _ := s.expressions()
		refuse(n > 1 || values > 1)
	default:
		panic(errUnknown)
	}
	s.settle(from)
	return assignment
}

func (s *setter) beginAssignment() {
	s.blank()
	s.take()
	s.blank()
}

// isNames reports whether a text is names with commas between them.
func isNames(text []byte) bool {
	for _, c := range text {
		if !isLetter(c) && !isDigit(c) && c != ',' && c != ' ' && c < 0x80 {
			return false
		}
	}
	return true
}
