package bind

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/internal/words"
)

// bindArgs sets the arguments object of the tool, and how generated code passes its values to the
// function.
func (b *binder) bindArgs(el *element) {
	var suppliedArgs []*model.Arg // by parameter; nil for those in el.params
	for i := range el.fn.Sig.Params().Len() {
		v := el.fn.Sig.Params().At(i)
		arg, err := b.supply.NewArg(v.Type(), el.tool.Name)
		if err != nil {
			b.reportUnfitType(el, "parameter", v, err)
			return
		}
		if arg != nil && arg.Source == model.FromContext && i > 0 {
			b.reportUnfit(el, fmt.Sprintf("the context of %s is not its first parameter", el.fn.Describe())).
				WithHelp("put it first: func(ctx context.Context, …)")
			return
		}
		suppliedArgs = append(suppliedArgs, arg)
	}
	var paramArgs []model.Arg // for el.params
	if option := b.listParams(el); option != nil {
		suppliedArgs[len(suppliedArgs)-1] = &model.Arg{Source: model.FromZero, Variadic: true, Option: option}
	}
	el.recordParams()
	if i := b.findArgsObject(el); i >= 0 {
		paramArgs = b.bindObject(el, i)
	} else {
		paramArgs = b.bindParams(el)
	}
	if el.args == nil {
		return
	}
	fill, empty := b.supply.FillArgs(el.args, el.tool.Name)
	el.tool.Func.Fill = fill
	el.noteUnfilledFields(empty)
	el.tool.Func.Args = mergeArgs(suppliedArgs, paramArgs)
	el.checkRivals(el.args, &model.TypeSet{})
	el.reportLosses(argumentLosses(el.args, el.tool.LeftOut), b.omitArguments)
	el.noteNameClashes("the arguments", shape.ListClashes(el.args))
	el.noteUndescribed()
	for _, f := range el.args.Fields {
		if !isFromNote(el, f.Description) {
			el.warnOfTodo(f.Description, fmt.Sprintf("argument %s of tool %q", f.Name, el.tool.Name))
		}
	}
}

// findArgsObject returns the index in el.params of the arguments object, or -1 if there is none. A
// parameter is the arguments object if it is the only one that the model sees, and JSON represents
// its type as an object.
func (b *binder) findArgsObject(el *element) int {
	var visible []int
	for i := range el.params {
		if !el.omitsParam(i) {
			visible = append(visible, i)
		}
	}
	if len(visible) != 1 || el.isVariadic(el.params[visible[0]]) {
		return -1
	}
	t, n := el.params[visible[0]].Type(), el.noteOfParam(visible[0])
	switch {
	case n != nil && (n.Ref || n.Text):
		return -1
	case b.shapes.IsObject(t), n != nil && n.Paths("only") != nil && b.shapes.IsHandle(t):
		return visible[0]
	}
	return -1
}

// listParams sets el.params to the parameters that arg-1, arg-2 and so on refer to. It leaves out
//   - parameters that the runtime or the application supplies,
//   - a variadic parameter whose values JSON cannot carry, and
//   - a variadic parameter without a note that only passes the context in an option.
//
// It returns that option, or nil.
func (b *binder) listParams(el *element) *model.ContextOption {
	for v := range el.fn.Sig.Params().Variables() {
		if !b.supply.HasType(v.Type()) {
			el.params = append(el.params, v)
		}
	}
	last := len(el.params) - 1
	if last < 0 || !el.isVariadic(el.params[last]) {
		return nil
	}
	v := el.params[last]
	elem := v.Type().(*types.Slice).Elem()
	option, n := b.contextOption(el, v), el.noteOfParam(last)
	isReference := b.shapes.IsReference(elem) && (n == nil || !n.Ref && !n.Omit)
	if isReference || option != nil && n == nil {
		el.params = el.params[:last]
		if option != nil {
			return option
		}
		name := paramJSONName(el, v, last)
		el.tool.LeftOut = []model.Unseen{{Name: name, Param: true, Type: "..." + b.pkg.TypeName(elem), Content: !b.shapes.IsOptions(elem)}}
	}
	return nil
}

// contextOption returns the function that makes an option for a variadic parameter from the
// context, or nil if no such function is declared.
func (b *binder) contextOption(el *element, v *types.Var) *model.ContextOption {
	if !el.isVariadic(v) {
		return nil
	}
	elem := v.Type().(*types.Slice).Elem()
	option := b.supply.ContextOption(elem)
	if option == nil {
		return nil
	}
	goType, err := b.write.GoType(elem)
	if err != nil || el.addMention(b.write, option.Func) != nil {
		return nil // other checks report the parameter
	}
	return &model.ContextOption{Path: option.Func.Pkg().Path(), Name: option.Func.Name(), Elem: goType}
}

// recordParams records the parameter that each note refers to.
func (el *element) recordParams() {
	for i, v := range el.params {
		if e := el.entryOfParam(i); e != nil {
			el.references = append(el.references, Reference{Tool: el.tool.Name, Span: e.Name.Span, To: v})
		}
	}
}

// mergeArgs returns suppliedArgs with each nil replaced by the next one of paramArgs.
func mergeArgs(suppliedArgs []*model.Arg, paramArgs []model.Arg) []model.Arg {
	args := make([]model.Arg, 0, len(suppliedArgs))
	for _, arg := range suppliedArgs {
		if arg != nil {
			args = append(args, *arg)
		} else if len(paramArgs) > 0 {
			args = append(args, paramArgs[0])
			paramArgs = paramArgs[1:]
		}
	}
	return args
}

// reportUndescribed reports arguments that no schema can describe, because their type has its own
// UnmarshalJSON and no note describes them.
func (b *binder) reportUndescribed(el *element) {
	for _, f := range el.args.Fields {
		undescribed, path := shape.FindUndescribed(f.Type)
		if undescribed == nil {
			continue
		}
		d := b.reportUnfit(el, fmt.Sprintf("argument %s of %s: %s has its own UnmarshalJSON, so no schema can describe what it accepts", f.Name+path, el.fn.Describe(), undescribed.Go))
		if suggestWord(undescribed, f.Type) != "" {
			d.WithHelp("describe what it accepts: args_schema --> { %s }; a narrower type than any tells the model more", suggestArgsSchema(el.args.Fields))
		}
		if b.notes.canDescribeByFields(f.Type) {
			d.WithHelp("or, if the json tags of %s describe what it accepts, say so with the option fields: %s --> \"%s | fields\"", undescribed.Go, f.Name, fieldsWord(f.Type))
		}
		switch {
		case undescribed.Unread != "":
			d.WithHelp("%s", undescribed.Unread)
		case b.write.OwnsPackage(undescribed.Go.Path):
			d.WithHelp("or give the type a method JSONSchema that returns what it accepts, or UnmarshalText")
		}
	}
}

// suggestArgsSchema returns the entries of an args_schema with a type for each argument.
func suggestArgsSchema(fields []*model.Field) string {
	var all []string
	for _, f := range fields {
		word := shape.TypeWord(f.Type)
		if undescribed, _ := shape.FindUndescribed(f.Type); undescribed != nil {
			word = cmp.Or(suggestWord(undescribed, f.Type), word)
		}
		all = append(all, fmt.Sprintf("%s --> %q", f.Name, word))
	}
	return strings.Join(all, ", ")
}

// noteUndescribed adds a Note about parts of arguments that the schema cannot describe.
func (el *element) noteUndescribed() {
	var list []string
	for _, f := range el.args.Fields {
		for _, p := range shape.ListUndescribed(f.Type, f.Name) {
			list = append(list, fmt.Sprintf("%s (%s)", p.Path, p.Type))
		}
	}
	if len(list) > 0 {
		const message = "the schema cannot describe types with their own UnmarshalJSON"
		el.addNote("untold-type", diag.Group{One: message, Items: list, Many: "tools take types with their own UnmarshalJSON, which the schema cannot describe,"},
			"%s: %s", message, words.Join(list, ", ", maxListed))
	}
}

// suggestWord returns the type word for t with "any" for its part inner: "list[any]" if inner is
// the element type of t. It returns "" if a note cannot describe inner.
func suggestWord(inner, t *model.Type) string {
	before, after := "", ""
	for visited := (&model.TypeSet{}); visited.Add(t); t = t.Elem {
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
	return "" // t contains itself
}

// bindObject uses the parameter at index object, a struct, as the arguments object, and applies the
// notes to it. The other parameters are omitted. It returns the arguments for el.params, or nil
// after an error.
func (b *binder) bindObject(el *element, object int) (paramArgs []model.Arg) {
	v := el.params[object]
	source, typ := model.FromArgs, v.Type()
	if p, ok := types.Unalias(typ).(*types.Pointer); ok {
		source, typ = model.FromArgsPtr, p.Elem()
	}
	declared, err := b.readArgumentType(el, typ)
	if err != nil {
		b.reportUnfitType(el, "parameter", v, err)
		return nil
	}
	objectNote := b.findObjectNote(el, declared)
	if objectNote != nil && declared.Kind == model.StructKind {
		declared = b.narrowByNote(el, *objectNote, declared)
	}
	if objectNote != nil || len(el.objectNotes()) == 0 {
		declared = partBinder{b}.describeParts(el, el.pathEntries("arg", object+1), declared)
		partBinder{b}.reportStrayPaths(el, "arg", len(el.params))
	}
	if declared.Kind != model.StructKind { // the note changed the kind of the type
		return b.bindParams(el)
	}
	args := *declared
	args.Narrowed = true // the notes apply to this tool only
	args.Fields = nil
	for _, f := range declared.Fields {
		if !f.Hidden {
			args.Fields = append(args.Fields, new(*f))
		}
	}
	b.checkObject(el, &args, objectNote)
	el.args, el.tool.Args = &args, &args
	if haveSameReader(args.Fields, declared.Fields) {
		el.tool.Args = declared
	}
	for i, p := range el.params {
		if i == object {
			paramArgs = append(paramArgs, model.Arg{Source: source})
			continue
		}
		zero, err := b.readOpaqueType(p.Type())
		if err != nil {
			b.reportUnfitType(el, "parameter", p, err)
			return nil
		}
		if len(el.Function.Args) == len(el.params) {
			b.checkOmittedParam(el, el.Function.Args[i], i, zero)
		}
		paramArgs = append(paramArgs, model.Arg{Source: model.FromZero, Type: zero.Go, Variadic: el.isVariadic(p), Option: b.contextOption(el, p)})
	}
	return paramArgs
}

// haveSameReader reports whether fields with notes are read like the declared fields of their type. The tool
// can then share the generated decoder of the type with other tools.
func haveSameReader(described, declared []*model.Field) bool {
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

// bindParams makes an arguments object with one field for each of el.params. It returns the
// arguments for el.params, or nil after an error.
func (b *binder) bindParams(el *element) (paramArgs []model.Arg) {
	args := &model.Type{Kind: model.StructKind, Go: model.GoType{Path: b.write.Target.Path}}
	args.Fields, paramArgs = make([]*model.Field, 0, len(el.params)), make([]model.Arg, 0, len(el.params))
	fields, jsonNames := goname.Names{}, goname.Names{}
	for i, v := range el.params {
		variadic, hidden := el.isVariadic(v), el.omitsParam(i)
		read := func(t types.Type) (*model.Type, error) { return b.readArgumentType(el, t) }
		if hidden {
			read = b.readOpaqueType
		}
		typ, err := read(v.Type())
		if err != nil {
			b.reportUnfitType(el, "parameter", v, err)
			continue
		}
		jsonName := jsonNames.TakeAny(paramJSONName(el, v, i))
		field := &model.Field{
			Name:        jsonName,
			Path:        []string{fields.Take(goname.Exported(jsonName, "Arg"))},
			Type:        typ,
			Description: b.docOfVar(el, v),
			Optional:    variadic || shape.IsOmittable(typ),
			Hidden:      hidden,
		}
		args.Fields = append(args.Fields, field)
		paramArgs = append(paramArgs, model.Arg{Source: model.FromField, Field: field.Path[0], Variadic: variadic, Option: b.contextOption(el, v)})
	}
	if len(args.Fields) != len(el.params) {
		return nil
	}
	el.args, el.tool.Args = args, args
	b.checkParams(el, args)
	b.reportUndescribed(el)
	if pkg := el.fn.Pkg(); el.fn.Literal == nil && pkg != nil && !b.pkg.IsInModule(pkg.Path()) { // pkg is nil for the method Error of error
		for _, f := range args.Fields {
			f.New = f.Optional && f.Type.Kind == model.Pointer && f.Type.Elem.Kind == model.StructKind && shape.IsOmittable(f.Type)
		}
	}
	el.tool.Declare = append(el.tool.Declare, model.Struct{Type: args})
	return paramArgs
}
