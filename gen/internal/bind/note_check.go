package bind

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/internal/values"
	"github.com/aiongen/aiongen/internal/words"
)

// checkParam checks the note on a parameter. If the note narrows a struct, the remaining
// fields decide whether the parameter may be left out.
func (b *binder) checkParam(el *element, e aion.Entry, what string, field *model.Field) {
	b.checkArg(el, e, what, field)
	if n := &e.Note; (n.Fields || len(n.Shape) > 0) && !n.Required && !n.Optional && field.Type.Kind != model.Slice {
		field.Optional = shape.IsOmittable(field.Type)
	}
}

// noResultWords are words of other languages for functions without a result, in lower case.
var noResultWords = []string{"never", "nil", "none", "nothing", "null", "undefined", "unit", "void"}

// reportNoResult reports a note which says that a function returns nothing, such as "void",
// although it has a result. It returns true if it has reported the note.
func (b *binder) reportNoResult(el *element, e aion.Entry, t *model.Type) bool {
	n := e.Note
	if !strings.HasPrefix(e.Name.Value, "return") || !slices.Contains(noResultWords, strings.ToLower(n.Type)) {
		return false
	}
	fault := n.Type + " is not a type of notes, and"
	if values.WordOf(n.Type).Kind == values.NoneKind {
		fault = n.Type + " is for functions without results, but"
	}
	d := el.faults.Errorf("unknown-type", n.Span, "%s: %s %s returns %s", e.Name.Value, fault, el.fn.Describe(), t.Go)
	d.Related = b.scope.RelatedDeclaration(el.fn)
	d.WithHelp("to drop the result, write \"any | omit\"")
	if !n.Optional {
		d.WithGuess(n.Retype("any | omit")...)
	}
	d.WithHelp("to return it, leave out %s, or write %q", e.Name.Value, shape.TypeWord(t))
	return true
}

// checkArg checks the note on an argument, which may have options, and applies it.
func (b *binder) checkArg(el *element, e aion.Entry, what string, field *model.Field) {
	before, declared := len(el.faults), partBinder{b}.assertType(el, &e.Note, field.Type, b.readArgumentType)
	field.Type = b.narrowByNote(el, e, declared)
	if undescribed, _ := shape.FindUndescribed(field.Type); undescribed != nil {
		return // reportUndescribed reports it
	}
	b.checkNote(el, e, what, field, declared)
	if el.faults[before:].Err() == nil {
		el.addFaults(b.notes.applyOptions(e, field))
	}
}

// checkNote checks the type of a note and sets the description of the field. The note may name the type of
// the field, or the declared type before other options of the note changed it.
func (b *binder) checkNote(el *element, e aion.Entry, what string, field *model.Field, declared *model.Type) {
	n := e.Note
	if n.Description != "" {
		field.Description = n.Description
	}
	if n.Type == "" {
		return
	}
	ok, known := b.notes.acceptsType(n.Type, declared)
	if !ok && known && field.Type != declared {
		ok, _ = b.notes.acceptsType(n.Type, field.Type)
	}
	switch {
	case !ok && b.reportNoResult(el, e, field.Type):
	case !known:
		d := el.faults.Errorf("unknown-type", n.Span, "%s: %q is neither a type word nor a Go type of package %s", e.Name.Value, n.Type, b.pkg.Name)
		b.scope.HelpType(d, &n, shape.TypeWord(field.Type))
	case !ok:
		d := el.faults.Errorf("type-mismatch", n.Span, "%s is %q here, but %s of %s is %s in Go", e.Name.Value, n.Type, what, el.fn.Describe(), field.Type.Go)
		d.Related = b.scope.RelatedDeclaration(el.fn)
		d.Help = []string{fmt.Sprintf("write %q", shape.TypeWord(field.Type))}
		d.WithGuess(n.Retype(shape.TypeWord(field.Type))...)
	}
}

// reportWrongCount reports an interface block that lists more or fewer arguments or results than the function
// has. The message ends with list, which describes those of the function.
func (b *binder) reportWrongCount(el *element, entries []aion.Entry, noun string, want int, list string) *diag.Diagnostic {
	d := el.faults.Errorf("wrong-count", entries[0].Name.Span, "the interface block lists %s, but %s has %s: %s",
		words.Count(len(entries), noun), el.fn.Describe(), words.Count(want, noun), list)
	d.Related = b.scope.RelatedDeclaration(el.fn)
	if want == 0 {
		d.Message = fmt.Sprintf("the interface block lists %s, but %s has none", words.Count(len(entries), noun), el.fn.Describe())
		d.WithHelp("leave out %s", entries[0].Name.Value)
	} else {
		hasNeverListed := slices.ContainsFunc(entries, isNeverListed)
		surplus := removeSurplus(el.Function, entries, want)
		if surplus != nil && !hasNeverListed {
			d.Span = entries[want].Name.Span
			d.WithHelp("leave out %s", listNames(entries[want:]))
		} else if !hasNeverListed || len(slices.DeleteFunc(slices.Clone(entries), isNeverListed)) != want {
			d.WithHelp("list all of them, or list none to take them from Go")
		}
		d.WithGuess(surplus...)
	}
	for _, e := range entries {
		if isNeverListed(e) {
			d.WithHelp("leave out %s: %s is never listed", e.Name.Value, e.Note.Type)
		}
	}
	return d
}

// entryNames returns the names of entries.
func entryNames(entries []aion.Entry) (names []string) {
	for _, e := range entries {
		names = append(names, e.Name.Value)
	}
	return names
}

// listNames lists the names of entries.
func listNames(entries []aion.Entry) string {
	return words.List(entryNames(entries), " and ")
}

func isNeverListed(e aion.Entry) bool {
	return e.Note.Type == "context.Context" || e.Note.Type == "error"
}

// removeSurplus returns the edit that removes the surplus entries at the end. It returns nil if
// other entries are between them.
func removeSurplus(f *aion.Function, entries []aion.Entry, want int) []diag.Edit {
	if len(entries) < want {
		return nil
	}
	first, last := entries[want-1].Note.Span, entries[len(entries)-1].Note.Span
	at := diag.Span{File: first.File, Start: first.End, End: last.End}
	removed := 0
	for _, e := range slices.Concat(f.Args, f.Returns) {
		if start := e.Name.Span.Start.Offset; at.Start.Offset <= start && start < at.End.Offset {
			removed++
		}
	}
	if removed != len(entries)-want || at.Start.Offset > at.End.Offset {
		return nil
	}
	return []diag.Edit{{Span: at}}
}

// formatSignature lists parameters or results as in Go.
func (b *binder) formatSignature(el *element, vars []*types.Var) string {
	var list []string
	for i, v := range vars {
		typ := b.pkg.TypeName(v.Type())
		if el.isVariadic(v) {
			typ = "..." + strings.TrimPrefix(typ, "[]")
		}
		list = append(list, paramName(v, i)+" "+typ)
	}
	return "(" + strings.Join(list, ", ") + ")"
}

// joinFieldNames lists the JSON names of the fields of a struct.
func joinFieldNames(t *model.Type) string {
	return strings.Join(listFieldNames(t.Fields), ", ")
}

func paramName(v *types.Var, i int) string {
	return cmp.Or(varName(v), strconv.Itoa(i+1))
}

// narrowByNote applies the options of a note that change the type of an argument or result.
func (b *binder) narrowByNote(el *element, e aion.Entry, t *model.Type) *model.Type {
	narrowed, faults := b.notes.narrowNoteType(e, t, el.tool.Name)
	el.addFaults(faults)
	return narrowed
}
