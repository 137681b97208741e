package syntax

import (
	"slices"

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
	} else {
		p := &parser{faults: found, rules: rules{(*parser).function, (*parser).conditional, (*parser).disjunction}, lex: tokens}
		tree = p.lambda()
		p.end()
	}
	return tree, found.list(at)
}

// function reads a lambda.
func (p *parser) function() *Lambda {
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
