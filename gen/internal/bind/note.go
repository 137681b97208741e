package bind

import (
	"reflect"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/resolve"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/internal/values"
	"github.com/aiongen/aiongen/internal/words"
)

// A noteReader reads notes in the scope of a package.
type noteReader struct {
	Scope  *resolve.Scope
	Shapes *shape.Shapes
}

// acceptsType reports whether word, the type in a note, accepts t. It returns known = false if word is
// neither a type word nor a Go type.
func (r noteReader) acceptsType(word string, t *model.Type) (ok, known bool) {
	candidates := []model.GoType{t.Go}
	for shape.IsNullable(t) || t.Kind == model.Represented || t.Kind == model.Asserted || t.Kind == model.NullOr || (t.Kind == model.Custom || t.Kind == model.Opaque) && t.Elem != nil {
		if ok, known := r.acceptsWord(word, t); t.Kind == model.Custom && ok && known {
			return true, true
		}
		t = t.Elem
		candidates = append(candidates, t.Go)
	}
	if ok, known := r.acceptsWord(word, t); known {
		return ok, true
	}
	if written, err := r.Scope.GoType(word); err == nil {
		return slices.ContainsFunc(candidates, func(g model.GoType) bool { return reflect.DeepEqual(g, written) }), true
	}
	return r.acceptsWord(strings.ToLower(word), t)
}

func (r noteReader) acceptsWord(word string, t *model.Type) (ok, known bool) {
	w := values.WordOf(word)
	ok = slices.Contains(shape.AcceptedKinds[w.Kind], t.Kind)
	if ok && w.Kind == values.DictKind && w.Key != "" {
		ok = t.Kind == model.Map && values.WordOf(w.Key).Kind == values.StringKind
	}
	if ok && w.Elem != "" {
		return r.acceptsType(w.Elem, t.Elem)
	}
	if t.Kind == model.Any && w.Elem != "" { // assertType has kept the interface, so word does not fit or does not exist
		_, err := r.Scope.NoteType(word)
		return false, err == nil
	}
	return ok, w.Kind != 0
}

// meansObject reports whether the type of a note describes the whole arguments object: a word for
// objects, the Go type of the object, or a pointer to it.
func (r noteReader) meansObject(word string, args *model.Type) bool {
	if w := values.WordOf(word); w.Kind == values.DictKind && w.Elem == "" {
		return true
	}
	written, err := r.Scope.GoType(word)
	if err == nil && written.Kind == model.GoPointer {
		written = written.Elems[0]
	}
	return err == nil && reflect.DeepEqual(written, args.Go)
}

// narrowNoteType applies the options of a note that change the type of an argument or result. It
// returns t itself if they change nothing. If it adds definitions to the JSON Schema of the tool, their
// names begin with the name of the tool.
func (r noteReader) narrowNoteType(e aion.Entry, t *model.Type, tool string) (*model.Type, diag.List) {
	t, faults := r.describeByFields(e, t, tool)
	problem := ""
	switch n := &e.Note; {
	case n.Ref:
		t, problem = convertToReference(t)
	case n.Text:
		t, problem = asText(t)
	case len(n.Shape) > 0:
		narrowed, pathFaults := narrowType(t, n, tool, r.Shapes.HandleFields)
		r.helpWithFields(pathFaults, t)
		return narrowed, append(faults, pathFaults...)
	}
	if problem != "" {
		faults.Errorf("note-option", e.Note.Span, "%s: %s", e.Name.Value, problem)
	}
	return t, faults
}

// isArgumentOption reports whether an option makes sense only in a note on an argument.
func isArgumentOption(form string) bool {
	o, _ := values.FindOption(form)
	return !o.OnResult(form)
}

// resultOptions lists the options that a note on a result may have. An option with several forms, such as
// omit and omit=, is listed once.
func resultOptions() (forms []string) {
	for _, o := range values.Options {
		if i := slices.IndexFunc(o.Forms(), o.OnResult); i >= 0 {
			forms = append(forms, o.Forms()[i])
		}
	}
	return forms
}

// checkResultNote reports options of a note on a result that apply only to arguments. It also
// reports the option optional if the result cannot be nil.
func checkResultNote(e aion.Entry, t *model.Type) (faults diag.List) {
	n := e.Note
	mayBeNil := n.Optional && n.Default == nil
	switch {
	case slices.ContainsFunc(n.Options(), isArgumentOption):
		faults.Errorf("note-option", e.Note.Span, "%s: a note on a result cannot have options that apply only to arguments", e.Name.Value).
			WithHelp("a result can have only the options %s", words.List(resultOptions(), " and "))
	case mayBeNil && t != nil && t.Kind != model.Pointer && t.Kind != model.Asserted:
		faults.Errorf("note-option", e.Note.Span, "%s: a result of type %s is not a pointer, so it cannot be nil", e.Name.Value, t.Go).
			WithHelp("delete optional").WithFix(e.Note.Without("optional")...)
	}
	return faults
}
