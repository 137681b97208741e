package gofmt

import (
	"bytes"
	"errors"
	"go/token"
)

// A setter takes tokens from the scanner and sets them on the page.
type setter struct {
	scanner
	page
	levels
	header bool // in the header of a statement, where { begins its body
	nested int
}

// errUnknown is what a setter panics with where it does not know how gofmt goes on.
var errUnknown = errors.New("not known")

func (s *setter) reset() {
	s.page = page{out: s.out[:0], gaps: s.gaps[:0], rows: s.rows[:0]}
	s.operators, s.links, s.header, s.nested = s.operators[:0], s.links[:0], false, 0
}

// refuse ends the declaration if something about it is not known.
func refuse(odd bool) {
	if odd {
		panic(errUnknown)
	}
}

// at reports whether the next token is of a kind, and on the same line.
func (s *setter) at(kind token.Token) bool { return s.tok.kind == kind && s.tok.lines == 0 }

// take sets the next token behind the last one.
func (s *setter) take() {
	refuse(s.tok.lines > 0)
	s.write(s.text())
	s.next()
}

func (s *setter) want(kind token.Token) {
	refuse(s.tok.kind != kind)
	s.take()
}

// names sets names with commas between them, and tells how many.
func (s *setter) names() (n int) {
	s.want(token.IDENT)
	for n = 1; s.at(token.COMMA); n++ {
		s.take()
		s.blank()
		s.want(token.IDENT)
	}
	return n
}

// line begins a line where the source does.
func (s *setter) line() {
	refuse(s.tok.lines == 0)
	s.breakLine(s.tok.lines)
	s.tok.lines = 0
}

// comments sets comments that stand on lines of their own, right before something.
func (s *setter) comments() {
	for s.tok.kind == token.COMMENT {
		refuse(!isProse(s.text()))
		s.take()
		refuse(s.tok.lines != 1 || s.tok.kind == token.RBRACE || s.tok.kind == token.RPAREN)
		s.line()
	}
}

// isProse reports whether a comment is nothing but words, which gofmt leaves alone
// wherever they stand: no directive, heading, list or code.
func isProse(comment []byte) bool {
	text, ok := bytes.CutPrefix(comment, []byte("// "))
	return ok && len(text) > 0 && text[0] != '_' && isLetter(text[0]) && text[len(text)-1] != ' ' &&
		!bytes.Contains(text, []byte("``")) && !bytes.Contains(text, []byte("''")) && bytes.IndexByte(text, '\t') < 0
}

// maxNested is how deep what is known may be nested.
const maxNested = 100

func (s *setter) enter() {
	s.nested++
	refuse(s.nested > maxNested)
}

func (s *setter) leave() { s.nested-- }

// beginRows sets an opening bracket behind which lines begin that may have columns.
func (s *setter) beginRows() (rows int) {
	s.take()
	refuse(s.tok.lines != 1 || s.tok.kind == token.RPAREN || s.tok.kind == token.RBRACE)
	s.indent++
	return len(s.rows)
}

// nextRow begins such a line. Columns end at an empty line and at a comment.
func (s *setter) nextRow(rows int) {
	if s.tok.lines > 1 || s.tok.kind == token.COMMENT {
		s.align(rows)
	}
	s.line()
	s.comments()
}

// endRows sets the closing bracket.
func (s *setter) endRows(rows int) {
	refuse(s.tok.lines != 1)
	s.align(rows)
	s.indent--
	s.line()
	s.take()
}
