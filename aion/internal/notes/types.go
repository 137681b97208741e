package notes

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxTypeDepth limits the nesting of brackets in a type.
const maxTypeDepth = 50

// TypeEnd parses the type at the start of a text, such as int, list[string] or *time.Time, and
// returns the offset after it. It checks only the syntax, not whether the type exists.
func TypeEnd(text string) (end int, ok bool) {
	t := typeReader{text: text}
	ok = t.readType(0)
	return t.at, ok
}

// A typeReader parses a type.
type typeReader struct {
	text string
	at   int
}

// readType parses a type, including prefixes such as *, [] and [3].
func (t *typeReader) readType(depth int) bool {
	if depth > maxTypeDepth {
		return false
	}
	for {
		switch {
		case t.acceptText("*"), t.acceptText("[]"):
			continue
		case t.acceptText("["):
			if !t.readLength() {
				return false
			}
			continue
		}
		return t.readBase(depth)
	}
}

// readLength parses the length of an array and the bracket after it.
func (t *typeReader) readLength() bool {
	rest := strings.TrimLeft(t.text[t.at:], "0123456789")
	if digits := len(t.text) - t.at - len(rest); digits > 0 {
		t.at += digits
	} else if !t.readName() {
		return false
	}
	return t.acceptText("]")
}

// readBase parses a map, a channel, or a name with its type arguments.
func (t *typeReader) readBase(depth int) bool {
	if t.acceptText("<-chan ") || t.acceptText("chan<- ") || t.acceptText("chan ") {
		return t.readType(depth + 1)
	}
	mapType := strings.HasPrefix(t.text[t.at:], "map[")
	if !t.readName() {
		return false
	}
	if !t.acceptText("[") {
		return true
	}
	for t.skipSpaces(); t.readType(depth + 1); t.skipSpaces() {
		t.skipSpaces()
		if t.acceptText("]") {
			return !mapType || t.readType(depth+1)
		}
		if !t.acceptText(",") {
			return false
		}
	}
	return false
}

// readName parses an identifier, or several with dots between them.
func (t *typeReader) readName() bool {
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
		if !t.acceptText(".") {
			return true
		}
	}
}

// acceptText skips a text if it comes next.
func (t *typeReader) acceptText(text string) bool {
	if strings.HasPrefix(t.text[t.at:], text) {
		t.at += len(text)
		return true
	}
	return false
}

func (t *typeReader) skipSpaces() { t.at = skipBlanks(t.text, t.at) }

// StartsIdent reports whether a text starts with a Go identifier.
func StartsIdent(text string) bool {
	c, _ := utf8.DecodeRuneInString(text)
	return c == '_' || unicode.IsLetter(c)
}

// IsLiteralType reports whether the first part of a note starts with a func, struct or
// interface type, such as func(int), which a note cannot contain.
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
