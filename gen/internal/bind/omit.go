package bind

import (
	"go/types"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/values"
)

// unseen is the type of what no model sees: any that Go can name.
func (b *binder) unseen(t types.Type) (*model.Type, error) {
	goType, err := b.write.Type(t)
	return &model.Type{Kind: model.Opaque, Go: goType}, err
}

// checkOmitted holds the type of a note against what is omitted, which need not be
// anything that JSON can carry: any stands for all of it.
func (b *binder) checkOmitted(el *element, e aion.Entry, what string, read func() (*model.Type, error), t *model.Type) {
	if values.WordOf(e.Note.Type).Kind == values.AnyKind {
		return
	}
	if exact, err := read(); err == nil {
		t = exact
	}
	b.checkNote(el, e, what, &model.Field{Type: t}, t)
}

// checkOmittedParam does so for a parameter.
func (b *binder) checkOmittedParam(el *element, e aion.Entry, i int, t *model.Type) {
	read := func() (*model.Type, error) { return b.argument(el, el.params[i].Type()) }
	b.checkOmitted(el, e, "parameter "+paramName(el.params[i], i), read, t)
}
