package bind

import (
	"cmp"
	"fmt"
	"go/types"
	"reflect"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// checkParams holds the notes on arguments against the parameters, and takes
// over what the notes say.
func (b *binder) checkParams(el *element, params []*types.Var, args *model.Type) {
	entries := el.Function.Args
	if len(entries) > 0 && len(entries) != len(params) {
		b.wrongCount(el, entries, "argument", len(params), b.signatureOf(el, params))
		return
	}
	for i, e := range entries {
		b.checkArg(el, e, "parameter "+paramName(params[i], i), args.Fields[i])
	}
	if el.Schema != nil {
		b.matchSchema(el, params, args)
	}
}

// checkObject does the same for an arguments object: the notes count its
// fields, or a single one describes the object.
func (b *binder) checkObject(el *element, args *model.Type) {
	if el.Schema != nil {
		b.matchObjectSchema(el, args)
	}
	entries := el.Function.Args
	byLambda := el.fn.Literal != nil && el.fn.Literal.Lambda != nil // its one parameter has the type of the note
	if len(entries) == 1 && (b.meansObject(entries[0].Note.Type, args) || byLambda) {
		args.Description = entries[0].Note.Description
		return
	}
	if len(entries) > 0 && len(entries) != len(args.Fields) {
		d := b.wrongCount(el, entries, "argument", len(args.Fields), "the fields of "+args.Go.String()+": "+fieldNames(args))
		if len(entries) == 1 {
			d.WithHelp(`or describe them as a whole: arg-1 --> "dict (…)"`)
		}
		return
	}
	for i, e := range entries {
		f := args.Fields[i]
		b.checkArg(el, e, fmt.Sprintf("field %s of %s", f.Name, args.Go), f)
	}
}

// meansObject reports whether a note's type stands for an arguments object as a
// whole: a word for objects, or the object's own type, also behind a pointer.
func (b *binder) meansObject(word string, args *model.Type) bool {
	if word == "dict" || word == "object" {
		return true
	}
	written, err := b.scope.GoType(word)
	if err == nil && written.Kind == model.GoPointer {
		written = written.Elems[0]
	}
	return err == nil && reflect.DeepEqual(written, args.Go)
}

// checkResults holds the notes on returns against the results. The note on a
// single result describes it as a whole.
func (b *binder) checkResults(el *element, results []*types.Var, shapes []*model.Type) string {
	entries := el.Function.Returns
	if len(entries) == 1 && isNone(entries[0].Note.Type) && len(results) == 0 {
		return entries[0].Note.Description
	}
	said := ""
	if len(results) == 1 {
		said = cmp.Or(b.itemOf(el, results[0]), b.docs.Of(el.fn.Pkg()).About[el.fn.DocKey].Result)
	}
	if len(entries) == 0 {
		b.toWrite(said, brace(el), fmt.Sprintf("the result of tool %q", el.tool.Name))
		return said
	}
	if len(entries) != len(results) {
		b.wrongCount(el, entries, "return", len(results), b.signatureOf(el, results))
		return ""
	}
	for i, e := range entries {
		field := &model.Field{Type: shapes[i]}
		if len(results) > 1 {
			field = el.tool.Result.Fields[i]
		}
		if hasOptions(e.Note) {
			b.badOption("note-option", e, "a result has no options").WithHelp("leave them out: they say what a model may send")
		}
		b.checkNote(el, e, fmt.Sprintf("result %d", i+1), field)
	}
	if len(results) == 1 {
		return cmp.Or(entries[0].Note.Description, said)
	}
	return ""
}

func isNone(word string) bool { return word == "none" || word == "null" }
