package reader

import (
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/literal"
	"github.com/aiongen/aiongen/runtime/repair/internal/report"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// escaped reads a string whose quotes are escaped, but not what is around it. It is
// nil if there is none.
func (r *Reader) escaped() *jsontext.Node {
	if r.Text[r.Pos] != '\\' || r.ByteAt(r.Pos+1) != '"' {
		return nil
	}
	from := r.Pos + len(`\"`)
	to := r.Index(`\"`, from)
	if to == r.End || !scan.EndsValue(r.After(to+len(`\"`))) {
		return nil
	}
	n := r.Node(jsontext.String, r.Pos)
	n.Text = r.encoded(r.Text[from:to])
	r.Strings.Add(from, to, true)
	r.Pos = to + len(`\"`)
	r.Edit(report.Escape, int(n.Start), r.Pos, n.Text)
	return n
}

// extent is where a string is: its content is text[from:to], and reading goes
// on at next.
type extent struct {
	from, to, next int
	closed         bool // its closing quote is there
	rough          bool // there are escapes or control characters in it
	inner          int  // how many quotes are in it
	split          bool // there are some that are no apostrophes
	dropped        bool // one of two quotes at the beginning was left out
	doubled        bool // it begins with two quotes
	unfinished     bool // the text was cut off in it
	shortened      bool // brackets before the next string were taken for those around it
	nested         bool // it is a value whose quotes lack their backslashes; its end is to be found
}

// isGuess reports whether the string may have been meant to end elsewhere: it has a quote
// too many, or no closing quote where there are blanks.
func (s *extent) isGuess(in *scan.Source, q scan.Quote) bool {
	if !s.closed {
		return !s.unfinished && (s.shortened || s.to == s.from || s.next > s.to || s.to > s.from && scan.IsBlank(in.Text[s.to-1]) || strings.IndexByte(in.Text[s.from:s.to], '"') >= 0)
	}
	if s.dropped || s.split && hasMemberEnd(in.Text[s.from:s.to]) {
		return true
	}
	if s.split && s.inner > 0 && s.inner%2 == 0 {
		return isExpression(in.Text[s.from:s.to], in.Text[s.next-1])
	}
	if !s.split || s.inner%2 == 0 {
		return false
	}
	last := in.QuoteAt(s.to - 1)
	return s.inner > 1 || s.to > s.from && last.Size > 0 && q.Class.ClosedBy(last.Class)
}

// isExpression reports whether the first quote in a string is like a closing one, and the last
// like an opening one, as in "a" or "b": then there may be two strings.
func isExpression(content string, quote byte) bool {
	first, last := strings.IndexByte(content, quote), strings.LastIndexByte(content, quote)
	if first < 1 || last == first || last+1 == len(content) {
		return false
	}
	before, after := content[first-1], content[first+1]
	closes := !scan.IsBlank(before) && strings.IndexByte(`=([{:,\\`, before) < 0 && !scan.IsWord(after)
	return closes && !scan.IsWord(content[last-1]) && content[last-1] != '\\' && !scan.IsBlank(content[last+1])
}

// hasMemberEnd reports whether text has the end of a member of JSON in several lines: a quote
// and a comma at the end of a line.
func hasMemberEnd(text string) bool {
	for line := range strings.Lines(text) {
		if before, ok := strings.CutSuffix(strings.TrimRight(line, scan.Blanks), ","); ok && strings.HasSuffix(line, "\n") && strings.HasSuffix(before, `"`) {
			return true
		}
	}
	return false
}

// tripled returns the string between three quotes at r.Pos, if there is one.
func (r *Reader) tripled(q scan.Quote) (s extent, ok bool) {
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
	return extent{from: r.Pos + 3, to: r.Pos + 3 + end, next: r.Pos + 6 + end, rough: true, inner: 1}, true
}

// isEscaped reports whether a backslash at the end of text escapes what follows.
func isEscaped(text string) bool {
	return (len(text)-len(strings.TrimRight(text, `\`)))%2 == 1
}

// extent finds the end of the string whose content begins at from.
func (r *Reader) extent(from int, c scan.QuoteClass, in Place) extent {
	s := extent{from: from}
	marks, mark := 0, -1 // places like the end of the region, and the first of them
	i := from
	for i < r.End {
		b := r.Text[i]
		if b > '`' && b < 0xc2 || b > '\'' && b < '<' { // most of all bytes
			i++
			continue
		}
		if r.Mark != "" && b == r.Mark[0] && strings.HasPrefix(r.Text[i:r.End], r.Mark) {
			if marks++; mark < 0 {
				mark = i
			}
			if marks > mostMarks {
				break
			}
		}
		if b < ' ' || b == '\\' {
			s.rough = true
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
		if r.endsAt(&s, i, q, c, in) {
			r.Steps += i - from
			return s
		}
		i += q.Size
	}
	r.Steps += i - from
	r.unended(&s, mark, in)
	return s
}

// mostMarks bounds how far a string is followed beyond what may be the end of
// the region: to the next few places like it.
const mostMarks = 4

// endsAt tells whether the string s ends at the quote at i, or ended before.
func (r *Reader) endsAt(s *extent, i int, q scan.Quote, c scan.QuoteClass, in Place) bool {
	behind := i + q.Size
	if second := r.QuoteAt(behind); s.doubled && second.Size > 0 && second.Class == c && r.endsString(behind+second.Size, in, false) {
		if s.inner == 0 {
			s.from, s.to = s.from+r.QuoteAt(s.from).Size, i
		} else {
			s.to = behind
		}
		s.next, s.inner = behind+second.Size, 2
		return true
	}
	if in == inKey && r.EndsWithColon(s.from, i) && r.After(behind) != ':' && r.missedEnd(s, i, in) {
		return true
	}
	if odd := s.inner%2 == 1; r.endsString(behind, in, odd) && !(odd && r.endsBehind(behind, c)) {
		if s.doubled && s.inner == 0 {
			s.from += r.QuoteAt(s.from).Size
			s.dropped = true
		}
		if s.doubled {
			s.inner++
		}
		s.to, s.next, s.closed = i, behind, true
		return true
	}
	if r.missedEnd(s, i, in) {
		return true
	}
	if s.inner == 0 && !s.doubled && r.opensNested(s.from, i) {
		s.nested = true
		return true
	}
	if i == s.from {
		s.doubled = true
	} else {
		s.inner++
	}
	s.split = s.split || !r.IsApostrophe(i, q)
	return false
}

// endsBehind tells whether the next quote behind the closing brackets or the closing
// tag at i may end the string that they are in.
func (r *Reader) endsBehind(i int, c scan.QuoteClass) bool {
	j := r.Blank(i)
	if r.ByteAt(j) == ';' {
		j = r.Blank(j + 1)
	}
	switch b := r.ByteAt(j); {
	case scan.IsCloser(b) && r.last[scan.KindOf(b)] < r.outside: // it closes nothing
		return true
	case !scan.IsCloser(b) && (b != '<' || r.ByteAt(j+1) != '/'):
		return false
	}
	end := r.NextQuote(c, j)
	return end >= 0 && !strings.ContainsAny(r.Text[j:end], scan.Openers) && scan.EndsValue(r.After(end+r.QuoteAt(end).Size))
}

// missedEnd tells whether the quote at i begins the next name or string, so that
// s has lost its closing quote, and the brackets behind that are no part of it.
func (r *Reader) missedEnd(s *extent, i int, in Place) bool {
	if in == inKey {
		colon := strings.IndexByte(r.Text[s.from:i], ':')
		if s.inner > 0 || colon < 0 {
			return false
		}
		s.to, s.next = s.from+colon, s.from+colon
		return true
	}
	end := r.Trimmed(s.from, i)
	r.Steps += i - end
	newline := strings.IndexByte(r.Text[end:i], '\n') >= 0
	opened := end > s.from && r.Text[end-1] == '{'
	if opened {
		end = r.Trimmed(s.from, end-1)
	}
	if end > s.from && r.Text[end-1] == ',' {
		end--
	} else if !newline {
		return false
	}
	if end == s.from || !r.nextFits(i, s.from, &end, opened) {
		return false
	}
	s.shortened = r.Trimmed(s.from, end) == end && scan.IsCloser(r.ByteAt(end))
	s.to, s.next = r.WithoutQuote(s.from, end), end
	return true
}

// nextFits tells whether what begins at the quote at i, perhaps with an opening
// brace before it, can come next in what is open, once the brackets before end
// have closed some of that; end is set to where they begin.
func (r *Reader) nextFits(i, from int, end *int, opened bool) bool {
	at, closed := r.brackets(from, *end)
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

// opensNested tells whether the string whose content begins at from is a value, if
// the quotes in it, of which the first is at i, lack their backslashes.
func (r *Reader) opensNested(from, i int) bool {
	head := strings.Trim(r.Text[from:i], scan.Blanks)
	return r.Levels < MostLevels && head != "" && strings.Trim(head, "[{"+scan.Blanks) == "" &&
		(r.OpensKey(i) || strings.HasSuffix(head, "[") && r.OpensElement(i, true))
}

// unended finds the end of a string that has no closing quote. It is at mark, if
// there is one, else where the region ends; before that, the closing brackets of
// what is open are no part of the string.
func (r *Reader) unended(s *extent, mark int, in Place) {
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
		if _, count := r.brackets(s.from, fence); count > 0 {
			end, open = fence, false
		}
	}
	if at, count := r.brackets(s.from, end); count > 0 {
		s.to, s.next = r.WithoutQuote(s.from, r.Trimmed(s.from, at)), at
		r.Cut = r.Cut || open
		return
	}
	s.unfinished = true
	r.Cut = true
}

// brackets returns where the closing brackets begin that text[from:end] ends
// with and that close what is open, from the innermost out, and how many there
// are.
func (r *Reader) brackets(from, end int) (at, count int) {
	open := r.stack[r.outside:]
	for count := min(len(open), mostBrackets); count > 0; count-- {
		i := end
		for _, f := range open[len(open)-count:] {
			i = r.Trimmed(from, i)
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

// mostBrackets bounds how many brackets in a row are taken out of a string.
const mostBrackets = 8

// Quoted returns text as a JSON string, mostly without an allocation.
func (r *Reader) Quoted(text string) string {
	if jsontext.PlainEnd(text, 0) == len(text) {
		return r.Join(`"`, text, `"`)
	}
	return jsontext.Quote(strings.ToValidUTF8(text, "\ufffd"))
}

// encoded is as quoted, but text may have escapes.
func (r *Reader) encoded(text string) string {
	if strings.IndexByte(text, '\\') < 0 {
		return r.Quoted(text)
	}
	return literal.Encode(text)
}
