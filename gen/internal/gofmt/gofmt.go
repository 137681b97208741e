// Package gofmt lays out Go declarations as gofmt does, in a fraction of its time: in
// one pass over their tokens, without a syntax tree. It knows the Go that emission
// prints. What it does not surely know it leaves to go/format, one declaration by
// another: it never guesses.
//
// Its layers, from top to bottom:
//
//	gofmt, declaration     declarations, and which of them are left to go/format
//	statement, expression  what functions do; each holds the other
//	types                  types
//	setter, operators      tokens in their places; blanks around operators
//	page, scan             text with gaps and columns; tokens
package gofmt

import (
	"bytes"
	"go/format"
	"go/token"
	"sync"
)

// Append appends declarations, each of which may have a comment before it, as they are
// laid out. The text has neither blanks nor line breaks at its ends. The error says why
// it is not Go.
func Append(out, text []byte) ([]byte, error) {
	out, _, err := declarations(out, text)
	return out, err
}

// setters are those that have room for the tokens of a declaration.
var setters = sync.Pool{New: func() any { return &setter{} }}

// declarations says, too, how many declarations it left to go/format.
func declarations(out, text []byte) (_ []byte, left int, err error) {
	if !isPlain(text) {
		return formatted(out, text)
	}
	s := setters.Get().(*setter)
	s.scanner = scanner{src: text}
	defer func() {
		s.scanner = scanner{} // it would keep the text
		setters.Put(s)
	}()
	first := len(out)
	for s.next(); s.tok.kind != token.EOF; {
		if len(out) > first {
			out = append(out, "\n\n"...)
		}
		from := s.scanner
		if s.layOut() {
			out = s.appendTo(out)
			continue
		}
		s.scanner = from
		var n int
		if out, n, err = formatted(out, s.skip()); err != nil {
			return nil, 0, err
		}
		left += n
	}
	return out, left, nil
}

// formatted appends what go/format makes of a text.
func formatted(out, text []byte) ([]byte, int, error) {
	const clause = "package p\n"
	file, err := format.Source(append([]byte(clause+"\n"), text...))
	if err != nil {
		return nil, 0, err
	}
	return append(out, bytes.TrimSpace(file[len(clause):])...), 1, nil
}

// layOut lays out the next declaration, if it knows all of it and nothing stands too
// close: what does may be aligned with it.
func (s *setter) layOut() (known bool) {
	s.reset()
	defer func() {
		if r := recover(); r != nil && r != errUnknown {
			panic(r)
		}
	}()
	s.tok.lines = 0
	s.comments()
	s.declaration()
	return s.tok.kind == token.EOF || s.tok.lines > 1
}

// skip returns the text of the next declaration, and of those that are not surely
// apart from it.
func (s *setter) skip() []byte {
	from := s.start
	depth := 0
	for s.tok.kind != token.EOF {
		last, end := s.tok.kind, s.end
		switch last {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth--
		}
		s.next()
		if depth == 0 && s.tok.lines > 1 && endsStatement(last) {
			return s.src[from:end]
		}
	}
	return s.src[from:]
}

// endsStatement reports whether a line break behind a token ends a statement.
func endsStatement(kind token.Token) bool {
	switch kind {
	case token.IDENT, token.INT, token.FLOAT, token.CHAR, token.STRING, token.RPAREN, token.RBRACK, token.RBRACE:
		return true
	}
	return false
}
