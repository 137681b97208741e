package desk

import (
	"strings"
	"unicode"
)

// line makes text of others safe for a line of a terminal, and cuts it.
func line(text string) string { return safe(text, 300, "") }

// lines is as line for text of several lines.
func lines(text string) string { return safe(strings.TrimSpace(text), 4000, "\n\t") }

// whole makes all of a text safe for a line of a terminal: nobody shall decide about what
// he does not see.
func whole(text string) string { return safe(text, len(text), "") }

// safe returns a text with at most so many characters, and without those that a
// terminal may take for commands or that change the order of others, but for some.
func safe(text string, longest int, allowed string) string {
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
