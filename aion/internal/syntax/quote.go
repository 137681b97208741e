package syntax

import (
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/aion/diag"
)

// scanText returns the width of the string or text block at the current offset. A missing
// or extra quote would shift all later texts, since a text can contain nearly anything. So
// scanText checks what follows the text to find out where to resume.
func (s *scanner) scanText() (width int) {
	if width = s.scanEscapedText(); width > 0 {
		return width
	}
	rest := s.src[s.off:]
	quote := StringQuote
	if strings.HasPrefix(rest, BlockQuote) {
		quote = BlockQuote
	}
	length := strings.Index(rest[len(quote):], quote)
	s.searchedBytes += max(length, 0)
	if length < 0 {
		s.searchedBytes += len(rest)
		return s.reportUnclosedText(quote, len(s.src))
	}
	width = len(quote) + length + len(quote)
	end := s.off + width
	switch {
	case s.canFollowText(end):
		return width
	case s.findProperty(s.off, end) >= 0:
		return s.reportUnclosedText(quote, end)
	case quote == BlockQuote && strings.HasPrefix(s.src[end:], StringQuote):
		return s.reportQuoteAtEnd(width)
	}
	return s.reportQuotesInside(width)
}

// reportUnclosedText reports a text that has no closing quote before limit, or whose closing quote belongs
// to another text. Reading resumes at the next property if it begins before limit, otherwise at limit.
// Brackets and commas directly before that place are not part of the text.
func (s *scanner) reportUnclosedText(quote string, limit int) (width int) {
	line := strings.TrimRight(firstLine(s.src[s.off:]), " \t\r")
	code, what := diag.Code("unclosed-string"), "string"
	if quote != StringQuote {
		code, what = "unclosed-text-block", "text block"
	}
	d := s.Errorf(code, s.nextSpan(len(line)), "the %s that starts here is not closed", what)
	if foreign := quote != StringQuote && quote != BlockQuote; foreign {
		d.WithHelp("a text block uses double quotes: %stext%s", BlockQuote, BlockQuote)
	} else {
		d.WithHelp("end it with %s", quote)
	}

	resume := s.findProperty(s.off, limit)
	if resume < 0 {
		resume = limit
	}
	start := s.off + len(quote)
	inside := resume >= 0 && resume < limit
	resume = start + len(trimBrackets(s.src[start:max(start, resume)]))
	if quote == StringQuote || quote == BlockQuote {
		s.addClosingQuote(d, quote, resume, inside)
	}
	s.brokenTexts[s.off], s.unclosedTexts[s.off] = true, true
	width = min(len(line), resume-s.off)
	s.advanceTo(resume)
	return width
}

// addClosingQuote adds a fix that closes the text at the current offset. A block of several
// lines is closed on its own line. The fix is a guess unless the end of the text is clear.
func (s *scanner) addClosingQuote(d *diag.Diagnostic, quote string, at int, certain bool) {
	end := quote
	if text := s.src[s.off:at]; quote == BlockQuote && strings.Contains(text, "\n") {
		line := s.src[s.lineStart:s.off]
		end = "\n" + line[:len(line)-len(strings.TrimLeft(line, " \t"))] + quote
	}
	inside := strings.TrimRight(s.src[s.off+len(quote):at], " \t\r\n")
	comment := quote == StringQuote && (strings.Contains(inside, "\n") || strings.Contains(inside, " //"))
	certain = certain && !comment && !strings.Contains(inside, "-->") && strings.TrimRight(inside, allQuotes) == inside
	d.WithFixIf(certain, diag.Edit{Span: s.byteSpan(at, at), Text: end})
}

// trimBrackets removes brackets and commas from the end of an unclosed text, and then an arrow, because
// they probably belong to the file. It keeps closing brackets that were opened in the text.
func trimBrackets(text string) string {
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

// findProperty returns the offset of the first "identifier -->" between two offsets that
// follows a line break, or -1.
func (s *scanner) findProperty(from, to int) int {
	s.searchedBytes += to - from
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
		for start > floor && isIdentByte(s.src[start-1]) {
			start--
		}
		if start < end {
			return start
		}
		floor = at
	}
}

// reportQuoteAtEnd reports a text block that ends in four or more quotes, as in """say "hi"""". The first
// three close the block, but the author meant the last three.
func (s *scanner) reportQuoteAtEnd(width int) int {
	end := s.off + width
	more := len(s.src[end:]) - len(strings.TrimLeft(s.src[end:], StringQuote))
	at := end + more - len(BlockQuote)
	d := s.Errorf("quote-in-text", s.byteSpan(end, end+more), "the text block ended with the three quotes before this one").
		WithHelp("a text block cannot end in a quote: put its closing %s on a line of its own", BlockQuote)
	paired := strings.Count(s.src[s.off+len(BlockQuote):at], StringQuote)%2 == 0 // otherwise the last quote may be one too many
	d.WithFixIf(paired, diag.Edit{Span: s.byteSpan(at, at), Text: "\n"})
	s.brokenTexts[s.off] = true
	return width + more
}

// reportQuotesInside reports a text that continues after its closing quote, and returns its
// width up to the quote that was meant to close it.
func (s *scanner) reportQuotesInside(width int) int {
	end := s.off + width
	next := skipBlank(s.src, end)
	adjacent := next == end && s.src[next] == '"'
	escaped := s.src[end-2] == '\\'
	if !adjacent && !escaped && (strings.IndexByte(`"{[`, s.src[next]) >= 0 || arrowWidth(s.src[next:]) > 0 || startsBrokenArrow(s.src[next:])) {
		return width // the quotes are right: a comma or an arrow is missing or malformed
	}
	last := s.findClosingQuote(end)
	if last < 0 {
		return width
	}
	word := s.byteSpan(next, max(next+1, next+identWidth(s.src[next:])))
	text := s.src[s.off+1 : last]
	block := blockText(text)
	d := s.Errorf("quote-in-text", word, "the string ended at the quote before this; strings have no escapes").
		WithHelp("a text with quotes is written as a text block:\n%s", block)
	several := strings.Contains(text, "-->") || strings.Contains(text, "\n") // several texts, or an extra quote
	d.WithFixIf(!several && !escapePattern.MatchString(strings.ReplaceAll(text, `\"`, "")) && strings.Count(text, StringQuote)%2 == 0, diag.Edit{Span: s.nextSpan(last + 1 - s.off), Text: block})
	s.brokenTexts[s.off] = true
	return last + 1 - s.off
}

// scanUnopenedText reports a text after an arrow that has only its closing quote. It
// returns the width of the text, or 0 if there is no such text on this line.
func (s *scanner) scanUnopenedText(rest string) int {
	if s.previousType != ArrowToken {
		return 0
	}
	line, _, _ := strings.Cut(firstLine(rest[:min(len(rest), maxSearch)]), "-->")
	quote := strings.IndexByte(line, '"')
	if quote < 0 || !s.canFollowText(s.off+quote+1) {
		return 0
	}
	text := line[:quote]
	_, other := utf8.DecodeRuneInString(text)
	if strings.TrimLeft(text[:other], allQuotes) != "" {
		other = 0 // the text does not start with a quote of another kind
	}
	d := s.Errorf("missing-quote", s.nextSpan(quote+1), "the text does not start with a quote").WithHelp("write %q", text[other:])
	d.WithFixIf(!strings.HasPrefix(text, "'") && !strings.HasPrefix(text, "’"), diag.Edit{Span: s.nextSpan(other), Text: StringQuote})
	s.brokenTexts[s.off] = true
	return quote + 1
}

// findClosingQuote returns the offset of the next quote that can close a text, before the
// next property, or -1.
func (s *scanner) findClosingQuote(from int) int {
	if from < s.noQuoteBefore {
		return -1 // an earlier search found none
	}
	for at := from; at < len(s.src); at++ {
		s.searchedBytes++
		switch {
		case s.src[at] == '"' && s.canFollowText(at+1):
			return at
		case strings.HasPrefix(s.src[at:], "-->"):
			s.noQuoteBefore = at
			return -1
		}
	}
	s.noQuoteBefore = len(s.src)
	return -1
}

// canFollowText reports whether a text can end before an offset. It can if one of these follows: a comma,
// a closing bracket, an arrow, a comment, the end of the file, or a property, for which only the comma is
// missing.
func (s *scanner) canFollowText(at int) bool {
	blanks := at
	at = skipBlank(s.src, at)
	s.searchedBytes += at - blanks
	rest := s.src[at:]
	if rest == "" || strings.IndexByte(",}];", rest[0]) >= 0 || s.inParentheses && rest[0] == ')' {
		return true
	}
	if rest[0] >= utf8.RuneSelf && foreignComma(rest) != "" {
		return true
	}
	return strings.HasPrefix(rest, "-->") || strings.HasPrefix(rest, "//") || startsProperty(rest)
}

// startsProperty reports whether a text starts with an identifier and an arrow, or with an
// identifier, a malformed arrow and a value.
func startsProperty(text string) bool {
	width := keyWidth(text)
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

// maxSearch limits the search for a quote that may be missing, in bytes.
const maxSearch = 1000
