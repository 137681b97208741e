package syntax

import (
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/aion/diag"
)

// arrows are the arrow and what people write in its place, the longer first.
var arrows = []string{"-->", "==>", "=>", "==", "=", ":=", ":", "->", ">", "→", "⟶", "⇒", "⟹", "—>", "–>", "—", "–"}

func arrowWidth(rest string) int {
	for _, a := range arrows {
		if strings.HasPrefix(rest, a) {
			return len(a)
		}
	}
	return 0
}

// identWidth returns the width of the identifier that text starts with, or 0.
// Dashes may stand in it, but not those of an arrow.
func identWidth(text string) int {
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '-' && (i == 0 || text[i-1] != '-') && startsBroken(text[i:]), c == '-' && strings.HasPrefix(text[i:], "-->"):
			return i
		case !IsIdent(c):
			return i
		}
	}
	return len(text)
}

// startsBroken reports whether a text starts with dashes that a blank separates from
// the head of the arrow.
func startsBroken(text string) bool {
	head := strings.TrimLeft(text, "-")
	behind := strings.TrimLeft(head, " \t")
	return len(behind) < len(head) && len(head) < len(text) && behind != "" && behind[0] == '>'
}

// skipBlank returns the offset of the first byte from at on that is no white space.
func skipBlank(text string, at int) int {
	for at < len(text) && isBlank(text[at]) {
		at++
	}
	return at
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// IsName reports whether a text is an identifier.
func IsName(text string) bool { return text != "" && identWidth(text) == len(text) }

// IsIdent reports whether identifiers may have a byte in them.
func IsIdent(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-'
}

func invalidAt(text string) bool {
	r, size := utf8.DecodeRuneInString(text)
	return r == utf8.RuneError && size == 1
}

// firstLine is the text up to its first line end.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// badRune is the code of the fault that a decoded rune is, if any.
func badRune(r rune, size int) diag.Code {
	switch {
	case r == utf8.RuneError && size == 1:
		return "not-utf8"
	case r == 0:
		return "nul-byte"
	}
	return ""
}
