package lsp

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
	"github.com/aiongen/aiongen/gen/lsp/internal/protocol"
)

// A lambdaParameter is a parameter of the lambda of a tool.
type lambdaParameter struct {
	element *aion.Element
	name    string
	uses    []diag.Span // in the lambda, the declaration first
	at      diag.Span   // the use at the cursor
}

// lambdaParameterAt returns the parameter whose name is at an offset in a lambda, or nil.
func (d *document) lambdaParameterAt(offset int) *lambdaParameter {
	el := d.elementAt(offset)
	if el == nil || el.Function == nil || !contains(el.Function.Text.Span, offset) {
		return nil
	}
	lambda, index := parseLambda(el.Function.Text.Value), el.Function.Text.Index()
	if lambda == nil {
		return nil
	}
	for _, param := range lambda.Params {
		found := &lambdaParameter{element: el, name: param.Name}
		for _, use := range append([]pysyntax.Place{param.Place}, findNames(lambda.Body, param.Name)...) {
			span := index.Between(use.From, use.To)
			found.uses = append(found.uses, span)
			if contains(span, offset) {
				found.at = span
			}
		}
		if found.at.End.IsValid() {
			return found
		}
	}
	return nil
}

// parseLambda returns the lambda in the text of a function, or nil if the text is something else or
// has errors.
func parseLambda(text string) *pysyntax.Lambda {
	if !strings.HasPrefix(strings.TrimSpace(text), "lambda") {
		return nil
	}
	lambda, faults := pysyntax.Parse(text, func(pysyntax.Place) diag.Span { return diag.Span{} })
	if len(faults) > 0 {
		return nil
	}
	return lambda
}

// findNames returns the places at which an expression refers to a name. It leaves out the places at which
// the name is a variable of a lambda or loop inside the expression.
func findNames(e pysyntax.Expr, name string) (found []pysyntax.Place) {
	isName := func(p pysyntax.Param) bool { return p.Name == name }
	switch e := e.(type) {
	case nil:
		return nil
	case *pysyntax.Name:
		if e.Name == name {
			found = append(found, e.Place)
		}
	case *pysyntax.Lambda:
		if slices.ContainsFunc(e.Params, isName) {
			return nil
		}
	case *pysyntax.Comp:
		if slices.ContainsFunc(e.Loops, func(l pysyntax.Loop) bool { return slices.ContainsFunc(l.Names(), isName) }) {
			return findNames(e.Loops[0].In, name) // the rest is in the scope of the loop
		}
	}
	for _, part := range pysyntax.Parts(e) {
		found = append(found, findNames(part, name)...)
	}
	return found
}

// usesName reports whether a lambda refers to a name or binds it.
func usesName(lambda *pysyntax.Lambda, name string) (used bool) {
	isName := func(p pysyntax.Param) bool { return p.Name == name }
	pysyntax.Walk(lambda, func(e pysyntax.Expr) {
		switch e := e.(type) {
		case *pysyntax.Name:
			used = used || e.Name == name
		case *pysyntax.Lambda:
			used = used || slices.ContainsFunc(e.Params, isName)
		case *pysyntax.Comp:
			for _, l := range e.Loops {
				used = used || slices.ContainsFunc(l.Names(), isName)
			}
		}
	})
	return used
}

// renameLambdaParameter changes the name of a parameter in its lambda, and in the entries of
// args_schema that name it.
func (v *view) renameLambdaParameter(p *lambdaParameter, name string) (*protocol.WorkspaceEdit, error) {
	if usesName(parseLambda(p.element.Function.Text.Value), name) {
		return nil, invalidParams("the lambda already uses the name %s", name)
	}
	if probe := parseLambda("lambda " + name + ": " + name); probe == nil || len(probe.Params) != 1 || probe.Params[0].Name != name {
		return nil, invalidParams("%q is not a valid name of a parameter", name)
	}
	var edits []documentEdit
	for _, use := range p.uses {
		edits = append(edits, documentEdit{v.document, protocol.TextEdit{Range: v.spanRange(use), NewText: name}})
	}
	if p.element.Schema != nil {
		for _, e := range slices.Concat(p.element.Schema.Fields, p.element.Schema.Paths) {
			if first, _, _ := strings.Cut(e.Name.Value, "."); first == p.name || first == goname.SnakeCase(p.name) {
				from := e.Name.Span.Start.Offset
				if v.text[from] == '"' {
					from++
				}
				edits = append(edits, documentEdit{v.document, protocol.TextEdit{Range: v.rangeOf(from, from+len(first)), NewText: goname.SnakeCase(name)}})
			}
		}
	}
	return v.server.newEdit(edits), nil
}
