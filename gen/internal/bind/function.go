package bind

import (
	"fmt"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// bindFunction checks the contract of an element against the function's
// signature, and settles how the function is called.
func (b *binder) bindFunction(el *element) {
	exact, err := b.write.Type(el.fn.Sig)
	if err != nil {
		helpReach(b.unfit(el, fmt.Sprintf("%s: %v", el.fn.Describe(), err)), err)
		return
	}
	el.tool.Func = &model.Func{Type: exact}
	if err := b.bindCallee(el); err != nil {
		b.unfit(el, fmt.Sprintf("%s: %v", el.fn.Describe(), err))
		return
	}
	b.bindArgs(el)
	b.bindResults(el)
}
