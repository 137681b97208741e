package bind

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/custom"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/internal/words"
)

// bindArgs settles the arguments object and how the call takes its arguments.
func (b *binder) bindArgs(el *element) {
	var given []*model.Arg // by parameter, nil for what a model writes
	for i := range el.fn.Sig.Params().Len() {
		v := el.fn.Sig.Params().At(i)
		arg, err := b.supply.Arg(v.Type(), el.tool.Name)
		if err != nil {
			b.unfitType(el, "parameter", v, err)
			return
		}
		if arg != nil && arg.Source == model.FromContext && i > 0 {
			b.unfit(el, fmt.Sprintf("the context of %s is not its first parameter", el.fn.Describe())).
				WithHelp("put it first: func(ctx context.Context, …)")
			return
		}
		given = append(given, arg)
	}
	var written []model.Arg
	b.listParams(el)
	b.recordParams(el)
	if i := b.object(el); i >= 0 {
		written = b.bindObject(el, i)
	} else {
		written = b.bindParams(el)
	}
	if el.args == nil {
		return
	}
	fill, empty := b.supply.Fill(el.args, el.tool.Name)
	el.tool.Func.Fill = fill
	b.noteEmpty(el, empty)
	el.tool.Func.Args = inOrder(given, written)
	b.noteUnseen(el, "the arguments leave out", append(shape.Unseen(el.args), el.unseen...))
	b.noteClashes(el, "the arguments", shape.Clashes(el.args))
	b.noteUntold(el)
	for _, f := range el.args.Fields {
		if !noted(el, f.Description) {
			b.toWrite(f.Description, brace(el.Element), fmt.Sprintf("argument %s of tool %q", f.Name, el.tool.Name))
		}
	}
}

// object is the index of the one parameter that a model sees, if it is the arguments
// object; else -1.
func (b *binder) object(el *element) int {
	var shown []int
	for i := range el.params {
		if !el.omits(i) {
			shown = append(shown, i)
		}
	}
	if len(shown) != 1 || el.isVariadic(el.params[shown[0]]) {
		return -1
	}
	t, n := el.params[shown[0]].Type(), el.noteOf(shown[0])
	switch {
	case n != nil && (n.Ref || n.Text):
		return -1
	case b.shapes.IsObject(t), n != nil && n.Paths("only") != nil && b.shapes.IsHandle(t):
		return shown[0]
	}
	return -1
}

// listParams settles which parameters the notes count: those that no runtime supplies,
// without what cannot be written and may be left out.
func (b *binder) listParams(el *element) {
	for v := range el.fn.Sig.Params().Variables() {
		if !b.supply.Has(v.Type()) {
			el.params = append(el.params, v)
		}
	}
	last := len(el.params) - 1
	if last < 0 || !el.isVariadic(el.params[last]) {
		return
	}
	v := el.params[last]
	of := v.Type().(*types.Slice).Elem()
	if n := el.noteOf(last); b.shapes.IsReference(of) && (n == nil || !n.Ref && !n.Omit) {
		el.params = el.params[:last]
		el.unseen = append(el.unseen, model.Unseen{Name: paramJSON(el, v, last), Type: "..." + b.pkg.TypeName(of)})
	}
}

// recordParams records which notes are on which parameters.
func (b *binder) recordParams(el *element) {
	for i, v := range el.params {
		if e := el.entryOf(i); e != nil {
			b.bound = append(b.bound, Bound{Tool: el.tool.Name, Span: e.Name.Span, To: v})
		}
	}
}

// inOrder puts what runtime and application supply between the arguments that come from
// the model, as parameters take them.
func inOrder(given []*model.Arg, written []model.Arg) []model.Arg {
	args := make([]model.Arg, 0, len(given))
	for _, arg := range given {
		if arg != nil {
			args = append(args, *arg)
		} else if len(written) > 0 {
			args = append(args, written[0])
			written = written[1:]
		}
	}
	return args
}

// refuseUntold reports parameters of a type that reads itself from JSON alone, so that
// no schema can say what it takes, unless a note does.
func (b *binder) refuseUntold(el *element) {
	for _, f := range el.args.Fields {
		untold, path := custom.Whole(f.Type)
		if untold == nil {
			continue
		}
		d := b.unfit(el, fmt.Sprintf("argument %s of %s: %s reads itself from JSON, so that no schema can say what it takes", f.Name+path, el.fn.Describe(), untold.Go))
		if wordAround(untold, f.Type) != "" {
			d.WithHelp("say what it takes: args_schema --> { %s }, where a narrower type than any tells a model more", sayAll(el.args.Fields))
		}
		if b.write.Owns(untold.Go.Path) {
			d.WithHelp("or give the type a method JSONSchema that returns what it takes, or UnmarshalText")
		}
	}
}

// sayAll is an args_schema of all arguments, with a type for each that it can have.
func sayAll(fields []*model.Field) string {
	var all []string
	for _, f := range fields {
		word := shape.Word(f.Type)
		if untold, _ := custom.Whole(f.Type); untold != nil {
			word = cmp.Or(wordAround(untold, f.Type), word)
		}
		all = append(all, fmt.Sprintf("%s --> %q", f.Name, word))
	}
	return strings.Join(all, ", ")
}

// noteUntold notes the parts of arguments of which a schema says nothing.
func (b *binder) noteUntold(el *element) {
	var list []string
	for _, f := range el.args.Fields {
		for _, p := range custom.Untold(f.Type, f.Name) {
			list = append(list, fmt.Sprintf("%s (%s)", p.Path, p.Type))
		}
	}
	if len(list) > 0 {
		d := b.faults.Notef("untold-type", el.at(), "%s: the schema says nothing of what reads itself from JSON: %s", el.tool.Name, words.Join(list, ", ", mostUnseen))
		el.tool.Notes = append(el.tool.Notes, d.Message)
	}
}

// wordAround is the type word of a note that says of a type within another what it
// takes: anything, until somebody knows more. It is "" if no note can.
func wordAround(inner, t *model.Type) string {
	before, after := "", ""
	for met := (&model.Met{}); met.First(t); t = t.Elem {
		switch {
		case t == inner:
			return before + "any" + after
		case t.Kind == model.Pointer:
		case t.Kind == model.Slice:
			before, after = before+"list[", after+"]"
		case t.Kind == model.Map:
			before, after = before+"dict[string, ", after+"]"
		default:
			return ""
		}
	}
	return "" // it is made of itself
}

// bindObject takes one of the parameters, a struct, as the arguments object, as the
// notes describe it. The others are omitted.
func (b *binder) bindObject(el *element, object int) (written []model.Arg) {
	v := el.params[object]
	source, typ := model.FromArgs, v.Type()
	if p, ok := types.Unalias(typ).(*types.Pointer); ok {
		source, typ = model.FromArgsPtr, p.Elem()
	}
	declared, err := b.argument(el, typ)
	if err != nil {
		b.unfitType(el, "parameter", v, err)
		return nil
	}
	whole := b.wholeNote(el, declared)
	if whole != nil && declared.Kind == model.StructKind {
		declared = b.narrowed(el, *whole, declared)
	}
	if declared.Kind != model.StructKind { // nothing of it is left for JSON to carry
		return b.bindParams(el)
	}
	args := *declared
	args.Narrowed = true // the notes of this tool are not those of the type
	args.Fields = nil
	for _, f := range declared.Fields {
		if !f.Hidden {
			args.Fields = append(args.Fields, new(*f))
		}
	}
	b.checkObject(el, &args, whole)
	el.args, el.tool.Args = &args, &args
	if sameReading(args.Fields, declared.Fields) {
		el.tool.Args = declared
	}
	for i, p := range el.params {
		if i == object {
			written = append(written, model.Arg{Source: source})
			continue
		}
		zero, err := b.unseen(p.Type())
		if err != nil {
			b.unfitType(el, "parameter", p, err)
			return nil
		}
		if len(el.Function.Args) == len(el.params) {
			b.checkOmittedParam(el, el.Function.Args[i], i, zero)
		}
		written = append(written, model.Arg{Source: model.FromZero, Type: zero.Go, Variadic: el.isVariadic(p)})
	}
	return written
}

// sameReading reports whether fields that notes describe are read as those of
// their type, so that its reader does for this tool, too.
func sameReading(described, declared []*model.Field) bool {
	byName := map[string]*model.Field{}
	for _, d := range declared {
		if !d.Hidden {
			byName[d.Name] = d
		}
	}
	return len(described) == len(byName) && !slices.ContainsFunc(described, func(f *model.Field) bool {
		d := byName[f.Name]
		return d == nil || f.Type != d.Type || f.Optional != d.Optional || f.Default != d.Default
	})
}

// bindParams makes a struct of the parameters, one field each.
func (b *binder) bindParams(el *element) (written []model.Arg) {
	args := &model.Type{Kind: model.StructKind, Go: model.GoType{Path: b.write.Target.Path}}
	args.Fields, written = make([]*model.Field, 0, len(el.params)), make([]model.Arg, 0, len(el.params))
	fields, jsonNames := goname.Names{}, goname.Names{}
	for i, v := range el.params {
		variadic, hidden := el.isVariadic(v), el.omits(i)
		read := func(t types.Type) (*model.Type, error) { return b.argument(el, t) }
		if hidden {
			read = b.unseen
		}
		typ, err := read(v.Type())
		if err != nil {
			b.unfitType(el, "parameter", v, err)
			continue
		}
		jsonName := jsonNames.Distinct(paramJSON(el, v, i))
		field := &model.Field{
			Name:        jsonName,
			Path:        []string{fields.Take(goname.Exported(jsonName, "Arg"))},
			Type:        typ,
			Description: b.itemOf(el, v),
			Optional:    variadic || shape.MayLack(typ),
			Hidden:      hidden,
		}
		args.Fields = append(args.Fields, field)
		written = append(written, model.Arg{Source: model.FromField, Field: field.Path[0], Variadic: variadic})
	}
	if len(args.Fields) != len(el.params) {
		return nil
	}
	el.args, el.tool.Args = args, args
	b.checkParams(el, args)
	b.refuseUntold(el)
	if pkg := el.fn.Pkg(); el.fn.Literal == nil && pkg != nil && !b.pkg.Owns(pkg.Path()) { // nil is that of error
		for _, f := range args.Fields {
			f.New = f.Optional && f.Type.Kind == model.Pointer && f.Type.Elem.Kind == model.StructKind && shape.MayLack(f.Type)
		}
	}
	el.tool.Declare = append(el.tool.Declare, model.Struct{Type: args})
	return written
}
