package bind

import (
	"fmt"
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// bindFunction checks the contract of an element against the function's
// signature, and settles how the function is called.
func (b *binder) bindFunction(el *element) {
	exact, err := b.write.Type(el.fn.Sig)
	if err != nil {
		b.unfitSignature(el)
		return
	}
	el.tool.Func = &model.Func{Type: exact}
	if err := b.bindCallee(el); err != nil {
		b.unfit(el, fmt.Sprintf("%s: %v", el.fn.Describe(), err))
		return
	}
	b.bindArgs(el)
	b.bindResults(el)
	b.noteScope(el)
}

// unfitSignature reports the parameters and results whose types the generated
// package cannot name.
func (b *binder) unfitSignature(el *element) {
	byLambda := el.fn.Literal != nil && el.fn.Literal.Lambda != nil
	refuse := func(what string, list *types.Tuple) {
		for v := range list.Variables() {
			_, err := b.write.Type(v.Type())
			switch {
			case err != nil && byLambda && b.supply.Has(v.Type()): // no parameter that anybody wrote
				b.unfitType(el, "an injected value", types.NewParam(v.Pos(), v.Pkg(), "", v.Type()), err)
			case err != nil:
				b.unfitType(el, what, v, err)
			}
		}
	}
	refuse("parameter", el.fn.Sig.Params())
	refuse("result", el.fn.Sig.Results())
}
