package syntax

import (
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/aion/diag"
)

// text returns the width of the string or text block at the scanner's place.
// Since a text may hold nearly anything, a quote too few or too many shifts all
// texts behind it; what follows the text tells, and decides where to resume.
func (s *scanner) text() (width int) {
	rest := s.src[s.off:]
	quote := StringQuote
	if strings.HasPrefix(rest, BlockQuote) {
		quote = BlockQuote
	}
	length := strings.Index(rest[len(quote):], quote)
	s.searched += max(length, 0)
	if length < 0 {
		s.searched += len(rest)
		return s.unclosed(quote, len(s.src))
	}
	width = len(quote) + length + len(quote)
	end := s.off + width
	switch {
	case s.mayFollow(end):
		return width
	case s.propertyInside(s.off, end) >= 0:
		return s.unclosed(quote, end)
	case quote == BlockQuote && strings.HasPrefix(s.src[end:], StringQuote):
		return s.quoteAtEnd(width)
	}
	return s.quotesInside(width)
}

// unclosed reports a text that has no closing quote before limit, or one that
// belongs to another text. Reading resumes at the property that the text runs
// into, else at the limit, with the brackets and commas in front of that.
func (s *scanner) unclosed(quote string, limit int) (width int) {
	line := strings.TrimRight(firstLine(s.src[s.off:]), " \t\r")
	code, what := diag.Code("unclosed-string"), "string"
	if quote != StringQuote {
		code, what = "unclosed-text-block", "text block"
	}
	d := s.Errorf(code, s.here(len(line)), "the %s that starts here is not closed", what)
	if foreign := quote != StringQuote && quote != BlockQuote; foreign {
		d.WithHelp("a text block uses double quotes: %stext%s", BlockQuote, BlockQuote)
	} else {
		d.WithHelp("end it with %s", quote)
	}

	resume := s.propertyInside(s.off, limit)
	if resume < 0 {
		resume = limit
	}
	start := s.off + len(quote)
	inside := resume >= 0 && resume < limit
	resume = start + len(withoutBrackets(s.src[start:max(start, resume)]))
	if quote == StringQuote || quote == BlockQuote {
		s.endText(d, quote, resume, inside)
	}
	s.broken[s.off], s.unended[s.off] = true, true
	width = min(len(line), resume-s.off)
	s.advance(resume)
	return width
}

// endText adds the edit that closes the text at the scanner's place: a block of several
// lines on a line of its own. Unless a property follows, and none may be in it, it is a guess.
func (s *scanner) endText(d *diag.Diagnostic, quote string, at int, certain bool) {
	end := quote
	if text := s.src[s.off:at]; quote == BlockQuote && strings.Contains(text, "\n") {
		line := s.src[s.lineStart:s.off]
		end = "\n" + line[:len(line)-len(strings.TrimLeft(line, " \t"))] + quote
	}
	inside := strings.TrimRight(s.src[s.off+len(quote):at], " \t\r\n")
	comment := quote == StringQuote && (strings.Contains(inside, "\n") || strings.Contains(inside, " //"))
	certain = certain && !comment && !strings.Contains(inside, "-->") && strings.TrimRight(inside, quotes) == inside
	d.WithFixIf(certain, diag.Edit{Span: s.span(at, at), Text: end})
}

// withoutBrackets returns a text without the punctuation at its end that is more
// likely the file's than the text's: not brackets that were opened in the text.
func withoutBrackets(text string) string {
	curly := strings.Count(text, "{") - strings.Count(text, "}")
	square := strings.Count(text, "[") - strings.Count(text, "]")
	for text != "" {
		switch last := text[len(text)-1]; {
		case last == '}' && curly < 0:
			curly++
		case last == ']' && square < 0:
			square++
		case last == '{':
			curly--
		case last == '[':
			square--
		case !isBlank(last) && last != ',':
			if before, arrow := strings.CutSuffix(text, "-->"); arrow {
				text = strings.TrimRight(before, " \t\r\n")
			}
			return text
		}
		text = text[:len(text)-1]
	}
	return text
}

// propertyInside returns the offset of the first "identifier -->" behind a line
// break between two offsets, or -1.
func (s *scanner) propertyInside(from, to int) int {
	s.searched += to - from
	lineEnd := strings.IndexByte(s.src[from:to], '\n')
	if lineEnd < 0 {
		return -1
	}
	floor := from + lineEnd + 1
	for at := floor; ; at += len("-->") {
		next := strings.Index(s.src[at:to], "-->")
		if next < 0 {
			return -1
		}
		at += next
		end := len(strings.TrimRight(s.src[floor:at], " \t\r\n")) + floor
		start := end
		for start > floor && IsIdent(s.src[start-1]) {
			start--
		}
		if start < end {
			return start
		}
		floor = at
	}
}

// quoteAtEnd reports a text block whose text ends in a quote, which cannot be
// told from the quotes that close it.
func (s *scanner) quoteAtEnd(width int) int {
	end := s.off + width
	more := len(s.src[end:]) - len(strings.TrimLeft(s.src[end:], StringQuote))
	at := end + more - len(BlockQuote)
	d := s.Errorf("quote-in-text", s.span(end, end+more), "the text block ended with the three quotes before this one").
		WithHelp("a text block cannot end in a quote: put its closing %s on a line of its own", BlockQuote)
	paired := strings.Count(s.src[s.off+len(BlockQuote):at], StringQuote)%2 == 0 // else it may be one too many
	d.WithFixIf(paired, diag.Edit{Span: s.span(at, at), Text: "\n"})
	s.broken[s.off] = true
	return width + more
}

// quotesInside reports a text that goes on behind its closing quote, if it
// does, and returns its width up to the quote that was meant to close it.
func (s *scanner) quotesInside(width int) int {
	end := s.off + width
	next := skipBlank(s.src, end)
	adjacent := next == end && s.src[next] == '"'
	if !adjacent && (strings.IndexByte(`"{[`, s.src[next]) >= 0 || arrowWidth(s.src[next:]) > 0 || startsBroken(s.src[next:])) {
		return width // something that belongs to the text is missing in between
	}
	last := s.closingQuote(end)
	if last < 0 {
		return width
	}
	word := s.span(next, max(next+1, next+identWidth(s.src[next:])))
	text := s.src[s.off+1 : last]
	block := asBlock(text)
	d := s.Errorf("quote-in-text", word, "the string ended at the quote before this: strings have no escapes").
		WithHelp("a text with quotes is written as a text block:\n%s", block)
	several := strings.Contains(text, "-->") || strings.Contains(text, "\n") // texts, or a quote too many
	d.WithFixIf(!several && !hasEscape.MatchString(strings.ReplaceAll(text, `\"`, "")) && strings.Count(text, StringQuote)%2 == 0, diag.Edit{Span: s.here(last + 1 - s.off), Text: block})
	s.broken[s.off] = true
	return last + 1 - s.off
}

// unopened reports a text behind an arrow that has only its closing quote, and
// returns its width, or 0 if there is none on this line.
func (s *scanner) unopened(rest string) int {
	if s.previous != ArrowToken {
		return 0
	}
	line, _, _ := strings.Cut(firstLine(rest[:min(len(rest), longestSearch)]), "-->")
	quote := strings.IndexByte(line, '"')
	if quote < 0 || !s.mayFollow(s.off+quote+1) {
		return 0
	}
	text := line[:quote]
	_, other := utf8.DecodeRuneInString(text)
	if strings.TrimLeft(text[:other], quotes) != "" {
		other = 0 // it has no quote of another kind
	}
	d := s.Errorf("missing-quote", s.here(quote+1), "the text does not start with a quote").WithHelp("write %q", text[other:])
	d.WithFixIf(!strings.HasPrefix(text, "'") && !strings.HasPrefix(text, "’"), diag.Edit{Span: s.here(other), Text: StringQuote})
	s.broken[s.off] = true
	return quote + 1
}

// closingQuote returns the offset of the next quote that something sound
// follows, before the next property, or -1.
func (s *scanner) closingQuote(from int) int {
	if from < s.closed {
		return -1 // a search from an earlier place came to nothing
	}
	for at := from; at < len(s.src); at++ {
		s.searched++
		switch {
		case s.src[at] == '"' && s.mayFollow(at+1):
			return at
		case strings.HasPrefix(s.src[at:], "-->"):
			s.closed = at
			return -1
		}
	}
	s.closed = len(s.src)
	return -1
}

// mayFollow reports whether what stands at an offset can follow a text: a
// comma, a closing bracket, an arrow, a comment, the end of the file, or a
// property, before which only the comma is missing.
func (s *scanner) mayFollow(at int) bool {
	blanks := at
	at = skipBlank(s.src, at)
	s.searched += at - blanks
	rest := s.src[at:]
	if rest == "" || strings.IndexByte(",}]", rest[0]) >= 0 {
		return true
	}
	return strings.HasPrefix(rest, "-->") || strings.HasPrefix(rest, "//") || startsProperty(rest)
}

// startsProperty reports whether a text starts with an identifier and an arrow,
// or what stands for one in front of a value.
func startsProperty(text string) bool {
	width := identWidth(text)
	if width == 0 {
		return false
	}
	at := skipBlank(text, width)
	arrow := arrowWidth(text[at:])
	if arrow == 0 || strings.HasPrefix(text[at:], "-->") {
		return arrow > 0
	}
	at = skipBlank(text, at+arrow)
	return at < len(text) && strings.IndexByte(`"{[`, text[at]) >= 0
}

// longestSearch bounds the search for a quote that may not be there, in bytes.
const longestSearch = 1000
