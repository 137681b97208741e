// Package note holds one note of an element against a Go type: what its words accept of
// Go, and what it leaves of the type.
//
// Its layers, from top to bottom:
//
//	note     a note, and the types that it accepts
//	options  the values that it allows
package note

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/narrow"
	"github.com/aiongen/aiongen/gen/internal/resolve"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/internal/values"
)

// A Reader reads notes where their types stand for those of a package.
type Reader struct {
	Scope  *resolve.Scope
	Shapes *shape.Shapes
}

// Accepts reports whether a note's type, a word or a Go type, accepts a Go type, and
// whether it is known at all.
func (r Reader) Accepts(word string, t *model.Type) (ok, known bool) {
	exact := []model.GoType{t.Go}
	for shape.MayBeNull(t) || (t.Kind == model.Custom || t.Kind == model.Opaque) && t.Elem != nil {
		if ok, known := r.acceptsWord(word, t); t.Kind == model.Custom && ok && known {
			return true, true
		}
		t = t.Elem
		exact = append(exact, t.Go)
	}
	if ok, known := r.acceptsWord(word, t); known {
		return ok, true
	}
	if written, err := r.Scope.GoType(word); err == nil {
		return slices.ContainsFunc(exact, func(g model.GoType) bool { return reflect.DeepEqual(g, written) }), true
	}
	return r.acceptsWord(strings.ToLower(word), t)
}

func (r Reader) acceptsWord(word string, t *model.Type) (ok, known bool) {
	w := values.WordOf(word)
	ok = slices.Contains(shape.AcceptedKinds[w.Kind], t.Kind)
	if ok && w.Kind == values.DictKind && w.Key != "" {
		ok = t.Kind == model.Map && values.WordOf(w.Key).Kind == values.StringKind
	}
	if ok && w.Elem != "" {
		return r.Accepts(w.Elem, t.Elem)
	}
	return ok, w.Kind != 0
}

// MeansObject reports whether a note's type stands for an arguments object as a whole:
// a word for objects, or the object's own type, also behind a pointer.
func (r Reader) MeansObject(word string, args *model.Type) bool {
	if w := values.WordOf(word); w.Kind == values.DictKind && w.Elem == "" {
		return true
	}
	written, err := r.Scope.GoType(word)
	if err == nil && written.Kind == model.GoPointer {
		written = written.Elems[0]
	}
	return err == nil && reflect.DeepEqual(written, args.Go)
}

// Narrow is what a note leaves of the type of an argument or a result: itself where it
// changes nothing. Definitions of what is left begin with the name of the tool.
func (r Reader) Narrow(e aion.Entry, t *model.Type, tool string) (*model.Type, diag.List) {
	var faults diag.List
	problem := ""
	switch n := &e.Note; {
	case n.Ref:
		t, problem = narrow.ByReference(t)
	case n.Text:
		t, problem = narrow.AsText(t)
	case len(n.Shape) > 0:
		return narrow.Note(t, n, tool, r.Shapes.Fields)
	}
	if problem != "" {
		bad(&faults, "note-option", e, problem)
	}
	return t, faults
}

// OfResult reports what a note says of a result that only makes sense of an argument, or
// of one that may be nil.
func OfResult(e aion.Entry, t *model.Type) (faults diag.List) {
	n := e.Note
	mayBeNil := n.Optional && n.Default == nil
	n.Optional = n.Optional && !mayBeNil
	switch {
	case n.Required || n.Paths("required") != nil || n.Paths("optional") != nil || hasOptions(n):
		bad(&faults, "note-option", e, "a result has no options that say what a model may send").
			WithHelp("it has only=, omit, ref and text, which say what the model sees, and optional, for a pointer that may be nil")
	case mayBeNil && t != nil && t.Kind != model.Pointer:
		bad(&faults, "note-option", e, fmt.Sprintf("a result of type %s is no pointer to a value, which could be nil", t.Go)).
			WithHelp("delete optional").WithFix(e.Note.Without("optional")...)
	}
	return faults
}
