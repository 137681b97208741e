package syntax

import (
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/aion/diag"
)

// arrows are the arrow --> and the signs that people write instead. A sign comes before the signs that it
// starts with: "==>" before "==".
var arrows = []string{"-->", "--&gt;", "-&gt;", "=&gt;", "==>", "=>", "==", "=", ":=", ":", "->", ">", "→", "⟶", "⇒", "⟹", "—>", "–>", "—", "–"}

// arrowWidth returns the width of the arrow that rest starts with, or 0.
func arrowWidth(rest string) int {
	for _, a := range arrows {
		if strings.HasPrefix(rest, a) {
			return len(a)
		}
	}
	return 0
}

// identWidth returns the width of the identifier that text starts with, or 0.
// An identifier may contain dashes, but not those of an arrow.
func identWidth(text string) int {
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '-' && (i == 0 || text[i-1] != '-') && startsBrokenArrow(text[i:]), c == '-' && strings.HasPrefix(text[i:], "-->"):
			return i
		case !isIdentByte(c):
			return i
		}
	}
	return len(text)
}

// maxKeyNames limits the number of names in a key. Without a limit, a long text such as a.b.c…
// without an arrow would take quadratic time: it is scanned again at each name.
const maxKeyNames = 64

// keyWidth returns the width of the key that text starts with, or 0: an identifier, or several with dots between
// them if an arrow follows.
func keyWidth(text string) int {
	first := identWidth(text)
	width := first
	for names := 1; width > 0 && width < len(text) && text[width] == '.'; names++ {
		next := identWidth(text[width+1:])
		if next == 0 || names == maxKeyNames {
			return first
		}
		width += 1 + next
	}
	if width > first && !strings.HasPrefix(text[skipComments(text, width):], "-->") {
		return first
	}
	return width
}

// skipComments returns the offset of the first byte at or after at that is neither white space nor in a comment.
func skipComments(text string, at int) int {
	for at = skipBlank(text, at); strings.HasPrefix(text[at:], "//"); at = skipBlank(text, at) {
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 {
			return len(text)
		}
		at += end
	}
	return at
}

// IsKey reports whether a text is an identifier, or several with dots between them.
func IsKey(text string) bool {
	for name := range strings.SplitSeq(text, ".") {
		if !IsName(name) {
			return false
		}
	}
	return true
}

// startsBrokenArrow reports whether a text starts with an arrow that contains a blank, as in
// "-- >".
func startsBrokenArrow(text string) bool {
	head := strings.TrimLeft(text, "-")
	tip := strings.TrimLeft(head, " \t")
	return len(tip) < len(head) && len(head) < len(text) && tip != "" && tip[0] == '>'
}

// skipBlank returns the offset of the first byte at or after at that is not white space.
func skipBlank(text string, at int) int {
	for at < len(text) {
		width := 1
		if !isBlank(text[at]) {
			if width = len(foreignBlank(text[at:])); width == 0 {
				break
			}
		}
		at += width
	}
	return at
}

// foreignBlanks are characters that look like white space or are invisible. Text that was copied
// from word processors and web pages contains them.
var foreignBlanks = []string{"\u00a0", "\u2002", "\u2003", "\u2007", "\u2009", "\u200b", "\u200c", "\u200d", "\u202f", "\u2060", "\u3000", "\ufeff"}

// foreignBlank returns the foreign blank that a text starts with, or "".
func foreignBlank(text string) string {
	if text == "" || text[0] < utf8.RuneSelf {
		return ""
	}
	for _, blank := range foreignBlanks {
		if strings.HasPrefix(text, blank) {
			return blank
		}
	}
	return ""
}

// foreignCommas are what people write instead of a comma between items.
var foreignCommas = []string{";", "，", "；", "、"}

// foreignComma returns the foreign comma that a text starts with, or "".
func foreignComma(text string) string {
	for _, comma := range foreignCommas {
		if strings.HasPrefix(text, comma) {
			return comma
		}
	}
	return ""
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// IsName reports whether a text is an identifier.
func IsName(text string) bool { return text != "" && identWidth(text) == len(text) }

// isIdentByte reports whether a byte can be part of an identifier.
func isIdentByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-'
}

// startsInvalid reports whether the first byte of a text is not valid UTF-8.
func startsInvalid(text string) bool {
	r, size := utf8.DecodeRuneInString(text)
	return r == utf8.RuneError && size == 1
}

// firstLine returns the text up to its first line break.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// runeFault returns the code of the diagnostic for a decoded rune, or "" if the rune is allowed.
func runeFault(r rune, size int) diag.Code {
	switch {
	case r == utf8.RuneError && size == 1:
		return "not-utf8"
	case r == 0:
		return "nul-byte"
	}
	return ""
}
