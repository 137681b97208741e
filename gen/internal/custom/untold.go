package custom

import "github.com/aiongen/aiongen/gen/internal/model"

// IsUntold reports whether nothing is known of what JSON a type takes.
func IsUntold(t *model.Type) bool { return t.Kind == model.Custom && t.Elem == nil }

// Whole returns the type that nothing is known of and of which a type is made as a
// whole: it, what it points to, or its elements, with the path to it as Untold has it.
// It is nil if there is none.
func Whole(t *model.Type) (part *model.Type, path string) {
	for seen := map[*model.Type]bool{}; t != nil && !seen[t]; t = t.Elem {
		seen[t] = true
		switch t.Kind {
		case model.Custom:
			if IsUntold(t) {
				return t, path
			}
			return nil, ""
		case model.Slice, model.Array, model.Map:
			path += step(t)
		case model.Pointer, model.Null:
		default:
			return nil, ""
		}
	}
	return nil, ""
}

// A Part is one of a type that nothing is known of.
type Part struct {
	Path string // spec.ports[].port, labels{}.value
	Type model.GoType
}

// Untold lists the parts of a type that nothing is known of, those that a model sees.
// What is in a type that occurs again is listed once.
func Untold(t *model.Type, path string) []Part {
	var w walk
	w.visit(t, path)
	return w.parts
}

type walk struct {
	met   model.Met
	parts []Part
}

func (w *walk) visit(t *model.Type, path string) {
	if t == nil || t.Kind == model.Opaque {
		return
	}
	if IsUntold(t) {
		w.parts = append(w.parts, Part{path, t.Go})
		return
	}
	if t.Elem == nil && len(t.Fields) == 0 || !w.met.First(t) {
		return
	}
	w.visit(t.Elem, path+step(t))
	for _, f := range t.Shown() {
		w.visit(f.Type, path+"."+f.Name)
	}
}

// step is what the path to the elements of a type has more than the path to it.
func step(t *model.Type) string {
	switch t.Kind {
	case model.Slice, model.Array:
		return "[]"
	case model.Map:
		return "{}"
	}
	return ""
}
