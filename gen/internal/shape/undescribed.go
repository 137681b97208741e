package shape

import "github.com/aiongen/aiongen/gen/internal/model"

// isUndescribed reports whether the JSON form of a type is unknown.
func isUndescribed(t *model.Type) bool { return t.Kind == model.Custom && t.Elem == nil }

// FindUndescribed returns a type of unknown form, and the path to it as in ListUndescribed. The type is t
// itself, the type that t points to, or the type of its elements. It returns nil if the forms of these types
// are known.
func FindUndescribed(t *model.Type) (part *model.Type, path string) {
	for seen := map[*model.Type]bool{}; t != nil && !seen[t]; t = t.Elem {
		seen[t] = true
		switch t.Kind {
		case model.Custom:
			if isUndescribed(t) {
				return t, path
			}
			return nil, ""
		case model.Slice, model.Array, model.Map:
			path += elementSuffix(t)
		case model.Pointer, model.Null, model.Represented, model.Asserted:
		default:
			return nil, ""
		}
	}
	return nil, ""
}

// An UndescribedPart is a part of a type whose JSON form is unknown.
type UndescribedPart struct {
	Path string // spec.ports[].port, labels{}.value
	Type model.GoType
}

// ListUndescribed returns the parts of a type whose JSON form is unknown, except those that a
// model does not see. A type that occurs several times is listed once.
func ListUndescribed(t *model.Type, path string) []UndescribedPart {
	var w undescribedWalk
	w.visit(t, path)
	return w.parts
}

type undescribedWalk struct {
	visited model.TypeSet
	parts   []UndescribedPart
}

func (w *undescribedWalk) visit(t *model.Type, path string) {
	if t == nil || t.Kind == model.Opaque {
		return
	}
	if isUndescribed(t) {
		w.parts = append(w.parts, UndescribedPart{path, t.Go})
		return
	}
	if t.Elem == nil && len(t.Fields) == 0 || !w.visited.Add(t) {
		return
	}
	w.visit(t.Elem, path+elementSuffix(t))
	for _, f := range t.ShownFields() {
		w.visit(f.Type, path+"."+f.Name)
	}
}

// elementSuffix returns the suffix of a path to the elements of a type.
func elementSuffix(t *model.Type) string {
	switch t.Kind {
	case model.Slice, model.Array:
		return "[]"
	case model.Map:
		return "{}"
	}
	return ""
}
