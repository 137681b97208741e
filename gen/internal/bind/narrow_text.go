package bind

import (
	"fmt"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// convertToReference returns a type whose values are passed by reference, or the reason why
// they cannot be.
func convertToReference(t *model.Type) (*model.Type, string) {
	if t.Form != model.GeneratedCodec {
		return t, "it is a part of a value that reads and writes its JSON itself, so it cannot be passed by reference"
	}
	if t.Kind == model.Opaque {
		return t, "generated code cannot name the type, so it cannot be passed by reference"
	}
	return &model.Type{Kind: model.Ref, Go: t.Go}, ""
}

// asText returns a type that represents the values of t as text: bytes without base64 encoding, or the
// text that a String method returns. If that is not possible, problem says why.
func asText(t *model.Type) (text *model.Type, problem string) {
	return convertToText(t, &model.TypeSet{})
}

// convertToText implements asText for t, which may be a part of the whole type. The set visited holds the
// types that contain t.
func convertToText(t *model.Type, visited *model.TypeSet) (*model.Type, string) {
	text := *t
	text.Narrowed = true
	switch {
	case t.Form != model.GeneratedCodec:
		return t, "the option text does not apply to a part of a value that reads and writes its JSON itself"
	case t.Kind == model.ErrorText:
		return t, ""
	case t.Kind == model.Bytes:
		text.Kind, text.Elem = model.ByteText, nil
	case t.Stringer:
		text = model.Type{Kind: model.Stringer, Go: t.Go, Nilable: t.Nilable}
	case innerType(t) != nil && visited.Add(t):
		elem, problem := convertToText(t.Elem, visited)
		if problem != "" {
			return t, problem
		}
		text.Elem = elem
	default:
		return t, fmt.Sprintf("the option text does not apply to the Go type %s: it is for []byte and for results with a method String() string", t.Go)
	}
	return &text, ""
}

// innerType returns the type that t points to, the type of its elements, or the type that represents it. It
// returns nil for other types.
func innerType(t *model.Type) *model.Type {
	switch t.Kind {
	case model.Pointer, model.Slice, model.Array, model.Map, model.Null, model.Represented, model.Asserted:
		return t.Elem
	}
	return nil
}
