package lambda

import (
	"fmt"
	"math"
	"slices"
	"strings"
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
	last  int // end of the token that was taken last
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
	p.last = t.Pos.Offset + len(t.Value)
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

// expr reads an expression.
func (p *parser) expr() Expr {
	p.depth++
	defer func() { p.depth-- }()
	start := p.here()
	if p.tooDeep(start) {
		return p.bad(p.from(start))
	}
	if p.is("lambda") {
		l := p.lambda()
		p.unsupported(l.Place, "a lambda within the lambda").help("only key= takes one")
		return p.bad(l.Place)
	}
	if p.is("yield", "await") {
		word := p.next()
		at := placeOf(&word)
		p.unsupported(at, "the keyword "+word.Value)
		p.skip(false)
		return p.bad(at)
	}
	e := p.or()
	if p.is("if") {
		e = p.cond(e, start)
	}
	if p.is(":=") {
		p.surplus(p.lex.Peek())
		p.next()
		p.expr()
		return p.bad(p.from(start))
	}
	return e
}

// tooDeep reports an expression that nests too deep, once, and skips the rest.
func (p *parser) tooDeep(start int) bool {
	if p.depth <= maxDepth {
		return false
	}
	if !p.ended {
		p.ended = true
		p.report("too-deep", Place{start, start + 1}, "the expression nests deeper than %d levels", maxDepth).
			help("write a Go function, and call it here")
	}
	for !p.lex.Peek().EOF() {
		p.next()
	}
	return true
}

func (p *parser) cond(then Expr, start int) Expr {
	p.next()
	c := &Cond{Then: then, If: p.or()}
	if p.expect("else", "behind the condition") {
		c.Else = p.expr()
	} else {
		c.Else = p.bad(p.from(p.last))
	}
	c.Place = p.from(start)
	return c
}

func (p *parser) or() Expr  { return p.logical("or", p.and) }
func (p *parser) and() Expr { return p.logical("and", p.not) }

func (p *parser) logical(word string, operand func() Expr) Expr {
	start := p.here()
	x := operand()
	for p.is(word) {
		op := p.op()
		y := operand()
		x = &Binary{Place: p.from(start), Op: op, X: x, Y: y}
	}
	return x
}

func (p *parser) not() Expr {
	if !p.is("not") {
		return p.compare()
	}
	return p.unary(p.not)
}

// unary reads an operator and the operand that follows it.
func (p *parser) unary(operand func() Expr) Expr {
	p.depth++
	defer func() { p.depth-- }()
	start := p.here()
	if p.tooDeep(start) {
		return p.bad(p.from(start))
	}
	op := p.op()
	x := operand()
	if op.Text == "~" {
		p.unsupported(op.Place, "the operator ~")
		return p.bad(p.from(start))
	}
	return &Unary{Place: p.from(start), Op: op, X: x}
}

// op takes an operator.
func (p *parser) op() Op {
	t := p.next()
	return Op{placeOf(&t), t.Value}
}

func (p *parser) compare() Expr {
	start := p.here()
	x := p.binary(0)
	var rest []Comparison
	for {
		op, ok := p.comparison()
		if !ok {
			break
		}
		rest = append(rest, Comparison{op, p.operand(op)})
	}
	if rest == nil {
		return x
	}
	return &Compare{Place: p.from(start), X: x, Rest: rest}
}

// comparison takes a comparison operator, if there is one.
func (p *parser) comparison() (op Op, ok bool) {
	switch {
	case p.is("<", "<=", ">", ">=", "==", "!=", "in"):
		return p.op(), true
	case p.is("not"):
		op = p.op()
		op.Text = "not in"
		if !p.expect("in", "behind not") {
			return op, true
		}
	case p.is("is"):
		op = p.op()
		if p.accept("not") {
			op.Text = "is not"
		}
	default:
		return op, false
	}
	op.Place = p.from(op.From)
	return op, true
}

// operand reads what stands at the right of a comparison. `is` compares with
// None alone.
func (p *parser) operand(op Op) Expr {
	y := p.binary(0)
	if !strings.HasPrefix(op.Text, "is") {
		return y
	}
	switch y.(type) {
	case *None, *Bad:
		return y
	}
	p.unsupported(Place{op.From, y.At().To}, "the operator "+op.Text+" with something else than None").
		help("write %s to compare values", map[string]string{"is": "==", "is not": "!="}[op.Text])
	return p.bad(y.At())
}

// levels are the binary operators, from those that bind least.
var levels = [][]string{
	{"|"}, {"^"}, {"&"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "//", "%", "@"},
}

func (p *parser) binary(level int) Expr {
	if level == len(levels) {
		return p.factor()
	}
	start := p.here()
	x := p.binary(level + 1)
	for p.is(levels[level]...) {
		op := p.op()
		y := p.binary(level + 1)
		if level < 4 || op.Text == "@" {
			p.unsupported(op.Place, "the operator "+op.Text)
			x = p.bad(p.from(start))
			continue
		}
		x = &Binary{Place: p.from(start), Op: op, X: x, Y: y}
	}
	return x
}

func (p *parser) factor() Expr {
	if p.is("-", "+", "~") {
		return p.unary(p.factor)
	}
	start := p.here()
	x := p.primary()
	if !p.is("**") {
		return x
	}
	p.depth++
	defer func() { p.depth-- }()
	if p.tooDeep(start) {
		return p.bad(p.from(start))
	}
	op := p.op()
	y := p.factor()
	return &Binary{Place: p.from(start), Op: op, X: x, Y: y}
}

func (p *parser) primary() Expr {
	start := p.here()
	x := p.atom()
	for {
		switch {
		case p.accept("."):
			t := p.lex.Peek()
			if t.Type != tokenName {
				p.syntax(placeOf(t), "expected a name behind the dot, found %s", found(t))
				return p.bad(p.from(start))
			}
			p.next()
			x = &Attr{Place: p.from(start), X: x, Name: Param{placeOf(t), t.Value}}
		case p.is("("):
			args := p.args()
			x = &Call{Place: p.from(start), Func: x, Args: args}
		case p.is("["):
			x = p.subscript(x, start)
		default:
			return x
		}
	}
}

// args reads the arguments of a call, with the brackets.
func (p *parser) args() []Arg {
	open := p.next()
	var args []Arg
	for !p.is(")") && !p.lex.Peek().EOF() {
		args = append(args, p.arg(args))
		if !p.more(")") {
			break
		}
	}
	p.close(open, ")")
	return args
}

// more reports whether another element of a list follows: there is a comma. What
// is neither a comma nor the closing bracket is reported and skipped.
func (p *parser) more(closing string) bool {
	if p.accept(",") {
		return true
	}
	t := p.lex.Peek()
	if p.is(")", "]", "}") || t.EOF() {
		return false
	}
	switch {
	case p.is("for"):
		p.generator(closing)
	case t.Type == tokenJunk:
	case slices.Contains([]lexer.TokenType{tokenName, tokenInt, tokenFloat, tokenStr, tokenFString}, t.Type):
		p.syntax(placeOf(t), "a comma is missing before %s", t.Value)
		return true
	default:
		p.surplus(t)
	}
	p.skip(false)
	return p.accept(",")
}

// generator reports what looks like a comprehension where none may stand.
func (p *parser) generator(closing string) {
	at := placeOf(p.lex.Peek())
	switch closing {
	case ")":
		p.unsupported(at, "a generator").help("write a list comprehension in the brackets: ([… for x in xs])")
	default:
		p.unsupported(at, "a comprehension in curly brackets").help("a list comprehension is [… for x in xs]")
	}
}

// close takes a closing bracket, or reports that it is missing.
func (p *parser) close(open lexer.Token, closing string) {
	if p.accept(closing) {
		return
	}
	t := p.lex.Peek()
	if !p.ended {
		p.syntax(placeOf(&open), "the bracket %s is not closed", open.Value).help("expected %s before %s", closing, found(t))
	}
	p.ended = t.EOF() // the brackets around this one need no word
	if p.is(")", "]", "}") {
		p.next()
	}
}

// arg reads an argument of a call, which follows others.
func (p *parser) arg(before []Arg) Arg {
	start := p.here()
	if p.is("**") {
		p.next()
		p.expr()
		p.unsupported(p.from(start), "an argument with two stars").help("write each keyword argument")
		return Arg{Place: p.from(start), Value: p.bad(p.from(start))}
	}
	a := Arg{Star: p.accept("*")}
	if a.Star && slices.ContainsFunc(before, func(b Arg) bool { return b.Star }) {
		p.unsupported(p.from(start), "a second starred argument").help("join the lists: f(*(xs + ys))")
	}
	name := p.lex.Peek()
	checkpoint := p.lex.MakeCheckpoint()
	if name.Type == tokenName {
		p.next()
	}
	if name.Type == tokenName && p.accept("=") {
		a.Name = name.Value
		if slices.ContainsFunc(before, func(b Arg) bool { return b.Name == a.Name }) {
			p.syntax(placeOf(name), "the keyword argument %s is given twice", a.Name)
		}
		a.Value = p.keyword(a.Name)
	} else {
		p.lex.LoadCheckpoint(checkpoint)
		a.Value = p.expr()
		keyword := func(b Arg) bool { return b.Name != "" }
		if !a.Star && slices.ContainsFunc(before, keyword) {
			p.syntax(p.from(start), "a positional argument follows a keyword argument")
		}
	}
	a.Place = p.from(start)
	return a
}

// keyword reads the value of a keyword argument. That of key may be a lambda.
func (p *parser) keyword(name string) Expr {
	if name != "key" || !p.is("lambda") {
		return p.expr()
	}
	p.depth++
	defer func() { p.depth-- }()
	return p.lambda()
}

// subscript reads an index or a slice.
func (p *parser) subscript(x Expr, start int) Expr {
	open := p.next()
	var bounds [3]Expr
	colons := 0
	for !p.is("]") && !p.lex.Peek().EOF() {
		if p.is(":") {
			colon := p.next()
			if colons++; colons > 2 {
				p.syntax(placeOf(&colon), "a slice has at most two colons")
				p.skip(true)
			}
			continue
		}
		if bounds[min(colons, 2)] != nil {
			break
		}
		bounds[min(colons, 2)] = p.expr()
	}
	switch {
	case p.is(","):
		p.surplus(p.lex.Peek())
		p.skip(true)
	case colons == 0 && bounds[0] == nil:
		p.syntax(placeOf(p.lex.Peek()), "there is no index between the brackets")
		bounds[0] = p.bad(p.from(p.last))
	}
	p.close(open, "]")
	if colons == 0 {
		return &Index{Place: p.from(start), X: x, Index: bounds[0]}
	}
	return &Slice{Place: p.from(start), X: x, Start: bounds[0], Stop: bounds[1], Step: bounds[2]}
}

// atom reads what is no operation.
func (p *parser) atom() Expr {
	t := *p.lex.Peek()
	at := placeOf(&t)
	switch t.Type {
	case tokenName:
		p.next()
		return &Name{at, t.Value}
	case tokenInt:
		p.next()
		n, _ := parseInt(t.Value)
		return &Int{at, n}
	case tokenFloat:
		p.next()
		f, _ := parseFloat(t.Value)
		return &Float{at, f}
	case tokenStr, tokenFString:
		return p.strings()
	case tokenJunk:
		p.next()
		return p.bad(at)
	}
	switch t.Value {
	case "(":
		return p.parenthesis()
	case "[":
		return p.list()
	case "{":
		return p.dict()
	case "True", "False":
		p.next()
		return &Bool{at, t.Value == "True"}
	case "None":
		p.next()
		return &None{at}
	case "...":
		p.next()
		p.unsupported(at, "the ellipsis")
		return p.bad(at)
	case "*", "**":
		p.next()
		p.primary()
		p.unsupported(at, "a star outside the arguments of a call").help("join lists with +")
		return p.bad(p.from(at.From))
	case "!":
		p.next()
		p.syntax(at, "! is no operator of Python").help("write not")
		p.primary()
		return p.bad(p.from(at.From))
	}
	p.noValue(t)
	return p.bad(Place{at.From, at.From})
}

// noValue reports that a value is missing, and skips what stands in its place.
func (p *parser) noValue(t lexer.Token) {
	at := placeOf(&t)
	switch {
	case t.Type == tokenKeyword && !p.is("if", "else", "for", "in", "is", "and", "or", "not"):
		p.syntax(at, "%s is a keyword of Python, and no value", t.Value)
		p.skip(false)
	default:
		p.syntax(at, "expected a value, found %s", found(&t))
		if !p.is(")", "]", "}", ",", ":", "if", "else", "for", "in", "and", "or") && !t.EOF() {
			p.next()
		}
	}
}

// strings reads string literals in a row, which are one.
func (p *parser) strings() Expr {
	start := p.here()
	var parts []Part
	formatted := false
	for {
		t := p.lex.Peek()
		switch t.Type {
		case tokenStr:
			content := t.Value[1 : len(t.Value)-1]
			parts = append(parts, Part{Text: p.unescape(content, t.Pos.Offset+1, false)})
		case tokenFString:
			formatted = true
			parts = append(parts, p.fstring(*t)...)
		default:
			if formatted {
				return &FString{p.from(start), merged(parts)}
			}
			var text strings.Builder
			for _, part := range parts {
				text.WriteString(part.Text)
			}
			return &Str{p.from(start), text.String()}
		}
		p.next()
	}
}

// merged joins the texts that follow each other.
func merged(parts []Part) []Part {
	var list []Part
	for _, part := range parts {
		if n := len(list); part.Value == nil && n > 0 && list[n-1].Value == nil {
			list[n-1].Text += part.Text
		} else {
			list = append(list, part)
		}
	}
	return list
}

func (p *parser) parenthesis() Expr {
	open := p.next()
	at := placeOf(&open)
	if p.accept(")") {
		p.unsupported(p.from(at.From), "a tuple").help("write a list: []")
		return p.bad(p.from(at.From))
	}
	e := p.expr()
	switch {
	case p.is(","):
		p.unsupported(at, "a tuple").help("write a list: [a, b]")
		for p.accept(",") && !p.is(")") {
			p.expr()
		}
		e = p.bad(p.from(at.From))
	case p.is("for"):
		p.generator(")")
		p.skip(true)
		e = p.bad(p.from(at.From))
	}
	p.close(open, ")")
	return e
}

func (p *parser) list() Expr {
	open := p.next()
	start := open.Pos.Offset
	var elems []Expr
	for !p.is("]") && !p.lex.Peek().EOF() {
		elems = append(elems, p.expr())
		if p.is("for") && len(elems) == 1 {
			return p.comprehension(elems[0], open)
		}
		if !p.more("]") {
			break
		}
	}
	p.close(open, "]")
	return &List{p.from(start), elems}
}

// comprehension reads what follows the element of a list comprehension.
func (p *parser) comprehension(elem Expr, open lexer.Token) Expr {
	p.next()
	c := &Comp{Elem: elem}
	t := p.lex.Peek()
	if t.Type != tokenName {
		p.syntax(placeOf(t), "expected a name behind for, found %s", found(t))
		p.skip(true)
		p.close(open, "]")
		return p.bad(p.from(open.Pos.Offset))
	}
	p.next()
	c.Var = Param{placeOf(t), t.Value}
	if p.is(",") {
		p.unsupported(placeOf(p.lex.Peek()), "a comprehension over several names").help("loop over one name, and take its parts by index")
		p.skip(true)
		p.close(open, "]")
		return p.bad(p.from(open.Pos.Offset))
	}
	if p.expect("in", "behind the name") {
		c.In = p.or()
	} else {
		c.In = p.bad(p.from(p.last))
		p.skip(true)
	}
	if p.accept("if") {
		c.If = p.or()
	}
	if p.is("for", "if", "async") {
		p.unsupported(placeOf(p.lex.Peek()), "a comprehension with more than one for and one if").help("join conditions with and")
		p.skip(true)
	}
	p.close(open, "]")
	c.Place = p.from(open.Pos.Offset)
	return c
}

func (p *parser) dict() Expr {
	open := p.next()
	d := &Dict{}
	for !p.is("}") && !p.lex.Peek().EOF() {
		if p.is("**") {
			star := p.next()
			p.expr()
			p.unsupported(placeOf(&star), "a dict within a dict by **")
		} else {
			key := p.expr()
			if !p.accept(":") {
				p.set(key)
				break
			}
			d.Items = append(d.Items, Item{key, p.expr()})
		}
		if !p.more("}") {
			break
		}
	}
	p.close(open, "}")
	d.Place = p.from(open.Pos.Offset)
	return d
}

// set reports a display in curly brackets without a colon, and skips it.
func (p *parser) set(key Expr) {
	switch t := p.lex.Peek(); {
	case p.is("for"):
		p.generator("}")
	case p.is(",", "}"):
		p.unsupported(key.At(), "a set").help("write a list: [a, b]")
	default:
		p.syntax(placeOf(t), "expected : behind the key, found %s", found(t))
	}
	p.skip(true)
}

// A faults list is what the scanner and the parser report to.
type faults struct {
	all []*fault
}

type fault struct {
	Place
	code            diag.Code
	message, remedy string
}

func (f *faults) report(code diag.Code, at Place, format string, args ...any) *fault {
	reported := &fault{Place: at, code: code, message: fmt.Sprintf(format, args...)}
	f.all = append(f.all, reported)
	return reported
}

// syntax reports what is no expression of Python.
func (f *faults) syntax(at Place, format string, args ...any) *fault {
	return f.report("lambda-syntax", at, format, args...)
}

// unsupported reports a construct of Python that the notation does not have.
func (f *faults) unsupported(at Place, construct string) *fault {
	return f.report(Unsupported, at, "a lambda here cannot hold %s", construct)
}

func (f *fault) help(format string, args ...any) { f.remedy = fmt.Sprintf(format, args...) }

// list returns the faults in the order of their places.
func (f *faults) list(at func(Place) diag.Span) diag.List {
	slices.SortStableFunc(f.all, func(a, b *fault) int { return a.From - b.From })
	var list diag.List
	last := math.MinInt
	for _, fault := range f.all {
		if fault.From == last {
			continue // one fault a place: what follows it says no more
		}
		last = fault.From
		d := list.Errorf(fault.code, at(fault.Place), "%s", fault.message)
		if fault.remedy != "" {
			d.WithHelp("%s", fault.remedy)
		}
	}
	return list
}
