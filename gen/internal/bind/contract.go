package bind

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/values"
)

// checkParams checks the notes on arguments against the parameters and applies them.
func (b *binder) checkParams(el *element, args *model.Type) {
	entries := el.Function.Args
	if len(entries) > 0 && len(entries) != len(el.params) {
		b.reportWrongCount(el, entries, "argument", len(el.params), b.formatSignature(el, el.params))
		return
	}
	if b.reportSwapped(el, entries, args.Fields) {
		return
	}
	for i, e := range entries {
		if e.Note.Omit {
			b.checkOmittedParam(el, e, i, args.Fields[i].Type)
		} else {
			b.checkParam(el, e, "parameter "+paramName(el.params[i], i), args.Fields[i])
		}
	}
	for i, f := range args.Fields {
		partBinder{b}.describeArgument(el, el.pathEntries("arg", i+1), el.noteOfParam(i), f)
	}
	partBinder{b}.reportStrayPaths(el, "arg", len(args.Fields))
	if el.Schema != nil {
		b.matchSchema(el, el.params, args)
	}
}

// checkObject checks the notes on an arguments object and applies them. There is either one note
// for each field, in order, or a single objectNote for the whole object.
func (b *binder) checkObject(el *element, args *model.Type, objectNote *aion.Entry) {
	if el.Schema != nil {
		b.matchObjectSchema(el, args)
	}
	if objectNote != nil {
		args.Description = cmp.Or(objectNote.Note.Description, args.Description)
		return
	}
	entries := el.objectNotes()
	if len(entries) > 0 && len(entries) != len(args.Fields) {
		if len(entries) == 1 && b.reportUnknownObject(el, entries[0]) {
			return
		}
		d := b.reportWrongCount(el, entries, "argument", len(args.Fields), "the fields of "+args.Go.String()+": "+joinFieldNames(args))
		if len(entries) == 1 {
			d.WithHelp(`or describe the whole object: arg-1 --> "dict (…)"`)
		}
		return
	}
	if b.reportSwapped(el, entries, args.Fields) {
		return
	}
	var fields []*model.Field // without omitted ones
	for i, e := range entries {
		f := args.Fields[i]
		what := fmt.Sprintf("field %s of %s", f.Name, args.Go)
		if e.Note.Omit {
			b.checkOmitted(el, e, what, func() (*model.Type, error) { return f.Type, nil }, f.Type)
			continue
		}
		b.checkArg(el, e, what, f)
		partBinder{b}.describeArgument(el, el.pathEntries("arg", i+1), &e.Note, f)
		fields = append(fields, f)
	}
	if len(entries) > 0 {
		args.Fields = fields
		partBinder{b}.reportStrayPaths(el, "arg", len(entries))
	}
}

// reportUnknownObject checks the only note on the arguments object. If the type in the note does not
// exist, it reports that and returns true.
func (b *binder) reportUnknownObject(el *element, e aion.Entry) bool {
	if e.Note.Type == "" {
		return false
	}
	if _, err := b.scope.NoteType(e.Note.Type); err == nil || values.WordOf(e.Note.Type).Kind != 0 {
		return false
	}
	d := el.faults.Errorf("unknown-type", e.Note.Span, "%s: %q is neither a type word nor a Go type of package %s", e.Name.Value, e.Note.Type, b.pkg.Name)
	word := ""
	if i := b.findArgsObject(el); i >= 0 {
		word = strings.TrimPrefix(b.pkg.TypeName(el.params[i].Type()), "*")
	}
	b.scope.HelpType(d, &e.Note, word)
	return true
}

// checkResults checks the notes on returns against the results and applies them. The list fields has one
// element for each result. The element is nil if the tool leaves out the result. If there is only one result,
// checkResults returns its description.
func (b *binder) checkResults(el *element, results []*types.Var, fields []*model.Field) string {
	entries := el.Function.Returns
	hasNoResult := len(results) == 0 || len(results) == 1 && fields[0] == nil
	if len(entries) == 1 && values.WordOf(entries[0].Note.Type).Kind == values.NoneKind && hasNoResult && !entries[0].Note.Omit {
		return entries[0].Note.Description
	}
	defer partBinder{b}.reportStrayPaths(el, "return", len(results))
	description := ""
	if len(results) == 1 {
		description = cmp.Or(b.docOfVar(el, results[0]), b.docs.PackageDoc(el.fn.Pkg()).Functions[el.fn.DocKey].Result)
	}
	if len(entries) == 0 {
		for i, f := range fields {
			if f != nil {
				f.Type = partBinder{b}.describeResult(el, el.pathEntries("return", i+1), f.Type)
			}
		}
		el.warnOfTodo(description, fmt.Sprintf("the result of tool %q", el.tool.Name))
		return description
	}
	if len(entries) != len(results) {
		b.reportWrongCount(el, entries, "return", len(results), b.formatSignature(el, results))
		return ""
	}
	single := ""
	for i, e := range entries {
		what, field := fmt.Sprintf("result %d", i+1), fields[i]
		if field == nil {
			el.addFaults(checkResultNote(e, nil))
			read := func() (*model.Type, error) {
				t, _, err := b.shapes.ReadResult(results[i].Type(), el.functionSpan())
				return t, err
			}
			t, _ := b.readOpaqueType(results[i].Type())
			b.checkOmitted(el, e, what, read, t)
			continue
		}
		declared := partBinder{b}.assertType(el, &e.Note, field.Type, partBinder{b}.readResultType)
		el.addFaults(checkResultNote(e, declared))
		field.Type = b.narrowByNote(el, e, declared)
		b.checkNote(el, e, what, field, declared)
		field.Type = partBinder{b}.describeResult(el, el.pathEntries("return", i+1), field.Type)
		single = cmp.Or(e.Note.Description, description)
	}
	return single
}

// findObjectNote returns the note that describes the arguments object as a whole, or nil if there
// is none.
func (b *binder) findObjectNote(el *element, args *model.Type) *aion.Entry {
	entries := el.objectNotes()
	isLambda := el.fn.Literal != nil && el.fn.Literal.Lambda != nil // the note gives the parameter its type
	if len(entries) == 1 && (b.notes.meansObject(entries[0].Note.Type, args) || isLambda) {
		return &entries[0]
	}
	return nil
}

// objectNotes returns the notes on an arguments object or on its fields. If the function has other
// parameters too, and each parameter has a note, objectNotes leaves out the notes with the option omit.
func (el *element) objectNotes() []aion.Entry {
	if len(el.params) == 1 || len(el.params) != len(el.Function.Args) {
		return el.Function.Args
	}
	return slices.DeleteFunc(slices.Clone(el.Function.Args), func(e aion.Entry) bool { return e.Note.Omit })
}
