package gofmt

import (
	"go/token"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A scanner cuts a text into tokens. Those that it does not know are ILLEGAL.
type scanner struct {
	src        string
	tok        tok // the next one
	start, end int // where it stands
}

type tok struct {
	kind  token.Token
	text  string
	lines int // line breaks before it
}

// isPlain reports whether a text has only characters that Go allows and that all
// programs show alike.
func isPlain(text string) bool {
	return utf8.ValidString(text) && strings.IndexByte(text, 0) < 0 && strings.IndexByte(text, '\r') < 0 && !strings.Contains(text, "\uFEFF")
}

func (s *scanner) next() {
	i, lines := s.end, 0
	for ; i < len(s.src) && (s.src[i] == ' ' || s.src[i] == '\n' || s.src[i] == '\t'); i++ {
		if s.src[i] == '\n' {
			lines++
		}
	}
	kind, n := scan(s.src[i:])
	s.start, s.end = i, i+n
	s.tok = tok{kind, s.src[i : i+n], lines}
}

// peek is the first character behind the next token; a line break is one.
func (s *scanner) peek() byte {
	if rest := strings.TrimLeft(s.src[s.end:], " \t"); rest != "" {
		return rest[0]
	}
	return 0
}

// scan returns the kind of the token that a text begins with, and its length.
func scan(text string) (token.Token, int) {
	if text == "" {
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
	case c == '/' && strings.HasPrefix(text, "//"):
		n := strings.IndexByte(text, '\n')
		if n < 0 {
			n = len(text)
		}
		return token.COMMENT, n
	case c == '/' && strings.HasPrefix(text, "/*"):
		if n := strings.Index(text[2:], "*/"); n >= 0 {
			return token.ILLEGAL, n + len("/**/")
		}
		return token.ILLEGAL, len(text)
	}
	return scanOperator(text)
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }

func scanWord(text string) (token.Token, int) {
	n, small := 0, 0
	for ; n < len(text) && (isLetter(text[n]) || isDigit(text[n])); n++ {
		if 'a' <= text[n] && text[n] <= 'z' {
			small++
		}
	}
	switch {
	case n < len(text) && text[n] >= utf8.RuneSelf:
		return scanForeign(text)
	case small < n || n < len("if") || n > len("fallthrough"):
		return token.IDENT, n // looking it up takes as long as all the rest
	}
	return token.Lookup(text[:n]), n
}

// scanForeign scans a word with letters beyond ASCII.
func scanForeign(text string) (token.Token, int) {
	n := strings.IndexFunc(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	switch n {
	case -1:
		n = len(text)
	case 0:
		_, n = utf8.DecodeRuneInString(text)
		return token.ILLEGAL, n
	}
	if first, _ := utf8.DecodeRuneInString(text); unicode.IsDigit(first) {
		return token.ILLEGAL, n
	}
	return token.IDENT, n
}

// scanNumber knows decimal numbers. Others may be written in ways that gofmt mends.
func scanNumber(text string) (token.Token, int) {
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

func scanQuoted(text string, quote byte) (token.Token, int) {
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
				if is, err := strconv.Unquote(text[:i+1]); err != nil || kind == token.CHAR && is == "" {
					kind = token.ILLEGAL
				}
			}
			return kind, i + 1
		}
	}
	return token.ILLEGAL, len(text)
}

// scanRaw knows raw strings of one line. Longer ones end the columns of theirs.
func scanRaw(text string) (token.Token, int) {
	n := strings.IndexByte(text[1:], '`')
	if n < 0 {
		return token.ILLEGAL, len(text)
	}
	if strings.IndexByte(text[:n+1], '\n') >= 0 {
		return token.ILLEGAL, n + 2
	}
	return token.STRING, n + 2
}

// operators have the longest first.
var operators = func() (all [utf8.RuneSelf][]token.Token) {
	for kind := token.ADD; kind <= token.COLON; kind++ {
		first := kind.String()[0]
		for i := 0; ; i++ {
			if i == len(all[first]) || len(all[first][i].String()) < len(kind.String()) {
				all[first] = append(all[first][:i:i], append([]token.Token{kind}, all[first][i:]...)...)
				break
			}
		}
	}
	return all
}()

func scanOperator(text string) (token.Token, int) {
	for _, kind := range operators[text[0]] {
		if name := kind.String(); strings.HasPrefix(text, name) {
			return kind, len(name)
		}
	}
	return token.ILLEGAL, 1
}
