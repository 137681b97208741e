package shape

import (
	"slices"

	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/values"
)

// AcceptedKinds are the kinds of Go types that a type word accepts.
var AcceptedKinds = map[values.Kind][]model.Kind{
	values.StringKind: {model.String, model.Bytes, model.ByteText, model.Stringer, model.ErrorText, model.Time, model.Duration, model.Text, model.URL, model.Quoted},
	values.IntKind:    {model.Int, model.Uint, model.BigInt},
	values.FloatKind:  {model.Float, model.Int, model.Uint, model.BigInt, model.Number},
	values.BoolKind:   {model.Bool},
	values.ListKind:   {model.Slice, model.Array},
	values.DictKind:   {model.Map, model.StructKind, model.Union},
	values.AnyKind:    {model.Any, model.Raw, model.Custom, model.Opaque, model.Ref, model.Union},
}

// TypeWord returns the word that a note would use for a Go type, such as list[int] for []int64.
func TypeWord(t *model.Type) string {
	switch {
	case t.Kind == model.Pointer || t.Kind == model.Null || t.Kind == model.Represented || t.Kind == model.Asserted:
		return TypeWord(t.Elem)
	case t.Kind == model.Slice || t.Kind == model.Array:
		return "list[" + simpleWord(t.Elem) + "]"
	case t.Kind == model.Map && t.Key.Kind == model.String:
		return "dict[string, " + simpleWord(t.Elem) + "]"
	}
	return simpleWord(t)
}

// simpleWord returns the type word for a Go type without its elements, because types can be
// recursive.
func simpleWord(t *model.Type) string {
	if t.Kind == model.Pointer || t.Kind == model.Null || t.Kind == model.Represented || t.Kind == model.Asserted || t.Kind == model.Opaque && t.Elem != nil {
		return simpleWord(t.Elem)
	}
	for _, word := range values.TypeWords {
		if slices.Contains(AcceptedKinds[values.WordOf(word).Kind], t.Kind) {
			return word
		}
	}
	return "string"
}
