package values

import "strings"

// A Kind is the kind of type that a word such as "str" stands for. The zero Kind means that the word is not
// known.
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

// TypeWords are the words that a note may use for types instead of Go types. Synonyms are next to
// each other.
var TypeWords = []string{
	"string", "str", "int", "integer", "float", "number", "bool", "boolean",
	"list", "array", "dict", "object", "any", "none", "null",
}

// kindsByWord maps type words to their kinds.
var kindsByWord = map[string]Kind{
	"string": StringKind, "str": StringKind, "int": IntKind, "integer": IntKind, "float": FloatKind, "number": FloatKind,
	"bool": BoolKind, "boolean": BoolKind, "list": ListKind, "array": ListKind, "dict": DictKind, "object": DictKind,
	"any": AnyKind, "none": NoneKind, "null": NoneKind,
}

// A Word is a type that is written in words, such as str, list[T] or dict[K, V]. Key and Elem are the texts of the types
// in brackets, if there are any. The zero Word means that the type is not written in words.
type Word struct {
	Kind      Kind
	Key, Elem string
}

// WordOf parses a type in words. It accepts only lower case, because words in another case
// may be the names of Go types.
func WordOf(typ string) Word {
	name, inner, generic := strings.Cut(typ, "[")
	kind := kindsByWord[name]
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
