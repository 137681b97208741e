package syntax

import (
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"
)

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
