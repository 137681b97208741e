package scaffold

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/gen/internal/slim"
)

// longComment is from how many bytes on only the first paragraph of a comment is
// taken over: the rest is for those who read Go.
const longComment = 400

// describe writes into an element what its bound tool says.
func describe(el *aion.Element, t *model.Tool) {
	text := t.Description
	if first, _, more := strings.Cut(text, "\n"); more && len(text) > longComment {
		text = whole(first)
	}
	if text := (aion.Text{Value: text}); el.Description == nil && writable(text) {
		el.Description = &text
	}
	if el.Function.Args == nil { // they are those of a lambda, with their types
		for _, f := range t.Args.Fields {
			if !f.Hidden {
				el.Function.Args = append(el.Function.Args, entry("arg", len(el.Function.Args), f))
			}
		}
	}
	switch {
	case len(t.Func.Results) == 1:
		el.Function.Returns = []aion.Entry{entry("return", 0, &model.Field{Type: t.Result})}
	case len(t.Func.Results) > 1:
		for i, f := range t.Result.Fields {
			el.Function.Returns = append(el.Function.Returns, entry("return", i, f))
		}
	}
	for _, p := range slim.Proposals(t) {
		shorten(el.Function, p)
	}
}

// whole is a paragraph without the sentence that only leads to what is left out behind.
func whole(paragraph string) string {
	text, leads := strings.CutSuffix(paragraph, ":")
	if !leads {
		return paragraph
	}
	if end := strings.LastIndex(text, ". "); end >= 0 {
		return text[:end+1]
	}
	return text + "."
}

// shorten writes what makes a large schema small.
func shorten(f *aion.Function, p slim.Proposal) {
	if len(p.Only) == 0 {
		return // what compiling it says of that is enough
	}
	if p.Whole {
		f.Args = []aion.Entry{{Name: aion.Text{Value: p.Entry}, Note: aion.Note{Type: p.Type}}}
	}
	for _, entries := range [][]aion.Entry{f.Args, f.Returns} {
		for i := range entries {
			if entries[i].Name.Value == p.Entry {
				entries[i].Note.Shape = []aion.Shaping{{Option: "only", Paths: p.Only}}
			}
		}
	}
}

// dropHandles leaves out results that a model can make nothing of: those that can only
// be referred to, beside others that are values, if none of the tools takes one. It
// returns the lines of elements that need no scope then.
func dropHandles(doc *aion.Document, tools []*model.Tool) (open map[int]bool) {
	open = map[int]bool{}
	taken := map[string]bool{} // Go types
	for _, t := range tools {
		for _, f := range t.Args.Fields {
			if ref := f.Type.FindRef(); ref != nil {
				taken[ref.Go.String()] = true
			}
		}
	}
	for i, t := range tools {
		returns := t.Returns()
		isHandle := func(r *model.Type) bool { return r.OnlyRefers() }
		if !slices.ContainsFunc(returns, func(r *model.Type) bool { return !isHandle(r) }) {
			continue
		}
		kept := t.Lacks()
		for n, r := range returns {
			switch {
			case !isHandle(r):
			case taken[r.FindRef().Go.String()]:
				kept = true
			default:
				doc.Elements[i].Function.Returns[n].Note = aion.Note{Type: "any", Omit: true}
			}
		}
		if !kept {
			open[doc.Elements[i].Span.Start.Line] = true
		}
	}
	return open
}

// entry is a note on an argument or a result. A description that a note cannot
// hold is left out: it comes from Go all the same.
func entry(kind string, i int, f *model.Field) aion.Entry {
	e := note(kind, i, shape.Word(f.Type), f.Description)
	e.Note.Ref = f.Type.Kind == model.Ref // there is no other way to pass it
	return e
}

// note is an entry of a type in words, or as Go has it.
func note(kind string, i int, typ, description string) aion.Entry {
	note := aion.Note{Type: typ, Description: strings.Join(strings.Fields(description), " ")}
	first := aion.Entry{Name: aion.Text{Value: "arg-1"}, Note: note}
	function := aion.Function{Text: aion.Text{Value: "F"}, Args: []aion.Entry{first}}
	if _, err := aion.Format(&aion.Document{Elements: []*aion.Element{{Name: aion.Text{Value: "x"}, Function: &function}}}); err != nil {
		note.Description = ""
	}
	return aion.Entry{Name: aion.Text{Value: fmt.Sprintf("%s-%d", kind, i+1)}, Note: note}
}

// writable reports whether a text can stand in a file as it is.
func writable(text aion.Text) bool {
	_, err := aion.Format(&aion.Document{SystemPrompt: &text})
	return err == nil
}
