package bind

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/note"
	"github.com/aiongen/aiongen/internal/values"
)

// checkParams holds the notes on arguments against the parameters, and takes
// over what the notes say.
func (b *binder) checkParams(el *element, args *model.Type) {
	entries := el.Function.Args
	if len(entries) > 0 && len(entries) != len(el.params) {
		b.wrongCount(el, entries, "argument", len(el.params), b.signatureOf(el, el.params))
		return
	}
	for i, e := range entries {
		if e.Note.Omit {
			b.checkOmittedParam(el, e, i, args.Fields[i].Type)
		} else {
			b.checkParam(el, e, "parameter "+paramName(el.params[i], i), args.Fields[i])
		}
	}
	if el.Schema != nil {
		b.matchSchema(el, el.params, args)
	}
}

// checkObject does the same for an arguments object: the notes count its
// fields, or a single one describes the object.
func (b *binder) checkObject(el *element, args *model.Type, whole *aion.Entry) {
	if el.Schema != nil {
		b.matchObjectSchema(el, args)
	}
	if whole != nil {
		args.Description = cmp.Or(whole.Note.Description, args.Description)
		return
	}
	entries := el.objectNotes()
	if len(entries) > 0 && len(entries) != len(args.Fields) {
		d := b.wrongCount(el, entries, "argument", len(args.Fields), "the fields of "+args.Go.String()+": "+fieldNames(args))
		if len(entries) == 1 {
			d.WithHelp(`or describe them as a whole: arg-1 --> "dict (…)"`)
		}
		return
	}
	var left []*model.Field
	for i, e := range entries {
		f := args.Fields[i]
		what := fmt.Sprintf("field %s of %s", f.Name, args.Go)
		if e.Note.Omit {
			b.checkOmitted(el, e, what, func() (*model.Type, error) { return f.Type, nil }, f.Type)
			continue
		}
		b.checkArg(el, e, what, f)
		left = append(left, f)
	}
	if len(entries) > 0 {
		args.Fields = left
	}
}

// checkResults holds the notes on returns against the results. The note on a
// single result describes it as a whole.
func (b *binder) checkResults(el *element, results []*types.Var, kept []*model.Field) string {
	entries := el.Function.Returns
	if len(entries) == 1 && values.WordOf(entries[0].Note.Type).Kind == values.NoneKind && len(results) == 0 {
		return entries[0].Note.Description
	}
	said := ""
	if len(results) == 1 {
		said = cmp.Or(b.itemOf(el, results[0]), b.docs.Of(el.fn.Pkg()).About[el.fn.DocKey].Result)
	}
	if len(entries) == 0 {
		b.toWrite(said, brace(el.Element), fmt.Sprintf("the result of tool %q", el.tool.Name))
		return said
	}
	if len(entries) != len(results) {
		b.wrongCount(el, entries, "return", len(results), b.signatureOf(el, results))
		return ""
	}
	single := ""
	for i, e := range entries {
		what, field := fmt.Sprintf("result %d", i+1), kept[i]
		if e.Note.Omit {
			b.faults.Add(note.OfResult(e, nil))
			read := func() (*model.Type, error) { t, _, err := b.shapes.Result(results[i].Type(), el.at()); return t, err }
			t, _ := b.unseen(results[i].Type())
			b.checkOmitted(el, e, what, read, t)
			continue
		}
		declared := field.Type
		b.faults.Add(note.OfResult(e, declared))
		field.Type = b.narrowed(el, e, declared)
		b.checkNote(el, e, what, field, declared)
		single = cmp.Or(e.Note.Description, said)
	}
	return single
}

// wholeNote is the one note that describes an arguments object as a whole, nil if
// there is none.
func (b *binder) wholeNote(el *element, args *model.Type) *aion.Entry {
	entries := el.objectNotes()
	byLambda := el.fn.Literal != nil && el.fn.Literal.Lambda != nil // its one parameter has the type of the note
	if len(entries) == 1 && (b.notes.MeansObject(entries[0].Note.Type, args) || byLambda) {
		return &entries[0]
	}
	return nil
}

// objectNotes are the notes on an arguments object, or on its fields. Those on
// parameters that are omitted beside it are none.
func (el *element) objectNotes() []aion.Entry {
	if len(el.params) == 1 || len(el.params) != len(el.Function.Args) {
		return el.Function.Args
	}
	return slices.DeleteFunc(slices.Clone(el.Function.Args), func(e aion.Entry) bool { return e.Note.Omit })
}
