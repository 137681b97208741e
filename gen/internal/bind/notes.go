package bind

import (
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/custom"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/narrow"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/internal/words"
)

// checkParam holds the note on a parameter against its type. What is left of a struct
// decides whether it may be left out.
func (b *binder) checkParam(el *element, e aion.Entry, what string, field *model.Field) {
	b.checkArg(el, e, what, field)
	if n := &e.Note; len(n.Shape) > 0 && !n.Required && !n.Optional && field.Type.Kind != model.Slice {
		field.Optional = shape.MayLack(field.Type)
	}
}

// checkArg does so for an argument, which may have options.
func (b *binder) checkArg(el *element, e aion.Entry, what string, field *model.Field) {
	before, declared := len(b.faults), field.Type
	field.Type = b.shaped(el, e, declared)
	if untold, _ := custom.Whole(field.Type); untold != nil {
		return // checkCustom reports it, once
	}
	b.checkNote(el, e, what, field, declared)
	if b.faults[before:].Err() == nil {
		b.applyOptions(e, field)
	}
}

// checkNote holds one note against the Go type of a field, before or after it was
// shaped, and takes over what the note says.
func (b *binder) checkNote(el *element, e aion.Entry, what string, field *model.Field, declared *model.Type) {
	note := e.Note
	if note.Description != "" {
		field.Description = note.Description
	}
	if note.Type == "" {
		return
	}
	ok, problem := b.accepts(note.Type, declared)
	if !ok && problem == "" && field.Type != declared {
		ok, _ = b.accepts(note.Type, field.Type)
	}
	switch {
	case problem != "":
		b.scope.HelpType(b.faults.Errorf("unknown-type", note.Span, "%s: %s", e.Name.Value, problem), note.Type)
	case !ok:
		d := b.faults.Errorf("type-mismatch", note.Span, "%s is %q here, but %s of %s is %s in Go", e.Name.Value, note.Type, what, el.fn.Describe(), field.Type.Go)
		d.Related = b.scope.Declaration(el.fn)
		d.Help = []string{fmt.Sprintf("write %q", shape.Word(field.Type))}
	}
}

func (b *binder) wrongCount(el *element, entries []aion.Entry, noun string, want int, list string) *diag.Diagnostic {
	d := b.faults.Errorf("wrong-count", entries[0].Name.Span, "the interface block lists %s, but %s has %s: %s",
		words.Count(len(entries), noun), el.fn.Describe(), words.Count(want, noun), list)
	d.Related = b.scope.Declaration(el.fn)
	if want == 0 {
		d.Message = fmt.Sprintf("the interface block lists %s, but %s has none", words.Count(len(entries), noun), el.fn.Describe())
		d.WithHelp("leave out %s", entries[0].Name.Value)
	} else {
		short := map[string]string{"argument": "arg", "return": "return"}[noun]
		d.WithHelp("list all of them, or no %s-N at all: then they come from Go", short)
	}
	for _, e := range entries {
		if e.Note.Type == "context.Context" || e.Note.Type == "error" {
			d.WithHelp("leave out %s: %s is never listed", e.Name.Value, e.Note.Type)
		}
	}
	return d
}

// signatureOf lists parameters or results of a function as Go does.
func (b *binder) signatureOf(el *element, vars []*types.Var) string {
	var list []string
	params := el.fn.Sig.Params()
	for i, v := range vars {
		typ := b.pkg.TypeName(v.Type())
		if el.fn.Sig.Variadic() && v == params.At(params.Len()-1) {
			typ = "..." + strings.TrimPrefix(typ, "[]")
		}
		list = append(list, paramName(v, i)+" "+typ)
	}
	return "(" + strings.Join(list, ", ") + ")"
}

func fieldNames(t *model.Type) string {
	var list []string
	for _, f := range t.Fields {
		list = append(list, f.Name)
	}
	return strings.Join(list, ", ")
}

func paramName(v *types.Var, i int) string {
	if v.Name() == "" {
		return fmt.Sprintf("%d", i+1)
	}
	return v.Name()
}

// accepts reports whether a note's type, a word or a Go type, accepts a Go
// type; the problem says why the note's type is none.
func (b *binder) accepts(word string, t *model.Type) (ok bool, problem string) {
	exact := []model.GoType{t.Go}
	if t.Kind == model.Custom {
		if ok, known := b.acceptsWord(word, t); ok && known {
			return true, ""
		}
	}
	for shape.MayBeNull(t) || (t.Kind == model.Custom || t.Kind == model.Opaque) && t.Elem != nil {
		t = t.Elem
		exact = append(exact, t.Go)
	}
	if ok, known := b.acceptsWord(word, t); known {
		return ok, ""
	}
	if written, err := b.scope.GoType(word); err == nil {
		return slices.ContainsFunc(exact, func(g model.GoType) bool { return reflect.DeepEqual(g, written) }), ""
	}
	if ok, known := b.acceptsWord(strings.ToLower(word), t); known {
		return ok, ""
	}
	return false, fmt.Sprintf("%q is neither a type word nor a Go type of package %s", word, b.pkg.Name)
}

func (b *binder) acceptsWord(word string, t *model.Type) (ok, known bool) {
	w := aion.WordOf(word)
	ok = slices.Contains(shape.AcceptedKinds[w.Kind], t.Kind)
	if ok && w.Kind == aion.DictKind && w.Key != "" {
		ok = t.Kind == model.Map && aion.WordOf(w.Key).Kind == aion.StringKind
	}
	if ok && w.Elem != "" {
		ok, problem := b.accepts(w.Elem, t.Elem)
		return ok, problem == ""
	}
	return ok, w.Kind != 0
}

// shaped is what a note leaves of the type of an argument or a result.
func (b *binder) shaped(el *element, e aion.Entry, t *model.Type) *model.Type {
	problem := ""
	switch n := &e.Note; {
	case n.Ref:
		t, problem = narrow.ByReference(t)
	case n.Text:
		t, problem = narrow.AsText(t)
	case len(n.Shape) > 0:
		shaped, faults := narrow.Note(t, n, goname.Exported(el.tool.Name, "Tool"), b.shapes.Fields)
		b.faults = append(b.faults, faults...)
		return shaped
	}
	if problem != "" {
		b.badOption("note-option", e, "%s", problem)
	}
	return t
}
