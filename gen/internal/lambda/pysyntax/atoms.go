package pysyntax

import (
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"
)

// parsePrimary reads an atom and the attributes, calls and subscripts that follow it.
func (p *parser) parsePrimary() Expr {
	start := p.nextOffset()
	x := p.parseAtom()
	for {
		switch {
		case p.accept("."):
			t := p.lex.Peek()
			if t.Type != tokenName {
				p.addSyntax(placeOf(t), "expected a name after the dot, found %s", tokenText(t))
				return p.newBad(p.placeFrom(start))
			}
			p.takeToken()
			x = &Attr{Place: p.placeFrom(start), X: x, Name: Param{placeOf(t), t.Value}}
		case p.nextIs("("):
			args := p.parseArgs()
			x = &Call{Place: p.placeFrom(start), Func: x, Args: args}
		case p.nextIs("["):
			x = p.parseSubscript(x, start)
		default:
			return x
		}
	}
}

// parseArgs reads the arguments of a call, including the parentheses.
func (p *parser) parseArgs() []Arg {
	open := p.takeToken()
	var args []Arg
	for !p.nextIs(")") && !p.lex.Peek().EOF() {
		args = append(args, p.parseArg(args))
		if !p.hasNextElement() {
			break
		}
	}
	p.checkGeneratorAlone(args)
	p.closeBracket(open, ")")
	return args
}

// hasNextElement consumes the comma after an element and reports whether another element may follow. If the
// next token is neither a comma nor a closing bracket, it adds a fault.
func (p *parser) hasNextElement() bool {
	if p.accept(",") {
		return true
	}
	t := p.lex.Peek()
	if p.nextIs(")", "]", "}") || t.EOF() {
		return false
	}
	switch {
	case t.Type == tokenJunk:
	case slices.Contains([]lexer.TokenType{tokenName, tokenInt, tokenFloat, tokenStr, tokenFString}, t.Type):
		p.addSyntax(placeOf(t), "a comma is missing before %s", t.Value)
		return true
	default:
		p.reportSurplus(t)
	}
	p.skipTokens(false)
	return p.accept(",")
}

// checkGeneratorAlone reports a generator that needs parentheses because it is not the only argument.
func (p *parser) checkGeneratorAlone(args []Arg) {
	for _, a := range args {
		if c, ok := a.Value.(*Comp); ok && c.bare && len(args) > 1 {
			p.addSyntax(c.Place, "a generator next to other arguments needs parentheses").WithHelp("write (… for x in xs)")
		}
	}
}

// closeBracket accepts a closing bracket, or reports that it is missing.
func (p *parser) closeBracket(open lexer.Token, closing string) {
	if p.accept(closing) {
		return
	}
	t := p.lex.Peek()
	if !p.endReported {
		p.addSyntax(placeOf(&open), "the bracket %s is not closed", open.Value).WithHelp("expected %s before %s", closing, tokenText(t))
	}
	p.endReported = t.EOF() // do not report the enclosing brackets as well
	if p.nextIs(")", "]", "}") {
		p.takeToken()
	}
}

// parseArg reads an argument of a call. before holds the preceding arguments.
func (p *parser) parseArg(before []Arg) Arg {
	start := p.nextOffset()
	if p.nextIs("**") {
		p.takeToken()
		p.parseExpr()
		p.addUnsupported(p.placeFrom(start), "an argument with two stars").WithHelp("write each keyword argument")
		return Arg{Place: p.placeFrom(start), Value: p.newBad(p.placeFrom(start))}
	}
	a := Arg{Star: p.accept("*")}
	if a.Star && slices.ContainsFunc(before, func(b Arg) bool { return b.Star }) {
		p.addUnsupported(p.placeFrom(start), "a second starred argument").WithHelp("join the lists: f(*(xs + ys))")
	}
	name := p.lex.Peek()
	checkpoint := p.lex.MakeCheckpoint()
	if name.Type == tokenName {
		p.takeToken()
	}
	if name.Type == tokenName && p.accept("=") {
		a.Name = name.Value
		if slices.ContainsFunc(before, func(b Arg) bool { return b.Name == a.Name }) {
			p.addSyntax(placeOf(name), "the keyword argument %s is given twice", a.Name)
		}
		a.Value = p.parseExpr()
	} else {
		p.lex.LoadCheckpoint(checkpoint)
		a.Value = p.parseExpr()
		if p.nextIs("for") && !a.Star {
			a.Value = p.parseClauses(&Comp{Brackets: Round, Elem: a.Value, bare: true}, start)
		}
		keyword := func(b Arg) bool { return b.Name != "" }
		if !a.Star && slices.ContainsFunc(before, keyword) {
			p.addSyntax(p.placeFrom(start), "a positional argument follows a keyword argument")
		}
	}
	a.Place = p.placeFrom(start)
	return a
}

// parseSubscript reads an index or a slice.
func (p *parser) parseSubscript(x Expr, start int) Expr {
	open := p.takeToken()
	var bounds [3]Expr
	colons := 0
	for !p.nextIs("]") && !p.lex.Peek().EOF() {
		if p.nextIs(":") {
			colon := p.takeToken()
			if colons++; colons > 2 {
				p.addSyntax(placeOf(&colon), "a slice has at most two colons")
				p.skipTokens(true)
			}
			continue
		}
		if bounds[min(colons, 2)] != nil {
			break
		}
		bounds[min(colons, 2)] = p.parseExpr()
	}
	switch {
	case p.nextIs(","):
		p.reportSurplus(p.lex.Peek())
		p.skipTokens(true)
	case colons == 0 && bounds[0] == nil:
		p.addSyntax(placeOf(p.lex.Peek()), "there is no index between the brackets")
		bounds[0] = p.newBad(p.placeFrom(p.lastEnd))
	}
	p.closeBracket(open, "]")
	if colons == 0 {
		return &Index{Place: p.placeFrom(start), X: x, Index: bounds[0]}
	}
	return &Slice{Place: p.placeFrom(start), X: x, Start: bounds[0], Stop: bounds[1], Step: bounds[2]}
}

// parseAtom reads a literal, a name, a display or an expression in parentheses.
func (p *parser) parseAtom() Expr {
	t := *p.lex.Peek()
	at := placeOf(&t)
	switch t.Type {
	case tokenName:
		p.takeToken()
		return &Name{at, t.Value}
	case tokenInt:
		p.takeToken()
		n, _ := parseInt(t.Value)
		return &Int{at, n}
	case tokenFloat:
		p.takeToken()
		f, _ := parseFloat(t.Value)
		return &Float{at, f}
	case tokenStr, tokenFString:
		return p.parseStrings()
	case tokenJunk:
		p.takeToken()
		return p.newBad(at)
	}
	switch t.Value {
	case "(":
		return p.parseParenthesis()
	case "[":
		return p.parseList()
	case "{":
		return p.parseDict()
	case "True", "False":
		p.takeToken()
		return &Bool{at, t.Value == "True"}
	case "None":
		p.takeToken()
		return &None{at}
	case "...":
		p.takeToken()
		p.addUnsupported(at, "the ellipsis")
		return p.newBad(at)
	case "*", "**":
		p.takeToken()
		p.parsePrimary()
		p.addUnsupported(at, "a star outside the arguments of a call").WithHelp("join lists with +")
		return p.newBad(p.placeFrom(at.From))
	case "!":
		p.takeToken()
		p.suggestText(p.addSyntax(at, "! is not an operator in Python"), at, "not ")
		p.parsePrimary()
		return p.newBad(p.placeFrom(at.From))
	}
	p.reportMissingValue(t)
	return p.newBad(Place{at.From, at.From})
}

// reportMissingValue reports that token t does not begin a value, and skips the tokens that were written
// instead of a value.
func (p *parser) reportMissingValue(t lexer.Token) {
	at := placeOf(&t)
	switch {
	case p.nextIs("if", "for"):
		p.reportStatement(t)
	case t.Value == ">" && p.lastText == "=" && p.lastEnd == at.From:
		p.addSyntax(Place{at.From - 1, at.To}, "=> is JavaScript, not Python").
			WithHelp("write a list comprehension, such as [x.upper() for x in xs]")
		p.skipTokens(true)
	case t.Value == "=" && p.lastText == "==":
		operator := Place{at.From - 2, at.To}
		p.suggestText(p.addSyntax(operator, "=== is not an operator in Python"), operator, "==")
		p.takeToken()
		p.parseExpr()
	case t.Type == tokenKeyword && !p.nextIs("else", "in", "is", "and", "or", "not"):
		f := p.addSyntax(at, "%s is a Python keyword, not a value", t.Value)
		if help, ok := statementHelp[t.Value]; ok {
			f.WithHelp("%s", help)
		} else {
			f.WithHelp("a lambda is one expression, without statements: write a Go function and name it here")
		}
		if t.Value == "return" {
			f.WithGuess(p.newEdit(Place{at.From, len(p.src) - len(strings.TrimLeft(p.src[at.To:], " \t"))}, ""))
		}
		p.skipTokens(true)
	default:
		p.addSyntax(at, "expected a value, found %s", tokenText(&t))
		if !p.nextIs(")", "]", "}", ",", ":", "if", "else", "for", "in", "and", "or") && !t.EOF() {
			p.takeToken()
		}
	}
}

// statementHelp maps the keyword of a statement to help about what to write instead.
var statementHelp = map[string]string{
	"return": "leave out return: the value of a lambda is its expression",
	"pass":   "write None",
	"import": "write a Go function that imports the Go package, and call it here",
	"raise":  "write a Go function that returns the error, and call it here",
	"del":    "leave out the statement, and write the value that the tool returns: a lambda has no variables to delete",
}

// reportStatement reports an if or for statement where a value is expected, and suggests an expression with
// the same meaning.
func (p *parser) reportStatement(t lexer.Token) {
	at := placeOf(&t)
	f := p.addSyntax(at, "%s begins a statement here, and a lambda is one expression", t.Value)
	p.takeToken()
	if t.Value == "for" {
		f.WithHelp("write a list comprehension: [… for x in xs]")
		variable := p.takeToken()
		if p.accept("in") {
			if list := p.parseOr(); p.accept(":") {
				element := p.text(p.parseExpr())
				p.suggestText(f, p.placeFrom(at.From), "["+element+" for "+variable.Value+" in "+p.text(list)+"]")
			}
		}
		p.skipTokens(true)
		return
	}
	f.WithHelp("write x if condition else y")
	condition := p.parseOr()
	if p.accept(":") {
		then, other := p.parseExpr(), "None"
		if p.accept("else") && p.accept(":") {
			other = p.text(p.parseExpr())
		}
		p.suggestText(f, p.placeFrom(at.From), p.text(then)+" if "+p.text(condition)+" else "+other)
	}
	p.skipTokens(true)
}

// parseStrings reads adjacent string literals, which Python concatenates.
func (p *parser) parseStrings() Expr {
	start := p.nextOffset()
	var parts []Part
	formatted := false
	for {
		t := p.lex.Peek()
		switch t.Type {
		case tokenStr:
			content := t.Value[1 : len(t.Value)-1]
			parts = append(parts, Part{Text: p.unescapeText(content, t.Pos.Offset+1, false)})
		case tokenFString:
			formatted = true
			parts = append(parts, p.parseFString(*t)...)
		default:
			if formatted {
				return &FString{Place: p.placeFrom(start), Parts: mergeParts(parts)}
			}
			var text strings.Builder
			for _, part := range parts {
				text.WriteString(part.Text)
			}
			return &Str{p.placeFrom(start), text.String()}
		}
		p.takeToken()
	}
}

// mergeParts joins adjacent text parts.
func mergeParts(parts []Part) []Part {
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

func (p *parser) parseParenthesis() Expr {
	open := p.takeToken()
	at := placeOf(&open)
	if p.accept(")") {
		return &List{Place: p.placeFrom(at.From), Brackets: Round}
	}
	e := p.parseExpr()
	switch {
	case p.nextIs("for"):
		return p.closeComp(p.parseClauses(&Comp{Brackets: Round, Elem: e}, at.From), open, ")")
	case p.nextIs(","):
		return p.parseElements(&List{Brackets: Round, Elems: []Expr{e}}, open, ")")
	}
	p.closeBracket(open, ")")
	return e
}

func (p *parser) parseList() Expr {
	open := p.takeToken()
	start := open.Pos.Offset
	var elems []Expr
	for !p.nextIs("]") && !p.lex.Peek().EOF() {
		elems = append(elems, p.parseElement())
		if p.nextIs("for") && len(elems) == 1 {
			return p.closeComp(p.parseClauses(&Comp{Elem: elems[0]}, start), open, "]")
		}
		if !p.hasNextElement() {
			break
		}
	}
	p.closeBracket(open, "]")
	return &List{Place: p.placeFrom(start), Elems: elems}
}

// parseElement reads an element of a list, which may be starred.
func (p *parser) parseElement() Expr {
	start := p.nextOffset()
	if !p.accept("*") {
		return p.parseExpr()
	}
	x := p.parseOr()
	if p.nextIs("for") {
		p.addSyntax(p.placeFrom(start), "a comprehension cannot have a starred element")
	}
	return &Star{p.placeFrom(start), x}
}

// parseClauses reads the rest of a comprehension after its element.
func (p *parser) parseClauses(c *Comp, start int) Expr {
	outer := p.depth
	defer func() { p.depth = outer }()
	for first := true; first || p.nextIs("for"); first = false {
		if p.depth++; p.checkDepth(p.nextOffset()) {
			return p.newBad(p.placeFrom(start))
		}
		l := p.parseLoop()
		if l == nil {
			p.skipTokens(true)
			return p.newBad(p.placeFrom(start))
		}
		c.Loops = append(c.Loops, *l)
	}
	if p.nextIs("async") {
		p.addUnsupported(placeOf(p.lex.Peek()), "async in a comprehension").WithHelp("leave out async: a Go function returns when its result is available")
		p.skipTokens(true)
	}
	c.Place = p.placeFrom(start)
	return c
}

// parseLoop reads one for clause of a comprehension with its conditions. It returns nil if the names after for
// have a fault.
func (p *parser) parseLoop() *Loop {
	p.takeToken()
	names := p.parseTargets()
	if names == nil {
		return nil
	}
	l := &Loop{Var: names[0], More: names[1:]}
	if p.expect("in", "after the name") {
		l.In = p.parseOr()
	} else {
		l.In = p.newBad(p.placeFrom(p.lastEnd))
		p.skipTokens(true)
	}
	for p.accept("if") {
		test := p.parseOr()
		if l.If != nil {
			place := Place{l.If.Location().From, test.Location().To}
			test = &Binary{Place: place, Op: Op{place, "and"}, X: l.If, Y: test}
		}
		l.If = test
	}
	return l
}

// closeComp reads the closing bracket of a comprehension and extends the place of e to it.
func (p *parser) closeComp(e Expr, open lexer.Token, end string) Expr {
	p.closeBracket(open, end)
	if c, ok := e.(*Comp); ok {
		c.Place = p.placeFrom(open.Pos.Offset)
	}
	return e
}

// parseTargets reads the names that a comprehension binds. It returns nil after a fault.
func (p *parser) parseTargets() (names []Param) {
	open := *p.lex.Peek()
	bracketed := p.accept("(")
	for {
		t := p.lex.Peek()
		if t.Type != tokenName {
			p.addSyntax(placeOf(t), "expected a name after for, found %s", tokenText(t))
			return nil
		}
		p.takeToken()
		names = append(names, Param{placeOf(t), t.Value})
		if !p.accept(",") || p.nextIs("in") {
			break
		}
	}
	if bracketed {
		p.closeBracket(open, ")")
	}
	return names
}

func (p *parser) parseDict() Expr {
	open := p.takeToken()
	d := &Dict{}
	for !p.nextIs("}") && !p.lex.Peek().EOF() {
		if p.nextIs("**") {
			p.takeToken()
			d.Items = append(d.Items, Item{Value: p.parseOr()})
		} else {
			key := p.parseExpr()
			if len(d.Items) == 0 && p.nextIs("for", ",", "}") {
				return p.parseSet(key, open)
			}
			if !p.expect(":", "after the key") {
				p.skipTokens(true)
				break
			}
			value := p.parseExpr()
			if len(d.Items) == 0 && p.nextIs("for") {
				return p.closeComp(p.parseClauses(&Comp{Key: key, Elem: value}, open.Pos.Offset), open, "}")
			}
			d.Items = append(d.Items, Item{key, value})
		}
		if !p.hasNextElement() {
			break
		}
	}
	p.closeBracket(open, "}")
	d.Place = p.placeFrom(open.Pos.Offset)
	return d
}

// parseSet reads the rest of a set after its first element.
func (p *parser) parseSet(first Expr, open lexer.Token) Expr {
	start := open.Pos.Offset
	if p.nextIs("for") {
		return p.closeComp(p.parseClauses(&Comp{Brackets: Curly, Elem: first}, start), open, "}")
	}
	return p.parseElements(&List{Brackets: Curly, Elems: []Expr{first}}, open, "}")
}

// parseElements reads the rest of a tuple or set after its first element.
func (p *parser) parseElements(list *List, open lexer.Token, closing string) Expr {
	for p.hasNextElement() && !p.nextIs(closing) {
		list.Elems = append(list.Elems, p.parseExpr())
	}
	p.closeBracket(open, closing)
	list.Place = p.placeFrom(open.Pos.Offset)
	return list
}
