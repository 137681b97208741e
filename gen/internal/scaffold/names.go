package scaffold

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/gen/internal/bind"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/shape"
)

// addComments adds two kinds of comments to the text of a document. Arguments and results without a
// description get their name, so that a reader can tell them apart without the Go source. For a large
// result, a comment says how much of it is left out. tools has one tool for each element of the document.
func addComments(text []byte, tools []*model.Tool) []byte {
	doc, faults := aion.Parse("new.aion", text)
	if faults.Err() != nil || len(doc.Elements) != len(tools) {
		return text
	}
	var commented []byte
	copied := 0
	for i, el := range doc.Elements {
		names, leftOut := map[string]string{}, describeLeftOut(tools[i])
		if !strings.HasPrefix(el.Function.Text.Value, "lambda") { // a lambda contains the names
			names = valueNames(el.Function, tools[i])
		}
		for _, e := range slices.Concat(el.Function.Args, el.Function.Returns) {
			var parts []string
			if name := names[e.Name.Value]; name != "" && e.Note.Description == "" && !e.Note.Omit {
				parts = append(parts, name)
			}
			if leftOut[e.Name.Value] != "" && e.Note.Paths("only") != nil {
				parts = append(parts, leftOut[e.Name.Value])
			}
			if len(parts) == 0 {
				continue
			}
			at := e.Note.Span.End.Offset
			at += bytes.IndexByte(text[at:], '\n') // after the comma
			commented = append(append(commented, text[copied:at]...), " // "+strings.Join(parts, ": ")...)
			copied = at
		}
	}
	return append(commented, text[copied:]...)
}

// describeLeftOut returns texts that say how many members of a large result a draft leaves out. The keys are the
// names of the notes of the results.
func describeLeftOut(t *model.Tool) map[string]string {
	leftOut := map[string]string{}
	for _, p := range bind.ProposeNotes(t) {
		if strings.HasPrefix(p.Entry, "return") && len(p.LeftOut) > 0 {
			leftOut[p.Entry] = fmt.Sprintf("only= leaves out %d of %d members", len(p.LeftOut), p.Members)
		}
	}
	return leftOut
}

// valueNames returns the names of the arguments, and of the results if there are several. The keys are the names of
// their notes.
func valueNames(f *aion.Function, t *model.Tool) map[string]string {
	names := map[string]string{}
	add := func(e aion.Entry, name string) {
		if !strings.HasPrefix(name, "arg_") && !strings.HasPrefix(name, "return_") {
			names[e.Name.Value] = name
		}
	}
	if fields := t.Args.ShownFields(); len(fields) == len(f.Args) {
		for i, e := range f.Args {
			add(e, fields[i].Name)
		}
	}
	if fields := t.ResultFields(); t.Func.CountReturned() > 1 && len(fields) == len(f.Returns) { // a single result has no name
		for i, e := range f.Returns {
			if fields[i] != nil {
				add(e, fields[i].Name)
			}
		}
	}
	return names
}

// typeWord returns the type word for a note, such as string. For an enum that is declared in the package
// of the file, it returns the name of the Go type, so that a reader can look up its constants. home is the
// import path of that package.
func typeWord(t *model.Type, home string) string {
	named := t
	for named.Kind == model.Pointer {
		named = named.Elem
	}
	isEnum := len(named.Enum)+len(named.Known) > 0
	if g := named.Go; isEnum && g.Kind == model.GoNamed && g.Path == home && len(g.Elems) == 0 {
		return g.Name
	}
	return shape.TypeWord(t)
}
