// Package notes parses the texts of notes, such as "int? (rows to return) | min=1 | max=50". Bars
// separate the parts of a note. The first part, the head, is a type with an optional description.
// The other parts are options or belong to the description. A note that does not start with a
// type is prose.
//
// Split returns the parts of a note, ReadHead parses the head, and OptionName recognizes options.
// For other texts, the package guesses what the author meant, for help and fixes in diagnostics.
package notes

import (
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/values"
)

// A Part is a part of a note between two bars, without white space around it.
type Part struct {
	Text string
	At   int // offset in the note
}

// IsOption reports whether a part of a note is an option.
func IsOption(part Part) bool { return OptionName(part.Text) != "" }

// OptionName returns the name of the option in a part, such as "optional" or "min=", or "" if
// the part is not an option. A flag with a truth value, such as optional=true, is not an option.
func OptionName(part string) string {
	name, value, valued := strings.Cut(part, "=")
	o, ok := values.FindOption(name)
	switch {
	case !ok:
	case !valued && o.Alone:
		return name
	case valued && o.Value != values.NoValue && !(o.Alone && truthWords[strings.ToLower(strings.Trim(value, blanks))] != ""):
		return name + "="
	}
	return ""
}

// isFlag reports whether a name is an option that is written alone or with paths, such as
// "omit" or "omit=a,b.c".
func isFlag(name string) bool {
	o, ok := values.FindOption(name)
	return ok && o.Alone && o.Value == values.PathsOfValue
}

// truthWords maps words for truth values to yes or no.
var truthWords = map[string]string{"true": "yes", "yes": "yes", "1": "yes", "false": "no", "no": "no", "0": "no"}

// Split splits a note at its bars, except those in quoted literals, and trims the parts.
func Split(text string) []Part {
	var parts []Part
	for at := 0; ; at++ { // skips the bar
		end := at + partEnd(text[at:])
		start := min(skipBlanks(text, at), end)
		parts = append(parts, Part{strings.TrimRight(text[start:end], blanks), start})
		if end == len(text) {
			return parts
		}
		at = end
	}
}

// partEnd returns the offset of the bar that ends the first part, or the length of the
// text. A quote opens a literal only where a literal can start.
func partEnd(text string) int {
	at := skipBlanks(text, 0)
	name, _, valued := strings.Cut(text[at:min(len(text), at+longestOption)], "=")
	if valued && optionValue(name) == values.PathsWithText {
		if at = itemsEnd(text, at+len(name)+1, ",.", ":|"); at < len(text) && text[at] == ':' {
			at = itemEnd(text, at+1, "|")
		}
		return at
	}
	if between, ok := separators[optionValue(name)]; valued && ok {
		return itemsEnd(text, at+len(name)+1, between, "|")
	}
	if bar := strings.IndexByte(text[at:], '|'); bar >= 0 {
		return at + bar
	}
	return len(text)
}

// longestOption limits the search for the name of an option and its =.
var longestOption = func() (n int) {
	for _, o := range values.Options {
		n = max(n, len(o.Name)+len("="))
	}
	return n
}()

// separators are the characters between the items of a value, by the form of the value. It
// contains only forms whose items may be quoted.
var separators = map[values.ValueForm]string{values.OneLiteral: "", values.LiteralList: ",", values.PathsOfValue: ",."}

// optionValue returns the form of the value of an option.
func optionValue(name string) values.ValueForm {
	o, _ := values.FindOption(name)
	return o.Value
}

// itemsEnd returns the offset at which a list of items ends: that of the first byte in ends outside of
// quotes, or the length of the text. The list starts at the given offset. The bytes in between separate its
// items.
func itemsEnd(text string, at int, between, ends string) int {
	for {
		at = itemEnd(text, at, between+ends)
		if at == len(text) || strings.IndexByte(ends, text[at]) >= 0 {
			return at
		}
		at++
	}
}

// itemEnd returns the offset at which an item ends: that of the first byte in ends, or the length of the
// text. The item starts at the offset at, and may be in quotes.
func itemEnd(text string, at int, ends string) int {
	at = skipBlanks(text, at)
	if at < len(text) && text[at] == '\'' {
		if end := strings.IndexByte(text[at+1:], '\''); end >= 0 {
			at += end + 2
		}
	}
	if end := strings.IndexAny(text[at:], ends); end >= 0 {
		return at + end
	}
	return len(text)
}

// SplitEnum splits the values of an enum at its commas, except those in quotes.
func SplitEnum(value string) []string {
	var items []string
	for at := 0; ; at++ {
		end := itemEnd(value, at, ",")
		items = append(items, strings.Trim(value[at:end], blanks))
		if end == len(value) {
			return items
		}
		at = end
	}
}

// WithoutZeros returns a number without leading zeros, which JSON does not allow. It returns
// "" if the text is not a number or has no leading zeros.
func WithoutZeros(text string) string {
	rest, negative := strings.CutPrefix(text, "-")
	for len(rest) > 1 && rest[0] == '0' && '0' <= rest[1] && rest[1] <= '9' {
		rest = rest[1:]
	}
	number := rest
	if negative {
		number = "-" + rest
	}
	if number == text || !jsontext.IsNumber(number) {
		return ""
	}
	return number
}

// blanks are the characters of white space.
const blanks = " \t\r\n"

// skipBlanks returns the offset of the first byte at or after at that is not white space.
func skipBlanks(text string, at int) int { return len(text) - len(strings.TrimLeft(text[at:], blanks)) }
