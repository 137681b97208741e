// Package reference says what stands in JSON for a Go value that a tool takes or
// returns: a string that refers to a variable by its name.
package reference

import "strings"

// Pattern is the regular expression that a reference is described with in JSON Schemas.
const Pattern = "^<<var:[A-Za-z0-9_.-]{1,64}>>$"

// A reference is the name between these, as a whole string.
const (
	opening = "<<var:"
	closing = ">>"
)

const longestName = 64 // bytes

// To returns the reference to a variable.
func To(name string) string { return opening + name + closing }

// Name returns the name that a string refers to, if it is a reference.
func Name(text string) (name string, ok bool) {
	name, opens := strings.CutPrefix(text, opening)
	name, closes := strings.CutSuffix(name, closing)
	return name, opens && closes && IsName(name)
}

// Escape returns a string that stands for a text, with one more < if it would be read
// as a reference, or as such a string.
func Escape(text string) string {
	if _, refers := Name("<<" + strings.TrimLeft(text, "<")); refers && strings.HasPrefix(text, "<<") {
		return "<" + text
	}
	return text
}

// Unescape returns the text that [Escape] was given, if it has changed it.
func Unescape(text string) (literal string, ok bool) {
	end := strings.TrimLeft(text, "<")
	_, ok = Name("<<" + end)
	if !ok || len(text) < len("<<<")+len(end) {
		return "", false
	}
	return text[1:], true
}

// IsName reports whether a name is one that a variable can have: 1 to 64 letters,
// digits, hyphens, dots and underscores.
func IsName(name string) bool {
	other := func(c rune) bool {
		return !(c == '_' || c == '-' || c == '.' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9')
	}
	return name != "" && len(name) <= longestName && !strings.ContainsFunc(name, other)
}
