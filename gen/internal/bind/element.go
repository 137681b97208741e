package bind

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/resolve"
)

// An element is one of a document, with what is known of it.
type element struct {
	*aion.Element
	fn       resolve.Function // none if it is a link only
	tool     *model.Tool
	args     *model.Type    // the arguments as the notes describe them
	returns  string         // what is said of the result as a whole
	mentions []types.Object // what generated code refers to
	literal  *literal
}

// at is where the function is named.
func (el *element) at() diag.Span { return el.Function.Text.Span }

func (b *binder) bindElement(parsed *aion.Element) *element {
	el := &element{Element: parsed, tool: &model.Tool{Name: parsed.Name.Value}}
	if el.Description != nil {
		el.tool.Description = el.Description.Value
	}
	if el.Link != nil {
		el.tool.Link = el.Link.Value
	}
	if el.Function == nil {
		b.bindLink(el)
		return el
	}
	var ok bool
	if el.fn, ok = b.resolve(parsed); !ok {
		return nil
	}
	b.describe(el)
	b.warnOfStrays(el.fn)
	example := b.annotate(el.tool, el.fn.Obj)
	b.bindFunction(el)
	b.checkExample(el.tool, example)
	return el
}

// bindLink makes the tool of an element that is a link only: no arguments, and
// the URL as its result.
func (b *binder) bindLink(el *element) {
	el.args = &model.Type{Kind: model.StructKind}
	el.tool.Annotations = model.Annotations{ReadOnly: true, Additive: true, Idempotent: true, ClosedWorld: true}
	el.tool.Args = el.args
	el.tool.Result = &model.Type{Kind: model.String, Go: model.Basic("string")}
	b.checkExample(el.tool, b.annotate(el.tool, nil))
}

// describe settles the description: the notation's, else the doc comment of
// the function, with the link at its end.
func (b *binder) describe(el *element) {
	tool, fn := el.tool, el.fn
	if tool.Description == "" {
		tool.Description = b.docs.Of(fn.Pkg()).Text[fn.DocKey]
		b.toWrite(tool.Description, brace(el), fmt.Sprintf("tool %q", tool.Name))
	}
	if tool.Description == "" {
		d := b.faults.Errorf("no-description", brace(el), "tool %q has no description, and %s has no doc comment to take it from", tool.Name, fn.Describe())
		d.Related = b.scope.Declaration(fn)
		d.Help = []string{`add a property description --> "what the tool does, for the model"`}
		return
	}
	if tool.Link != "" {
		tool.Description += "\nDocumentation: " + tool.Link
	}
}

// brace is where an element begins, which is where what is wrong with it as a
// whole is reported.
func brace(el *element) diag.Span {
	at := el.Span
	at.End = at.Start
	at.End.Offset++
	at.End.Column++
	return at
}

// warnOfStrays warns of lines in the comment of a function on what it does not
// have, such as a parameter that was renamed.
func (b *binder) warnOfStrays(fn resolve.Function) {
	if fn.Pkg() != b.pkg.Types || fn.Literal != nil {
		return // the comment is not the user's to change, or not one of the tool
	}
	about := b.docs.Of(b.pkg.Types).About[fn.DocKey]
	for _, s := range about.Strays {
		var names []string
		for _, tuple := range []*types.Tuple{fn.Sig.Params(), fn.Sig.Results()} {
			for v := range tuple.Variables() {
				if v.Name() != "" && v.Name() != "_" && about.Items[v.Name()] == "" {
					names = append(names, v.Name())
				}
			}
		}
		d := b.faults.Warnf("suspicious-comment", b.pkg.Span(s.At.From, s.At.To), "the comment of %s describes %s, which it does not have: the model is not told", fn.Describe(), s.Name)
		if near := diag.Nearest(s.Name, names); near != "" {
			d.WithHelp("did you mean %s?", near)
		} else {
			d.WithHelp("name a parameter, or delete the line")
		}
	}
}

// toWrite warns of a description from the comment of a function that is a note to
// its author. One in the .aion file takes its place.
func (b *binder) toWrite(description string, at diag.Span, what string) {
	if strings.HasPrefix(description, "TODO:") {
		b.faults.Warnf("todo", at, "the description of %s, from a comment in Go, is yet to be written", what).
			WithHelp("say what a model has to know, there or in the .aion file")
	}
}

// noted reports whether a description is that of a note.
func noted(el *element, description string) bool {
	notes := el.Function.Args
	if el.Schema != nil {
		notes = slices.Concat(notes, el.Schema.Fields)
	}
	return slices.ContainsFunc(notes, func(e aion.Entry) bool { return e.Note.Description == description })
}
