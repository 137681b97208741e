// Package reference formats and parses references: JSON strings such as "<<var:photo>>", which tools take or
// return in place of the Go value in a variable.
package reference

import (
	"strings"

	"github.com/aiongen/aiongen/internal/words"
)

// Pattern is the regular expression for a reference in JSON Schemas.
const Pattern = "^<<var:[A-Za-z0-9_.-]{1,64}>>$"

// A reference is a string that consists of opening, a name and closing.
const (
	opening = "<<var:"
	closing = ">>"
)

const maxNameBytes = 64 // bytes

// Format returns the reference to a variable.
func Format(name string) string { return opening + name + closing }

// ParseName returns the name in a reference, and reports whether text is a reference.
func ParseName(text string) (name string, ok bool) {
	name, opens := strings.CutPrefix(text, opening)
	name, closes := strings.CutSuffix(name, closing)
	return name, opens && closes && IsName(name)
}

// Escape returns the string to write for a literal text. It adds a < if the text would otherwise be read as
// a reference, or as an escaped reference: "<<var:a>>" becomes "<<<var:a>>".
func Escape(text string) string {
	if _, refers := ParseName("<<" + strings.TrimLeft(text, "<")); refers && strings.HasPrefix(text, "<<") {
		return "<" + text
	}
	return text
}

// Unescape reverses [Escape]. It returns false if the text is not escaped.
func Unescape(text string) (literal string, ok bool) {
	end := strings.TrimLeft(text, "<")
	_, ok = ParseName("<<" + end)
	if !ok || len(text) < len("<<<")+len(end) {
		return "", false
	}
	return text[1:], true
}

// IsName reports whether a variable can have the name: 1 to 64 letters, digits, hyphens, dots and
// underscores.
func IsName(name string) bool {
	isOther := func(c rune) bool { return !words.IsToolNameChar(c) && c != '.' }
	return name != "" && len(name) <= maxNameBytes && !strings.ContainsFunc(name, isOther)
}
