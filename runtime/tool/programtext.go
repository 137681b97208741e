package tool

import (
	"slices"
	"strings"
)

// describesProgram reports whether a text describes the program and is useless to a model. Such a
// text contains a source file with a line, an address, a Go type, or a message of package runtime or
// reflect. The function uses no regular expressions, because package regexp would make small
// programs a tenth larger.
func describesProgram(text string) bool {
	if strings.HasPrefix(text, "goroutine ") || text[:countLeading(text, isWord)] == "reflect" {
		return true
	}
	for i := range len(text) {
		if describesProgramAt(text, i) {
			return true
		}
	}
	return false
}

// describesProgramAt reports whether such a part of a text begins at text[i].
func describesProgramAt(text string, i int) bool {
	rest := text[i:]
	begins := func(prefix string) bool { return strings.HasPrefix(rest, prefix) }
	switch {
	case begins(".go:"):
		return countLeading(rest[len(".go:"):], isDigit) > 0
	case begins("0x"):
		return (i == 0 || !isWord(text[i-1])) && countLeading(rest[len("0x"):], isHex) >= 4
	case begins("*"):
		n := 1 + countLeading(rest[1:], isWord)
		return n > 1 && strings.HasPrefix(rest[n:], ".") && countLeading(rest[n+1:], isWord) > 0
	}
	return slices.ContainsFunc([]string{"runtime error: ", "interface{", "interface {"}, begins)
}

// countLeading returns the number of bytes at the beginning of a text that match.
func countLeading(text string, matches func(byte) bool) int {
	for i := range len(text) {
		if !matches(text[i]) {
			return i
		}
	}
	return len(text)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isHex(c byte) bool   { return isDigit(c) || 'a' <= c && c <= 'f' }
func isWord(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_'
}
