package bind

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"

	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/gen/internal/source"
)

// bindResults sets the result that the model gets: none, one value, or an object that contains
// several values.
func (b *binder) bindResults(el *element) {
	var results []*types.Var
	for v := range el.fn.Sig.Results().Variables() {
		results = append(results, v)
	}
	if n := len(results); n > 0 && source.IsError(results[n-1].Type()) {
		results, el.tool.Func.Err = results[:n-1], true
	}
	reader := resultReader{b, el, results}
	fields, ok := reader.readAll()
	if !ok {
		return
	}
	b.nameResults(el, results, fields)
	el.resultDescription = b.checkResults(el, results, fields)
	collectItems(el.tool.Func.Sequence, fields)
	switch returned := slices.DeleteFunc(slices.Clone(fields), func(f *model.Field) bool { return f == nil }); len(returned) {
	case 0:
	case 1:
		el.tool.Result = returned[0].Type
		if el.isNonNilResult(slices.Index(fields, returned[0])) {
			el.tool.Result = new(*returned[0].Type)
			el.tool.Result.NonNil = true
		}
		el.resultDescription = cmp.Or(returned[0].Description, el.resultDescription)
	default:
		el.resultDescription = ""
		el.tool.Result = &model.Type{Kind: model.StructKind, Go: model.GoType{Path: b.write.Target.Path}, Fields: returned}
		el.tool.Declare = append(el.tool.Declare, model.Struct{Type: el.tool.Result})
	}
	el.reportLosses(resultLosses(el.tool.DescribedResult()), func(el *element, lost []model.Unseen) omission {
		return el.omitResults(fields, lost)
	})
	el.noteNameClashes("the result", shape.ListClashes(el.tool.DescribedResult()))
}

// isNonNilResult reports whether the only result is a pointer to a struct that is nil only together
// with an error, as is usual in Go. The option optional in the note of the result says that nil is
// valid without an error.
func (el *element) isNonNilResult(result int) bool {
	sig := el.fn.Sig
	if el.fn.Literal != nil && el.fn.Literal.Lambda != nil {
		if el.fn.Obj == nil {
			return false // the value of an expression may be None
		}
		sig = el.fn.Obj.Type().Underlying().(*types.Signature)
	}
	entries := el.Function.Returns
	t, n := el.tool.Result, sig.Results().Len()
	return t.Kind == model.Pointer && t.Elem.Kind == model.StructKind && source.IsError(sig.Results().At(n-1).Type()) &&
		(len(entries) <= result || !entries[result].Note.Optional)
}

// nameResults names the results as fields of an object.
func (b *binder) nameResults(el *element, results []*types.Var, fields []*model.Field) {
	goNames, jsonNames := goname.Names{}, goname.Names{}
	for i, v := range results {
		if fields[i] == nil {
			continue
		}
		jsonName := fmt.Sprintf("return_%d", i+1)
		if name := varName(v); name != "" {
			jsonName = goname.SnakeCase(name)
		}
		f := fields[i]
		f.Name = jsonNames.TakeAny(jsonName)
		f.Path = []string{goNames.Take(goname.Exported(f.Name, "Return"))}
		f.Description = b.docOfVar(el, v)
	}
}
