package gofmt

import (
	"bytes"
	"go/token"
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// A scanner cuts a text into tokens. Those that it does not know are ILLEGAL.
type scanner struct {
	src        []byte
	tok        tok // the next one
	start, end int // where it stands
}

type tok struct {
	kind  token.Token
	lines int // line breaks before it
}

// isPlain reports whether a text has only characters that Go allows and that all
// programs show alike.
func isPlain(text []byte) bool {
	return utf8.Valid(text) && bytes.IndexByte(text, 0) < 0 && bytes.IndexByte(text, '\r') < 0 && !bytes.Contains(text, byteOrderMark)
}

var byteOrderMark = []byte("\uFEFF")

// text is the next token as it is written.
func (s *scanner) text() []byte { return s.src[s.start:s.end] }

func (s *scanner) next() {
	i, lines := s.end, 0
	for ; i < len(s.src) && (s.src[i] == ' ' || s.src[i] == '\n' || s.src[i] == '\t'); i++ {
		if s.src[i] == '\n' {
			lines++
		}
	}
	kind, n := scan(s.src[i:])
	s.start, s.end = i, i+n
	s.tok = tok{kind, lines}
}

// peek is the first character behind the next token; a line break is one.
func (s *scanner) peek() byte {
	if rest := bytes.TrimLeft(s.src[s.end:], " \t"); len(rest) > 0 {
		return rest[0]
	}
	return 0
}

// scan returns the kind of the token that a text begins with, and its length.
func scan(text []byte) (token.Token, int) {
	if len(text) == 0 {
		return token.EOF, 0
	}
	switch c := text[0]; {
	case c >= utf8.RuneSelf || isLetter(c):
		return scanWord(text)
	case isDigit(c):
		return scanNumber(text)
	case c == '"' || c == '\'':
		return scanQuoted(text, c)
	case c == '`':
		return scanRaw(text)
	case c == '/' && len(text) > 1 && text[1] == '/':
		n := bytes.IndexByte(text, '\n')
		if n < 0 {
			n = len(text)
		}
		return token.COMMENT, n
	case c == '/' && len(text) > 1 && text[1] == '*':
		if n := bytes.Index(text[2:], []byte("*/")); n >= 0 {
			return token.ILLEGAL, n + len("/**/")
		}
		return token.ILLEGAL, len(text)
	}
	return scanOperator(text)
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }

func scanWord(text []byte) (token.Token, int) {
	n := 0
	for n < len(text) && (isLetter(text[n]) || isDigit(text[n])) {
		n++
	}
	if n < len(text) && text[n] >= utf8.RuneSelf {
		return scanForeign(text)
	}
	for _, s := range signs[text[0]] {
		if string(text[:n]) == s.text {
			return s.kind, n
		}
	}
	return token.IDENT, n
}

// scanForeign scans a word with letters beyond ASCII.
func scanForeign(text []byte) (token.Token, int) {
	n := bytes.IndexFunc(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	switch n {
	case -1:
		n = len(text)
	case 0:
		_, n = utf8.DecodeRune(text)
		return token.ILLEGAL, n
	}
	if first, _ := utf8.DecodeRune(text); unicode.IsDigit(first) {
		return token.ILLEGAL, n
	}
	return token.IDENT, n
}

// scanNumber knows decimal numbers. Others may be written in ways that gofmt mends.
func scanNumber(text []byte) (token.Token, int) {
	n := 0
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	kind := token.INT
	if n+1 < len(text) && text[n] == '.' && isDigit(text[n+1]) {
		kind = token.FLOAT
		for n++; n < len(text) && isDigit(text[n]); n++ {
		}
	}
	if text[0] == '0' && n > 1 && text[1] != '.' {
		kind = token.ILLEGAL
	}
	for ; n < len(text) && (isLetter(text[n]) || isDigit(text[n]) || text[n] == '.' || text[n] >= utf8.RuneSelf); n++ {
		kind = token.ILLEGAL
	}
	return kind, n
}

func scanQuoted(text []byte, quote byte) (token.Token, int) {
	escaped := false
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\n':
			return token.ILLEGAL, i
		case '\\':
			escaped = true
			i++
		case quote:
			kind := token.STRING
			if quote == '\'' {
				kind, escaped = token.CHAR, true
			}
			if escaped {
				if is, err := strconv.Unquote(string(text[:i+1])); err != nil || kind == token.CHAR && is == "" {
					kind = token.ILLEGAL
				}
			}
			return kind, i + 1
		}
	}
	return token.ILLEGAL, len(text)
}

// scanRaw knows raw strings of one line. Longer ones end the columns of theirs.
func scanRaw(text []byte) (token.Token, int) {
	n := bytes.IndexByte(text[1:], '`')
	if n < 0 {
		return token.ILLEGAL, len(text)
	}
	if bytes.IndexByte(text[:n+1], '\n') >= 0 {
		return token.ILLEGAL, n + 2
	}
	return token.STRING, n + 2
}

// A sign is an operator or a word that is not a name.
type sign struct {
	kind token.Token
	text string
}

// signs are all of them by their first character, and the longest first.
var signs = func() (all [utf8.RuneSelf][]sign) {
	for kind := token.ADD; kind <= token.TILDE; kind++ {
		if text := kind.String(); kind.IsOperator() || kind.IsKeyword() {
			all[text[0]] = append(all[text[0]], sign{kind, text})
		}
	}
	for _, some := range all {
		slices.SortFunc(some, func(a, b sign) int { return len(b.text) - len(a.text) })
	}
	return all
}()

func scanOperator(text []byte) (token.Token, int) {
	for _, s := range signs[text[0]] {
		if n := len(s.text); n == 1 || n <= len(text) && string(text[:n]) == s.text {
			return s.kind, n
		}
	}
	return token.ILLEGAL, 1
}
