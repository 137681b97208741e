package syntax

import (
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/internal/lazyregexp"
)

// maxDepth bounds how deep brackets may nest. A sound file needs three levels;
// the rest leaves room for some forgotten closing brackets.
const maxDepth = 100

// Next implements lexer.Lexer.
func (s *scanner) Next() (lexer.Token, error) {
	s.skipBlanks()
	token := lexer.Token{Type: lexer.EOF, Pos: s.position()}
	if s.off < len(s.src) && !s.tooMany() && !s.tooDeep() {
		kind, width := s.token()
		token.Type, token.Value = kind, s.src[token.Pos.Offset:token.Pos.Offset+width]
		s.advance(max(s.off, token.Pos.Offset+width))
	}
	s.previous = token.Type
	return token, nil
}

// token returns the kind and width of the token at the scanner's place. It
// moves the scanner only where more is to be skipped than the token.
func (s *scanner) token() (kind lexer.TokenType, width int) {
	rest := s.src[s.off:]
	switch rest[0] {
	case '"':
		return TextToken, s.text()
	case '{', '[':
		s.depth++
		return MarkToken, 1
	case '}', ']':
		s.depth = max(0, s.depth-1)
		return MarkToken, 1
	case ',':
		return MarkToken, 1
	}
	if width := s.foreignText(s.prefix(rest)); width > 0 {
		return TextToken, width
	}
	if width := s.unopened(rest); width > 0 {
		return TextToken, width
	}
	if strings.HasPrefix(rest, "http://") || strings.HasPrefix(rest, "https://") {
		return JunkToken, junkWidth(rest)
	}
	if width := s.arrow(rest); width > 0 {
		return ArrowToken, width
	}
	if width := identWidth(rest); width > 0 {
		return IdentToken, width
	}
	return JunkToken, junkWidth(rest)
}

// maxTokens limits how many tokens of a file are read. A tool takes about forty.
const maxTokens = 400_000

// tooMany reports whether no more of the file is to be read: it has too many tokens, which
// is reported, or too many errors.
func (s *scanner) tooMany() bool {
	if s.tokens++; s.tokens == maxTokens+1 && !s.stopped {
		s.Errorf("too-large", s.here(1), "the file has more than the %d words, texts and brackets that are read", maxTokens).
			WithHelp("split it: all .aion files of a package are compiled together")
		s.stopped = true
	}
	s.stopped = s.stopped || s.Full()
	return s.stopped
}

// tooDeep reports brackets that nest too deep. The file ends there: nothing
// behind them can be told apart.
func (s *scanner) tooDeep() bool {
	if !s.stopped && s.depth == maxDepth && (s.src[s.off] == '{' || s.src[s.off] == '[') {
		s.stopped = true
		s.Errorf("too-deep", s.here(1), "brackets nest deeper than %d levels", maxDepth).
			WithHelp("an element needs two; is a closing bracket missing before this place?")
	}
	return s.stopped
}

// skipBlanks moves to the next token, over white space, comments and bytes that
// were reported already.
func (s *scanner) skipBlanks() {
	for s.off < len(s.src) {
		rest := s.src[s.off:]
		switch c := rest[0]; {
		case isBlank(c):
			s.advance(s.off + 1)
		case strings.HasPrefix(rest, "//"):
			s.comment(rest)
		case c == '#', strings.HasPrefix(rest, "/*"), strings.HasPrefix(rest, "/ "):
			s.foreignComment(rest)
		case c == 0, c >= utf8.RuneSelf && invalidAt(rest):
			s.advance(s.off + 1)
		default:
			return
		}
	}
}

// comment keeps the // comment that rest starts with.
func (s *scanner) comment(rest string) {
	text := strings.TrimRight(firstLine(rest), "\r")
	s.Comments = append(s.Comments, Comment{text, s.here(len(text))})
	s.advance(s.off + len(text))
}

// foreignComment reports a comment in the style of C or of Python, or with a
// single slash, and skips it.
func (s *scanner) foreignComment(rest string) {
	width, mark := len(firstLine(rest)), rest[:1]
	if strings.HasPrefix(rest, "/*") {
		mark = "/*"
		if end := s.find("*/", s.off); end >= 0 {
			width = end + len("*/") - s.off
		}
	}
	d := s.Errorf("wrong-comment", s.here(width), "comments start with //, not with %s", mark)
	if edit, ok := s.asComment(width, mark); ok {
		d.WithFix(edit)
	}
	s.advance(s.off + width)
}

// asComment is the edit that makes a comment of other signs start with //. One of
// several lines starts so on each; it is not ok if more than blanks follow it.
func (s *scanner) asComment(width int, mark string) (edit diag.Edit, ok bool) {
	if mark != "/*" {
		return diag.Edit{Span: s.here(len(mark)), Text: "//"}, true
	}
	if strings.Trim(firstLine(s.src[s.off+width:]), " \t\r") != "" {
		return diag.Edit{}, false
	}
	text := strings.TrimSuffix(s.src[s.off+len(mark):s.off+width], "*/")
	indent := s.src[s.lineStart:s.off]
	indent = indent[:len(indent)-len(strings.TrimLeft(indent, " \t"))]
	var lines []string
	for line := range strings.SplitSeq(strings.Trim(text, " \t\r\n"), "\n") {
		line = strings.TrimLeft(strings.Trim(line, " \t\r"), "*")
		lines = append(lines, strings.TrimRight("// "+strings.TrimLeft(line, " \t"), " "))
	}
	return diag.Edit{Span: s.here(width), Text: strings.Join(lines, "\n"+indent)}, true
}

// brokenArrow is an arrow with a blank in it, with too much of something, or of other
// signs, where one has to stand.
var brokenArrow = lazyregexp.Regexp{Text: `^[-=~<>:]+([ \t]*[-=~]*>)?`}

// arrow returns the width of the arrow that rest starts with, or 0. Where no
// identifier can stand, all that looks like one is an arrow.
func (s *scanner) arrow(rest string) int {
	width := arrowWidth(rest)
	if strings.HasPrefix(rest, "-->") || s.previous != IdentToken && s.previous != TextToken {
		return width
	}
	broken := len(brokenArrow.Get().FindString(rest))
	if broken > 0 && rest[broken-1] == '-' && identWidth(rest[broken:]) > 0 {
		return width // dashes in front of a word
	}
	return max(width, broken)
}

// junkWidth returns the width of what starts no token, up to what might.
func junkWidth(text string) int {
	_, end := utf8.DecodeRuneInString(text)
	for end < len(text) && !strings.HasPrefix(text[end:], "-->") {
		r, size := utf8.DecodeRuneInString(text[end:])
		if badRune(r, size) != "" || strings.ContainsRune(" \t\r\n\"{}[],", r) {
			break
		}
		end += size
	}
	return end
}
