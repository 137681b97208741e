// Package show makes text that others wrote fit to be shown in a line.
package show

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// What is shown of a text, and of a name, in bytes.
const (
	longest     = 200
	longestName = 128
)

// JSON shows a text that may be JSON, as such or in quotes, cut where long.
func JSON(text string) string {
	if n, err := jsontext.Parse(strings.ToValidUTF8(text, "\uFFFD"), jsontext.MaxDepth); err == nil {
		return escaped(words.Cut(n.String(), longest))
	}
	return strconv.Quote(words.Cut(text, longest))
}

// Line shows the first line of a text, cut where long.
func Line(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return escaped(words.Cut(strings.TrimSpace(line), longest))
}

// Name shows a name, which a model may have written, quoted if it is not of
// the characters that names are of.
func Name(name string) string {
	if name == "" || strings.Contains(name, " ") || !IsPrintable(name) {
		return strconv.Quote(words.Cut(name, longestName))
	}
	return words.Cut(name, longestName)
}

// IsPrintable tells whether a text is of characters that can be seen, and blanks.
func IsPrintable(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return !strconv.IsPrint(r) })
}

// escaped returns a text with escapes in the place of what breaks the line, turns it
// around or speaks to the terminal, and of bytes that are no text.
func escaped(text string) string {
	quoted := strings.Builder{}
	for _, r := range text {
		if strconv.IsPrint(r) {
			quoted.WriteRune(r)
		} else {
			quoted.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		}
	}
	return quoted.String()
}
