package gofmt

import "go/token"

// declaration sets a declaration of a package.
func (s *setter) declaration() {
	switch s.tok.kind {
	case token.FUNC:
		s.function()
	case token.CONST, token.VAR:
		kind := s.tok.kind
		s.take()
		s.blank()
		if s.at(token.LPAREN) {
			s.group(kind)
		} else {
			s.values(kind)
		}
	case token.TYPE:
		s.typeDeclaration()
	default:
		panic(errUnknown)
	}
}

func (s *setter) function() {
	s.take()
	s.blank()
	if s.at(token.LPAREN) {
		n, _ := s.params(false)
		refuse(n != 1)
		s.blank()
	}
	s.want(token.IDENT)
	s.signature()
	s.blank()
	s.body()
}

func (s *setter) typeDeclaration() {
	s.take()
	s.blank()
	s.want(token.IDENT)
	s.blank()
	if s.at(token.ASSIGN) {
		s.take()
		s.blank()
	}
	refuse(s.at(token.LBRACK) && !s.beginsArray()) // it has parameters
	s.typ()
}

// group sets constants or variables without types, with their values in a column. A
// constant may leave its value to the one before it.
func (s *setter) group(kind token.Token) {
	rows := s.beginRows()
	for n := 0; s.tok.kind != token.RPAREN; n++ {
		s.nextRow(rows)
		from := len(s.out)
		s.names()
		var r row
		if s.at(token.ASSIGN) {
			s.cell(&r, from)
			s.rows = append(s.rows, r)
			breaks := s.breaks
			s.assigned()
			if s.breaks > breaks {
				s.align(rows)
			}
		} else {
			refuse(n == 0 || kind != token.CONST)
			s.rows = append(s.rows, r)
		}
	}
	s.endRows(rows)
}
