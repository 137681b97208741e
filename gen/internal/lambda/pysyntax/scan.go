package pysyntax

import (
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"
)

// The kinds of tokens. A tokenJunk is invalid text that the scanner has already reported. The parser accepts it as
// a value, so that one mistake does not cause more faults.
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

// scanner splits a text into tokens and reports invalid tokens itself.
type scanner struct {
	*faults
	src  string
	base int // offset of src in the text of the lambda
	off  int // offset of the next byte in src
}

// Next implements lexer.Lexer.
func (s *scanner) Next() (lexer.Token, error) {
	s.skipBlanks()
	token := lexer.Token{Type: lexer.EOF, Pos: lexer.Position{Offset: s.base + s.off}}
	if s.off < len(s.src) {
		kind, width := s.scanToken()
		token.Type, token.Value = kind, s.src[s.off:s.off+width]
		s.off += width
	}
	return token, nil
}

func (s *scanner) remaining() string { return s.src[s.off:] }

// placeAhead returns the place of the next width bytes.
func (s *scanner) placeAhead(width int) Place { return Place{s.base + s.off, s.base + s.off + width} }

// skipBlanks skips white space, comments, and backslashes at the end of a line. A line break does not end the
// lambda, because the lambda is inside quotes.
func (s *scanner) skipBlanks() {
	for {
		rest := s.remaining()
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

// scanToken returns the kind and width of the next token.
func (s *scanner) scanToken() (kind lexer.TokenType, width int) {
	rest := s.remaining()
	c, size := utf8.DecodeRuneInString(rest)
	switch {
	case isNameStart(c):
		return s.scanName(rest)
	case '0' <= c && c <= '9', c == '.' && isDigit(byteAt(rest, 1)):
		return s.scanNumber(rest)
	case c == '\'' || c == '"':
		return s.scanString(0)
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
		s.addSyntax(s.placeAhead(size), "%q is not a quote in Python", c).WithHelp("write ' instead")
	case c == utf8.RuneError && size == 1:
		s.addSyntax(s.placeAhead(1), "invalid UTF-8")
	default:
		s.addSyntax(s.placeAhead(size), "unexpected character %q", c)
	}
	return tokenJunk, size
}

// scanName reads a name, a keyword, or a string with a prefix.
func (s *scanner) scanName(rest string) (kind lexer.TokenType, width int) {
	name := leadingName(rest)
	if len(name) <= 2 && strings.IndexByte(`'"`, byteAt(rest, len(name))) >= 0 && strings.Trim(name, "rRbBuUfF") == "" {
		return s.scanString(len(name))
	}
	if keywords[name] {
		return tokenKeyword, len(name)
	}
	return tokenName, len(name)
}

// marks are Python's operators and delimiters, longest first.
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

// leadingName returns the name at the start of a text, or "".
func leadingName(text string) string {
	for i, c := range text {
		if !isNameStart(c) && (i == 0 || !unicode.IsDigit(c) && !unicode.Is(unicode.Mn, c)) {
			return text[:i]
		}
	}
	return text
}

// byteAt returns text[i], or 0 if the text is not that long.
func byteAt(text string, i int) byte {
	if i < len(text) {
		return text[i]
	}
	return 0
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// numberEnd returns the length of the number at the start of text, including letters and digits that follow
// it directly, as in 12abc.
func numberEnd(text string) int {
	isHex := byteAt(text, 0) == '0' && byteAt(text, 1)|0x20 == 'x'
	for i := range len(text) {
		switch c := text[i]; {
		case isDigit(c) || c == '.' || c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z':
		case (c == '+' || c == '-') && i > 0 && text[i-1]|0x20 == 'e' && !isHex: // of an exponent
		default:
			return i
		}
	}
	return len(text)
}

// scanNumber reads an integer or a float. Letters directly after it, as in 12abc, make it invalid.
func (s *scanner) scanNumber(rest string) (kind lexer.TokenType, width int) {
	width = numberEnd(rest)
	text := rest[:width]
	at := s.placeAhead(width)
	if _, ok := parseInt(text); ok {
		return tokenInt, width
	}
	if _, ok := parseFloat(text); ok {
		return tokenFloat, width
	}
	switch digits := strings.Trim(text, "0123456789_"); {
	case digits == "j" || digits == "J" || digits == ".j":
		s.addUnsupported(at, "a complex number")
	case digits == "" && text[0] == '0' && !strings.Contains(text, "__"):
		s.addSyntax(at, "%s starts with a zero", text).WithHelp("write %s, or 0o%s for an octal number", strings.TrimLeft(text, "0_"), strings.TrimLeft(text, "0_"))
	default:
		s.addSyntax(at, "%s is not a valid number", text)
	}
	return tokenJunk, width
}

// parseInt reads an integer in Python's notation. It is Go's notation without octal numbers such as 017.
func parseInt(text string) (*big.Int, bool) {
	n, ok := new(big.Int).SetString(text, 0)
	isOctal := ok && strings.HasPrefix(text, "0") && strings.Trim(text, "01234567_") == "" && n.Sign() != 0
	return n, ok && !isOctal
}

// parseFloat reads a floating-point number in Python's notation.
func parseFloat(text string) (float64, bool) {
	if !strings.ContainsAny(text, ".eE") || strings.Trim(text, "0123456789_.eE+-") != "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil || f != 0 // a number that is too large becomes infinite, as in Python
}

// scanString returns the kind and width of the string literal at the current offset. prefix is the
// number of letters before the quote.
func (s *scanner) scanString(prefix int) (kind lexer.TokenType, width int) {
	rest := s.remaining()
	letters, quote := strings.ToLower(rest[:prefix]), rest[prefix:prefix+1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(rest[prefix:], triple) {
		quote = triple
	}
	width, closed := stringEnd(rest, prefix+len(quote), quote)
	at := s.placeAhead(width)
	switch {
	case !closed:
		s.addSyntax(s.placeAhead(prefix+len(quote)), "the string that starts here is not closed").WithHelp("end it with %s", quote)
	case len(quote) == 3:
		s.addUnsupported(at, "a string in triple quotes").WithHelp("write it in single quotes, with \\n for a line end")
	case letters == "b" || letters == "br" || letters == "rb":
		s.addUnsupported(at, "a bytes literal")
	case strings.Contains(letters, "r"):
		s.addUnsupported(at, "a raw string").WithHelp("write it without the r and double each backslash")
	case letters == "u":
		s.addUnsupported(at, "the prefix u of a string").WithHelp("leave it out: every string is Unicode")
	case letters == "f":
		return tokenFString, width
	case letters == "":
		return tokenStr, width
	default:
		s.addSyntax(at, "invalid string prefix %s", rest[:prefix])
	}
	return tokenJunk, width
}

// stringEnd returns the offset after the string literal whose content starts at offset start of text. A string
// that is not closed ends at the end of its line.
func stringEnd(text string, start int, quote string) (end int, closed bool) {
	i := start
	for i < len(text) {
		switch {
		case strings.HasPrefix(text[i:], quote):
			return i + len(quote), true
		case text[i] == '\n' && len(quote) == 1:
			return i, false
		case text[i] == '\\' && i+1 < len(text):
			i++
		}
		i++
	}
	return i, false
}
