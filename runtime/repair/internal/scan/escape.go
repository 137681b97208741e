package scan

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// WholeCharacters returns text without an incomplete escape, surrogate pair or character at its end.
func WholeCharacters(text string) string {
	for {
		i := strings.LastIndexByte(text, '\\')
		if i < 0 || (i-len(strings.TrimRight(text[:i], `\`)))%2 != 0 {
			break
		}
		high := jsontext.CodeUnit(text[i:])
		partial := i+1 == len(text) || text[i+1] == 'u' && len(text) < i+6
		if !partial && (len(text) != i+6 || high < 0xd800 || 0xdc00 <= high) {
			break
		}
		text = text[:i]
	}
	for range utf8.UTFMax - 1 {
		if c, size := utf8.DecodeLastRuneInString(text); c != utf8.RuneError || size != 1 {
			break
		}
		text = text[:len(text)-1]
	}
	return text
}

// IsPath reports whether text is a Windows path with single backslashes, which do not begin escapes.
func IsPath(text string) bool {
	return len(text) > 3 && 'a' <= text[0]|' ' && text[0]|' ' <= 'z' && text[1:3] == `:\` &&
		!strings.Contains(text, `\\`) && !strings.ContainsAny(text[2:], "/:*?\"<>|\n")
}

// IsEncoded reports whether text without quotes is valid in a JSON string.
func IsEncoded(text string) bool {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c < ' ':
			return false
		case c == '\\':
			size := escapeSize(text[i:])
			if size == 0 {
				return false
			}
			i += size - 1
		}
	}
	return true
}

// escapeSize returns the size of the JSON escape at the beginning of text; 0 if there is none. The escape may
// be half of a surrogate pair.
func escapeSize(text string) int {
	if jsontext.CodeUnit(text) >= 0 {
		return 6
	}
	_, size := jsontext.Unescape(text)
	return size
}

// Encode returns text, which may have escapes, as a JSON string. It converts escapes of other languages to
// JSON, and keeps a backslash that does not begin an escape.
func Encode(text string) string { return encodeEscapes(text, appendEscape) }

// EncodePython is like Encode for the content of a Python string.
func EncodePython(text string) string { return encodeEscapes(text, appendPythonEscape) }

// encodeEscapes returns text as a JSON string. appendEscape appends the escape at the beginning of a text, and
// returns its size there.
func encodeEscapes(text string, appendEscape func(b []byte, text string) ([]byte, int)) string {
	text = strings.ToValidUTF8(text, "\ufffd")
	b := append(make([]byte, 0, len(text)+8), '"')
	for {
		i := strings.IndexByte(text, '\\')
		if i < 0 {
			return string(append(jsontext.AppendEscaped(b, text), '"'))
		}
		b = jsontext.AppendEscaped(b, text[:i])
		text = text[i:]
		size := 0
		b, size = appendEscape(b, text)
		text = text[size:]
	}
}

// appendEscape appends the escape at the beginning of text and returns its size in text.
func appendEscape(b []byte, text string) ([]byte, int) {
	if size := escapeSize(text); size > 0 {
		return append(b, text[:size]...), size
	}
	switch {
	case len(text) < 2:
	case text[1] == '\'' || text[1] == '`':
		return append(b, text[1]), 2
	case text[1] == '\n':
		return append(b, `\n`...), 2
	case text[1] == 'x' && len(text) >= 4 && jsontext.CodeUnit(`\u00`+text[2:4]) >= 0:
		return append(append(b, `\u00`...), text[2:4]...), 4
	}
	return append(b, `\\`...), 1
}

// pythonEscapes are the Python escapes with one letter.
var pythonEscapes = map[byte]string{
	'\\': `\\`, '\'': `'`, '"': `\"`, 'a': `\u0007`, 'b': `\b`, 'f': `\f`, 'n': `\n`, 'r': `\r`, 't': `\t`, 'v': `\u000b`, '\n': "",
}

// appendPythonEscape is like appendEscape for Python.
func appendPythonEscape(b []byte, text string) ([]byte, int) {
	if len(text) > 1 {
		if plain, ok := pythonEscapes[text[1]]; ok {
			return append(b, plain...), 2
		}
		if jsontext.CodeUnit(text[:min(6, len(text))]) >= 0 { // it may be half of a surrogate pair
			return append(b, text[:6]...), 6
		}
		if c, n := pythonCodePoint(text[1:]); n > 0 {
			return jsontext.AppendEscaped(b, string(c)), 1 + n
		}
	}
	return append(b, `\\`...), 1
}

// pythonCodePoint reads a numeric escape without its backslash; the size is 0 if there is none.
func pythonCodePoint(text string) (c rune, size int) {
	digits, base := 0, 16
	switch text[0] {
	case 'x':
		digits, size = 2, 1
	case 'U':
		digits, size = 8, 1
	default:
		base = 8
		for digits < min(3, len(text)) && '0' <= text[digits] && text[digits] <= '7' {
			digits++
		}
	}
	if digits == 0 || len(text) < size+digits {
		return 0, 0
	}
	n, err := strconv.ParseUint(text[size:size+digits], base, 32)
	if err != nil {
		return 0, 0
	}
	return rune(n), size + digits
}
