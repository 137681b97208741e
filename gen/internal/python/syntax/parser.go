package syntax

import (
	"slices"

	"github.com/alecthomas/participle/v2/lexer"
)

// A parser turns tokens into a tree. The precedence of operators asks for a function a
// level, and every fault for one that goes on behind it, where the grammars of
// participle stop: of participle it takes the tokens, which can be looked at ahead.
//
//	lambda  = "lambda" [ name { "," name } ] ":" expr .
//	expr    = or [ "if" or "else" expr ] .
//	or      = and { "or" and } .
//	and     = not { "and" not } .
//	not     = "not" not | compare .
//	compare = sum { ( "<" | "<=" | ">" | ">=" | "==" | "!=" | [ "not" ] "in" | "is" [ "not" ] ) sum } .
//	sum     = term { ( "+" | "-" ) term } .
//	term    = unary { ( "*" | "/" | "//" | "%" ) unary } .
//	unary   = ( "-" | "+" ) unary | power .
//	power   = primary [ "**" unary ] .
//	primary = atom { "." name | "(" [ args ] ")" | "[" expr "]" | "[" [ expr ] ":" [ expr ] [ ":" [ expr ] ] "]" } .
//	args    = arg { "," arg } [ "," ] .
//	arg     = [ name "=" ] expr | "*" expr | "key" "=" lambda .
//	atom    = name | int | float | str { str } | "True" | "False" | "None" | "(" expr ")" | list | dict .
//	list    = "[" [ expr { "," expr } [ "," ] ] "]" | "[" expr "for" name "in" or [ "if" or ] "]" .
//	dict    = "{" [ expr ":" expr { "," expr ":" expr } [ "," ] ] "}" .
type parser struct {
	*faults
	rules
	lex   *lexer.PeekingLexer
	last  int    // end of the token that was taken last
	word  string // that token
	depth int
	ended bool // that the text ends too early was reported
}

func (p *parser) bad(at Place) Expr { return &Bad{at} }

// is reports whether the next token is one of the marks or keywords.
func (p *parser) is(words ...string) bool {
	t := p.lex.Peek()
	return (t.Type == tokenMark || t.Type == tokenKeyword) && slices.Contains(words, t.Value)
}

// accept takes the next token if it is that mark or keyword.
func (p *parser) accept(word string) bool {
	if p.is(word) {
		p.next()
		return true
	}
	return false
}

func (p *parser) next() lexer.Token {
	t := p.lex.Next()
	p.last, p.word = t.Pos.Offset+len(t.Value), t.Value
	return *t
}

// here is where the next token starts.
func (p *parser) here() int { return p.lex.Peek().Pos.Offset }

// from is the place from an offset to the token that was taken last.
func (p *parser) from(start int) Place { return Place{start, max(start, p.last)} }

func placeOf(t *lexer.Token) Place { return Place{t.Pos.Offset, t.Pos.Offset + len(t.Value)} }

// expect takes a mark or keyword, or reports that it is missing.
func (p *parser) expect(word, behind string) bool {
	if p.accept(word) {
		return true
	}
	t := p.lex.Peek()
	p.syntax(placeOf(t), "expected %s %s, found %s", word, behind, found(t))
	return false
}

// found is a token as a message calls it.
func found(t *lexer.Token) string {
	if t.EOF() {
		return "the end of the text"
	}
	return t.Value
}

// surplus reports what stands behind an expression that is complete.
func (p *parser) surplus(t *lexer.Token) {
	at := placeOf(t)
	switch {
	case t.Type == tokenJunk: // reported
	case t.Value == ":=":
		p.unsupported(at, "an assignment").help("write the value in each place")
	case t.Value == "=":
		p.syntax(at, "an expression cannot assign").help("write == to compare")
	case t.Value == "&&" || t.Value == "||" || t.Value == "!":
		p.syntax(at, "%s is no operator of Python", t.Value).help("write and, or, not")
	case t.Value == "?":
		p.syntax(at, "Python has no operator ?").help("write x if condition else y")
	case t.Value == ",":
		p.unsupported(at, "a tuple").help("write a list: [a, b]")
	case t.Value == "for":
		p.unsupported(at, "a generator").help("write a list comprehension: [… for x in xs]")
	case slices.Contains([]string{")", "]", "}"}, t.Value):
		p.syntax(at, "%s closes nothing", t.Value)
	case t.Value == "<>":
		p.syntax(at, "<> is no operator of Python 3").help("write !=")
	default:
		p.syntax(at, "expected an operator, found %s", found(t))
	}
}

// rules are those that others further down come back to.
type rules struct {
	lambda   func(*parser) *Lambda
	expr, or func(*parser) Expr
}

func (p *parser) lambda() *Lambda { return p.rules.lambda(p) }
func (p *parser) expr() Expr      { return p.rules.expr(p) }
func (p *parser) or() Expr        { return p.rules.or(p) }

// end reports what stands behind the end, and skips it.
func (p *parser) end() {
	if t := p.lex.Peek(); !t.EOF() {
		p.surplus(t)
	}
	for !p.lex.Peek().EOF() {
		p.lex.Next()
	}
}

// skip moves to the next comma or closing bracket on this level, or, if all is
// true, to the next closing bracket.
func (p *parser) skip(all bool) {
	for depth := 0; !p.lex.Peek().EOF(); p.next() {
		switch {
		case p.is("(", "[", "{"):
			depth++
		case p.is(")", "]", "}"):
			if depth == 0 {
				return
			}
			depth--
		case depth == 0 && !all && p.is(",", ":"):
			return
		}
	}
}
