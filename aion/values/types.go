package values

import "github.com/aiongen/aiongen/aion/internal/notes"

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

// kinds has the kinds of the words that come first among those that mean the same.
var kinds = map[string]Kind{
	"string": StringKind, "int": IntKind, "float": FloatKind, "bool": BoolKind,
	"list": ListKind, "dict": DictKind, "any": AnyKind, "none": NoneKind,
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
	kind, key, elem := notes.ReadType(typ)
	return Word{kinds[kind], key, elem}
}
