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
	"github.com/aiongen/aiongen/gen/internal/custom"
	"github.com/aiongen/aiongen/gen/internal/model"
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
	before, declared := len(b.faults.List), field.Type
	field.Type = b.narrowed(el, e, declared)
	if untold, _ := custom.Whole(field.Type); untold != nil {
		return // refuseUntold reports it, once
	}
	b.checkNote(el, e, what, field, declared)
	if b.soundSince(before) {
		b.faults.Add(b.notes.Allow(e, field))
	}
}

// checkNote holds one note against the Go type of a field, before or after it was
// narrowed, and takes over what the note says.
func (b *binder) checkNote(el *element, e aion.Entry, what string, field *model.Field, declared *model.Type) {
	n := e.Note
	if n.Description != "" {
		field.Description = n.Description
	}
	if n.Type == "" {
		return
	}
	ok, known := b.notes.Accepts(n.Type, declared)
	if !ok && known && field.Type != declared {
		ok, _ = b.notes.Accepts(n.Type, field.Type)
	}
	switch {
	case !known:
		d := b.faults.Errorf("unknown-type", n.Span, "%s: %q is neither a type word nor a Go type of package %s", e.Name.Value, n.Type, b.pkg.Name)
		b.scope.HelpType(d, &n)
	case !ok:
		d := b.faults.Errorf("type-mismatch", n.Span, "%s is %q here, but %s of %s is %s in Go", e.Name.Value, n.Type, what, el.fn.Describe(), field.Type.Go)
		d.Related = b.scope.Declaration(el.fn)
		d.Help = []string{fmt.Sprintf("write %q", shape.Word(field.Type))}
		d.WithGuess(n.Retype(shape.Word(field.Type))...)
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
		d.WithGuess(surplus(el.Function, entries, want)...)
	}
	for _, e := range entries {
		if e.Note.Type == "context.Context" || e.Note.Type == "error" {
			d.WithHelp("leave out %s: %s is never listed", e.Name.Value, e.Note.Type)
		}
	}
	return d
}

// surplus is the edit that takes out the last of some entries, so many that those which
// are wanted are left; none where other entries stand between them.
func surplus(f *aion.Function, entries []aion.Entry, want int) []diag.Edit {
	if len(entries) < want {
		return nil
	}
	first, last := entries[want-1].Note.Span, entries[len(entries)-1].Note.Span
	at := diag.Span{File: first.File, Start: first.End, End: last.End}
	within := 0
	for _, e := range slices.Concat(f.Args, f.Returns) {
		if start := e.Name.Span.Start.Offset; at.Start.Offset <= start && start < at.End.Offset {
			within++
		}
	}
	if within != len(entries)-want || at.Start.Offset > at.End.Offset {
		return nil
	}
	return []diag.Edit{{Span: at}}
}

// signatureOf lists parameters or results of a function as Go does.
func (b *binder) signatureOf(el *element, vars []*types.Var) string {
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

func fieldNames(t *model.Type) string {
	var list []string
	for _, f := range t.Fields {
		list = append(list, f.Name)
	}
	return strings.Join(list, ", ")
}

func paramName(v *types.Var, i int) string {
	return cmp.Or(nameOf(v), strconv.Itoa(i+1))
}

// narrowed is what a note leaves of the type of an argument or a result.
func (b *binder) narrowed(el *element, e aion.Entry, t *model.Type) *model.Type {
	narrowed, faults := b.notes.Narrow(e, t, el.tool.Name)
	b.faults.Add(faults)
	return narrowed
}
