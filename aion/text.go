package aion

import (
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
)

const (
	stringQuote = `"`
	blockQuote  = `"""`
)

// text returns the width of the string or text block at the scanner's place.
// Since a text may hold nearly anything, a quote too few or too many shifts all
// texts behind it; what follows the text tells, and decides where to resume.
func (s *scanner) text() (width int) {
	rest := s.src[s.off:]
	quote := stringQuote
	if strings.HasPrefix(rest, blockQuote) {
		quote = blockQuote
	}
	length := strings.Index(rest[len(quote):], quote)
	if length < 0 {
		return s.unclosed(quote, len(s.src))
	}
	width = len(quote) + length + len(quote)
	end := s.off + width
	switch {
	case s.mayFollow(end):
		return width
	case s.propertyInside(s.off, end) >= 0:
		return s.unclosed(quote, end)
	case quote == blockQuote && strings.HasPrefix(s.src[end:], stringQuote):
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
	if quote == blockQuote {
		code, what = "unclosed-text-block", "text block"
	}
	d := s.report(code, s.here(len(line)), "the %s that starts here is not closed", what)
	d.WithHelp("end it with %s", quote)

	resume := s.propertyInside(s.off, limit)
	if resume < 0 {
		resume = limit
	}
	start := s.off + len(quote)
	resume = start + len(withoutBrackets(s.src[start:max(start, resume)]))
	s.broken[s.off], s.unended[s.off] = true, true
	width = min(len(line), resume-s.off)
	s.advance(resume)
	return width
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
			return strings.TrimSuffix(text, "-->")
		}
		text = text[:len(text)-1]
	}
	return text
}

// propertyInside returns the offset of the first "identifier -->" behind a line
// break between two offsets, or -1.
func (s *scanner) propertyInside(from, to int) int {
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
		for start > floor && isIdent(s.src[start-1]) {
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
	more := len(s.src[end:]) - len(strings.TrimLeft(s.src[end:], stringQuote))
	s.report("quote-in-text", s.span(end, end+more), "the text block ended with the three quotes before this one").
		WithHelp("a text block cannot end in a quote: put its closing %s on a line of its own", blockQuote)
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
	s.report("quote-in-text", word, "the string ended at the quote before this: strings have no escapes").
		WithHelp("a text with quotes is written as a text block:\n%s", asBlock(s.src[s.off+1:last]))
	s.broken[s.off] = true
	return last + 1 - s.off
}

// unopened reports a text behind an arrow that has only its closing quote, and
// returns its width, or 0 if there is none on this line.
func (s *scanner) unopened(rest string) int {
	if s.previous != tokenArrow {
		return 0
	}
	line, _, _ := strings.Cut(firstLine(rest[:min(len(rest), longestSearch)]), "-->")
	quote := strings.IndexByte(line, '"')
	if quote < 0 || !s.mayFollow(s.off+quote+1) {
		return 0
	}
	s.report("missing-quote", s.here(quote+1), "the text does not start with a quote").
		WithHelp("write %q", line[:quote])
	s.broken[s.off] = true
	return quote + 1
}

// asBlock is the content of a string with quotes in it as a text block.
func asBlock(content string) string {
	content = strings.ReplaceAll(content, `\"`, `"`)
	if strings.HasSuffix(content, `"`) {
		content += "\n"
	}
	return blockQuote + content + blockQuote
}

// closingQuote returns the offset of the next quote that something sound
// follows, before the next property, or -1.
func (s *scanner) closingQuote(from int) int {
	if from < s.closed {
		return -1 // a search from an earlier place came to nothing
	}
	for at := from; at < len(s.src); at++ {
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
	at = skipBlank(s.src, at)
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

// skipBlank returns the offset of the first byte from at on that is no white space.
func skipBlank(text string, at int) int {
	for at < len(text) && isBlank(text[at]) {
		at++
	}
	return at
}

// longestSearch bounds the search for a quote that may not be there, in bytes.
const longestSearch = 1000

// foreignQuotes are the quotes of other notations, each with the closing one.
var foreignQuotes = map[string]string{"'": "'", "`": "`", "“": "”", "‘": "’", "„": "“", "«": "»"}

// foreignText reports a text in quotes of another kind, and returns its width,
// or 0 if there is none on this line.
func (s *scanner) foreignText(rest string) int {
	for open, end := range foreignQuotes {
		if !strings.HasPrefix(rest, open) {
			continue
		}
		line := firstLine(rest[:min(len(rest), longestSearch)])
		length := strings.Index(line[len(open):], end)
		if length < 0 {
			return 0
		}
		width := len(open) + length + len(end)
		s.report("wrong-quotes", s.here(width), "a text stands in double quotes, not in %s…%s", open, end).
			WithHelp("write %q", line[len(open):len(open)+length])
		s.broken[s.off] = true
		return width
	}
	return 0
}

// Pos is the place in the file of the byte of Value at an offset, or of its end.
func (t Text) Pos(offset int) diag.Pos {
	offset = max(0, offset)
	at := len(t.raw)
	for _, line := range textLines(t.raw) {
		if offset <= len(line.text) {
			at = min(line.at+offset, at) // what is no UTF-8 is longer in the value
			break
		}
		offset -= len(line.text) + len("\n")
	}
	pos := t.Span.Start
	before := t.raw[:at]
	pos.Offset += at
	pos.Line += strings.Count(before, "\n")
	if end := strings.LastIndexByte(before, '\n'); end >= 0 {
		pos.Column = at - end
	} else {
		pos.Column += at
	}
	return pos
}

// textValue is what a text says, given as it stands in the source.
func textValue(raw string) string {
	var b strings.Builder
	for i, line := range textLines(raw) {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(line.text)
	}
	return b.String()
}

// textLine is a line of what a text says, with its offset in the source of the
// text.
type textLine struct {
	text string
	at   int
}

// textLines are the lines of a text, given as it stands in the source.
func textLines(raw string) []textLine {
	content, block := strings.CutPrefix(raw, blockQuote)
	quote := blockQuote
	if !block {
		quote = stringQuote
		content = strings.TrimPrefix(raw, quote)
	}
	at := len(raw) - len(content)
	content = strings.TrimSuffix(content, quote)
	var lines []textLine
	for line := range strings.SplitSeq(content, "\n") {
		text := line
		if at+len(line) < len(raw)-len(quote) {
			text = strings.TrimSuffix(line, "\r") // a line break may be CR LF
		}
		lines = append(lines, textLine{strings.ToValidUTF8(text, "\ufffd"), at})
		at += len(line) + len("\n")
	}
	if block {
		return trimLines(dedent(lines))
	}
	return lines
}

// dedent removes the indentation that the non-blank lines after the first have
// in common, and empties blank lines.
func dedent(lines []textLine) []textLine {
	common, found := "", false
	for i, line := range lines {
		content := strings.TrimLeft(line.text, " \t")
		switch {
		case strings.Trim(content, " \t\r") == "":
			lines[i].text = ""
			continue
		case i == 0:
			continue
		}
		indent := line.text[:len(line.text)-len(content)]
		if !found {
			common, found = indent, true
		}
		common = commonPrefix(common, indent)
	}
	for i := range lines {
		if i > 0 && lines[i].text != "" {
			lines[i].cut(len(common))
		}
	}
	return lines
}

// trimLines removes white space at both ends.
func trimLines(lines []textLine) []textLine {
	for len(lines) > 0 && lines[0].text == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && lines[len(lines)-1].text == "" {
		lines = lines[:len(lines)-1]
	}
	if len(lines) > 0 {
		first, last := &lines[0], &lines[len(lines)-1]
		first.cut(len(first.text) - len(strings.TrimLeft(first.text, " \t\r")))
		last.text = strings.TrimRight(last.text, " \t\r")
	}
	return lines
}

// cut removes n bytes from the start of the line.
func (l *textLine) cut(n int) {
	l.text = l.text[n:]
	l.at += n
}

func commonPrefix(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return a[:n]
}

// empty reports whether a text says nothing.
func (t Text) empty() bool { return strings.Trim(t.Value, " \t\r\n") == "" }
