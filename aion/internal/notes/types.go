package notes

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxTypeDepth bounds the brackets in a type. Nobody nests as many.
const maxTypeDepth = 50

// TypeEnd returns where the type ends that a text starts with: a type word or
// the expression of a Go type, of which only brackets and words are looked at.
func TypeEnd(text string) (end int, ok bool) {
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
		if !StartsIdent(rest) {
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

func (t *typeReader) spaces() { t.at = skipBlanks(t.text, t.at) }

// StartsIdent reports whether a text starts with an identifier of Go.
func StartsIdent(text string) bool {
	c, _ := utf8.DecodeRuneInString(text)
	return c == '_' || unicode.IsLetter(c)
}

// IsLiteralType reports whether a note's first part starts with a type literal of
// Go, which is no type for a note.
func IsLiteralType(head string) bool {
	for _, word := range []string{"func", "struct", "interface"} {
		rest, ok := strings.CutPrefix(head, word)
		if rest = strings.TrimLeft(rest, " "); ok && (rest == "" || word == "func" && rest[0] == '(' || rest[0] == '{') {
			return true
		}
	}
	return false
}

// IsType reports whether a text is a type and nothing else.
func IsType(text string) bool {
	end, ok := TypeEnd(text)
	return ok && end == len(text)
}
