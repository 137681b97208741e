package jsontext

import (
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/words"
)

// PlainEnd returns the end of the plain characters at text[i]: those that have one byte and need no escape in a
// string. It examines eight bytes at a time as one number. Subtracting a value from each byte sets the highest
// bit of bytes that are smaller than the value. A borrow may also set the highest bit of later bytes, so only the
// first bit that is set is reliable, and PlainEnd uses only this bit.
func PlainEnd(text string, i int) int {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	for ; len(text)-i >= 8; i += 8 {
		s := text[i : i+8]
		x := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		quote, backslash := x^ones*'"', x^ones*'\\'
		special := (x | (x - ones*' ') | (quote - ones) | (backslash - ones)) & high
		if special != 0 {
			return i + bits.TrailingZeros64(special)/8
		}
	}
	for i < len(text) && isPlain(text[i]) {
		i++
	}
	return i
}

func isPlain(c byte) bool { return c >= ' ' && c < utf8.RuneSelf && c != '"' && c != '\\' }

// StringEnd returns the end of the string whose quote is text[i]. If the string is
// malformed, it returns the index of the error and what was expected there.
func StringEnd(text string, i int) (end int, expected string) {
	for i++; ; {
		i = PlainEnd(text, i)
		switch {
		case i == len(text):
			return i, "a closing quote"
		case text[i] == '"':
			return i + 1, ""
		case text[i] == '\\':
			_, size := Unescape(text[i:])
			if size == 0 {
				return i, `an escape such as \n or \u00e9, surrogates in pairs`
			}
			i += size
		case text[i] < ' ':
			return i, "control characters to be escaped"
		default:
			r, size := utf8.DecodeRuneInString(text[i:])
			if r == utf8.RuneError && size == 1 {
				return i, "valid UTF-8"
			}
			i += size
		}
	}
}

// Unescape decodes the escape sequence at the start of s. A surrogate pair is one
// sequence. The size is 0 if the sequence is malformed or half a surrogate pair.
func Unescape(s string) (r rune, size int) {
	if len(s) < 2 {
		return 0, 0
	}
	switch s[1] {
	case '"', '\\', '/':
		return rune(s[1]), 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		return unescapeUnicode(s)
	}
	return 0, 0
}

func unescapeUnicode(s string) (r rune, size int) {
	r = CodeUnit(s)
	if r < 0 {
		return 0, 0
	}
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if r = utf16.DecodeRune(r, CodeUnit(s[6:])); r == unicode.ReplacementChar {
		return 0, 0
	}
	return r, 12
}

// CodeUnit decodes \uXXXX at the start of s to a UTF-16 code unit, or returns -1.
func CodeUnit(s string) (r rune) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return -1
	}
	for _, c := range []byte(s[2:6]) {
		switch {
		case isDigit(c):
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}

// Unquote decodes a string literal. Half a surrogate pair, which some parsers accept,
// becomes U+FFFD.
func Unquote(literal string) string {
	text := literal[1 : len(literal)-1]
	if strings.IndexByte(text, '\\') < 0 {
		return text
	}
	return string(AppendUnquoted(make([]byte, 0, len(text)), text))
}

// AppendUnquoted appends the decoded content of a string literal without its quotes.
func AppendUnquoted(b []byte, text string) []byte {
	for {
		i := strings.IndexByte(text, '\\')
		if i < 0 {
			return append(b, text...)
		}
		r, size := Unescape(text[i:])
		if size == 0 {
			r, size = unicode.ReplacementChar, min(6, len(text)-i)
		}
		b = utf8.AppendRune(append(b, text[:i]...), r)
		text = text[i+size:]
	}
}

// LongestShown is the maximum length of a value in messages, in bytes.
const LongestShown = 64

// Describe describes a scalar JSON value, as in "the number 7". It cuts long values.
func Describe(literal string) string {
	switch c := literal[0]; {
	case c == '"':
		return "the string " + CutLiteral(literal, LongestShown)
	case c == '-' || '0' <= c && c <= '9':
		return "the number " + words.Cut(literal, LongestShown)
	case literal == "true" || literal == "false":
		return "the boolean " + literal
	}
	return literal
}

// CutLiteral shortens a JSON string to at most limit bytes between its quotes, without
// splitting a character or an escape.
func CutLiteral(literal string, limit int) string {
	text := literal[1 : len(literal)-1]
	if len(text) <= limit {
		return literal
	}
	end := 0
	for {
		_, size := utf8.DecodeRuneInString(text[end:])
		if text[end] == '\\' {
			if _, size = Unescape(text[end:]); size == 0 { // half of a surrogate pair
				size = min(6, len(text)-end)
			}
		}
		if size = max(size, 1); end+size > limit {
			return `"` + text[:end] + `…"`
		}
		end += size
	}
}

// Quote returns s as a JSON string; see [AppendQuoted].
func Quote(s string) string {
	if PlainEnd(s, 0) == len(s) {
		return `"` + s + `"`
	}
	return string(AppendQuoted(make([]byte, 0, len(s)+8), s))
}

// AppendQuoted appends s as a JSON string like encoding/json, but without HTML escapes.
// Invalid UTF-8 becomes U+FFFD.
func AppendQuoted(b []byte, s string) []byte {
	return append(AppendEscaped(append(b, '"'), s), '"')
}

// AppendEscaped is like AppendQuoted without the quotes.
func AppendEscaped(b []byte, s string) []byte {
	start := 0 // index of the first byte that is not appended yet
	for i := PlainEnd(s, 0); i < len(s); i = PlainEnd(s, i) {
		if c := s[i]; c == '"' || c == '\\' { // the most common case
			b = append(append(b, s[start:i]...), '\\', c)
			i++
			start = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if size == 1 || r == '\u2028' || r == '\u2029' {
			b = appendEscape(append(b, s[start:i]...), r)
			start = i + size
		}
		i += size
	}
	return append(b, s[start:]...)
}

// appendEscape appends the escape of a character, including the line separators of
// JavaScript.
func appendEscape(b []byte, r rune) []byte {
	const short, hex = "\"\\\b\f\n\r\t", "0123456789abcdef"
	if i := strings.IndexRune(short, r); i >= 0 {
		return append(b, '\\', `"\bfnrt`[i])
	}
	return append(b, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}
