package syntax

import (
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"
)

// The kinds of tokens. Junk was reported by the scanner; it stands where a
// value may stand, so that nothing follows from it.
const (
	tokenName lexer.TokenType = lexer.EOF - 1 - iota
	tokenKeyword
	tokenInt
	tokenFloat
	tokenStr
	tokenFString
	tokenMark
	tokenJunk
)

// A scanner cuts a text into tokens. What is wrong with a single token it
// reports itself.
type scanner struct {
	*faults
	src  string
	base int // offset of src in the text
	off  int // of the next byte in src
}

// Next implements lexer.Lexer.
func (s *scanner) Next() (lexer.Token, error) {
	s.skipBlanks()
	token := lexer.Token{Type: lexer.EOF, Pos: lexer.Position{Offset: s.base + s.off}}
	if s.off < len(s.src) {
		kind, width := s.token()
		token.Type, token.Value = kind, s.src[s.off:s.off+width]
		s.off += width
	}
	return token, nil
}

func (s *scanner) rest() string { return s.src[s.off:] }

// here is the place of the next width bytes.
func (s *scanner) here(width int) Place { return Place{s.base + s.off, s.base + s.off + width} }

// skipBlanks skips white space, comments, and backslashes before a line end.
// Lines may end anywhere: the text stands between quotes.
func (s *scanner) skipBlanks() {
	for {
		rest := s.rest()
		switch {
		case rest == "":
			return
		case strings.IndexByte(" \t\r\n\f", rest[0]) >= 0:
			s.off++
		case strings.HasPrefix(rest, "\\\n"):
			s.off += 2
		case rest[0] == '#':
			line, _, _ := strings.Cut(rest, "\n")
			s.off += len(line)
		default:
			return
		}
	}
}

// token returns the kind and width of the token at the scanner's place.
func (s *scanner) token() (kind lexer.TokenType, width int) {
	rest := s.rest()
	c, size := utf8.DecodeRuneInString(rest)
	switch {
	case isNameStart(c):
		name := nameAt(rest)
		if len(name) <= 2 && strings.IndexByte(`'"`, byteAt(rest, len(name))) >= 0 && strings.Trim(name, "rRbBuUfF") == "" {
			return s.text(len(name))
		}
		if keywords[name] {
			return tokenKeyword, len(name)
		}
		return tokenName, len(name)
	case '0' <= c && c <= '9', c == '.' && isDigit(byteAt(rest, 1)):
		return s.number(rest)
	case c == '\'' || c == '"':
		return s.text(0)
	}
	for _, mark := range marks {
		if strings.HasPrefix(rest, mark) {
			return tokenMark, len(mark)
		}
	}
	switch {
	case strings.ContainsRune("‘’“”", c):
		if end := strings.IndexAny(rest[size:], "‘’“”\n"); end >= 0 && rest[size+end] != '\n' {
			size += end + len("”")
		}
		s.syntax(s.here(size), "%q is no quote of Python", c).help("write ' or \"")
	case c == utf8.RuneError && size == 1:
		s.syntax(s.here(1), "this is not UTF-8")
	default:
		s.syntax(s.here(size), "the character %q has no meaning here", c)
	}
	return tokenJunk, size
}

// marks are the operators and delimiters of Python, the longer first.
var marks = []string{
	"**=", "//=", ">>=", "<<=", "...",
	"**", "//", ">>", "<<", "<=", ">=", "==", "!=", "<>", "->", ":=", "+=", "-=", "*=", "/=", "%=", "@=", "&=", "|=", "^=", "&&", "||",
	"(", ")", "[", "]", "{", "}", ",", ":", ".", ";", "+", "-", "*", "/", "%", "@", "&", "|", "^", "~", "<", ">", "=", "!", "?", "$", "`",
}

// keywords are the reserved words of Python.
var keywords = map[string]bool{
	"False": true, "None": true, "True": true, "and": true, "as": true, "assert": true, "async": true, "await": true,
	"break": true, "class": true, "continue": true, "def": true, "del": true, "elif": true, "else": true, "except": true,
	"finally": true, "for": true, "from": true, "global": true, "if": true, "import": true, "in": true, "is": true,
	"lambda": true, "nonlocal": true, "not": true, "or": true, "pass": true, "raise": true, "return": true, "try": true,
	"while": true, "with": true, "yield": true,
}

func isNameStart(c rune) bool { return c == '_' || unicode.IsLetter(c) }

// nameAt returns the name that a text starts with, or "".
func nameAt(text string) string {
	for i, c := range text {
		if !isNameStart(c) && (i == 0 || !unicode.IsDigit(c) && !unicode.Is(unicode.Mn, c)) {
			return text[:i]
		}
	}
	return text
}

// byteAt is a byte of a text, 0 behind its end.
func byteAt(text string, i int) byte {
	if i < len(text) {
		return text[i]
	}
	return 0
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// number reads an integer or a float, with what follows it immediately.
func (s *scanner) number(rest string) (kind lexer.TokenType, width int) {
	for width < len(rest) {
		c := rest[width]
		exponent := width > 0 && (rest[width-1] == 'e' || rest[width-1] == 'E') && !strings.HasPrefix(strings.ToLower(rest), "0x")
		if !isDigit(c) && c != '.' && c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (!exponent || c != '+' && c != '-') {
			break
		}
		width++
	}
	text := rest[:width]
	at := s.here(width)
	if _, ok := parseInt(text); ok {
		return tokenInt, width
	}
	if _, ok := parseFloat(text); ok {
		return tokenFloat, width
	}
	switch digits := strings.Trim(text, "0123456789_"); {
	case digits == "j" || digits == "J" || digits == ".j":
		s.unsupported(at, "a complex number")
	case digits == "" && text[0] == '0' && !strings.Contains(text, "__"):
		s.syntax(at, "%s starts with a zero", text).help("write %s, or 0o%s for an octal number", strings.TrimLeft(text, "0_"), strings.TrimLeft(text, "0_"))
	default:
		s.syntax(at, "%s is no number", text)
	}
	return tokenJunk, width
}

// parseInt reads an integer as Python writes it.
func parseInt(text string) (*big.Int, bool) {
	base := 10
	digits := text
	if len(text) > 2 && text[0] == '0' {
		switch text[1] | 0x20 {
		case 'x':
			base = 16
		case 'o':
			base = 8
		case 'b':
			base = 2
		}
		if base != 10 {
			digits = strings.TrimPrefix(text[2:], "_")
		}
	}
	if digits == "" || digits[0] == '_' || strings.HasSuffix(digits, "_") || strings.Contains(digits, "__") {
		return nil, false
	}
	digits = strings.ReplaceAll(digits, "_", "")
	if base == 10 && digits[0] == '0' && strings.Trim(digits, "0") != "" {
		return nil, false
	}
	return new(big.Int).SetString(digits, base)
}

// parseFloat reads a floating-point number as Python writes it.
func parseFloat(text string) (float64, bool) {
	if !strings.ContainsAny(text, ".eE") || strings.Trim(text, "0123456789_.eE+-") != "" {
		return 0, false
	}
	for i := range len(text) {
		if text[i] == '_' && (i == 0 || !isDigit(text[i-1]) || !isDigit(byteAt(text, i+1))) {
			return 0, false
		}
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
	return f, err == nil || f != 0 // beyond the range is infinite
}

// text returns the kind and width of the string literal at the scanner's place,
// which has a prefix of some letters.
func (s *scanner) text(prefix int) (kind lexer.TokenType, width int) {
	rest := s.rest()
	letters, quote := strings.ToLower(rest[:prefix]), rest[prefix:prefix+1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(rest[prefix:], triple) {
		quote = triple
	}
	width, closed := textWidth(rest, prefix+len(quote), quote)
	at := s.here(width)
	switch {
	case !closed:
		s.syntax(s.here(prefix+len(quote)), "the string that starts here is not closed").help("end it with %s", quote)
	case len(quote) == 3:
		s.unsupported(at, "a string in triple quotes").help("write it in single quotes, with \\n for a line end")
	case letters == "b" || letters == "br" || letters == "rb":
		s.unsupported(at, "a bytes literal")
	case strings.Contains(letters, "r"):
		s.unsupported(at, "a raw string").help("write it without the r, and each backslash twice")
	case letters == "u":
		s.unsupported(at, "the prefix u of a string").help("leave it out: every string is Unicode")
	case letters == "f":
		return tokenFString, width
	case letters == "":
		return tokenStr, width
	default:
		s.syntax(at, "there are no strings with the prefix %s", rest[:prefix])
	}
	return tokenJunk, width
}

// textWidth returns the width of a string literal whose content starts at an
// offset. One that is not closed on its line ends there.
func textWidth(rest string, at int, quote string) (width int, closed bool) {
	for at < len(rest) {
		switch {
		case strings.HasPrefix(rest[at:], quote):
			return at + len(quote), true
		case rest[at] == '\n' && len(quote) == 1:
			return at, false
		case rest[at] == '\\' && at+1 < len(rest):
			at++
		}
		at++
	}
	return at, false
}
