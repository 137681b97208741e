package aion

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/aiongen/aiongen/aion/diag"
)

// maxDepth bounds how deep brackets may nest. A sound file needs three levels;
// the rest leaves room for some forgotten closing brackets.
const maxDepth = 100

// A scanner cuts a file into tokens. What is wrong with a single token it
// reports itself, so that the parser meets tokens of known kinds only.
type scanner struct {
	faults
	file      string
	src       string
	off       int // of the next byte
	line      int // of the next byte
	lineStart int // the offset at which that line starts

	depth    int
	stopped  bool            // the rest of the file was not read
	previous lexer.TokenType // kind of the token before
	comments []Comment
	broken   map[int]bool // offsets of texts that were reported
	unended  map[int]bool // offsets of those whose end is missing
	closed   int          // up to here, no quote can close a text: see closingQuote
}

func newScanner(file string, src []byte) *scanner {
	s := &scanner{file: file, src: string(src), line: 1, broken: map[int]bool{}, unended: map[int]bool{}}
	if strings.HasPrefix(s.src, "\ufeff") {
		s.off = len("\ufeff")
	}
	return s
}

// Next implements lexer.Lexer.
func (s *scanner) Next() (lexer.Token, error) {
	s.skipBlanks()
	token := lexer.Token{Type: lexer.EOF, Pos: s.position()}
	if s.off < len(s.src) && !s.tooDeep() {
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
		return tokenText, s.text()
	case '{', '[':
		s.depth++
		return tokenMark, 1
	case '}', ']':
		s.depth = max(0, s.depth-1)
		return tokenMark, 1
	case ',':
		return tokenMark, 1
	}
	if width := s.unopened(rest); width > 0 {
		return tokenText, width
	}
	if strings.HasPrefix(rest, "http://") || strings.HasPrefix(rest, "https://") {
		return tokenJunk, junkWidth(rest)
	}
	if width := s.arrow(rest); width > 0 {
		return tokenArrow, width
	}
	if width := identWidth(rest); width > 0 {
		return tokenIdent, width
	}
	if width := s.foreignText(rest); width > 0 {
		return tokenText, width
	}
	return tokenJunk, junkWidth(rest)
}

// tooDeep reports brackets that nest too deep. The file ends there: nothing
// behind them can be told apart.
func (s *scanner) tooDeep() bool {
	if !s.stopped && s.depth == maxDepth && (s.src[s.off] == '{' || s.src[s.off] == '[') {
		s.stopped = true
		s.report("too-deep", s.here(1), "brackets nest deeper than %d levels", maxDepth).
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
	s.comments = append(s.comments, Comment{text, s.here(len(text))})
	s.advance(s.off + len(text))
}

// foreignComment reports a comment in the style of C or of Python, or with a
// single slash, and skips it.
func (s *scanner) foreignComment(rest string) {
	width, mark := len(firstLine(rest)), rest[:1]
	if strings.HasPrefix(rest, "/*") {
		mark = "/*"
		if end := strings.Index(rest, "*/"); end >= 0 {
			width = end + len("*/")
		}
	}
	s.report("wrong-comment", s.here(width), "comments start with //, not with %s", mark)
	s.advance(s.off + width)
}

// arrows are the arrow and what people write in its place, the longer first.
var arrows = []string{"-->", "==>", "=>", "==", "=", ":=", ":", "->", ">", "→", "⟶", "⇒", "⟹", "—>", "–>", "—", "–"}

// brokenArrow is an arrow with a blank in it, with too much of something, or of other
// signs, where one has to stand.
var brokenArrow = regexp.MustCompile(`^[-=~<>:]+([ \t]*[-=~]*>)?`)

// arrow returns the width of the arrow that rest starts with, or 0. Where no
// identifier can stand, all that looks like one is an arrow.
func (s *scanner) arrow(rest string) int {
	width := arrowWidth(rest)
	if strings.HasPrefix(rest, "-->") || s.previous != tokenIdent && s.previous != tokenText {
		return width
	}
	broken := len(brokenArrow.FindString(rest))
	if broken > 0 && rest[broken-1] == '-' && identWidth(rest[broken:]) > 0 {
		return width // dashes in front of a word
	}
	return max(width, broken)
}

func arrowWidth(rest string) int {
	for _, a := range arrows {
		if strings.HasPrefix(rest, a) {
			return len(a)
		}
	}
	return 0
}

// identWidth returns the width of the identifier that text starts with, or 0.
// Dashes may stand in it, but not those of an arrow.
func identWidth(text string) int {
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '-' && (i == 0 || text[i-1] != '-') && startsBroken(text[i:]), c == '-' && strings.HasPrefix(text[i:], "-->"):
			return i
		case !isIdent(c):
			return i
		}
	}
	return len(text)
}

// startsBroken reports whether a text starts with dashes that a blank separates from
// the head of the arrow.
func startsBroken(text string) bool {
	head := strings.TrimLeft(text, "-")
	behind := strings.TrimLeft(head, " \t")
	return len(behind) < len(head) && len(head) < len(text) && behind != "" && behind[0] == '>'
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

// advance moves the scanner forward to an offset.
func (s *scanner) advance(to int) {
	passed := s.src[s.off:to]
	if n := strings.Count(passed, "\n"); n > 0 {
		s.line += n
		s.lineStart = s.off + strings.LastIndexByte(passed, '\n') + 1
	}
	s.off = to
}

// position is the scanner's place for participle.
func (s *scanner) position() lexer.Position {
	return lexer.Position{Filename: s.file, Offset: s.off, Line: s.line, Column: s.off - s.lineStart + 1}
}

// here is the span of the next width bytes, or of those that are left.
func (s *scanner) here(width int) diag.Span { return s.span(s.off, s.off+width) }

// span is a stretch of the source that starts at or behind the scanner's place.
func (s *scanner) span(from, to int) diag.Span {
	from, to = min(from, len(s.src)), min(to, len(s.src))
	place := diag.Pos{Offset: s.off, Line: s.line, Column: s.off - s.lineStart + 1}
	start := moved(place, s.src[s.off:from])
	return diag.Span{File: s.file, Start: start, End: moved(start, s.src[from:to])}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

func isIdent(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-'
}

func invalidAt(text string) bool {
	r, size := utf8.DecodeRuneInString(text)
	return r == utf8.RuneError && size == 1
}

// firstLine is the text up to its first line end.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
