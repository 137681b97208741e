package narrow

import (
	"fmt"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// ByReference is a type whose values are passed by reference, or the problem with that.
func ByReference(t *model.Type) (*model.Type, string) {
	if t.Kind == model.Opaque {
		return t, "generated code cannot name the type, so that there is no reference to it"
	}
	return &model.Type{Kind: model.Ref, Go: t.Go}, ""
}

// AsText is a type whose values are text: bytes that are not in base64, or what the
// String method of a result returns. The problem is that there is none.
func AsText(t *model.Type) (*model.Type, string) { return asText(t, &model.Met{}) }

// asText is AsText for a part of a type, of which other parts were met.
func asText(t *model.Type, met *model.Met) (*model.Type, string) {
	text := *t
	text.Narrowed = true
	switch {
	case t.Kind == model.Bytes:
		text.Kind, text.Elem = model.ByteText, nil
	case t.Stringer:
		text = model.Type{Kind: model.Stringer, Go: t.Go, Nilable: t.Nilable}
	case within(t) != nil && met.First(t):
		elem, problem := asText(t.Elem, met)
		if problem != "" {
			return t, problem
		}
		text.Elem = elem
	default:
		return t, fmt.Sprintf("text does not fit the Go type %s: it is for []byte, and for results with a method String() string", t.Go)
	}
	return &text, ""
}

func within(t *model.Type) *model.Type {
	switch t.Kind {
	case model.Pointer, model.Slice, model.Array, model.Map, model.Null:
		return t.Elem
	}
	return nil
}
