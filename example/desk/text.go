package desk

import (
	"strings"
	"unicode"
)

// safeLine returns a text that is safe for one line of a terminal, shortened.
func safeLine(text string) string { return safeText(text, 300, "") }

// safeLines is like safeLine for a text of several lines.
func safeLines(text string) string { return safeText(strings.TrimSpace(text), 4000, "\n\t") }

// safeWhole is like safeLine, but does not shorten the text: people must see everything that they decide about.
func safeWhole(text string) string { return safeText(text, len(text), "") }

// safeText returns at most longest characters of a text. It replaces characters that a terminal may interpret as commands,
// or that change the order of other characters, by blanks, except those in allowed.
func safeText(text string, longest int, allowed string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(allowed, r):
			return r
		case !unicode.IsPrint(r):
			return ' '
		}
		return r
	}, text)
	if r := []rune(clean); len(r) > longest {
		return string(r[:longest]) + "…"
	}
	return clean
}
