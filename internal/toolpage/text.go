package toolpage

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"strings"
	"unicode/utf16"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// maxText limits a text on a page, in bytes.
const maxText = 256 << 10

// Functions returns the functions for templates that write the content of pages:
//
//   - text returns a string without invisible characters, cut if it is very long
//   - json returns JSON with indentation and escaped invisible characters
//   - count returns a number with a unit, such as "3 tools"
func Functions() template.FuncMap {
	return template.FuncMap{"text": showText, "json": showJSON, "count": words.Count}
}

// showText cuts a text if it is very long and replaces invisible characters with blanks.
func showText(text string) string { return words.Visible(words.Cut(text, maxText), "\n\t") }

// maxIndent limits the nesting of JSON that is indented, because each level makes all lines in it longer.
const maxIndent = 64

// showJSON indents JSON and escapes invisible characters. It does not indent JSON that is nested too deeply. If a
// text is too long or not JSON, it calls showText instead.
func showJSON(text json.RawMessage) string {
	if len(text) > maxText {
		return showText(string(text))
	}
	if _, err := jsontext.Parse(string(text), maxIndent); err != nil {
		var b bytes.Buffer
		if json.Compact(&b, text) != nil {
			return showText(string(text))
		}
		return escapeInvisible(b.String())
	}
	var b bytes.Buffer
	_ = json.Indent(&b, text, "", "  ") // it is JSON
	return escapeInvisible(words.Cut(b.String(), maxText))
}

// escapeInvisible writes invisible characters of JSON as escapes. They can only be in
// strings, apart from white space.
func escapeInvisible(text string) string {
	if words.Visible(text, "\n\t") == text {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		c := string(r)
		if words.Visible(c, "\n\t") == c {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}
