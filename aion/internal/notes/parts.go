// Package notes takes the text of a note apart: into parts, and those into types and
// options. Of prose and parts that are neither it tells what was likely meant.
//
// From top to bottom:
//
//	head          the part that a note begins with
//	prose, paths  a note that does not begin with a type; lists of paths
//	options       parts of a description that look like options
//	types         where the expression of a type ends
//	parts         what stands between the bars
package notes

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/values"
)

// A Part is what stands between two bars of a note, white space around it aside.
type Part struct {
	Text string
	At   int // its offset in the note
}

// IsOption reports whether a part of a note is an option.
func IsOption(part Part) bool { return OptionName(part.Text) != "" }

// OptionName is the option that a part of a note is, with its =, or empty. A mark that
// is said to hold, or not to, is none.
func OptionName(part string) string {
	name, value, valued := strings.Cut(part, "=")
	if slices.Contains(values.Marks, name) {
		switch {
		case !valued:
			return name
		case truth[strings.ToLower(strings.Trim(value, blanks))] == "":
			return name + "="
		}
		return ""
	}
	if valued {
		name += "="
	}
	if slices.Contains(values.Options, name) {
		return name
	}
	return ""
}

// truth are the words for whether something holds.
var truth = map[string]string{"true": "yes", "yes": "yes", "1": "yes", "false": "no", "no": "no", "0": "no"}

// Split splits a note at its bars, except those in quoted literals, and
// trims the parts.
func Split(text string) []Part {
	var parts []Part
	for at := 0; ; at++ { // over the bar
		end := at + partEnd(text[at:])
		start := min(skipBlanks(text, at), end)
		parts = append(parts, Part{strings.TrimRight(text[start:end], blanks), start})
		if end == len(text) {
			return parts
		}
		at = end
	}
}

// partEnd returns the offset of the bar that ends the first part, or the length
// of the text. A quote opens a literal only where a literal can start.
func partEnd(text string) int {
	at := skipBlanks(text, 0)
	name, _, valued := strings.Cut(text[at:min(len(text), at+longestOption)], "=")
	if between, ok := separators[name]; valued && ok {
		at += len(name) + 1
		for {
			at = itemEnd(text, at, between+"|")
			if at == len(text) || text[at] == '|' {
				return at
			}
			at++
		}
	}
	if bar := strings.IndexByte(text[at:], '|'); bar >= 0 {
		return at + bar
	}
	return len(text)
}

// longestOption limits the search for the name of an option and the sign behind it.
const longestOption = len("required=")

// separators are what stands between the items of a value that may have quotes.
var separators = map[string]string{
	"default": "", "enum": ",",
	"only": ",.", "omit": ",.", "required": ",.", "optional": ",.", "ref": ",.", "text": ",.",
}

// itemEnd returns the offset of what ends the item at an offset, one of some
// characters, or the length of the text.
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

// WithoutZeros is a number without the zeros in front that JSON does not have; "" for
// what is none, or has none.
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

// blanks are white space.
const blanks = " \t\r\n"

// skipBlanks returns the offset of the first byte from at on that is no white space.
func skipBlanks(text string, at int) int { return len(text) - len(strings.TrimLeft(text[at:], blanks)) }
