package bind

import (
	"go/types"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/values"
)

// readOpaqueType returns the type of a value that the model does not see. Generated code only needs
// its Go name.
func (b *binder) readOpaqueType(t types.Type) (*model.Type, error) {
	goType, err := b.write.GoType(t)
	return &model.Type{Kind: model.Opaque, Go: goType}, err
}

// checkOmitted checks the type of a note against a value that is omitted. The type "any" matches all values.
// The function read returns the shape of the value. If it fails because JSON cannot carry the value,
// checkOmitted uses t instead.
func (b *binder) checkOmitted(el *element, e aion.Entry, what string, read func() (*model.Type, error), t *model.Type) {
	if values.WordOf(e.Note.Type).Kind == values.AnyKind {
		return
	}
	if typ, err := read(); err == nil {
		t = typ
	}
	b.checkNote(el, e, what, &model.Field{Type: t}, t)
}

// checkOmittedParam checks the note on an omitted parameter.
func (b *binder) checkOmittedParam(el *element, e aion.Entry, i int, t *model.Type) {
	read := func() (*model.Type, error) { return b.readArgumentType(el, el.params[i].Type()) }
	b.checkOmitted(el, e, "parameter "+paramName(el.params[i], i), read, t)
}
