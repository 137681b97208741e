package bind

import (
	"fmt"
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// bindFunction checks the notes of an element against the signature of the function, and sets
// how the function is called.
func (b *binder) bindFunction(el *element) {
	goType, err := b.write.GoType(el.fn.Sig)
	if err != nil {
		b.reportUnfitSignature(el)
		return
	}
	el.tool.Func = &model.Func{Type: goType}
	if err := b.bindCallee(el); err != nil {
		b.reportUnfit(el, fmt.Sprintf("%s: %v", el.fn.Describe(), err))
		return
	}
	b.bindArgs(el)
	b.bindResults(el)
	b.noteNoContext(el)
	b.noteNeedsScope(el)
}

// reportUnfitSignature reports the parameters and results whose types the generated package
// cannot name.
func (b *binder) reportUnfitSignature(el *element) {
	isLambda := el.fn.Literal != nil && el.fn.Literal.Lambda != nil
	reportUnnameable := func(what string, list *types.Tuple) {
		for v := range list.Variables() {
			_, err := b.write.GoType(v.Type())
			switch {
			case err != nil && isLambda && b.supply.HasType(v.Type()): // the compiler added the parameter
				b.reportUnfitType(el, "an injected value", types.NewParam(v.Pos(), v.Pkg(), "", v.Type()), err)
			case err != nil:
				b.reportUnfitType(el, what, v, err)
			}
		}
	}
	reportUnnameable("parameter", el.fn.Sig.Params())
	reportUnnameable("result", el.fn.Sig.Results())
}
