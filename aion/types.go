package aion

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

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

// TypeWords are the words for types that a note may use without Go.
var TypeWords = []string{
	"string", "str", "int", "integer", "float", "number", "bool", "boolean",
	"list", "array", "dict", "object", "any", "none", "null",
}

// kinds has the kind of each of the TypeWords.
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
	w := Word{Kind: kinds[name]}
	if !generic {
		return w
	}
	inner = strings.TrimSuffix(inner, "]")
	switch w.Kind {
	case ListKind:
		w.Elem = inner
	case DictKind:
		key, elem, two := strings.Cut(inner, ",")
		if !two {
			return Word{}
		}
		w.Key, w.Elem = strings.TrimSpace(key), strings.TrimSpace(elem)
	default:
		return Word{}
	}
	return w
}

func isNone(typ string) bool { return WordOf(typ).Kind == NoneKind }

// maxTypeDepth bounds the brackets in a type. Nobody nests as many.
const maxTypeDepth = 50

// typeEnd returns where the type ends that a text starts with: a type word or
// the expression of a Go type, of which only brackets and words are looked at.
func typeEnd(text string) (end int, ok bool) {
	t := typeReader{text: text}
	ok = t.typ(0)
	return t.at, ok
}

// A typeReader reads the expression of a type.
type typeReader struct {
	text string
	at   int
}

// typ reads a type with what may stand before it: pointers, slices and arrays.
func (t *typeReader) typ(depth int) bool {
	if depth > maxTypeDepth {
		return false
	}
	for {
		switch {
		case t.accept("*"), t.accept("[]"):
			continue
		case t.accept("["):
			if !t.length() {
				return false
			}
			continue
		}
		return t.base(depth)
	}
}

// length reads the length of an array and the bracket behind it.
func (t *typeReader) length() bool {
	rest := strings.TrimLeft(t.text[t.at:], "0123456789")
	if digits := len(t.text) - t.at - len(rest); digits > 0 {
		t.at += digits
	} else if !t.name() {
		return false
	}
	return t.accept("]")
}

// base reads a map, a channel, or a name with its type arguments.
func (t *typeReader) base(depth int) bool {
	if t.accept("<-chan ") || t.accept("chan<- ") || t.accept("chan ") {
		return t.typ(depth + 1)
	}
	mapType := strings.HasPrefix(t.text[t.at:], "map[")
	if !t.name() {
		return false
	}
	if !t.accept("[") {
		return true
	}
	for t.spaces(); t.typ(depth + 1); t.spaces() {
		t.spaces()
		if t.accept("]") {
			return !mapType || t.typ(depth+1)
		}
		if !t.accept(",") {
			return false
		}
	}
	return false
}

// name reads an identifier, or several with dots between.
func (t *typeReader) name() bool {
	for {
		rest := t.text[t.at:]
		end := strings.IndexFunc(rest, func(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) })
		if end < 0 {
			end = len(rest)
		}
		if !startsIdent(rest) {
			return false
		}
		t.at += end
		if !t.accept(".") {
			return true
		}
	}
}

// accept moves over a text, if it comes next.
func (t *typeReader) accept(text string) bool {
	if strings.HasPrefix(t.text[t.at:], text) {
		t.at += len(text)
		return true
	}
	return false
}

func (t *typeReader) spaces() { t.at = skipBlank(t.text, t.at) }

// startsIdent reports whether a text starts with an identifier of Go.
func startsIdent(text string) bool {
	c, _ := utf8.DecodeRuneInString(text)
	return c == '_' || unicode.IsLetter(c)
}
