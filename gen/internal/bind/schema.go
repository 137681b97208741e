package bind

import (
	"cmp"
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/custom"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/internal/values"
	"github.com/aiongen/aiongen/internal/words"
)

// matchObjectSchema holds an args_schema against the struct that the function
// takes: it names that type, or lists its fields.
func (b *binder) matchObjectSchema(el *element, args *model.Type) {
	if el.Schema.Name == nil {
		b.matchFields(el, args, nil)
		return
	}
	written, err := b.scope.GoType(el.Schema.Name.Value)
	if err != nil {
		b.missingSchema(*el.Schema.Name)
		return
	}
	if !reflect.DeepEqual(written, args.Go) {
		d := b.faults.Errorf("schema-mismatch", el.Schema.Name.Span, "args_schema is %s, but %s takes %s", written, el.fn.Describe(), args.Go)
		d.Related = b.scope.Declaration(el.fn)
	}
}

// matchSchema holds an args_schema against the parameters of the function: a
// struct type whose fields match them by name, or a list of fields.
func (b *binder) matchSchema(el *element, params []*types.Var, args *model.Type) {
	if el.Schema.Name == nil {
		b.matchFields(el, args, params)
		return
	}
	shape, ok := b.namedSchema(el, *el.Schema.Name)
	if !ok {
		return
	}
	if len(shape.Fields) != len(args.Fields) {
		b.schemaCount(el, el.Schema.Name.Span, fieldNames(shape), b.signatureOf(el, params))
		return
	}
	var names []string
	for _, f := range args.Fields {
		names = append(names, f.Name)
	}
	for i, f := range meant(names, shape.Fields) {
		field := args.Fields[i]
		if f == nil || !reflect.DeepEqual(f.Type.Go, field.Type.Go) {
			b.schemaCount(el, el.Schema.Name.Span, fieldNames(shape), b.signatureOf(el, params))
			return
		}
		described := *f
		described.Path, described.Within, described.Omit = field.Path, nil, field.Omit
		described.Description = cmp.Or(field.Description, f.Description)
		*field = described
	}
}

func (b *binder) namedSchema(el *element, name aion.Text) (*model.Type, bool) {
	t, err := b.scope.TypeOf(strings.TrimSpace(name.Value))
	if err != nil {
		b.missingSchema(name)
		return nil, false
	}
	read, err := b.argument(el, t)
	if err == nil && read.Kind != model.StructKind {
		err = fmt.Errorf("a note would call it %q", shape.Word(read))
	}
	if err != nil {
		d := b.faults.Errorf("schema-mismatch", name.Span, "args_schema %s is no struct that JSON has as an object: %v", b.pkg.TypeName(t), err)
		if named, ok := types.Unalias(t).(*types.Named); ok {
			d.Related = b.pkg.Declared(named.Obj())
		}
		return nil, false
	}
	return read, true
}

func (b *binder) schemaCount(el *element, at diag.Span, fields, params string) {
	d := b.faults.Errorf("schema-mismatch", at, "the fields of args_schema (%s) are not the parameters of %s %s", fields, el.fn.Describe(), params)
	d.Related = b.scope.Declaration(el.fn)
	d.Help = []string{"give every parameter one field of the same name and type, as in user_id for userID"}
}

// matchFields takes over an args_schema block: names, order and notes. The
// names of a struct's fields stay, those of parameters become the block's.
func (b *binder) matchFields(el *element, args *model.Type, params []*types.Var) {
	var names []string
	for _, e := range el.Schema.Fields {
		names = append(names, e.Name.Value)
	}
	found := meant(names, args.Fields)
	var ordered []*model.Field
	for i, e := range el.Schema.Fields {
		f := found[i]
		if f == nil {
			b.noArgument(el, e.Name, args.Fields)
			continue
		}
		if params != nil {
			f.Name = e.Name.Value
		}
		if e.Note.Omit {
			b.checkOmitted(el, e, "argument "+f.Name, func() (*model.Type, error) { return f.Type, nil }, f.Type)
			if f.Hidden { // a parameter
				ordered = append(ordered, f)
			}
			continue
		}
		f.Type = b.given(el, e.Note.Type, f.Type)
		check := b.checkArg
		if params != nil {
			check = b.checkParam
		}
		check(el, e, "argument "+f.Name, f)
		ordered = append(ordered, f)
	}
	for _, f := range args.Fields {
		if !slices.Contains(found, f) {
			b.faults.Errorf("schema-mismatch", el.Schema.Span, "args_schema leaves out the argument %s of %s", f.Name, el.fn.Describe()).
				Help = []string{fmt.Sprintf("add %s --> %q", f.Name, shape.Word(f.Type))}
		}
	}
	args.Fields = ordered
}

// noArgument reports a name in an args_schema that means no argument, or one that
// another name means.
func (b *binder) noArgument(el *element, name aion.Text, fields []*model.Field) {
	var names []string
	for _, f := range fields {
		if words.Folded(f.Name) == words.Folded(name.Value) {
			b.faults.Errorf("schema-mismatch", name.Span, "the argument %s of %s is given twice", name.Value, el.fn.Describe())
			return
		}
		names = append(names, f.Name)
	}
	d := b.faults.Errorf("schema-mismatch", name.Span, "%s has no argument %s", el.fn.Describe(), name.Value)
	if near := words.Nearest(name.Value, names); near != "" {
		d.Help = []string{fmt.Sprintf("did you mean %s?", near)}
		d.WithGuess(diag.Edit{Span: name.Span, Text: near})
	}
	d.Related = b.scope.Declaration(el.fn)
}

// meant finds the fields that names stand for, nil for none: for each the one of
// just that name, and then, of those left, one whose spelling differs.
func meant(names []string, fields []*model.Field) []*model.Field {
	found := make([]*model.Field, len(names))
	exactName := func(name string) string { return name }
	for _, spelling := range []func(string) string{exactName, words.Folded} {
		for i, name := range names {
			if found[i] != nil {
				continue
			}
			match := func(f *model.Field) bool {
				return spelling(f.Name) == spelling(name) && !slices.Contains(found, f)
			}
			if at := slices.IndexFunc(fields, match); at >= 0 {
				found[i] = fields[at]
			}
		}
	}
	return found
}

// given is a type of which only encoding/json knows what it reads, as a note
// describes it: arguments are checked to be that before encoding/json gets them.
// Other types come from Go alone.
func (b *binder) given(el *element, word string, t *model.Type) *model.Type {
	described := *t
	switch w := values.WordOf(word); {
	case t.Kind == model.Custom:
		described.Elem = cmp.Or(b.wordShape(el, word), t.Elem)
	case t.Kind == model.Pointer:
		described.Elem = b.given(el, word, t.Elem)
	case (t.Kind == model.Slice || t.Kind == model.Map) && w.Elem != "":
		described.Elem = b.given(el, w.Elem, t.Elem)
	}
	if described.Elem == t.Elem {
		return t
	}
	described.Narrowed = true
	return &described
}

// wordShape is what a note's type, a word or a Go type, stands for on its own;
// nil if it is neither.
func (b *binder) wordShape(el *element, word string) *model.Type {
	t, err := b.scope.NoteType(word)
	if err != nil {
		return nil
	}
	read, err := b.argument(el, t)
	if err != nil {
		return nil
	}
	if untold, _ := custom.Whole(read); untold != nil {
		return nil
	}
	return read
}

// missingSchema reports that args_schema names a type that does not exist.
func (b *binder) missingSchema(name aion.Text) {
	var faults diag.List
	b.scope.MissingSchema(&faults, name)
	b.faults.Add(faults)
}
