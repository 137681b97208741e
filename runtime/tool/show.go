package tool

import (
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// Limits of texts and names in lines for people, in bytes.
const (
	longestShown     = 200
	longestShownName = 128
)

// showJSON returns the beginning of a JSON text for people. It quotes a text that is not JSON.
func showJSON(text string) string {
	if n, err := jsontext.Parse(strings.ToValidUTF8(text, "\uFFFD"), jsontext.MaxDepth); err == nil {
		return escapeUnprintable(words.Cut(n.String(), longestShown))
	}
	return strconv.Quote(words.Cut(text, longestShown))
}

// showLine returns the first line of a text, cut to longestShown.
func showLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return escapeUnprintable(words.Cut(strings.TrimSpace(line), longestShown))
}

// showName returns a name, which a model may have written. It quotes the name if that is empty, or contains spaces
// or unprintable characters.
func showName(name string) string {
	if name == "" || strings.Contains(name, " ") || escapeUnprintable(name) != name {
		return strconv.Quote(words.Cut(name, longestShownName))
	}
	return words.Cut(name, longestShownName)
}

// escapeUnprintable escapes unprintable characters, such as line breaks, terminal control codes and marks that
// change the direction of text. Invalid UTF-8 becomes U+FFFD.
func escapeUnprintable(text string) string {
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
