package bind

import (
	"fmt"
	"go/types"
	"reflect"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/model"
)

// matchObjectSchema holds an args_schema against the struct that the function
// takes: it names that type, or lists its fields.
func (b *binder) matchObjectSchema(el *aion.Element, t target, args *model.Type) {
	if el.Schema.Name == nil {
		b.matchFields(el, t, args, nil)
		return
	}
	written, err := b.evalType(el.Schema.Name.Value)
	if err != nil {
		b.missingSchema(*el.Schema.Name)
		return
	}
	if !reflect.DeepEqual(written, args.Go) {
		d := b.faults.Errorf("schema-mismatch", el.Schema.Name.Span, "args_schema is %s, but %s takes %s", written, t.obj.Name(), args.Go)
		d.Related = b.related(t.obj, t.obj.Name()+" is declared here")
	}
}

// matchSchema holds an args_schema against the parameters of the function: a
// struct type whose fields match them by name, or a list of fields.
func (b *binder) matchSchema(el *aion.Element, t target, params []*types.Var, args *model.Type) {
	if el.Schema.Name == nil {
		b.matchFields(el, t, args, params)
		return
	}
	shape, ok := b.namedSchema(*el.Schema.Name)
	if !ok {
		return
	}
	matched := map[string]*model.Field{}
	for _, f := range shape.Fields {
		matched[looseName(f.Name)] = f
	}
	if len(shape.Fields) != len(args.Fields) {
		b.schemaCount(el.Schema.Name.Span, t, fieldNames(shape), b.signatureOf(params))
		return
	}
	for _, field := range args.Fields {
		f := matched[looseName(field.Name)]
		if f == nil || !reflect.DeepEqual(f.Type.Go, field.Type.Go) {
			b.schemaCount(el.Schema.Name.Span, t, fieldNames(shape), b.signatureOf(params))
			return
		}
		field.Name, field.Optional = f.Name, f.Optional
		if field.Description == "" {
			field.Description = f.Description
		}
	}
}

func (b *binder) namedSchema(name aion.Text) (*model.Type, bool) {
	tn, ok := b.pkg.Types.Scope().Lookup(strings.TrimSpace(name.Value)).(*types.TypeName)
	if !ok {
		b.missingSchema(name)
		return nil, false
	}
	shape, err := b.args.shape(tn.Type(), tn.Name())
	if err != nil || shape.Kind != model.StructKind {
		d := b.faults.Errorf("schema-mismatch", name.Span, "args_schema %s is no struct that JSON can carry", tn.Name())
		d.Related = b.related(tn, tn.Name()+" is declared here")
		return nil, false
	}
	return shape, true
}

func (b *binder) schemaCount(at diag.Span, t target, fields, params string) {
	d := b.faults.Errorf("schema-mismatch", at, "the fields of args_schema (%s) are not the parameters of %s %s", fields, t.obj.Name(), params)
	d.Related = b.related(t.obj, t.obj.Name()+" is declared here")
	d.Help = []string{"give every parameter one field of the same name and type, as in user_id for userID"}
}

func (b *binder) missingSchema(name aion.Text) {
	var structs []string
	scope := b.pkg.Types.Scope()
	for _, n := range scope.Names() {
		if tn, ok := scope.Lookup(n).(*types.TypeName); ok {
			if _, ok := tn.Type().Underlying().(*types.Struct); ok {
				structs = append(structs, n)
			}
		}
	}
	d := b.faults.Errorf("unknown-schema", name.Span, "there is no struct type %s in package %s", name.Value, b.pkg.Name)
	if near := diag.Nearest(name.Value, structs); near != "" {
		d.Help = []string{fmt.Sprintf("did you mean %s%s?", near, b.place(scope.Lookup(near)))}
	}
}

// matchFields takes over an args_schema block: names, order and notes. The
// names of a struct's fields stay, those of parameters become the block's.
func (b *binder) matchFields(el *aion.Element, t target, args *model.Type, params []*types.Var) {
	left := map[string]*model.Field{}
	for _, f := range args.Fields {
		left[looseName(f.Name)] = f
	}
	var ordered []*model.Field
	for _, e := range el.Schema.Fields {
		f := left[looseName(e.Name.Value)]
		if f == nil {
			d := b.faults.Errorf("schema-mismatch", e.Name.Span, "%s has no argument %s", t.obj.Name(), e.Name.Value)
			if near := diag.Nearest(e.Name.Value, strings.Split(fieldNames(args), ", ")); near != "" {
				d.Help = []string{fmt.Sprintf("did you mean %s?", near)}
			}
			d.Related = b.related(t.obj, t.obj.Name()+" is declared here")
			continue
		}
		delete(left, looseName(e.Name.Value))
		if params != nil {
			f.Name = e.Name.Value
		}
		b.checkArg(e, t, "argument "+f.Name, f)
		ordered = append(ordered, f)
	}
	for _, f := range args.Fields {
		if left[looseName(f.Name)] == f {
			b.faults.Errorf("schema-mismatch", el.Schema.Span, "args_schema leaves out the argument %s of %s", f.Name, t.obj.Name()).
				Help = []string{fmt.Sprintf("add %s --> %q", f.Name, wordFor(f.Type))}
		}
	}
	args.Fields = ordered
}

// looseName is a name without what distinguishes spellings: user_id and userID
// are one.
func looseName(name string) string {
	return strings.ToLower(strings.Join(splitName(name), ""))
}
