package bind

import (
	"fmt"
	"go/types"
	"slices"

	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/shape"
)

// bindArgs settles the arguments object and how the call takes its arguments.
func (b *binder) bindArgs(el *element) {
	params := el.fn.Sig.Params()
	var visible []*types.Var
	given := map[int]model.ArgSource{} // by parameter: what no model writes
	for i := range params.Len() {
		v := params.At(i)
		source, ok := suppliers[supplierKey(v.Type())]
		switch {
		case !ok && el.fn.Sig.Variadic() && i == params.Len()-1 && b.shapes.IsReference(v.Type().(*types.Slice).Elem()):
			el.unseen = append(el.unseen, model.Unseen{Name: paramJSON(el, v, i), Type: "..." + b.pkg.TypeName(v.Type().(*types.Slice).Elem())})
		case !ok:
			visible = append(visible, v)
		case source == model.FromContext && i > 0:
			b.unfit(el, fmt.Sprintf("the context of %s is not its first parameter", el.fn.Describe())).
				WithHelp("put it first: func(ctx context.Context, …)")
			return
		default:
			given[i] = source
		}
	}
	var written []model.Arg
	if isVariadic := el.fn.Sig.Variadic() && len(el.unseen) == 0; len(visible) == 1 && !isVariadic && b.shapes.IsObject(visible[0].Type()) {
		written = b.bindObject(el, visible[0])
	} else {
		written = b.bindParams(el, visible)
	}
	if el.args == nil {
		return
	}
	el.tool.Func.Args = inOrder(params.Len(), given, written)
	b.noteUnseen(el, "the arguments leave out", append(shape.Unseen(el.args), el.unseen...))
	b.checkCustom(el)
	for _, f := range el.args.Fields {
		if !noted(el, f.Description) {
			b.toWrite(f.Description, brace(el), fmt.Sprintf("argument %s of tool %q", f.Name, el.tool.Name))
		}
	}
}

// suppliers are the types of parameters that the runtime supplies.
var suppliers = map[string]model.ArgSource{
	"context.Context":               model.FromContext,
	"*log/slog.Logger":              model.FromLogger,
	"*" + model.ToolPath + ".Call":  model.FromCall,
	"*" + model.ToolPath + ".Scope": model.FromScope,
	model.MemoryPath + ".Store":     model.FromMemory,
}

// supplied reports whether the runtime supplies the parameters of a type.
func supplied(t types.Type) bool {
	_, ok := suppliers[supplierKey(t)]
	return ok
}

func supplierKey(t types.Type) string { return types.TypeString(types.Unalias(t), nil) }

// inOrder puts what the runtime supplies between the arguments that come from
// the model, as n parameters take them.
func inOrder(n int, given map[int]model.ArgSource, written []model.Arg) []model.Arg {
	var args []model.Arg
	for i := range n {
		if source, ok := given[i]; ok {
			args = append(args, model.Arg{Source: source})
		} else if len(written) > 0 {
			args = append(args, written[0])
			written = written[1:]
		}
	}
	return args
}

// checkCustom reports arguments of a type that reads itself from JSON alone, so
// that no schema can say what it takes, unless a note does.
func (b *binder) checkCustom(el *element) {
	for _, f := range el.args.Fields {
		custom := shape.FindCustom(f.Type)
		if custom == nil {
			continue
		}
		d := b.unfit(el, fmt.Sprintf("argument %s of %s: %s reads itself from JSON, so that no schema can say what it takes", f.Name, el.fn.Describe(), custom.Go))
		if word := wordAround(custom, f.Type); word != "" {
			d.WithHelp("say what it takes: args_schema --> { %s --> \"%s (…)\" }, for one", f.Name, word)
		}
		d.WithHelp("or give the type a method UnmarshalText")
	}
}

// wordAround is the type word of a note that says of a type within another that
// it takes a number, for an example; "" if no note can.
func wordAround(inner, t *model.Type) string {
	switch {
	case t == inner:
		return "float"
	case t.Kind == model.Pointer:
		return wordAround(inner, t.Elem)
	case t.Kind == model.Slice && wordAround(inner, t.Elem) != "":
		return "list[" + wordAround(inner, t.Elem) + "]"
	case t.Kind == model.Map && wordAround(inner, t.Elem) != "":
		return "dict[string, " + wordAround(inner, t.Elem) + "]"
	}
	return ""
}

// bindObject takes a struct parameter as the arguments object, as the notes
// describe it.
func (b *binder) bindObject(el *element, v *types.Var) []model.Arg {
	source, typ := model.FromArgs, v.Type()
	if p, ok := types.Unalias(typ).(*types.Pointer); ok {
		source, typ = model.FromArgsPtr, p.Elem()
	}
	declared, err := b.argument(el, typ)
	if err != nil {
		b.unfitType(el, "parameter", v, err)
		return nil
	}
	if declared.Kind != model.StructKind { // nothing of it is left for JSON to carry
		return b.bindParams(el, []*types.Var{v})
	}
	args := *declared
	args.Narrowed = true // the notes of this tool are not those of the type
	args.Fields = nil
	for _, f := range declared.Fields {
		if !f.Hidden {
			args.Fields = append(args.Fields, new(*f))
		}
	}
	b.checkObject(el, &args)
	el.args, el.tool.Args = &args, &args
	if sameReading(args.Fields, declared.Fields) {
		el.tool.Args = declared
	}
	return []model.Arg{{Source: source}}
}

// sameReading reports whether fields that notes describe are read as those of
// their type, so that its reader does for this tool, too.
func sameReading(described, declared []*model.Field) bool {
	return !slices.ContainsFunc(described, func(f *model.Field) bool {
		i := slices.IndexFunc(declared, func(d *model.Field) bool { return d.Name == f.Name })
		d := declared[i]
		return f.Type != d.Type || f.Optional != d.Optional || f.Default != d.Default
	})
}

// bindParams makes a struct of the parameters, one field each.
func (b *binder) bindParams(el *element, visible []*types.Var) (written []model.Arg) {
	args := &model.Type{Kind: model.StructKind, Go: model.GoType{Path: b.write.Target.Path}}
	fields, jsonNames := goname.Names{}, goname.Names{}
	for i, v := range visible {
		variadic := el.fn.Sig.Variadic() && v == el.fn.Sig.Params().At(el.fn.Sig.Params().Len()-1)
		typ, err := b.argument(el, v.Type())
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
			Optional:    variadic || shape.MayBeNull(typ),
		}
		args.Fields = append(args.Fields, field)
		written = append(written, model.Arg{Source: model.FromField, Field: field.Path[0], Variadic: variadic})
	}
	if len(args.Fields) != len(visible) {
		return nil
	}
	el.args, el.tool.Args = args, args
	b.checkParams(el, visible, args)
	el.tool.Declare = append(el.tool.Declare, model.Struct{Type: args})
	return written
}

// paramJSON is the name of a parameter in the arguments object.
func paramJSON(el *element, v *types.Var, i int) string {
	switch {
	case el.fn.Literal != nil && el.fn.Literal.Lambda != nil:
		return el.fn.Literal.Lambda.Params[i]
	case v.Name() != "" && v.Name() != "_":
		return goname.Snake(v.Name())
	}
	return fmt.Sprintf("arg_%d", i+1)
}
