package syntax

import (
	"slices"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/aiongen/aiongen/aion/diag"
)

const (
	// maxSource bounds the text of a lambda, in bytes. What is longer belongs
	// into a Go function.
	maxSource = 8 << 10

	// maxDepth bounds how deep expressions nest.
	maxDepth = 100
)

// Unsupported is the code of the faults about constructs of Python that the
// notation does not have.
const Unsupported diag.Code = "unsupported-python"

// Parse reads a text that starts with the word lambda. It always returns a
// function, of what could be understood, and every fault in order. The function
// at says where a stretch of the text is in a file.
func Parse(text string, at func(Place) diag.Span) (*Lambda, diag.List) {
	found := &faults{}
	tree := &Lambda{Place: Place{0, len(text)}, Body: &Bad{Place{0, len(text)}}}
	if len(text) > maxSource {
		found.report("too-large", Place{0, 6}, "the lambda has %d bytes, more than the %d that are read", len(text), maxSource).
			help("write a Go function, and name it here")
	} else if tokens, err := lexer.Upgrade(&scanner{src: text, faults: found}); err != nil {
		found.syntax(tree.Place, "%v", err)
	} else if root, err := grammar().ParseFromLexer(tokens); err != nil {
		found.syntax(tree.Place, "%v", err)
	} else {
		tree = root.lambda
		found.all = append(found.all, root.all...)
	}
	return tree, found.list(at)
}

// grammar is built on first use, so that programs that only import the package
// do not pay for it.
var grammar = sync.OnceValue(func() *participle.Parser[source] {
	return participle.MustBuild[source](participle.Lexer(notation{}))
})

// A source is a whole text. Since the precedence of operators asks for one
// function a level, and every fault for a parser that goes on behind one, it
// parses itself:
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
type source struct {
	faults
	lambda *Lambda
}

// Parse implements participle.Parseable.
func (s *source) Parse(lex *lexer.PeekingLexer) error {
	p := &parser{faults: &s.faults, lex: lex}
	s.lambda = p.lambda()
	if t := lex.Peek(); !t.EOF() {
		p.surplus(t)
		for !lex.Peek().EOF() {
			lex.Next()
		}
	}
	return nil
}

// A parser turns tokens into a tree.
type parser struct {
	*faults
	lex   *lexer.PeekingLexer
	last  int    // end of the token that was taken last
	word  string // that token
	depth int
	ended bool // that the text ends too early was reported
}

// nested parses a piece of the text that starts at an offset as an expression
// of its own.
func (p *parser) nested(text string, from int) Expr {
	tokens, err := lexer.Upgrade(&scanner{src: text, base: from, faults: p.faults})
	if err != nil {
		return p.bad(Place{from, from + len(text)})
	}
	inner := &parser{faults: p.faults, lex: tokens, last: from, depth: p.depth + 1}
	e := inner.expr()
	if t := tokens.Peek(); !t.EOF() {
		inner.surplus(t)
	}
	return e
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

func (p *parser) lambda() *Lambda {
	l := &Lambda{}
	start := p.here()
	p.expect("lambda", "at the start")
	for !p.is(":") && !p.lex.Peek().EOF() {
		p.param(l)
		if !p.accept(",") {
			break
		}
	}
	if p.expect(":", "behind the parameters") {
		l.Body = p.expr()
	} else {
		l.Body = p.bad(p.from(start))
		p.skip(true)
	}
	l.Place = p.from(start)
	return l
}

// param reads a parameter.
func (p *parser) param(l *Lambda) {
	start := p.here()
	star := p.accept("*") || p.accept("**")
	t := p.lex.Peek()
	if t.Type != tokenName {
		switch {
		case star || p.accept("/"):
			p.unsupported(p.from(start), "a mark among the parameters")
		case t.Type != tokenJunk:
			p.syntax(placeOf(t), "expected the name of a parameter, found %s", found(t))
		}
		p.skip(false)
		return
	}
	p.next()
	param := Param{placeOf(t), t.Value}
	same := func(q Param) bool { return q.Name == param.Name }
	switch {
	case star:
		p.unsupported(p.from(start), "a starred parameter").help("give the parameter the type list or dict in its note")
	case slices.ContainsFunc(l.Params, same):
		p.syntax(param.Place, "there are two parameters %s", param.Name)
	}
	l.Params = append(l.Params, param)
	if p.accept("=") {
		p.expr()
		p.unsupported(p.from(start), "a default").help("write it in the note of the argument: int | default=10")
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
