package syntax

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/aiongen/aiongen/aion/diag"
)

// A Comment is a // comment with its slashes, without the line break.
type Comment struct {
	Text string
	Span diag.Span
}

// A scanner splits a file into tokens. It reports the faults of single tokens itself, so
// that the parser only sees valid kinds of tokens.
type scanner struct {
	diag.Collector
	file      string
	src       string
	off       int // of the next byte
	line      int // of the next byte
	lineStart int // offset at which that line starts

	depth         int
	tokenCount    int             // read so far
	searchedBytes int             // bytes that searches examined: a test checks that their number is linear in the size of the file
	absentTexts   map[string]bool // texts that do not occur in the rest of the file
	afterItem     bool            // the previous token ends a text, a block or a list
	inParentheses bool            // a parenthesis was opened after an arrow, as in Python
	inMember      bool            // the previous tokens are a name in quotes and a colon, as in JSON
	stopped       bool            // the rest of the file was not read
	previousType  lexer.TokenType // type of the previous token
	Comments      []Comment
	brokenTexts   map[int]bool // offsets of texts that have a reported fault
	unclosedTexts map[int]bool // offsets of texts without a closing quote
	noQuoteBefore int          // no quote before this offset can close a text: see findClosingQuote
}

func newScanner(file string, src []byte) *scanner {
	s := &scanner{file: file, src: string(src), line: 1, brokenTexts: map[int]bool{}, unclosedTexts: map[int]bool{}, absentTexts: map[string]bool{}}
	if strings.HasPrefix(s.src, "\ufeff") {
		s.off = len("\ufeff")
	}
	return s
}

// findText returns the offset of the next occurrence of a text at or after an offset, or -1.
// It remembers texts that do not occur, to search for them only once.
func (s *scanner) findText(text string, from int) int {
	if s.absentTexts[text] {
		return -1
	}
	i := strings.Index(s.src[from:], text)
	if i < 0 {
		s.searchedBytes += len(s.src) - from
		s.absentTexts[text] = true
		return -1
	}
	s.searchedBytes += i
	return from + i
}

// advanceTo moves the scanner forward to an offset.
func (s *scanner) advanceTo(to int) {
	passed := s.src[s.off:to]
	if n := strings.Count(passed, "\n"); n > 0 {
		s.line += n
		s.lineStart = s.off + strings.LastIndexByte(passed, '\n') + 1
	}
	s.off = to
}

// lexerPosition returns the current position for participle.
func (s *scanner) lexerPosition() lexer.Position {
	return lexer.Position{Filename: s.file, Offset: s.off, Line: s.line, Column: s.off - s.lineStart + 1}
}

// nextSpan returns the span of the next width bytes, or of the rest of the file if it is shorter.
func (s *scanner) nextSpan(width int) diag.Span { return s.byteSpan(s.off, s.off+width) }

// byteSpan returns the span between two offsets at or after the current one.
func (s *scanner) byteSpan(from, to int) diag.Span {
	from, to = min(from, len(s.src)), min(to, len(s.src))
	place := diag.Pos{Offset: s.off, Line: s.line, Column: s.off - s.lineStart + 1}
	start := AdvancePos(place, s.src[s.off:from])
	return diag.Span{File: s.file, Start: start, End: AdvancePos(start, s.src[from:to])}
}
