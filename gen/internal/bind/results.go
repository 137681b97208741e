package bind

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"

	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/shape"
)

// bindResults settles what the model sees of the results: nothing, one value,
// or an object of several.
func (b *binder) bindResults(el *element) {
	var results []*types.Var
	for v := range el.fn.Sig.Results().Variables() {
		results = append(results, v)
	}
	if n := len(results); n > 0 && isError(results[n-1].Type()) {
		results, el.tool.Func.Err = results[:n-1], true
	}
	var fields []*model.Field // by result, nil for those that are dropped
	for i, v := range results {
		entries := el.Function.Returns
		dropped := len(entries) == len(results) && entries[i].Note.Omit
		el.tool.Func.Results = append(el.tool.Func.Results, !dropped)
		if dropped {
			fields = append(fields, nil)
			continue
		}
		written, faults, err := b.shapes.Result(v.Type(), el.at())
		b.faults.Add(faults)
		if err != nil {
			b.unfitType(el, "result", v, err)
			return
		}
		fields = append(fields, &model.Field{Type: written})
	}
	b.nameResults(el, results, fields)
	el.returns = b.checkResults(el, results, fields)
	switch kept := slices.DeleteFunc(slices.Clone(fields), func(f *model.Field) bool { return f == nil }); len(kept) {
	case 0:
	case 1:
		el.tool.Result = kept[0].Type
		if el.isSure(slices.Index(fields, kept[0])) {
			el.tool.Result = new(*kept[0].Type)
			el.tool.Result.Sure = true
		}
		el.returns = cmp.Or(kept[0].Description, el.returns)
	default:
		el.returns = ""
		el.tool.Result = &model.Type{Kind: model.StructKind, Go: model.GoType{Path: b.write.Target.Path}, Fields: kept}
		el.tool.Declare = append(el.tool.Declare, model.Struct{Type: el.tool.Result})
	}
	b.noteUnseen(el, "the result leaves out", shape.Unseen(el.tool.Result))
	b.noteClashes(el, "the result", shape.Clashes(el.tool.Result))
}

// isSure reports whether a result, the only one that is kept, is a pointer to a struct
// that is nil only beside an error, as Go functions do that return both. A note can say
// that nil is a result, too.
func (el *element) isSure(result int) bool {
	sig := el.fn.Sig
	if el.fn.Literal != nil && el.fn.Literal.Lambda != nil {
		if el.fn.Obj == nil {
			return false // an expression may well be None, and what becomes an error is not in it
		}
		sig = el.fn.Obj.Type().Underlying().(*types.Signature)
	}
	entries := el.Function.Returns
	t, n := el.tool.Result, sig.Results().Len()
	return t.Kind == model.Pointer && t.Elem.Kind == model.StructKind && isError(sig.Results().At(n-1).Type()) &&
		(len(entries) <= result || !entries[result].Note.Optional)
}

// isError reports whether t is the predeclared error.
func isError(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type())
}

// nameResults names the results, as the fields of an object.
func (b *binder) nameResults(el *element, results []*types.Var, fields []*model.Field) {
	goNames, jsonNames := goname.Names{}, goname.Names{}
	for i, v := range results {
		if fields[i] == nil {
			continue
		}
		jsonName := fmt.Sprintf("return_%d", i+1)
		if name := nameOf(v); name != "" {
			jsonName = goname.Snake(name)
		}
		f := fields[i]
		f.Name = jsonNames.Distinct(jsonName)
		f.Path = []string{goNames.Take(goname.Exported(f.Name, "Return"))}
		f.Description = b.itemOf(el, v)
	}
}
