package reader

import (
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// readEscaped reads a string whose quotes are escaped although the text around it is not. It returns nil if
// there is none.
func (r *Reader) readEscaped() *jsontext.Node {
	if r.Text[r.Pos] != '\\' || r.ByteAt(r.Pos+1) != '"' {
		return nil
	}
	from := r.Pos + len(`\"`)
	to := r.Index(`\"`, from)
	if to == r.End || !scan.EndsValue(r.ByteAfterBlanks(to+len(`\"`))) {
		return nil
	}
	n := r.NewNode(jsontext.String, r.Pos)
	n.Text = scan.Encode(r.Text[from:to])
	r.Strings.Add(from, to, true)
	r.Pos = to + len(`\"`)
	r.Edit(Escape, int(n.Start), r.Pos, n.Text)
	return n
}

// extent is the extent of a string: its content is text[from:to], and reading continues at next.
type extent struct {
	from, to, next int
	closed         bool // the closing quote exists
	hasEscapes     bool // the content has escapes or control characters
	innerQuotes    int  // number of quotes in the content
	split          bool // some of the inner quotes are not apostrophes
	dropped        bool // the string began with two quotes, and the second was dropped
	doubled        bool // the string begins with two quotes
	unfinished     bool // the text was cut off inside the string
	shortened      bool // closing brackets before the next string were excluded from the content
	nested         bool // the content is a value whose quotes are not escaped
}

// isClean reports whether the string has a closing quote and no other quotes.
func (s *extent) isClean() bool { return s.closed && s.innerQuotes == 0 }

// isValidJSON reports whether the content is valid in a JSON string without changes. raw means that backslashes in
// it are not escapes.
func (s *extent) isValidJSON(content string, raw bool) bool {
	return (!s.hasEscapes || !raw && scan.IsEncoded(content)) && utf8.ValidString(content)
}

// isGuess reports whether the string may have been meant to end elsewhere. This is so if it contains a
// superfluous quote, or if it has no closing quote and its content does not show where it ends.
func (s *extent) isGuess(in *scan.Source, q scan.Quote) bool {
	content := in.Text[s.from:s.to]
	if !s.closed {
		return !s.unfinished && (s.shortened || s.next > s.to || mayContinue(content))
	}
	if s.dropped || s.split && hasMemberEnd(content) {
		return true
	}
	switch {
	case !s.split || s.innerQuotes == 0:
		return false
	case s.innerQuotes%2 == 0:
		return isExpression(content, in.Text[s.next-1])
	case s.innerQuotes > 1:
		return true
	}
	last := in.QuoteAt(s.to - 1)
	return content != "" && last.Size > 0 && q.Class.ClosedBy(last.Class)
}

// mayContinue reports whether a string without a closing quote may continue after content, because content is empty,
// ends with a blank, or contains a quote.
func mayContinue(content string) bool {
	return content == "" || scan.IsBlank(content[len(content)-1]) || strings.IndexByte(content, '"') >= 0
}

// isExpression reports whether content may be two strings with code between them, as in "a" or "b", of which
// content is a" or "b. In such content, the first quote looks like a closing quote, and the last one like an
// opening quote.
func isExpression(content string, quote byte) bool {
	first, last := strings.IndexByte(content, quote), strings.LastIndexByte(content, quote)
	if first < 1 || last == first || last+1 == len(content) {
		return false
	}
	before, after := content[first-1], content[first+1]
	closes := !scan.IsBlank(before) && strings.IndexByte(`=([{:,\\`, before) < 0 && !scan.IsWord(after)
	return closes && !scan.IsWord(content[last-1]) && content[last-1] != '\\' && !scan.IsBlank(content[last+1])
}

// hasMemberEnd reports whether a line of text ends with a quote and a comma. If so, text probably contains the
// end of a member of a JSON object.
func hasMemberEnd(text string) bool {
	for line := range strings.Lines(text) {
		if before, ok := strings.CutSuffix(strings.TrimRight(line, scan.Blanks), ","); ok && strings.HasSuffix(line, "\n") && strings.HasSuffix(before, `"`) {
			return true
		}
	}
	return false
}

// tripleQuoted returns the string in triple quotes at r.Pos. It returns false if there is none.
func (r *Reader) tripleQuoted(q scan.Quote) (s extent, ok bool) {
	rest := r.Text[r.Pos:r.End]
	if q.Class > scan.Single || len(rest) < 6 || rest[1] != rest[0] || rest[2] != rest[0] {
		return extent{}, false
	}
	end := strings.Index(rest[3:], rest[:3])
	for end >= 0 && r.Python && isEscaped(rest[3:3+end]) {
		next := strings.Index(rest[4+end:], rest[:3])
		if next < 0 {
			return extent{}, false
		}
		end += 1 + next
	}
	if end < 0 {
		return extent{}, false
	}
	r.Steps += end
	return extent{from: r.Pos + 3, to: r.Pos + 3 + end, next: r.Pos + 6 + end, hasEscapes: true, innerQuotes: 1}, true
}

// isEscaped reports whether text ends with a backslash that escapes the next character.
func isEscaped(text string) bool {
	return (len(text)-len(strings.TrimRight(text, `\`)))%2 == 1
}

// findExtent finds the end of the string whose content begins at from.
func (r *Reader) findExtent(from int, c scan.QuoteClass, in Place) extent {
	s := extent{from: from}
	marks, mark := 0, -1 // number of occurrences of r.Mark, and the position of the first
	i := from
	for i < r.End {
		b := r.Text[i]
		if b > '`' && b < 0xc2 || b > '\'' && b < '<' { // most bytes
			i++
			continue
		}
		if r.IsMarkAt(i) {
			if marks++; mark < 0 {
				mark = i
			}
			if marks > maxMarks {
				break
			}
		}
		if b < ' ' || b == '\\' {
			s.hasEscapes = true
		}
		if b == '\\' {
			i += 2
			continue
		}
		q := r.QuoteAt(i)
		if q.Size == 0 || !c.ClosedBy(q.Class) {
			i++
			continue
		}
		if s.endsAt(r, i, q, c, in) {
			r.Steps += i - from
			return s
		}
		i += q.Size
	}
	r.Steps += i - from
	s.endUnclosed(r, mark, in)
	return s
}

// maxMarks is the maximum number of occurrences of r.Mark that a string may contain.
const maxMarks = 4

// endsAt reports whether the string ends at or before the quote at i.
func (s *extent) endsAt(r *Reader, i int, q scan.Quote, c scan.QuoteClass, in Place) bool {
	after := i + q.Size
	if s.endsDoubled(r, i, after, c, in) {
		return true
	}
	if in == inKey && r.EndsWithColon(s.from, i) && r.ByteAfterBlanks(after) != ':' && s.missedEnd(r, i, in) {
		return true
	}
	if odd := s.innerQuotes%2 == 1; r.endsString(after, in, odd) && !(odd && r.endsAfterClosers(after, c)) {
		s.closeAt(&r.Source, i, after)
		return true
	}
	if s.missedEnd(r, i, in) {
		return true
	}
	if s.innerQuotes == 0 && !s.doubled && r.opensNested(s.from, i) {
		s.nested = true
		return true
	}
	if i == s.from {
		s.doubled = true
	} else {
		s.innerQuotes++
	}
	s.split = s.split || !r.IsApostrophe(i, q)
	return false
}

// closeAt ends the string at the quote at i; reading continues at next. If the string begins with two quotes and
// contains no others, the second of them is dropped from its content.
func (s *extent) closeAt(in *scan.Source, i, next int) {
	if s.doubled {
		if s.innerQuotes == 0 {
			s.from += in.QuoteAt(s.from).Size
			s.dropped = true
		}
		s.innerQuotes++
	}
	s.to, s.next, s.closed = i, next, true
}

// endsDoubled reports whether the string has two quotes at its beginning and at its end, as in ""a"". The two
// quotes at its end are at i and at after. If there are such quotes, endsDoubled ends the string there.
func (s *extent) endsDoubled(r *Reader, i, after int, c scan.QuoteClass, in Place) bool {
	second := r.QuoteAt(after)
	if !s.doubled || second.Size == 0 || second.Class != c || !r.endsString(after+second.Size, in, false) {
		return false
	}
	if s.innerQuotes == 0 {
		s.from, s.to = s.from+r.QuoteAt(s.from).Size, i
	} else {
		s.to = after
	}
	s.next, s.innerQuotes = after+second.Size, 2
	return true
}

// endsAfterClosers reports whether the closing brackets or the closing tag at i may be part of the string. They
// may if the next quote after them can end the string, or if no such bracket is open.
func (r *Reader) endsAfterClosers(i int, c scan.QuoteClass) bool {
	j := r.SkipBlanks(i)
	if r.ByteAt(j) == ';' {
		j = r.SkipBlanks(j + 1)
	}
	switch b := r.ByteAt(j); {
	case scan.IsCloser(b) && r.last[scan.KindOf(b)] < r.outside: // no such bracket is open
		return true
	case !scan.IsCloser(b) && (b != '<' || r.ByteAt(j+1) != '/'):
		return false
	}
	end := r.NextQuote(c, j)
	return end >= 0 && !strings.ContainsAny(r.Text[j:end], scan.Openers) && scan.EndsValue(r.ByteAfterBlanks(end+r.QuoteAt(end).Size))
}

// missedEnd reports whether the closing quote of s is missing, because the quote at i begins the next name or
// string. If so, it ends s before that name or string, and before the closing brackets that precede it.
func (s *extent) missedEnd(r *Reader, i int, in Place) bool {
	if in == inKey {
		colon := strings.IndexByte(r.Text[s.from:i], ':')
		if s.innerQuotes > 0 || colon < 0 {
			return false
		}
		s.to, s.next = s.from+colon, s.from+colon
		return true
	}
	end := r.TrimEnd(s.from, i)
	r.Steps += i - end
	newline := strings.IndexByte(r.Text[end:i], '\n') >= 0
	opened := end > s.from && r.Text[end-1] == '{'
	if opened {
		end = r.TrimEnd(s.from, end-1)
	}
	if end > s.from && r.Text[end-1] == ',' {
		end--
	} else if !newline {
		return false
	}
	if end == s.from || !r.nextFits(i, s.from, &end, opened) {
		return false
	}
	s.shortened = r.TrimEnd(s.from, end) == end && scan.IsCloser(r.ByteAt(end))
	s.to, s.next = r.WithoutQuote(s.from, end), end
	return true
}

// nextFits reports whether the quote at i begins a member or an element that may follow the closing brackets
// before *end. opened states that an opening brace is before the quote. nextFits sets *end to the position of the
// first of these brackets.
func (r *Reader) nextFits(i, from int, end *int, opened bool) bool {
	at, closed := r.closingBrackets(from, *end)
	if closed == len(r.stack)-r.outside {
		return false
	}
	list := r.stack[len(r.stack)-1-closed].kind != scan.Brace
	*end = at
	switch {
	case opened:
		return list && r.OpensKey(i)
	case list:
		return r.OpensElement(i, true)
	}
	return r.OpensKey(i)
}

// opensNested reports whether the string whose content begins at from contains a JSON value whose quotes are not
// escaped, as in "{"a": 1}". i is the position of the first quote in the content.
func (r *Reader) opensNested(from, i int) bool {
	head := strings.Trim(r.Text[from:i], scan.Blanks)
	return r.Levels < MostLevels && head != "" && strings.Trim(head, "[{"+scan.Blanks) == "" &&
		(r.OpensKey(i) || strings.HasSuffix(head, "[") && r.OpensElement(i, true))
}

// endUnclosed ends a string without a closing quote at mark, if that is not negative, or at the end of the
// input. Closing brackets of open containers before that position are not part of the string.
func (s *extent) endUnclosed(r *Reader, mark int, in Place) {
	end, open := r.End, r.Open
	if mark >= 0 {
		end, open = mark, false
	}
	s.to, s.next = end, end
	if colon := strings.IndexByte(r.Text[s.from:end], ':'); in == inKey && colon >= 0 {
		s.to, s.next = s.from+colon, s.from+colon
		return
	}
	if trimmed := strings.TrimRight(r.Text[s.from:end], scan.Blanks); open && strings.HasSuffix(trimmed, "```") {
		fence := s.from + len(trimmed) - 3
		if _, count := r.closingBrackets(s.from, fence); count > 0 {
			end, open = fence, false
		}
	}
	if at, count := r.closingBrackets(s.from, end); count > 0 {
		s.to, s.next = r.WithoutQuote(s.from, r.TrimEnd(s.from, at)), at
		r.Cut = r.Cut || open
		return
	}
	s.unfinished = true
	r.Cut = true
}

// closingBrackets finds the brackets at the end of text[from:end] that close the innermost open containers. It
// returns the position of the first of these brackets, and how many there are.
func (r *Reader) closingBrackets(from, end int) (at, count int) {
	open := r.stack[r.outside:]
	for count := min(len(open), maxBrackets); count > 0; count-- {
		i := end
		for _, f := range open[len(open)-count:] {
			i = r.TrimEnd(from, i)
			if i == from || r.Text[i-1] != scan.Closers[f.kind] {
				i = end
				break
			}
			i--
		}
		if i < end {
			return i, count
		}
	}
	return end, 0
}

// maxBrackets is the maximum number of brackets that closingBrackets finds.
const maxBrackets = 8

// QuoteText returns text as a JSON string.
func QuoteText(text string) string { return jsontext.Quote(strings.ToValidUTF8(text, "\ufffd")) }
