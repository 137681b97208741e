package syntax

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/aiongen/aiongen/aion/diag"
)

// A Comment is a // comment with its slashes, without the line end.
type Comment struct {
	Text string
	Span diag.Span
}

// A scanner cuts a file into tokens. What is wrong with a single token it
// reports itself, so that the parser meets tokens of known kinds only.
type scanner struct {
	diag.Collector
	file      string
	src       string
	off       int // of the next byte
	line      int // of the next byte
	lineStart int // the offset at which that line starts

	depth    int
	tokens   int             // read so far
	searched int             // bytes that searches looked at, which must not be many times the file
	missing  map[string]bool // texts that do not occur in the rest of the file
	stopped  bool            // the rest of the file was not read
	previous lexer.TokenType // kind of the token before
	Comments []Comment
	broken   map[int]bool // offsets of texts that were reported
	unended  map[int]bool // offsets of those whose end is missing
	closed   int          // up to here, no quote can close a text: see closingQuote
}

func newScanner(file string, src []byte) *scanner {
	s := &scanner{file: file, src: string(src), line: 1, broken: map[int]bool{}, unended: map[int]bool{}, missing: map[string]bool{}}
	if strings.HasPrefix(s.src, "\ufeff") {
		s.off = len("\ufeff")
	}
	return s
}

// find returns the offset of the next occurrence of a text from an offset on, or -1. It
// searches once for a text that does not occur in the rest of the file.
func (s *scanner) find(text string, from int) int {
	if s.missing[text] {
		return -1
	}
	i := strings.Index(s.src[from:], text)
	if i < 0 {
		s.searched += len(s.src) - from
		s.missing[text] = true
		return -1
	}
	s.searched += i
	return from + i
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
	start := Moved(place, s.src[s.off:from])
	return diag.Span{File: s.file, Start: start, End: Moved(start, s.src[from:to])}
}
