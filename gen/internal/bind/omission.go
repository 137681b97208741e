package bind

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/internal/words"
)

// An omission is a proposal to change notes so that they omit values which JSON cannot carry.
type omission struct {
	text  string      // the changed notes, for messages
	edits []diag.Edit // the edits that change the notes; nil if other notes have to be deleted
}

// An omissionWriter adds options to the notes on the arguments or results of a tool.
type omissionWriter struct {
	entries  []aion.Entry
	names    []string // names of the values that the entries describe
	types    []string // type words, for notes without a type
	existing int      // number of entries that are in the file
	listed   int      // number of arguments that the interface block lists
	changed  []int    // indexes of entries
}

// OmitUnseen changes the notes on values with the given names so that they omit u, which is a part
// of one of the values or the variadic parameter with the given number. It returns the notes and
// the index of the changed one, or -1 if there is none.
func OmitUnseen(entries []aion.Entry, names []string, u model.Unseen, number int) ([]aion.Entry, int) {
	if u.Param {
		name := fmt.Sprintf("arg-%d", number)
		if number == 0 { // args_schema, which has names instead of numbers
			name = u.Name
		}
		return append(slices.Clip(entries), aion.Entry{Name: aion.Text{Value: name}, Note: aion.Note{Type: "any", Omit: true}}), len(entries)
	}
	i := slices.IndexFunc(names, func(name string) bool { return words.FoldName(name) == words.FoldName(u.Path[0]) })
	if i >= 0 {
		n := &entries[i].Note
		paths := append(slices.Clip(n.Paths("omit")), aion.Path{Names: u.Path[1:]})
		n.Shape = slices.DeleteFunc(slices.Clone(n.Shape), func(s aion.Shaping) bool { return s.Option == "omit" })
		n.Shape = append(n.Shape, aion.Shaping{Option: "omit", Paths: paths})
	}
	return entries, i
}

// omitAll changes the notes so that they omit all lost values.
func (o *omissionWriter) omitAll(lost []model.Unseen) {
	for _, u := range lost {
		var i int
		if o.entries, i = OmitUnseen(o.entries, o.names, u, o.listed+1); i >= 0 && !slices.Contains(o.changed, i) {
			o.changed = append(o.changed, i)
			if n := &o.entries[i].Note; n.Type == "" && i < len(o.types) {
				n.Type = o.types[i]
			}
		}
	}
}

// finish returns the omission. If the file has notes already, the text has only the changed ones.
func (o *omissionWriter) finish(f *aion.Function) omission {
	var result omission
	var shown, added []string
	for i, e := range o.entries {
		text := fmt.Sprintf("%s --> %q", e.Name.Value, withoutTODO(e.Note).String())
		if o.existing == 0 || slices.Contains(o.changed, i) {
			shown = append(shown, text)
		}
		switch {
		case i >= o.existing:
			added = append(added, text)
		case slices.Contains(o.changed, i):
			result.edits = append(result.edits, e.Note.Written().Rewrite(e.Note.String())...)
		}
	}
	result.text = strings.Join(shown, ", ")
	if len(added) > 0 {
		result.edits = append(result.edits, insertEntries(f, o.entries[:o.existing], strings.Join(added, ", ")))
	}
	return result
}

// withoutTODO returns a note without a description that is still a TODO.
func withoutTODO(n aion.Note) aion.Note {
	if strings.HasPrefix(n.Description, "TODO:") {
		n.Description = ""
	}
	return n
}

// insertEntries returns the edit that adds entries after the others or, if there are none, to the
// interface block of a function.
func insertEntries(f *aion.Function, others []aion.Entry, text string) diag.Edit {
	all := slices.Concat(f.Args, f.Returns)
	if len(others) == 0 {
		others = all
	}
	if len(others) > 0 {
		return others[len(others)-1].Note.Span.Insert(", " + text)
	}
	at := f.Block
	at.End = at.Start
	at.End.Offset++
	at.End.Column++
	return at.Insert(" " + text + " ")
}

// omitArguments returns the notes that omit parts of the arguments.
func (b *binder) omitArguments(el *element, lost []model.Unseen) omission {
	o := omissionWriter{listed: len(el.Function.Args)}
	if slices.ContainsFunc(el.tool.Func.Args, func(a model.Arg) bool { return a.Source == model.FromArgs || a.Source == model.FromArgsPtr }) {
		return b.omitFromObject(el, &o, lost)
	}
	for _, f := range el.args.Fields {
		o.names, o.types = append(o.names, f.Name), append(o.types, shape.TypeWord(f.Type))
	}
	switch {
	case el.Schema != nil && len(el.Schema.Fields) > 0:
		o.entries, o.existing, o.listed = slices.Clone(el.Schema.Fields), len(el.Schema.Fields), -1
		fields := o.names
		o.names, o.types = nil, nil
		for _, e := range o.entries {
			i := slices.IndexFunc(fields, func(name string) bool { return words.FoldName(name) == words.FoldName(e.Name.Value) })
			o.names, o.types = append(o.names, e.Name.Value), append(o.types, shape.TypeWord(el.args.Fields[max(i, 0)].Type))
		}
	case len(el.Function.Args) > 0:
		o.entries, o.existing = slices.Clone(el.Function.Args), len(el.Function.Args)
	default:
		for i, f := range el.args.Fields {
			o.entries = append(o.entries, b.newArgEntry(el, i, f.Type))
		}
		o.listed = len(o.entries)
	}
	o.omitAll(lost)
	return o.finish(el.Function)
}

// omitFromObject returns the notes that omit fields of the arguments object. A field that
// JSON cannot carry has no note of its own, so only a note on the whole object can name it.
func (b *binder) omitFromObject(el *element, o *omissionWriter, lost []model.Unseen) omission {
	notes := el.objectNotes()
	isField := func(u model.Unseen) bool { return u.Param || len(u.Path) == 1 }
	if len(notes) > 0 && b.findObjectNote(el, el.args) == nil && !slices.ContainsFunc(lost, isField) {
		o.entries, o.existing = slices.Clone(notes), len(notes)
		for _, f := range notedFields(el, notes) {
			o.names, o.types = append(o.names, f.Name), append(o.types, shape.TypeWord(f.Type))
		}
		o.omitAll(lost)
		return o.finish(el.Function)
	}
	const objectName = "arguments"
	o.names, o.types = []string{objectName}, []string{"dict"}
	var described []string // notes on fields, if args_schema has to replace them
	if len(notes) > 0 && b.findObjectNote(el, el.args) != nil {
		o.entries, o.existing = slices.Clone(notes), len(notes)
	} else {
		o.entries, o.listed = []aion.Entry{b.newArgEntry(el, b.findArgsObject(el), el.args)}, 1
		for i, f := range notedFields(el, notes) {
			if f.Name != "" {
				described = append(described, fmt.Sprintf("%s --> %q", f.Name, withoutTODO(notes[i].Note).String()))
			}
		}
	}
	for _, u := range lost {
		if !u.Param {
			u.Path = slices.Concat([]string{objectName}, u.Path)
		}
		o.omitAll([]model.Unseen{u})
	}
	result := o.finish(el.Function)
	if described == nil {
		return result
	}
	result.edits = nil
	if el.Schema == nil {
		result.text += ", and describe the fields by name: args_schema --> { " + strings.Join(described, ", ") + " }"
	}
	return result
}

// notedFields returns the field of the arguments object for each note. For a note that omits its
// field, it returns a field without a name.
func notedFields(el *element, notes []aion.Entry) (fields []*model.Field) {
	next := 0
	for _, e := range notes {
		if e.Note.Omit && len(el.args.Fields) < len(notes) || next == len(el.args.Fields) {
			fields = append(fields, &model.Field{Type: &model.Type{Kind: model.Any}})
			continue
		}
		fields = append(fields, el.args.Fields[next])
		next++
	}
	return fields
}

// omitResults returns the notes that omit parts of the results. The list fields has one element for each
// result. The element is nil if the tool leaves out the result.
func (el *element) omitResults(fields []*model.Field, lost []model.Unseen) omission {
	o := omissionWriter{entries: slices.Clone(el.Function.Returns), existing: len(el.Function.Returns)}
	single := ""
	for i, f := range fields {
		if o.existing == 0 {
			e := aion.Entry{Name: aion.Text{Value: fmt.Sprintf("return-%d", i+1)}, Note: aion.Note{Type: "any", Omit: true}}
			if f != nil {
				e = newOmissionEntry("return", i, f.Type.Described())
			}
			o.entries = append(o.entries, e)
		}
		o.names, o.types = append(o.names, ""), append(o.types, "any")
		if f != nil {
			o.names[i], o.types[i], single = f.Name, shape.TypeWord(f.Type.Described()), f.Name
		}
	}
	for _, u := range lost {
		if el.tool.Func.CountReturned() == 1 { // the result has no name
			u.Path = slices.Concat([]string{single}, u.Path)
		}
		o.omitAll([]model.Unseen{u})
	}
	return o.finish(el.Function)
}

// newArgEntry returns an entry for a parameter without a note. In a lambda, the entry has the Go
// type, which decides what the lambda may do with the value.
func (b *binder) newArgEntry(el *element, i int, t *model.Type) aion.Entry {
	e := newOmissionEntry("arg", i, t)
	if el.fn.Literal != nil && el.fn.Literal.Lambda != nil && !e.Note.Ref {
		e.Note.Type = b.pkg.TypeName(el.params[i].Type())
	}
	return e
}

// newOmissionEntry returns an entry for a value without a note.
func newOmissionEntry(kind string, i int, t *model.Type) aion.Entry {
	note := aion.Note{Type: shape.TypeWord(t), Ref: t.Kind == model.Ref}
	return aion.Entry{Name: aion.Text{Value: fmt.Sprintf("%s-%d", kind, i+1)}, Note: note}
}
