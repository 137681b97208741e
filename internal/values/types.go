package values

import "strings"

// A Kind is what a type word stands for. The zero Kind is that of other types.
type Kind int

// The kinds of the type words.
const (
	StringKind Kind = iota + 1
	IntKind
	FloatKind
	BoolKind
	ListKind
	DictKind
	AnyKind
	NoneKind
)

// kinds has the kinds of the type words.
var kinds = map[string]Kind{
	"string": StringKind, "str": StringKind, "int": IntKind, "integer": IntKind, "float": FloatKind, "number": FloatKind,
	"bool": BoolKind, "boolean": BoolKind, "list": ListKind, "array": ListKind, "dict": DictKind, "object": DictKind,
	"any": AnyKind, "none": NoneKind, "null": NoneKind,
}

// A Word is a type in words: a type word, list[T] or dict[K, V], of which Key and
// Elem are the types in brackets as they are written, if there are any. The zero
// Word is that of other types.
type Word struct {
	Kind      Kind
	Key, Elem string
}

// WordOf reads a type in words. Words count in lower case only: in another case
// they may be the names of Go types, so it is for the binder to ask again with the
// lower.
func WordOf(typ string) Word {
	name, inner, generic := strings.Cut(typ, "[")
	kind := kinds[name]
	if !generic {
		return Word{Kind: kind}
	}
	inner = strings.TrimSuffix(inner, "]")
	switch kind {
	case ListKind:
		return Word{Kind: kind, Elem: inner}
	case DictKind:
		if key, elem, two := strings.Cut(inner, ","); two {
			return Word{kind, strings.TrimSpace(key), strings.TrimSpace(elem)}
		}
	}
	return Word{}
}
