// Package pysyntax parses Python lambdas in .aion files. Parse returns a syntax tree and reports all faults
// of the text. It does not resolve names.
package pysyntax

import (
	"errors"
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/aiongen/aiongen/aion/diag"
)

const (
	// maxSource is the maximum length of a lambda in bytes. Longer code belongs in a Go function.
	maxSource = 8 << 10

	// maxDepth is the maximum nesting depth of expressions.
	maxDepth = 100
)

// Unsupported is the diagnostic code for Python constructs that lambdas do not support.
const Unsupported diag.Code = "unsupported-python"

// ErrNotInGo is the cause of faults about constructs that Go does not have either. For these, callers should not
// suggest a Go function literal.
var ErrNotInGo = errors.New("not available in Go")

// ErrLiteralShown is the cause of faults whose help already contains a complete Go function literal.
var ErrLiteralShown = errors.New("a function literal is shown")

// Parse parses a text that starts with the word lambda. It always returns a Lambda, in which a Bad replaces each
// part that it could not parse, and all faults in order. The function at converts a place in the text to a span
// in the file.
func Parse(text string, at func(Place) diag.Span) (*Lambda, diag.List) {
	found := &faults{at: at}
	tree := &Lambda{Place: Place{0, len(text)}, Body: &Bad{Place{0, len(text)}}}
	if len(text) > maxSource {
		found.addFault("too-large", Place{0, 6}, "the lambda has %d bytes; the limit is %d", len(text), maxSource).
			WithHelp("write a Go function and name it here")
	} else if tokens, err := lexer.Upgrade(&scanner{src: text, faults: found}); err != nil {
		found.addSyntax(tree.Place, "%v", err)
	} else {
		p := &parser{faults: found, grammarRules: grammarRules{(*parser).parseFunction, (*parser).parseConditional, (*parser).parseDisjunction}, src: text, bodyStart: strings.Index(text, ":") + 1, lex: tokens}
		tree = p.parseLambda()
		p.expectEnd()
		tree.Source = text
	}
	return tree, found.sortedList()
}

// parseFunction reads a lambda.
func (p *parser) parseFunction() *Lambda {
	l := &Lambda{}
	start := p.nextOffset()
	p.expect("lambda", "at the start")
	for !p.nextIs(":") && !p.lex.Peek().EOF() {
		p.parseParam(l)
		if !p.accept(",") {
			break
		}
	}
	if t := p.lex.Peek(); p.accept(":") {
		l.Body = p.parseExpr()
	} else {
		f := p.addSyntax(placeOf(t), "expected : after the parameters, found %s", tokenText(t))
		if t.Type == tokenMark {
			f.WithHelp("write the parameters and a colon; types are in the notes: arg-1 --> \"int\", return-1 --> \"string\"")
		} else if !t.EOF() && t.Type != tokenJunk && len(l.Params) > 0 {
			last := l.Params[len(l.Params)-1]
			f.WithHelp("write a colon after %s", last.Name).WithGuess(p.newEdit(Place{last.To, last.To}, ":"))
		}
		l.Body = p.newBad(p.placeFrom(start))
		p.skipTokens(true)
	}
	l.Place = p.placeFrom(start)
	return l
}

// parseParam reads a parameter.
func (p *parser) parseParam(l *Lambda) {
	start := p.nextOffset()
	starType := "" // of the value that a starred parameter receives
	if p.accept("*") {
		starType = "list"
	} else if p.accept("**") {
		starType = "dict"
	}
	t := p.lex.Peek()
	if t.Type != tokenName {
		switch {
		case starType != "" || p.accept("/"):
			p.addUnsupported(p.placeFrom(start), "a marker such as * or / among the parameters")
		case t.Type != tokenJunk:
			help := "write names, commas and a colon: lambda a, b: a + b"
			if t.Value == "(" {
				help = "leave out the brackets around the parameters"
			}
			p.addSyntax(placeOf(t), "expected the name of a parameter, found %s", tokenText(t)).WithHelp("%s", help)
		}
		p.skipTokens(false)
		return
	}
	p.takeToken()
	param := Param{placeOf(t), t.Value}
	same := func(q Param) bool { return q.Name == param.Name }
	switch {
	case starType != "":
		p.addUnsupported(p.placeFrom(start), "a starred parameter").
			WithHelp("write %s without the star, and give it the type %s in its note", param.Name, starType)
	case slices.ContainsFunc(l.Params, same):
		p.addSyntax(param.Place, "duplicate parameter %s", param.Name)
	}
	l.Params = append(l.Params, param)
	if p.accept("=") {
		value := p.parseExpr()
		p.addUnsupported(p.placeFrom(start), "a default").
			WithHelp("write it in the note of the argument, as in arg-%d --> %s", len(l.Params), p.defaultNote(value))
	}
}

// defaultNote returns the note that sets a default, such as "int | default=10".
func (p *parser) defaultNote(value Expr) string {
	typeWord := ""
	switch value.(type) {
	case *Str:
		typeWord = "string"
	case *Int:
		typeWord = "int"
	case *Float:
		typeWord = "float"
	case *Bool:
		typeWord = "bool"
	case *None:
		return `"string?"`
	default:
		return `"int | default=10"`
	}
	return `"` + typeWord + " | default=" + strings.ReplaceAll(p.text(value), `"`, "'") + `"`
}
