package syntax

import (
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/internal/lazyregexp"
)

// maxDepth limits how deep brackets may nest. A valid file needs three levels;
// the rest leaves room for forgotten closing brackets.
const maxDepth = 100

// Next implements lexer.Lexer.
func (s *scanner) Next() (lexer.Token, error) {
	s.skipBlanks()
	token := lexer.Token{Type: lexer.EOF, Pos: s.lexerPosition()}
	if s.off < len(s.src) && !s.exceedsTokens() && !s.exceedsDepth() {
		kind, width := s.scanToken()
		token.Type, token.Value = kind, s.src[token.Pos.Offset:token.Pos.Offset+width]
		s.advanceTo(max(s.off, token.Pos.Offset+width))
	}
	s.inMember = token.Type == ArrowToken && token.Value == ":" && s.previousType == TextToken
	s.previousType = token.Type
	s.afterItem = token.Type == TextToken || token.Value == "}" || token.Value == "]"
	return token, nil
}

// scanToken returns the type and width of the token at the current offset. It does not move the scanner,
// with one exception: it moves the scanner past a text that is not closed. The token is only the first
// line of that text.
func (s *scanner) scanToken() (kind lexer.TokenType, width int) {
	rest := s.src[s.off:]
	switch rest[0] {
	case '"':
		return TextToken, s.scanText()
	case '{', '[':
		s.depth++
		return MarkToken, 1
	case '}', ']':
		s.depth = max(0, s.depth-1)
		return MarkToken, 1
	case ',':
		return MarkToken, 1
	}
	if width := s.scanForeignComma(rest); width > 0 {
		return MarkToken, width
	}
	if width := s.scanForeignText(s.prefixWidth(rest)); width > 0 {
		return TextToken, width
	}
	if width := s.scanUnopenedText(rest); width > 0 {
		return TextToken, width
	}
	if strings.HasPrefix(rest, "http://") || strings.HasPrefix(rest, "https://") {
		return JunkToken, junkWidth(rest)
	}
	if width := s.scanArrow(rest); width > 0 {
		return ArrowToken, width
	}
	if width := keyWidth(rest); width > 0 {
		return IdentToken, width
	}
	if rest[0] == '(' || rest[0] == ')' {
		s.inParentheses = rest[0] == '(' && s.previousType == ArrowToken
		return JunkToken, 1
	}
	return JunkToken, junkWidth(rest)
}

// scanForeignComma reports a foreign comma after an item, and returns its width, or 0 if
// there is none.
func (s *scanner) scanForeignComma(rest string) int {
	comma := foreignComma(rest)
	if comma == "" || !s.afterItem {
		return 0
	}
	s.Errorf("missing-comma", s.nextSpan(len(comma)), `expected ",", found %q`, comma).
		WithHelp("items are separated by commas").WithFix(diag.Edit{Span: s.nextSpan(len(comma)), Text: ","})
	return len(comma)
}

// maxTokens limits how many tokens of a file are read. A tool has about forty.
const maxTokens = 400_000

// exceedsTokens reports whether the scanner must stop because the file has too many tokens or
// errors. It adds a diagnostic about too many tokens.
func (s *scanner) exceedsTokens() bool {
	if s.tokenCount++; s.tokenCount == maxTokens+1 && !s.stopped {
		s.Errorf("too-large", s.nextSpan(1), "the file has more than %d words, texts and brackets, which is the limit", maxTokens).
			WithHelp("split it: all .aion files of a package are compiled together")
		s.stopped = true
	}
	s.stopped = s.stopped || s.Full()
	return s.stopped
}

// exceedsDepth stops the scanner at a bracket that is nested too deep, because it is unclear what
// the rest of the file belongs to. It reports whether the scanner has stopped.
func (s *scanner) exceedsDepth() bool {
	if !s.stopped && s.depth == maxDepth && (s.src[s.off] == '{' || s.src[s.off] == '[') {
		s.stopped = true
		s.Errorf("too-deep", s.nextSpan(1), "brackets nest deeper than %d levels", maxDepth).
			WithHelp("an element needs two levels; check for a missing closing bracket before this place")
	}
	return s.stopped
}

// skipBlanks moves to the next token. It skips white space, comments and bytes that were already
// reported.
func (s *scanner) skipBlanks() {
	for s.off < len(s.src) {
		rest := s.src[s.off:]
		switch c := rest[0]; {
		case isBlank(c):
			s.advanceTo(s.off + 1)
		case strings.HasPrefix(rest, "//"):
			s.scanComment(rest)
		case c == '#', strings.HasPrefix(rest, "/*"), strings.HasPrefix(rest, "/ "), strings.HasPrefix(rest, "<!--"), s.startsDashComment(rest):
			s.scanForeignComment(rest)
		case foreignBlank(rest) != "":
			s.scanForeignBlanks(rest)
		case c == 0, c >= utf8.RuneSelf && startsInvalid(rest):
			s.advanceTo(s.off + 1)
		default:
			return
		}
	}
}

// scanComment records and skips the // comment at the start of rest.
func (s *scanner) scanComment(rest string) {
	text := strings.TrimRight(firstLine(rest), "\r")
	s.Comments = append(s.Comments, Comment{text, s.nextSpan(len(text))})
	s.advanceTo(s.off + len(text))
}

// brokenArrowPattern matches a malformed arrow: one with a blank in it, repeated characters, or
// other signs.
var brokenArrowPattern = lazyregexp.Regexp{Text: `^[-=~<>:]+([ \t]*[-=~]*>)?`}

// scanArrow returns the width of the arrow that rest starts with, or 0. After a name or a text,
// it also accepts malformed arrows.
func (s *scanner) scanArrow(rest string) int {
	width := arrowWidth(rest)
	if strings.HasPrefix(rest, "-->") || s.previousType != IdentToken && s.previousType != TextToken {
		return width
	}
	broken := len(brokenArrowPattern.Get().FindString(rest))
	if broken > 0 && rest[broken-1] == '-' && identWidth(rest[broken:]) > 0 {
		return width // dashes before a word
	}
	return max(width, broken)
}

// junkWidth returns the width of the text before the next offset at which a token can start.
func junkWidth(text string) int {
	_, end := utf8.DecodeRuneInString(text)
	for end < len(text) && !strings.HasPrefix(text[end:], "-->") {
		r, size := utf8.DecodeRuneInString(text[end:])
		if runeFault(r, size) != "" || strings.ContainsRune(" \t\r\n\"{}[],", r) || foreignBlank(text[end:]) != "" {
			break
		}
		end += size
	}
	return end
}
