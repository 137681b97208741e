package pysyntax

import (
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"
)

// parser turns tokens into a tree by recursive descent, with one function per precedence level. It is written by
// hand so that it can report a fault and continue; from participle it uses only the lexer with lookahead.
//
//	lambda   = "lambda" [ name { "," name } ] ":" expr .
//	expr     = lambda | or [ "if" or "else" expr ] .
//	or       = and { "or" and } .
//	and      = not { "and" not } .
//	not      = "not" not | compare .
//	compare  = union { ( "<" | "<=" | ">" | ">=" | "==" | "!=" | [ "not" ] "in" | "is" [ "not" ] ) union } .
//	union    = disjoint { "|" disjoint } .
//	disjoint = common { "^" common } .
//	common   = sum { "&" sum } .
//	sum      = term { ( "+" | "-" ) term } .
//	term     = unary { ( "*" | "/" | "//" | "%" ) unary } .
//	unary    = ( "-" | "+" ) unary | power .
//	power    = primary [ "**" unary ] .
//	primary  = atom { "." name | "(" [ args ] ")" | "[" expr "]" | "[" [ expr ] ":" [ expr ] [ ":" [ expr ] ] "]" } .
//	args     = arg { "," arg } [ "," ] .
//	arg      = [ name "=" ] expr | "*" expr | expr clauses .
//	atom     = name | int | float | str { str } | "True" | "False" | "None" | round | list | dict | set .
//	round    = "(" expr [ clauses ] ")" | "(" [ expr "," [ expr { "," expr } [ "," ] ] ] ")" .
//	list     = "[" [ element { "," element } [ "," ] ] "]" | "[" expr clauses "]" .
//	element  = expr | "*" or .
//	dict     = "{" [ item { "," item } [ "," ] ] "}" | "{" expr ":" expr clauses "}" .
//	item     = expr ":" expr | "**" or .
//	set      = "{" expr { "," expr } [ "," ] "}" | "{" expr clauses "}" .
//	clauses  = "for" names "in" or { "if" or } { "for" names "in" or { "if" or } } .
//	names    = name { "," name } [ "," ] | "(" name { "," name } ")" .
//
// Package lambda reports ^ and & as unsupported.
type parser struct {
	*faults
	grammarRules
	src         string // the text of the lambda up to the end of the parsed expression
	bodyStart   int    // offset of that expression: the body of the lambda, or a value in a formatted string
	lex         *lexer.PeekingLexer
	lastEnd     int    // end of the last consumed token
	lastText    string // text of that token
	depth       int
	endReported bool // the unexpected end of the text was already reported
}

func (p *parser) newBad(at Place) Expr { return &Bad{at} }

// nextIs reports whether the next token is one of the given marks or keywords.
func (p *parser) nextIs(words ...string) bool {
	t := p.lex.Peek()
	return (t.Type == tokenMark || t.Type == tokenKeyword) && slices.Contains(words, t.Value)
}

// accept consumes the next token if it is the given mark or keyword.
func (p *parser) accept(word string) bool {
	if p.nextIs(word) {
		p.takeToken()
		return true
	}
	return false
}

func (p *parser) takeToken() lexer.Token {
	t := p.lex.Next()
	p.lastEnd, p.lastText = t.Pos.Offset+len(t.Value), t.Value
	return *t
}

// nextOffset returns the offset of the next token.
func (p *parser) nextOffset() int { return p.lex.Peek().Pos.Offset }

// placeFrom returns the place from an offset to the end of the last consumed token.
func (p *parser) placeFrom(start int) Place { return Place{start, max(start, p.lastEnd)} }

func placeOf(t *lexer.Token) Place { return Place{t.Pos.Offset, t.Pos.Offset + len(t.Value)} }

// expect consumes a mark or keyword, or reports that it is missing. where is its position for the message,
// such as "after the parameters".
func (p *parser) expect(word, where string) bool {
	if p.accept(word) {
		return true
	}
	t := p.lex.Peek()
	p.addSyntax(placeOf(t), "expected %s %s, found %s", word, where, tokenText(t))
	return false
}

// tokenText returns a token as messages show it.
func tokenText(t *lexer.Token) string {
	if t.EOF() {
		return "the end of the text"
	}
	return t.Value
}

// reportSurplus reports a token that cannot follow a complete expression.
func (p *parser) reportSurplus(t *lexer.Token) {
	at := placeOf(t)
	switch {
	case t.Type == tokenJunk: // already reported
	case t.Value == ":=":
		p.addUnsupported(at, "an assignment").WithHelp("write the value wherever it is used")
	case t.Value == "=":
		p.addSyntax(at, "an expression cannot assign").WithHelp("write == to compare, or only the value after =: a lambda has no variables")
	case otherOperators[t.Value] != "":
		p.suggestText(p.addSyntax(at, "%s is not an operator in Python", t.Value), at, otherOperators[t.Value])
	case t.Value == "?":
		p.reportTernary(t)
	case t.Value == "elif":
		p.addSyntax(at, "elif is allowed only in statements").WithHelp("nest conditional expressions: x if a else y if b else z")
	case t.Value == ",":
		p.addUnsupported(at, "a tuple as an index").WithHelp("write one index after the other: x[a][b]")
	case t.Value == "for":
		p.addUnsupported(at, "a generator").WithHelp("write a list comprehension: [… for x in xs]")
	case slices.Contains([]string{")", "]", "}"}, t.Value):
		p.addSyntax(at, "unmatched %s", t.Value)
	default:
		p.reportNoOperator(t)
	}
}

// reportNoOperator reports a token where only an operator could continue the expression.
func (p *parser) reportNoOperator(t *lexer.Token) {
	at := placeOf(t)
	switch operator, assigns := strings.CutSuffix(t.Value, "="); {
	case t.Value == "<>":
		p.suggestText(p.addSyntax(at, "<> is not an operator in Python 3"), at, "!=")
	case assigns && operator != "":
		p.addSyntax(at, "an expression cannot assign").
			WithHelp("a lambda has no variables: write only the value, with %s instead of %s", operator, t.Value).
			WithGuess(p.newEdit(at, operator))
	case p.lastText == "print":
		p.addSyntax(at, "expected an operator, found %s", tokenText(t)).
			WithHelp("leave out print: the value of the lambda is its result")
	case t.Type == tokenName && startsWithWord(p.src[at.To:]):
		p.addSyntax(at, "expected an operator, found %s", tokenText(t)).
			WithHelp("write the lambda in Python, not as a sentence: for example len(s) for the length of s")
	case t.Type == tokenName || t.Type == tokenKeyword:
		p.addSyntax(at, "expected an operator, found %s", tokenText(t)).
			WithHelp("write an operator before %s, or leave it out: a lambda is one expression", t.Value)
	default:
		p.addSyntax(at, "expected an operator, found %s", tokenText(t))
	}
}

// startsWithWord reports whether text begins with a space and a name.
func startsWithWord(text string) bool {
	word := leadingName(strings.TrimLeft(text, " "))
	return strings.HasPrefix(text, " ") && word != "" && !keywords[word]
}

// otherOperators maps operators of other languages to Python's.
var otherOperators = map[string]string{"&&": "and", "||": "or", "!": "not", "AND": "and", "OR": "or", "And": "and", "Or": "or"}

// reportBareTuple reports a comma after the body of a lambda, as in `lambda a, b: a, b`. It suggests
// parentheses around the body and everything after it.
func (p *parser) reportBareTuple(at Place) {
	f := p.addUnsupported(at, "a tuple without brackets")
	f.WithHelp("write brackets around it: (a, b)")
	body := strings.TrimSpace(p.src[p.bodyStart:])
	start := strings.LastIndex(p.src, body)
	if start < at.From {
		p.suggestText(f, Place{start, start + len(body)}, "("+body+")")
	}
}

// reportTernary reports `condition ? x : y`. t is the question mark.
func (p *parser) reportTernary(t *lexer.Token) {
	at := placeOf(t)
	f := p.addSyntax(at, "Python has no operator ?")
	f.WithHelp("write x if condition else y")
	body := strings.TrimLeft(p.src[p.bodyStart:], " \t\n")
	start := len(p.src) - len(body)
	p.takeToken()
	then := p.parseExpr()
	if !p.accept(":") {
		return
	}
	other := p.parseExpr()
	if p.lex.Peek().EOF() && start < at.From { // the conditional is the whole body
		condition := strings.TrimSpace(p.src[start:at.From])
		p.suggestText(f, Place{start, p.lastEnd}, p.text(then)+" if "+condition+" else "+p.text(other))
	}
}

// text returns the source of an expression, in parentheses if it is a conditional expression.
func (p *parser) text(e Expr) string {
	at := e.Location()
	if _, ok := e.(*Cond); ok {
		return "(" + p.src[at.From:at.To] + ")"
	}
	return p.src[at.From:at.To]
}

// grammarRules holds the functions for the rules that other rules use recursively, as atom uses expr. They are fields so
// that the files of the package do not call each other in a cycle.
type grammarRules struct {
	lambdaRule       func(*parser) *Lambda
	exprRule, orRule func(*parser) Expr
}

func (p *parser) parseLambda() *Lambda { return p.grammarRules.lambdaRule(p) }
func (p *parser) parseExpr() Expr      { return p.grammarRules.exprRule(p) }
func (p *parser) parseOr() Expr        { return p.grammarRules.orRule(p) }

// expectEnd reports tokens after the end of the expression and skips them.
func (p *parser) expectEnd() {
	switch t := p.lex.Peek(); {
	case t.EOF():
	case t.Value == ":" && len(p.all) == 0:
		p.addSyntax(placeOf(t), "a lambda has one colon, after its parameters").WithHelp("write the type of a parameter in its note, such as arg-1 --> \"int\"")
	default:
		if t.Value == "," {
			p.reportBareTuple(placeOf(t))
		} else {
			p.reportSurplus(t)
		}
	}
	for !p.lex.Peek().EOF() {
		p.lex.Next()
	}
}

// skipTokens skips tokens up to the closing bracket of the current level. Unless all is set, it also stops at a comma or
// colon of that level.
func (p *parser) skipTokens(all bool) {
	for depth := 0; !p.lex.Peek().EOF(); p.takeToken() {
		switch {
		case p.nextIs("(", "[", "{"):
			depth++
		case p.nextIs(")", "]", "}"):
			if depth == 0 {
				return
			}
			depth--
		case depth == 0 && !all && p.nextIs(",", ":"):
			return
		}
	}
}

// checkDepth reports whether the expression nests too deeply. If so, it skips the rest of the text and, the
// first time, adds a fault at start.
func (p *parser) checkDepth(start int) bool {
	if p.depth <= maxDepth {
		return false
	}
	if !p.endReported {
		p.endReported = true
		p.addFault("too-deep", Place{start, start + 1}, "the expression nests deeper than %d levels", maxDepth).
			WithHelp("write a Go function and call it here")
	}
	for !p.lex.Peek().EOF() {
		p.takeToken()
	}
	return true
}
