package failure

import (
	"slices"
	"strings"
)

// isInside reports whether a text tells what is of the program, and nothing to a model:
// places in its source, its memory, its types, and what the runtime and reflection say.
// A regular expression would have every program link package regexp, which is a tenth of
// a small one.
func isInside(text string) bool {
	if strings.HasPrefix(text, "goroutine ") || text[:leading(text, isWord)] == "reflect" {
		return true
	}
	for i := range len(text) {
		if isInsideAt(text, i) {
			return true
		}
	}
	return false
}

// isInsideAt reports whether that is what stands at text[i].
func isInsideAt(text string, i int) bool {
	rest := text[i:]
	begins := func(prefix string) bool { return strings.HasPrefix(rest, prefix) }
	switch {
	case begins(".go:"):
		return leading(rest[len(".go:"):], isDigit) > 0
	case begins("0x"):
		return (i == 0 || !isWord(text[i-1])) && leading(rest[len("0x"):], isHex) >= 4
	case begins("*"):
		n := 1 + leading(rest[1:], isWord)
		return n > 1 && strings.HasPrefix(rest[n:], ".") && leading(rest[n+1:], isWord) > 0
	}
	return slices.ContainsFunc([]string{"runtime error: ", "interface{", "interface {"}, begins)
}

// leading returns how many bytes of such there are at the beginning of a text.
func leading(text string, such func(byte) bool) int {
	for i := range len(text) {
		if !such(text[i]) {
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
