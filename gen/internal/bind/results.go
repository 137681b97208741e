package bind

import (
	"fmt"
	"go/types"

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
	el.tool.Func.Results = len(results)
	var written []*model.Type
	for _, v := range results {
		w, faults, err := b.shapes.Result(v.Type(), el.at())
		b.faults = append(b.faults, faults...)
		if err != nil {
			b.unfitType(el, "result", v, err)
			return
		}
		written = append(written, w)
	}
	switch len(results) {
	case 0:
	case 1:
		el.tool.Result = written[0]
	default:
		b.declareResult(el, results, written)
	}
	b.noteUnseen(el, "the result leaves out", shape.Unseen(el.tool.Result))
	el.returns = b.checkResults(el, results, written)
}

// isError reports whether t is the predeclared error.
func isError(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type())
}

func (b *binder) declareResult(el *element, results []*types.Var, written []*model.Type) {
	r := &model.Type{Kind: model.StructKind, Go: model.GoType{Path: b.write.Target.Path}}
	fields, jsonNames := goname.Names{}, goname.Names{}
	for i, v := range results {
		jsonName := fmt.Sprintf("return_%d", i+1)
		if v.Name() != "" && v.Name() != "_" {
			jsonName = goname.Snake(v.Name())
		}
		jsonName = jsonNames.Distinct(jsonName)
		r.Fields = append(r.Fields, &model.Field{
			Name:        jsonName,
			Path:        []string{fields.Take(goname.Exported(jsonName, "Return"))},
			Type:        written[i],
			Description: b.itemOf(el, v),
		})
	}
	el.tool.Result = r
	el.tool.Declare = append(el.tool.Declare, model.Struct{Type: r})
}
