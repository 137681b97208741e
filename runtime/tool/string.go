package tool

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// What the texts of calls and tools show of arguments and descriptions, and of
// names, in bytes.
const (
	longestShown     = 200
	longestShownName = 128
	deepestShown     = 10_000 // levels of arguments; more are shown as text
)

// String returns the call in one line, as in `add({"a":1,"b":2}) → completed`: it is
// for people, and shows the arguments, which may be secret; long ones are cut.
func (c *Call) String() string {
	r := c.Request
	r.Arguments = c.Arguments
	return r.String() + " → " + string(c.Status)
}

// String returns the request in one line, as in `add({"a":1,"b":2})`: it is for
// people, and shows the arguments, which may be secret; long ones are cut.
func (r Request) String() string {
	text := string(r.arguments())
	if n, err := jsontext.Parse(strings.ToValidUTF8(text, "\uFFFD"), deepestShown); err == nil {
		text = shown(words.Cut(n.String(), longestShown))
	} else {
		text = strconv.Quote(words.Cut(text, longestShown))
	}
	return shownName(r.Name) + "(" + text + ")"
}

// String returns the name of the tool and the first line of its description.
func (t Tool) String() string {
	d := t.Definition()
	line, _, _ := strings.Cut(strings.TrimSpace(d.Description), "\n")
	return strings.TrimSuffix(shownName(d.Name)+": "+shown(words.Cut(strings.TrimSpace(line), longestShown)), ": ")
}

// shownName returns a name, which a model may have written, quoted if it is not of
// the characters that names are of.
func shownName(name string) string {
	if name == "" || strings.Contains(name, " ") || !isPrintable(name) {
		return strconv.Quote(words.Cut(name, longestShownName))
	}
	return words.Cut(name, longestShownName)
}

// isPrintable tells whether a text is of characters that can be seen, and blanks.
func isPrintable(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return !strconv.IsPrint(r) })
}

// shown returns a text with escapes in the place of what breaks the line, turns it
// around or speaks to the terminal, and of bytes that are no text.
func shown(text string) string {
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
