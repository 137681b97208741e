package bind

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// checkParams holds the notes on arguments against the parameters, and takes
// over what the notes say.
func (b *binder) checkParams(el *aion.Element, t target, params []*types.Var, args *model.Type) {
	entries := el.Function.Args
	if len(entries) > 0 && len(entries) != len(params) {
		b.wrongCount(t, entries, "argument", len(params), b.signatureOf(t, params))
		return
	}
	for i, e := range entries {
		b.checkArg(e, t, "parameter "+paramName(params[i], i), args.Fields[i])
	}
	if el.Schema != nil {
		b.matchSchema(el, t, params, args)
	}
}

// checkObject does the same for an arguments object: the notes count its
// fields, or a single one describes the object.
func (b *binder) checkObject(el *aion.Element, t target, args *model.Type) {
	if el.Schema != nil {
		b.matchObjectSchema(el, t, args)
	}
	entries := el.Function.Args
	byLambda := t.literal != nil && t.literal.lambda != nil // its one parameter has the type of the note
	if len(entries) == 1 && (isObjectWord(entries[0].Note.Type) || byLambda) {
		args.Description = entries[0].Note.Description
		return
	}
	if len(entries) > 0 && len(entries) != len(args.Fields) {
		d := b.wrongCount(t, entries, "argument", len(args.Fields), "the fields of "+args.Go.String()+": "+fieldNames(args))
		if len(entries) == 1 {
			d.WithHelp(`or describe them as a whole: arg-1 --> "dict (…)"`)
		}
		return
	}
	for i, e := range entries {
		f := args.Fields[i]
		b.checkArg(e, t, fmt.Sprintf("field %s of %s", f.Name, args.Go), f)
	}
}

func isObjectWord(word string) bool {
	return word == "dict" || word == "object"
}

// checkResults holds the notes on returns against the results. The note on a
// single result describes it as a whole.
func (b *binder) checkResults(el *aion.Element, tool *model.Tool, t target, results []*types.Var, shapes []*model.Type) string {
	entries := el.Function.Returns
	if len(entries) == 1 && isNone(entries[0].Note.Type) && len(results) == 0 {
		return entries[0].Note.Description
	}
	said := ""
	if len(results) == 1 {
		said = cmp.Or(b.itemOf(t, results[0]), b.docsOf(t.pkg()).about[t.docKey].result)
	}
	if len(entries) == 0 {
		b.toWrite(said, brace(el), fmt.Sprintf("the result of tool %q", tool.Name))
		return said
	}
	if len(entries) != len(results) {
		b.wrongCount(t, entries, "return", len(results), b.signatureOf(t, results))
		return ""
	}
	for i, e := range entries {
		field := &model.Field{Type: shapes[i]}
		if len(results) > 1 {
			field = tool.Result.Fields[i]
		}
		if hasOptions(e.Note) {
			b.badOption("note-option", e, "a result has no options").WithHelp("leave them out: they say what a model may send")
		}
		b.checkNote(e, t, fmt.Sprintf("result %d", i+1), field)
	}
	if len(results) == 1 {
		return cmp.Or(entries[0].Note.Description, said)
	}
	return ""
}

func isNone(word string) bool { return word == "none" || word == "null" }

// checkNote holds one note against the Go type of a field, and takes over what
// the note says.
func (b *binder) checkNote(e aion.Entry, t target, what string, field *model.Field) {
	note := e.Note
	if note.Description != "" {
		field.Description = note.Description
	}
	if note.Type == "" {
		return
	}
	ok, problem := b.accepts(note.Type, field.Type)
	switch {
	case problem != "":
		b.helpType(b.faults.Errorf("unknown-type", note.Span, "%s: %s", e.Name.Value, problem), note.Type)
	case !ok:
		d := b.faults.Errorf("type-mismatch", note.Span, "%s is %q here, but %s of %s is %s in Go", e.Name.Value, note.Type, what, t.describe(), field.Type.Go)
		d.Related = b.declaration(t)
		d.Help = []string{fmt.Sprintf("write %q", Word(field.Type))}
	}
}

// helpType helps with a type of a note that is none.
func (b *binder) helpType(d *diag.Diagnostic, written string) {
	if b.leftOut(d, b.pkg.Types, written, "") {
		return
	}
	inner, optional := strings.CutPrefix(written, "Optional[")
	own := b.unqualified(written)
	near := diag.Nearest(written, slices.Concat(aion.TypeWords, typeNames(b.pkg.Types)))
	switch {
	case optional:
		d.WithHelp("write %q", strings.TrimSuffix(inner, "]")+"?")
	case own != "":
		d.WithHelp("write %q: types of package %s stand without its name", own, b.pkg.Name)
	case near != "":
		d.WithHelp("did you mean %q?", near)
	default:
		d.WithHelp("write one of %s, or a Go type", strings.Join(aion.TypeWords, ", "))
	}
}

// unqualified is a Go type without the name of its own package, "" if that does
// not make it one.
func (b *binder) unqualified(text string) string {
	own := regexp.MustCompile(`\b`+regexp.QuoteMeta(b.pkg.Name)+`\.`).ReplaceAllString(text, "")
	if _, err := b.evalType(own); own == text || err != nil {
		return ""
	}
	return own
}

// checkArg does so for an argument, which may have options.
func (b *binder) checkArg(e aion.Entry, t target, what string, field *model.Field) {
	if findCustom(field.Type) != nil {
		return // checkCustom reports it, once
	}
	before := len(b.faults)
	b.checkNote(e, t, what, field)
	if b.faults[before:].Err() == nil {
		b.applyOptions(e, field)
	}
}

func (b *binder) wrongCount(t target, entries []aion.Entry, noun string, want int, list string) *diag.Diagnostic {
	d := b.faults.Errorf("wrong-count", entries[0].Name.Span, "the interface block lists %s, but %s has %s: %s",
		plural(len(entries), noun), t.describe(), plural(want, noun), list)
	d.Related = b.declaration(t)
	if want == 0 {
		d.Message = fmt.Sprintf("the interface block lists %s, but %s has none", plural(len(entries), noun), t.describe())
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
func (b *binder) signatureOf(t target, vars []*types.Var) string {
	var list []string
	params := t.sig.Params()
	for i, v := range vars {
		typ := b.typeName(v.Type())
		if t.sig.Variadic() && v == params.At(params.Len()-1) {
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
func (b *binder) accepts(word string, shape *model.Type) (ok bool, problem string) {
	exact := []model.GoType{shape.Go}
	for mayBeNull(shape) || (shape.Kind == model.Custom || shape.Kind == model.Opaque) && shape.Elem != nil {
		shape = shape.Elem
		exact = append(exact, shape.Go)
	}
	if ok, known := b.acceptsWord(word, shape); known {
		return ok, ""
	}
	if written, err := b.evalType(word); err == nil {
		return slices.ContainsFunc(exact, func(g model.GoType) bool { return reflect.DeepEqual(g, written) }), ""
	}
	if ok, known := b.acceptsWord(strings.ToLower(word), shape); known {
		return ok, ""
	}
	return false, fmt.Sprintf("%q is neither a type word nor a Go type of package %s", word, b.pkg.Name)
}

func (b *binder) acceptsWord(word string, t *model.Type) (ok, known bool) {
	w := aion.WordOf(word)
	ok = slices.Contains(acceptedKinds[w.Kind], t.Kind)
	if ok && w.Kind == aion.DictKind && w.Key != "" {
		ok = t.Kind == model.Map && aion.WordOf(w.Key).Kind == aion.StringKind
	}
	if ok && w.Elem != "" {
		ok, problem := b.accepts(w.Elem, t.Elem)
		return ok, problem == ""
	}
	return ok, w.Kind != 0
}

// acceptedKinds are the kinds of Go types that a type word accepts.
var acceptedKinds = map[aion.Kind][]model.Kind{
	aion.StringKind: {model.String, model.Bytes, model.Time, model.Duration, model.Text, model.URL, model.Quoted},
	aion.IntKind:    {model.Int, model.Uint, model.BigInt},
	aion.FloatKind:  {model.Float, model.Int, model.Uint, model.BigInt, model.Number},
	aion.BoolKind:   {model.Bool},
	aion.ListKind:   {model.Slice, model.Array},
	aion.DictKind:   {model.Map, model.StructKind},
	aion.AnyKind:    {model.Any, model.Raw, model.Custom, model.Opaque, model.Ref},
}

// Word is the type that a note would use for a Go type, in words.
func Word(t *model.Type) string {
	switch {
	case t.Kind == model.Pointer || t.Kind == model.Null:
		return Word(t.Elem)
	case t.Kind == model.Slice || t.Kind == model.Array:
		return "list[" + simpleWord(t.Elem) + "]"
	case t.Kind == model.Map && t.Key.Kind == model.String:
		return "dict[string, " + simpleWord(t.Elem) + "]"
	}
	return simpleWord(t)
}

// simpleWord is the type word for a Go type, without what is in it: types can be
// recursive.
func simpleWord(t *model.Type) string {
	switch t.Kind {
	case model.Pointer, model.Null:
		return simpleWord(t.Elem)
	case model.Opaque:
		if t.Elem != nil {
			return simpleWord(t.Elem)
		}
		return "any"
	case model.Int, model.Uint, model.BigInt:
		return "int"
	case model.Float, model.Number:
		return "float"
	case model.Bool:
		return "bool"
	case model.Slice, model.Array:
		return "list"
	case model.Map, model.StructKind:
		return "dict"
	case model.Any, model.Raw, model.Custom, model.Ref:
		return "any"
	}
	return "string"
}

// evalType reads a Go type expression in the scope of the package.
func (b *binder) evalType(text string) (model.GoType, error) {
	expr, err := parser.ParseExpr(text)
	if err != nil {
		return model.GoType{}, err
	}
	t, err := b.checkType(expr)
	if err != nil {
		return model.GoType{}, err
	}
	return b.goType(types.Unalias(t))
}

// checkType type-checks a type expression in the scope of the package, with the
// imports of any of its files.
func (b *binder) checkType(expr ast.Expr) (types.Type, error) {
	err := errors.New("the package has no Go files")
	for _, file := range b.pkg.Files {
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
		if err = types.CheckExpr(b.pkg.Fset, b.pkg.Types, file.Name.Pos(), expr, info); err == nil {
			if tv := info.Types[expr]; tv.IsType() {
				return tv.Type, nil
			}
			err = errors.New("it is no type")
		}
	}
	var fault types.Error
	if errors.As(err, &fault) {
		err = errors.New(fault.Msg) // its position is one in the expression
	}
	return nil, err
}
