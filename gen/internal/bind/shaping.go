package bind

import (
	"go/types"
	"reflect"
	"slices"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// unseen is the type of what no model sees: any that Go can name.
func (b *binder) unseen(t types.Type) (*model.Type, error) {
	goType, err := b.write.Type(t)
	return &model.Type{Kind: model.Opaque, Go: goType}, err
}

// checkOmitted holds the type of a note against what is omitted, which need not be
// anything that JSON can carry: any stands for all of it.
func (b *binder) checkOmitted(el *element, e aion.Entry, what string, read func() (*model.Type, error), t *model.Type) {
	if aion.WordOf(e.Note.Type).Kind == aion.AnyKind {
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

// wholeNote is the one note that describes an arguments object as a whole, nil if
// there is none.
func (b *binder) wholeNote(el *element, args *model.Type) *aion.Entry {
	entries := el.objectNotes()
	byLambda := el.fn.Literal != nil && el.fn.Literal.Lambda != nil // its one parameter has the type of the note
	if len(entries) == 1 && (b.meansObject(entries[0].Note.Type, args) || byLambda) {
		return &entries[0]
	}
	return nil
}

// objectNotes are the notes on an arguments object, or on its fields. Those on
// parameters that are omitted beside it are none.
func (el *element) objectNotes() []aion.Entry {
	if len(el.params) == 1 || len(el.params) != len(el.Function.Args) {
		return el.Function.Args
	}
	return slices.DeleteFunc(slices.Clone(el.Function.Args), func(e aion.Entry) bool { return e.Note.Omit })
}

// checkResultOptions reports what is said of a result and only makes sense of an
// argument.
func (b *binder) checkResultOptions(e aion.Entry) {
	n := &e.Note
	switch {
	case n.Required || n.Paths("required") != nil || n.Paths("optional") != nil || hasOptions(e.Note):
		b.badOption("note-option", e, "a result has no options that say what a model may send").
			WithHelp("it has only=, omit, ref and text, which say what the model sees")
	}
}

// meansObject reports whether a note's type stands for an arguments object as a
// whole: a word for objects, or the object's own type, also behind a pointer.
func (b *binder) meansObject(word string, args *model.Type) bool {
	if word == "dict" || word == "object" {
		return true
	}
	written, err := b.scope.GoType(word)
	if err == nil && written.Kind == model.GoPointer {
		written = written.Elems[0]
	}
	return err == nil && reflect.DeepEqual(written, args.Go)
}
