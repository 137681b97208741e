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
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/internal/values"
	"github.com/aiongen/aiongen/internal/words"
)

// matchObjectSchema checks an args_schema against the struct that the function takes. The
// args_schema names the type or lists its fields.
func (b *binder) matchObjectSchema(el *element, args *model.Type) {
	if el.Schema.Name == nil {
		b.matchFields(el, args, nil)
		partBinder{b}.describeSchemaParts(el, args)
		return
	}
	schemaType, err := b.scope.GoType(el.Schema.Name.Value)
	if err != nil {
		b.reportMissingSchema(el, *el.Schema.Name)
		return
	}
	if !reflect.DeepEqual(schemaType, args.Go) {
		d := el.faults.Errorf("schema-mismatch", el.Schema.Name.Span, "args_schema is %s, but %s takes %s", schemaType, el.fn.Describe(), args.Go)
		b.helpWithSchema(d, el, *el.Schema.Name)
		d.Related = b.scope.RelatedDeclaration(el.fn)
	}
}

// matchSchema checks an args_schema against the parameters of the function. The args_schema names a
// struct with matching fields, or lists the parameters.
func (b *binder) matchSchema(el *element, params []*types.Var, args *model.Type) {
	if el.Schema.Name == nil {
		b.matchFields(el, args, params)
		partBinder{b}.describeSchemaParts(el, args)
		return
	}
	schemaType, ok := b.readNamedSchema(el, *el.Schema.Name)
	if !ok {
		return
	}
	if len(schemaType.Fields) != len(args.Fields) {
		b.reportSchemaFields(el, el.Schema.Name.Span, joinFieldNames(schemaType), b.formatSignature(el, params))
		return
	}
	for i, f := range matchFieldNames(listFieldNames(args.Fields), schemaType.Fields) {
		field := args.Fields[i]
		if f == nil || !reflect.DeepEqual(f.Type.Go, field.Type.Go) {
			b.reportSchemaFields(el, el.Schema.Name.Span, joinFieldNames(schemaType), b.formatSignature(el, params))
			return
		}
		described := *f
		described.Path, described.Within, described.Omit = field.Path, nil, field.Omit
		described.Description = cmp.Or(field.Description, f.Description)
		*field = described
	}
}

func (b *binder) readNamedSchema(el *element, name aion.Text) (*model.Type, bool) {
	t, err := b.scope.TypeOf(strings.TrimSpace(name.Value))
	if err != nil {
		b.reportMissingSchema(el, name)
		return nil, false
	}
	typ, err := b.readArgumentType(el, t)
	if err == nil && typ.Kind != model.StructKind {
		err = fmt.Errorf("its type word is %q", shape.TypeWord(typ))
	}
	if err != nil {
		d := el.faults.Errorf("schema-mismatch", name.Span, "args_schema %s is not a struct that JSON represents as an object: %v", b.pkg.TypeName(t), err)
		b.helpWithSchema(d, el, name)
		if named, ok := types.Unalias(t).(*types.Named); ok {
			d.Related = b.pkg.RelatedDeclaration(named.Obj())
		}
		return nil, false
	}
	return typ, true
}

func (b *binder) reportSchemaFields(el *element, at diag.Span, fields, params string) {
	d := el.faults.Errorf("schema-mismatch", at, "the fields of args_schema (%s) are not the parameters of %s %s", fields, el.fn.Describe(), params)
	d.Related = b.scope.RelatedDeclaration(el.fn)
	b.helpWithSchema(d, el, *el.Schema.Name)
	d.WithHelp("a struct type has one field for every parameter, of the same name and type, as in user_id for userID")
}

// matchFields applies the names, order and notes of an args_schema block. Parameters take the names
// in the block. If params is nil, the arguments are the fields of a struct, which keep their names.
func (b *binder) matchFields(el *element, args *model.Type, params []*types.Var) {
	if len(el.Schema.Fields) == 0 && len(el.Schema.Paths) > 0 || el.reportJSONSchema(args.Fields) {
		return // entries with paths do not list the arguments
	}
	found := matchFieldNames(entryNames(el.Schema.Fields), args.Fields)
	var ordered []*model.Field
	for i, e := range el.Schema.Fields {
		f := found[i]
		if f == nil {
			b.reportNoArgument(el, e.Name, args.Fields)
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
		f.Type = b.describeCustomType(el, &e.Note, f.Type)
		check := b.checkArg
		if params != nil {
			check = b.checkParam
		}
		check(el, e, "argument "+f.Name, f)
		ordered = append(ordered, f)
	}
	el.reportLeftOut(args.Fields, found)
	args.Fields = ordered
}

// reportLeftOut reports the arguments that an args_schema leaves out. It ignores an argument that is
// probably listed under a misspelled name, which reportNoArgument reports.
func (el *element) reportLeftOut(fields, found []*model.Field) {
	unknown := slices.Index(found, nil)
	for _, f := range fields {
		if slices.Contains(found, f) {
			continue
		}
		if unknown >= 0 && (len(fields) == 1 && len(found) == 1 || words.Nearest(el.Schema.Fields[unknown].Name.Value, []string{f.Name}) != "") {
			continue
		}
		added := fmt.Sprintf("%s --> %q", f.Name, shape.TypeWord(f.Type))
		d := el.faults.Errorf("schema-mismatch", el.Schema.Span, "args_schema leaves out the argument %s of %s", f.Name, el.fn.Describe())
		d.WithHelp("add %s", added)
		if n := len(el.Schema.Fields); n > 0 {
			d.WithGuess(el.Schema.Fields[n-1].Note.Span.Insert(", " + added))
		}
	}
}

// reportNoArgument reports a name in an args_schema that matches no argument, or an argument that
// is listed already.
func (b *binder) reportNoArgument(el *element, name aion.Text, fields []*model.Field) {
	names := listFieldNames(fields)
	if slices.ContainsFunc(names, func(known string) bool { return words.FoldName(known) == words.FoldName(name.Value) }) {
		el.faults.Errorf("schema-mismatch", name.Span, "the argument %s of %s is listed twice", name.Value, el.fn.Describe())
		return
	}
	d := el.faults.Errorf("schema-mismatch", name.Span, "%s has no argument %s", el.fn.Describe(), name.Value)
	if near := words.Nearest(name.Value, names); near != "" {
		d.Help = []string{fmt.Sprintf("did you mean %s?", near)}
		d.WithGuess(diag.Edit{Span: name.Span, Text: near})
	} else if len(fields) == 1 && len(el.Schema.Fields) == 1 {
		d.WithHelp("write %s, the only argument", names[0]).WithGuess(diag.Edit{Span: name.Span, Text: names[0]})
	} else if len(names) > 0 {
		d.WithHelp("its arguments are %s", words.Sample(names))
	} else {
		d.WithHelp("%s has no arguments: leave out args_schema", el.fn.Describe())
	}
	d.Related = b.scope.RelatedDeclaration(el.fn)
}

// matchFieldNames returns the field for each name, or nil if there is none. Exact matches take
// precedence over other spellings.
func matchFieldNames(names []string, fields []*model.Field) []*model.Field {
	found := make([]*model.Field, len(names))
	exactName := func(name string) string { return name }
	for _, spelling := range []func(string) string{exactName, words.FoldName} {
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

// describeCustomType adds the type of a note to a type with its own UnmarshalJSON, as a description
// of its JSON. Generated code checks arguments against that description before encoding/json reads
// them. Other types, and types with the option fields, are returned unchanged.
func (b *binder) describeCustomType(el *element, n *aion.Note, t *model.Type) *model.Type {
	if n.Fields {
		return t
	}
	return b.describeByWord(el, n.Type, t)
}

// describeByWord implements describeCustomType for t, which may be a part of the whole type. The string word
// is the part of the note's type that describes t: int if t is the element type for the note list[int].
func (b *binder) describeByWord(el *element, word string, t *model.Type) *model.Type {
	elem := t.Elem
	switch w := values.WordOf(word); {
	case t.Kind == model.Custom:
		elem = cmp.Or(b.readWordType(el, word), t.Elem)
	case t.Kind == model.Pointer:
		elem = b.describeByWord(el, word, t.Elem)
	case (t.Kind == model.Slice || t.Kind == model.Map) && w.Elem != "":
		elem = b.describeByWord(el, w.Elem, t.Elem)
	}
	return t.WithElem(elem)
}

// readWordType reads the shape of the type of a note, which is a word or a Go type. It returns nil
// if there is no such type.
func (b *binder) readWordType(el *element, word string) *model.Type {
	t, err := b.scope.NoteType(word)
	if err != nil {
		return nil
	}
	typ, err := b.readArgumentType(el, t)
	if err != nil {
		return nil
	}
	if undescribed, _ := shape.FindUndescribed(typ); undescribed != nil {
		return nil
	}
	return typ
}

func (b *binder) reportMissingSchema(el *element, name aion.Text) {
	b.scope.ReportMissingSchema(&el.faults, name)
	if d := el.faults[len(el.faults)-1]; len(d.Help) == 0 {
		b.helpWithSchema(d, el, name)
	}
}

// helpWithSchema adds help with an args_schema that matches the parameters of the function.
func (b *binder) helpWithSchema(d *diag.Diagnostic, el *element, name aion.Text) {
	if i := b.findArgsObject(el); i >= 0 {
		typeName := strings.TrimPrefix(b.pkg.TypeName(el.params[i].Type()), "*")
		d.WithHelp("%s takes %s: write args_schema --> %q, or leave it out", el.fn.Describe(), typeName, typeName).WithGuess(name.Rewrite(typeName)...)
		return
	}
	var list []string
	for i, v := range el.params {
		if typ, err := b.readArgumentType(el, v.Type()); err == nil {
			list = append(list, fmt.Sprintf("%s --> %q", paramJSONName(el, v, i), shape.TypeWord(typ)))
		}
	}
	if len(list) == len(el.params) && len(list) > 0 {
		text := "{ " + strings.Join(list, ", ") + " }"
		d.WithHelp("write args_schema --> %s, or leave it out", text).WithGuess(diag.Edit{Span: name.Span, Text: text})
	}
}

// schemaKeywords are members of JSON Schemas that users write in an args_schema by mistake.
var schemaKeywords = map[string]bool{
	"$schema": true, "additionalProperties": true, "description": true, "properties": true, "required": true, "title": true, "type": true,
}

// reportJSONSchema reports an args_schema that contains a JSON Schema instead of arguments. It
// returns true if it has reported the args_schema.
func (el *element) reportJSONSchema(fields []*model.Field) bool {
	keywords := 0
	for _, e := range el.Schema.Fields {
		argument := matchFieldNames([]string{e.Name.Value}, fields)[0]
		if argument == nil && schemaKeywords[e.Name.Value] {
			keywords++
		}
	}
	if keywords < 2 && (keywords == 0 || len(el.Schema.Fields) > 1) {
		return false
	}
	text := "{ " + suggestArgsSchema(fields) + " }"
	el.faults.Errorf("schema-mismatch", el.Schema.Span, "args_schema contains a JSON Schema, but it must list the arguments by name").
		WithHelp("write args_schema --> %s", text).
		WithGuess(diag.Edit{Span: el.Schema.Span, Text: text})
	return true
}
