package plan

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// form is how a mark is delimited.
type form int

const (
	canonical form = iota // <<step:…>>
	doubled               // <<…>>, {{…}}, ${…}
	single                // {…}, <…>, […], %…%
	sigil                 // $1.id, #E1
	bare                  // step1.id
)

// mark is a part of a text that may be a reference.
type mark struct {
	form
	start, end int
	inner      string
}

// delimited lists the delimiters of doubled and single marks. The first entry that matches counts. The text
// between the delimiters must not contain any of the characters in excluded.
var delimited = []struct {
	form
	opening, closing, excluded string
}{
	{doubled, "<<", ">>", ""}, {doubled, "${{", "}}", ""}, {doubled, "{{{", "}}}", ""}, {doubled, "{{", "}}", ""},
	{doubled, "${", "}", ""}, {doubled, "#{", "}", ""}, {doubled, "%{", "}", ""}, {doubled, "@{", "}", ""}, {doubled, "{%", "%}", ""}, {doubled, "{#", "#}", ""},
	{doubled, "<%", "%>", ""}, {doubled, "$(", ")", ""}, {doubled, "[[", "]]", ""},
	{single, "{", "}", `{}"`}, {single, "<", ">", `<>"=`}, {single, "[", "]", `[]"`}, {single, "%", "%", "% \""},
}

// maxMarkLength is the maximum length of a mark, in bytes; maxMarks is the maximum number of marks that are read in
// a plan.
const (
	maxMarkLength = 256
	maxMarks      = 20_000
)

// nextMark returns the first mark in a text at or after index i. It returns false if there is
// none.
func nextMark(text string, i int) (m mark, ok bool) {
	for i < len(text) {
		c := text[i]
		switch {
		case strings.HasPrefix(text[i:], literalOpen):
			i += len(literalOpen)
			continue
		case strings.HasPrefix(text[i:], referenceOpen):
			end := strings.Index(text[i:], referenceClose)
			if end < 0 {
				return mark{}, false // splitReferences reports a reference without an end
			}
			return mark{canonical, i, i + end + len(referenceClose), text[i+len(referenceOpen) : i+end]}, true
		case strings.IndexByte("<{[%$#@", c) >= 0:
			if m, ok := parseDelimited(text, i); ok {
				return m, true
			}
			m, ok := parseSigil(text, i)
			if ok {
				return m, true
			}
			i = m.end
		case isWordByte(c):
			end := tokenEnd(text, i)
			if strings.ContainsAny(text[i:end], "._[/:>(") {
				return mark{bare, i, end, text[i:end]}, true
			}
			i = end
		default:
			i++
		}
	}
	return mark{}, false
}

// parseSigil returns the mark at start that begins with a sigil, as in $step1, or with several equal ones, as in
// $$step1. If there is no such mark, it returns false and a mark whose end is the index at which to continue.
func parseSigil(text string, start int) (mark, bool) {
	c, i := text[start], start+1
	if strings.IndexByte("$#@%", c) < 0 {
		return mark{end: i}, false
	}
	for i < len(text) && text[i] == c {
		i++
	}
	if end := tokenEnd(text, i); end > i && !isWordBefore(text, start) {
		return mark{sigil, start, end, text[start:end]}, true
	}
	return mark{end: i}, false
}

// parseDelimited returns the doubled or single mark at an index.
func parseDelimited(text string, i int) (mark, bool) {
	for _, d := range delimited {
		rest, ok := strings.CutPrefix(text[i:], d.opening)
		if !ok {
			continue
		}
		inner, _, closed := strings.Cut(rest[:min(len(rest), maxMarkLength+len(d.closing))], d.closing)
		if closed && inner != "" && !strings.ContainsAny(inner, d.excluded) {
			return mark{d.form, i, i + len(d.opening) + len(inner) + len(d.closing), inner}, true
		}
	}
	return mark{}, false
}

// tokenPattern matches a word and the path that follows it, as in step1.items[0].
var tokenPattern = regexp.MustCompile(`^\.?[\pL\pN_]+(?:-[\pL\pN_]+)*(?:\(\s?["']?[\pL\pN_-]*["']?\s?\))?(?:(?:\.|->|::|/|:)[\pL\pN_-]+|\.?\[[^\[\]\s]+\])*`)

// tokenEnd returns the end of the word at i and of the path that follows it.
func tokenEnd(text string, i int) int {
	end := i
	for end < len(text) && isWordByte(text[end]) {
		end++
	}
	if end < len(text) && strings.IndexByte(".-:/[(", text[end]) >= 0 || end == i {
		end = max(end, i+len(tokenPattern.FindString(text[i:min(len(text), i+2*maxMarkLength)])))
	}
	return end
}

func isWordByte(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c >= utf8.RuneSelf
}

func isWordBefore(text string, i int) bool { return i > 0 && isWordByte(text[i-1]) }

// isToken reports whether a mark is a separate word and not part of, for example, an address.
func isToken(text string, m mark) bool {
	if m.start > 0 && (isWordBefore(text, m.start) || strings.IndexByte("@/.:\\-&#$;", text[m.start-1]) >= 0) {
		return false
	}
	rest := text[m.end:]
	return rest == "" || !isWordByte(rest[0]) && rest[0] != '@' && rest[0] != '&' && !strings.HasPrefix(rest, "://")
}

// isEven reports whether no further delimiters are directly before or after a mark. For the mark {{step1.id}} in
// the text {{{step1.id}}, it returns false.
func isEven(text string, m mark) bool {
	before := m.start > 0 && strings.IndexByte("<{[%", text[m.start-1]) >= 0
	after := m.end < len(text) && strings.IndexByte(">}]%", text[m.end]) >= 0
	if m.form == sigil || m.form == bare {
		return !before && !after
	}
	return !(before && text[m.start-1] == text[m.start]) && !(after && text[m.end] == text[m.end-1])
}
