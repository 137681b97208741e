package bind

import (
	"go/types"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/values"
)

// A partReader reads the shape of a type, either for arguments or for results.
type partReader func(*element, types.Type) (*model.Type, error)

// assertType gives the type of a note to interfaces without methods: t itself, the type that t points to, and the
// type of its elements. With the note list[int], for example, []any becomes a list of int. If there are no such
// interfaces, assertType returns t. Otherwise it returns a copy and removes the type from the note, which needs
// no further check.
func (b partBinder) assertType(el *element, n *aion.Note, t *model.Type, read partReader) *model.Type {
	a := assertion{binder: b.binder, el: el, note: *n, read: read}
	asserted := a.assert(n.Type, t)
	if asserted != t {
		n.Type = ""
	}
	return asserted
}

// An assertion gives the type of a note to the interfaces in a type.
type assertion struct {
	*binder
	el   *element
	note aion.Note
	read partReader
}

// assert implements assertType for t, which may be a part of the whole type. The string word is the part of
// the note's type that describes t.
func (a *assertion) assert(word string, t *model.Type) *model.Type {
	elem, w := t.Elem, values.WordOf(word)
	switch {
	case word == "" || w.Kind == values.AnyKind:
		return t
	case isEmptyInterface(t):
		elem = a.readElem(word)
		if elem == nil {
			return t
		}
		return &model.Type{Kind: model.Asserted, Go: t.Go, Elem: elem, Narrowed: true}
	case t.Kind == model.Pointer, t.Kind == model.Null:
		elem = a.assert(word, t.Elem)
	case (t.Kind == model.Slice || t.Kind == model.Array) && w.Kind == values.ListKind, t.Kind == model.Map && t.Key.Kind == model.String && w.Kind == values.DictKind:
		elem = a.assert(w.Elem, t.Elem)
	}
	return t.WithElem(elem)
}

// isEmptyInterface reports whether a type is an interface without methods that generated code reads and writes.
func isEmptyInterface(t *model.Type) bool {
	return t.Kind == model.Any && t.Schema == "" && t.Form == model.GeneratedCodec
}

// readElem reads the type that a note gives to an interface. It reports an error if JSON cannot carry the type. It
// returns nil if there is no such type, or if the type is itself an interface without methods.
func (a *assertion) readElem(word string) *model.Type {
	t, err := a.scope.NoteType(word)
	if err != nil {
		return nil // reported when the note is checked
	}
	elem, err := a.read(a.el, t)
	if err != nil {
		elem = &model.Type{Kind: model.Ref}
		elem.Go, _ = a.scope.GoType(word)
	}
	if elem.FindRef() != nil {
		a.el.faults.Errorf("type-mismatch", a.note.Span, "JSON cannot carry values of type %s, so a note cannot give this type to an interface", a.pkg.TypeName(t)).
			WithHelp("write \"any | ref\" to pass the value by reference, or the type of a value that JSON can carry")
	}
	if isEmptyInterface(elem) {
		return nil
	}
	return elem
}
