package bind

import (
	"errors"
	"fmt"
	"go/types"
	"path"
	"slices"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/schema"
)

// bindLink makes the tool of an element that is a link only: no arguments, and
// the URL as its result.
func (b *binder) bindLink(tool *model.Tool) {
	tool.Annotations = model.Annotations{ReadOnly: true, Additive: true, Idempotent: true, ClosedWorld: true}
	tool.Args = &model.Type{Kind: model.StructKind}
	tool.Result = &model.Type{Kind: model.String, Go: model.Basic("string")}
	tool.Input = schema.Input(tool.Args)
	tool.Output = schema.Output(tool.Result, "")
	b.checkExample(tool, b.annotate(tool, nil))
}

// bindFunction checks the contract of an element against the function's
// signature, and settles how the function is called.
func (b *binder) bindFunction(el *aion.Element, tool *model.Tool, t target) {
	exact, err := b.goType(t.sig)
	if err != nil {
		helpReach(b.unfit(el, t, fmt.Sprintf("%s: %v", t.describe(), err)), err)
		return
	}
	tool.Func = &model.Func{Type: exact}
	if err := b.bindCallee(tool, t); err != nil {
		b.unfit(el, t, fmt.Sprintf("%s: %v", t.describe(), err))
		return
	}
	b.bindArgs(el, tool, t)
	b.bindResults(el, tool, t)
}

// bindCallee settles how the function is referred to: by its package, as a
// method of a receiver from Deps, or of a package variable.
func (b *binder) bindCallee(tool *model.Tool, t target) error {
	f := tool.Func
	if t.literal != nil {
		return b.bindLiteral(tool, t.literal)
	}
	f.Name = t.obj.Name()
	for _, arg := range t.args {
		goType, err := b.goType(arg)
		if err != nil {
			return err
		}
		f.TypeArgs = append(f.TypeArgs, goType)
	}
	switch {
	case t.receiver != nil:
		dep, err := b.dep(t, tool)
		if err != nil {
			return err
		}
		f.Dep = dep
		f.Type.Elems = append([]model.GoType{dep.Type}, f.Type.Elems...)
		return nil
	case t.holder != nil:
		f.Path, f.Holder = t.holder.Pkg().Path(), t.holder.Name()
		return b.mention(t.holder)
	}
	f.Path = t.obj.Pkg().Path()
	return b.mention(t.obj)
}

// mention notes the package of an object that generated code refers to, and
// keeps a name of the target package from being hidden by a variable.
func (b *binder) mention(obj types.Object) error {
	if obj.Pkg().Path() == b.target.Path {
		b.mentioned.Reserve(obj.Name())
		return nil
	}
	if err := b.visible(obj.Pkg()); err != nil {
		return err
	}
	b.use(obj.Pkg())
	return nil
}

// unfit reports a function that cannot be a tool, at its text.
func (b *binder) unfit(el *aion.Element, t target, message string) *diag.Diagnostic {
	d := b.faults.Errorf("unfit-function", el.Function.Text.Span, "%s", message)
	d.Related = b.declaration(t)
	return d
}

// unfitType reports a parameter or result whose type JSON cannot carry.
func (b *binder) unfitType(el *aion.Element, t target, what string, v *types.Var, err error) {
	name := what
	if v.Name() != "" && v.Name() != "_" {
		name += " " + v.Name()
	}
	d := b.unfit(el, t, fmt.Sprintf("%s of %s, of type %s: %v", name, t.describe(), b.typeName(v.Type()), err))
	if errors.Is(err, errInvalid) {
		b.addCauses(d, t)
	}
	helpReach(d, err)
}

// helpReach helps where the generated package cannot name a type.
func helpReach(d *diag.Diagnostic, err error) {
	if _, ok := errors.AsType[*unnameableError](err); ok {
		d.WithHelp("write a function that has types of your own in their place, and name that")
	}
}

// isError reports whether t is the predeclared error.
func isError(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type())
}

// bindArgs settles the arguments object and how the call takes its arguments.
func (b *binder) bindArgs(el *aion.Element, tool *model.Tool, t target) {
	var visible []*types.Var
	given := map[int]model.ArgSource{} // by parameter: what no model writes
	for i := range t.sig.Params().Len() {
		v := t.sig.Params().At(i)
		source, ok := suppliers[types.TypeString(types.Unalias(v.Type()), nil)]
		switch {
		case !ok:
			visible = append(visible, v)
		case source == model.FromContext && i > 0:
			b.unfit(el, t, fmt.Sprintf("the context of %s is not its first parameter", t.describe())).
				WithHelp("put it first: func(ctx context.Context, …)")
			return
		default:
			given[i] = source
			if source == model.FromLogger {
				b.imports[model.LogPath] = path.Base(model.LogPath)
			}
		}
	}
	defer func() { tool.Func.Args = inOrder(t.sig.Params().Len(), given, tool.Func.Args) }()
	var args *model.Type
	if len(visible) == 1 && !t.sig.Variadic() && b.isObject(visible[0].Type()) {
		args = b.bindObject(el, tool, t, visible[0])
	} else {
		args = b.bindParams(el, tool, t, visible)
	}
	if args == nil {
		return
	}
	b.checkCustom(el, t, args)
	for _, f := range args.Fields {
		if !noted(el, f.Description) {
			b.toWrite(f.Description, brace(el), fmt.Sprintf("argument %s of tool %q", f.Name, tool.Name))
		}
	}
	tool.Input = schema.Input(args)
}

// noted reports whether a description is that of a note.
func noted(el *aion.Element, description string) bool {
	notes := el.Function.Args
	if el.Schema != nil {
		notes = slices.Concat(notes, el.Schema.Fields)
	}
	return slices.ContainsFunc(notes, func(e aion.Entry) bool { return e.Note.Description == description })
}

// suppliers are the types of parameters that the runtime supplies.
var suppliers = map[string]model.ArgSource{
	"context.Context":               model.FromContext,
	"*log/slog.Logger":              model.FromLogger,
	"*" + model.ToolPath + ".Call":  model.FromCall,
	"*" + model.ToolPath + ".Scope": model.FromScope,
	model.MemoryPath + ".Store":     model.FromMemory,
}

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
func (b *binder) checkCustom(el *aion.Element, t target, args *model.Type) {
	for _, f := range args.Fields {
		custom := findCustom(f.Type)
		if custom == nil {
			continue
		}
		d := b.unfit(el, t, fmt.Sprintf("argument %s of %s: %s reads itself from JSON, so that no schema can say what it takes", f.Name, t.describe(), custom.Go))
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

// isObject reports whether a parameter is the arguments object as a whole: a
// struct that JSON has as an object, or a pointer to one.
func (b *binder) isObject(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	t = types.Unalias(t)
	if _, ok := t.Underlying().(*types.Struct); !ok {
		return false
	}
	_, own := b.args.ownForm(t)
	return !own && !b.args.byReference(t)
}

// bindObject takes a struct parameter as the arguments object. It returns that
// as the notes describe it.
func (b *binder) bindObject(el *aion.Element, tool *model.Tool, t target, v *types.Var) *model.Type {
	source, typ := model.FromArgs, v.Type()
	if p, ok := types.Unalias(typ).(*types.Pointer); ok {
		source, typ = model.FromArgsPtr, p.Elem()
	}
	shape, err := b.args.shape(typ, tool.GoName+"Args")
	if err != nil {
		b.unfitType(el, t, "parameter", v, err)
		return nil
	}
	args := *shape // the notes of this tool are not those of the type
	args.Fields = nil
	for _, f := range shape.Fields {
		if !f.Hidden {
			args.Fields = append(args.Fields, new(*f))
		}
	}
	b.checkObject(el, t, &args)
	tool.Func.Args = append(tool.Func.Args, model.Arg{Source: source})
	tool.Args = shape
	if !sameReading(args.Fields, shape.Fields) {
		tool.Args, args.Reader = &args, b.take("decode"+tool.GoName+"Args")
		b.file.Types = append(b.file.Types, &args)
	}
	return &args
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
func (b *binder) bindParams(el *aion.Element, tool *model.Tool, t target, visible []*types.Var) *model.Type {
	name := b.take(tool.GoName + "Args")
	args := &model.Type{
		Kind:   model.StructKind,
		Go:     model.GoType{Path: b.target.Path, Name: name},
		Reader: b.take("decode" + name),
	}
	fields, jsonNames := goname.Names{}, goname.Names{}
	for i, v := range visible {
		variadic := t.sig.Variadic() && i == len(visible)-1
		typ, err := b.args.shape(v.Type(), tool.GoName+goname.Exported(v.Name(), "Arg"))
		if err != nil {
			b.unfitType(el, t, "parameter", v, err)
			continue
		}
		jsonName := fmt.Sprintf("arg_%d", i+1)
		if v.Name() != "" && v.Name() != "_" {
			jsonName = goname.Snake(v.Name())
		}
		if t.literal != nil && t.literal.lambda != nil {
			jsonName = t.literal.lambda.params[i]
		}
		jsonName = jsonNames.Distinct(jsonName)
		field := &model.Field{
			Name:        jsonName,
			Path:        []string{fields.Take(goname.Exported(jsonName, "Arg"))},
			Type:        typ,
			Description: b.itemOf(t, v),
			Optional:    variadic || mayBeNull(typ),
		}
		args.Fields = append(args.Fields, field)
		tool.Func.Args = append(tool.Func.Args, model.Arg{Source: model.FromField, Field: field.Path[0], Variadic: variadic})
	}
	if len(args.Fields) != len(visible) {
		return nil
	}
	tool.Args = args
	b.checkParams(el, t, visible, args)
	doc := fmt.Sprintf("%s holds the arguments of the %s tool.", name, tool.Name)
	tool.Declare = append(tool.Declare, model.Struct{Doc: doc, Type: args})
	return args
}

// itemOf is what the function's doc comment says of a parameter or result.
func (b *binder) itemOf(t target, v *types.Var) string {
	return b.docsOf(t.pkg()).about[t.docKey].items[v.Name()]
}

// bindResults settles what the model sees of the results: nothing, one value,
// or an object of several.
func (b *binder) bindResults(el *aion.Element, tool *model.Tool, t target) {
	var results []*types.Var
	for v := range t.sig.Results().Variables() {
		results = append(results, v)
	}
	if n := len(results); n > 0 && isError(results[n-1].Type()) {
		results, tool.Func.Err = results[:n-1], true
	}
	tool.Func.Results = len(results)
	var shapes []*model.Type
	for _, v := range results {
		shape, err := b.results.shape(v.Type(), tool.GoName+"Result")
		if err != nil {
			b.unfitType(el, t, "result", v, err)
			return
		}
		shapes = append(shapes, shape)
	}
	switch len(results) {
	case 0:
	case 1:
		tool.Result = shapes[0]
	default:
		b.declareResult(tool, t, results, shapes)
	}
	description := b.checkResults(el, tool, t, results, shapes)
	tool.Output = schema.Output(tool.Result, description)
}

func (b *binder) declareResult(tool *model.Tool, t target, results []*types.Var, shapes []*model.Type) {
	name := b.take(tool.GoName + "Result")
	tool.Result = &model.Type{
		Kind:   model.StructKind,
		Go:     model.GoType{Path: b.target.Path, Name: name},
		Writer: b.take("encode" + name),
	}
	fields, jsonNames := goname.Names{}, goname.Names{}
	for i, v := range results {
		jsonName := fmt.Sprintf("return_%d", i+1)
		if v.Name() != "" && v.Name() != "_" {
			jsonName = goname.Snake(v.Name())
		}
		jsonName = jsonNames.Distinct(jsonName)
		field := &model.Field{
			Name:        jsonName,
			Path:        []string{fields.Take(goname.Exported(jsonName, "Return"))},
			Type:        shapes[i],
			Description: b.itemOf(t, v),
		}
		tool.Result.Fields = append(tool.Result.Fields, field)
	}
	doc := fmt.Sprintf("%s holds the results of the %s tool.", name, tool.Name)
	tool.Declare = append(tool.Declare, model.Struct{Doc: doc, Type: tool.Result})
}
