// Package notes takes the text of a note apart: into parts, and those into types and
// options. Of prose and parts that are neither it tells what was likely meant.
//
// From top to bottom:
//
//	prose    a note that does not begin with a type
//	options  parts of a description that look like options
//	types    types in words, and where the expression of a type ends
//	parts    what stands between the bars
package notes

import "strings"

// Options are the parts of a note that are no description, with a = where
// a value follows.
var Options = []string{"default=", "enum=", "min=", "max=", "optional", "open"}

// A Part is what stands between two bars of a note, white space around it aside.
type Part struct {
	Text string
	At   int // its offset in the note
}

// IsOption reports whether a part of a note is an option.
func IsOption(part Part) bool { return OptionName(part.Text) != "" }

// OptionName is the option that a part of a note is, with its =, or empty.
func OptionName(part string) string {
	for _, name := range Options {
		if part == name || strings.HasSuffix(name, "=") && strings.HasPrefix(part, name) {
			return name
		}
	}
	return ""
}

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
	option := ""
	for _, name := range []string{"default=", "enum="} {
		if strings.HasPrefix(text[at:], name) {
			option = name
			at += len(name)
		}
	}
	for option != "" {
		at = literalEnd(text, at)
		if at == len(text) || text[at] == '|' {
			return at
		}
		at++ // a comma
		if option != "enum=" {
			break
		}
	}
	if bar := strings.IndexByte(text[at:], '|'); bar >= 0 {
		return at + bar
	}
	return len(text)
}

// literalEnd returns the offset of the bar or comma behind the literal at an
// offset, or the length of the text.
func literalEnd(text string, at int) int {
	at = skipBlanks(text, at)
	if at < len(text) && text[at] == '\'' {
		if end := strings.IndexByte(text[at+1:], '\''); end >= 0 {
			at += end + 2
		}
	}
	if end := strings.IndexAny(text[at:], ",|"); end >= 0 {
		return at + end
	}
	return len(text)
}

// SplitEnum splits the values of an enum at its commas, except those in quotes.
func SplitEnum(value string) []string {
	var items []string
	for at := 0; ; at++ {
		end := literalEnd(value, at)
		for end < len(value) && value[end] == '|' { // in a quote that is not closed
			end = literalEnd(value, end+1)
		}
		items = append(items, strings.Trim(value[at:end], blanks))
		if end == len(value) {
			return items
		}
		at = end
	}
}

// blanks are white space.
const blanks = " \t\r\n"

// skipBlanks returns the offset of the first byte from at on that is no white space.
func skipBlanks(text string, at int) int { return len(text) - len(strings.TrimLeft(text[at:], blanks)) }
