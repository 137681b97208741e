package repair

import (
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// escaped reads a string whose quotes are escaped, but not what is around it. It is
// nil if there is none.
func (r *reader) escaped() *jsontext.Node {
	if r.text[r.pos] != '\\' || r.byteAt(r.pos+1) != '"' {
		return nil
	}
	from := r.pos + len(`\"`)
	to := r.index(`\"`, from)
	if to == r.end || !endsValue(r.after(to+len(`\"`))) {
		return nil
	}
	n := r.node(jsontext.String, r.pos)
	n.Text = r.encoded(r.text[from:to])
	r.strings.add(from, to, true)
	r.pos = to + len(`\"`)
	r.edit(editEscape, int(n.Start), r.pos, n.Text)
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
	doubled        bool // it begins with two quotes
	unfinished     bool // the text was cut off in it
	nested         bool // it is a value whose quotes lack their backslashes; its end is to be found
}

// tripled returns the string between three quotes at r.pos, if there is one.
func (r *reader) tripled(q quote) (s extent, ok bool) {
	rest := r.text[r.pos:r.end]
	if q.class > single || len(rest) < 6 || rest[1] != rest[0] || rest[2] != rest[0] {
		return extent{}, false
	}
	end := strings.Index(rest[3:], rest[:3])
	if end < 0 {
		return extent{}, false
	}
	r.steps += end
	return extent{from: r.pos + 3, to: r.pos + 3 + end, next: r.pos + 6 + end, rough: true, inner: 1}, true
}

// extent finds the end of the string whose content begins at from.
func (r *reader) extent(from int, c quoteClass, in place) extent {
	s := extent{from: from}
	marks, mark := 0, -1 // places like the end of the region, and the first of them
	i := from
	for i < r.end {
		b := r.text[i]
		if b > '`' && b < 0xc2 || b > '\'' && b < '<' { // most of all bytes
			i++
			continue
		}
		if r.mark != "" && b == r.mark[0] && strings.HasPrefix(r.text[i:r.end], r.mark) {
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
		q := r.quoteAt(i)
		if q.size == 0 || !c.closedBy(q.class) {
			i++
			continue
		}
		if r.endsAt(&s, i, q, c, in) {
			r.steps += i - from
			return s
		}
		i += q.size
	}
	r.steps += i - from
	r.unended(&s, mark, in)
	return s
}

// mostMarks bounds how far a string is followed beyond what may be the end of
// the region: to the next few places like it.
const mostMarks = 4

// endsAt tells whether the string s ends at the quote at i, or ended before.
func (r *reader) endsAt(s *extent, i int, q quote, c quoteClass, in place) bool {
	behind := i + q.size
	if second := r.quoteAt(behind); s.doubled && second.size > 0 && second.class == c && r.endsString(behind+second.size, in, false) {
		if s.inner == 0 {
			s.from, s.to = s.from+r.quoteAt(s.from).size, i
		} else {
			s.to = behind
		}
		s.next, s.inner = behind+second.size, 2
		return true
	}
	if in == inKey && r.endsWithColon(s.from, i) && r.after(behind) != ':' && r.missedEnd(s, i, in) {
		return true
	}
	if odd := s.inner%2 == 1; r.endsString(behind, in, odd) && !(odd && r.endsBehind(behind, c)) {
		if s.doubled && s.inner == 0 {
			s.from += r.quoteAt(s.from).size
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
	s.split = s.split || !r.isApostrophe(i, q)
	return false
}

// endsBehind tells whether the next quote behind the closing brackets or the closing
// tag at i may end the string that they are in.
func (r *reader) endsBehind(i int, c quoteClass) bool {
	j := r.blank(i)
	if r.byteAt(j) == ';' {
		j = r.blank(j + 1)
	}
	switch b := r.byteAt(j); {
	case isCloser(b) && r.last[kindOf(b)] < r.outside: // it closes nothing
		return true
	case !isCloser(b) && (b != '<' || r.byteAt(j+1) != '/'):
		return false
	}
	end := r.nextQuote(c, j)
	return end >= 0 && !strings.ContainsAny(r.text[j:end], openers) && endsValue(r.after(end+r.quoteAt(end).size))
}

// endsWithColon tells whether text[from:to] ends with a colon, and perhaps
// opening brackets.
func (r *reader) endsWithColon(from, to int) bool {
	for to = r.trimmed(from, to); to > from && classes[r.text[to-1]]&classOpener != 0; {
		to = r.trimmed(from, to-1)
	}
	return to > from && r.text[to-1] == ':'
}

// missedEnd tells whether the quote at i begins the next name or string, so that
// s has lost its closing quote, and the brackets behind that are no part of it.
func (r *reader) missedEnd(s *extent, i int, in place) bool {
	if in == inKey {
		colon := strings.IndexByte(r.text[s.from:i], ':')
		if s.inner > 0 || colon < 0 {
			return false
		}
		s.to, s.next = s.from+colon, s.from+colon
		return true
	}
	end := r.trimmed(s.from, i)
	r.steps += i - end
	newline := strings.IndexByte(r.text[end:i], '\n') >= 0
	opened := end > s.from && r.text[end-1] == '{'
	if opened {
		end = r.trimmed(s.from, end-1)
	}
	if end > s.from && r.text[end-1] == ',' {
		end--
	} else if !newline {
		return false
	}
	if end == s.from || !r.nextFits(i, s.from, &end, opened) {
		return false
	}
	s.to, s.next = r.withoutQuote(s.from, end), end
	return true
}

// withoutQuote returns where text[from:to] ends without the quote at its end, if
// that is the only one of its kind: it is escaped by the backslash of a path, as in
// "C:\new\", or curly.
func (r *reader) withoutQuote(from, to int) int {
	text := r.text[from:to]
	for _, end := range []string{`\"`, "”"} {
		if strings.HasSuffix(text, end) && strings.Count(text, end) == 1 && !strings.Contains(text, "“") {
			return to - len(end) + strings.Count(end, `\`)
		}
	}
	return to
}

// nextFits tells whether what begins at the quote at i, perhaps with an opening
// brace before it, can come next in what is open, once the brackets before end
// have closed some of that; end is set to where they begin.
func (r *reader) nextFits(i, from int, end *int, opened bool) bool {
	at, closed := r.brackets(from, *end)
	if closed == len(r.stack)-r.outside {
		return false
	}
	list := r.stack[len(r.stack)-1-closed].kind != brace
	*end = at
	switch {
	case opened:
		return list && r.opensKey(i)
	case list:
		return r.opensElement(i, true)
	}
	return r.opensKey(i)
}

// opensNested tells whether the string whose content begins at from is a value, if
// the quotes in it, of which the first is at i, lack their backslashes.
func (r *reader) opensNested(from, i int) bool {
	head := strings.Trim(r.text[from:i], blanks)
	return r.levels < mostLevels && head != "" && strings.Trim(head, "[{"+blanks) == "" &&
		(r.opensKey(i) || strings.HasSuffix(head, "[") && r.opensElement(i, true))
}

// unended finds the end of a string that has no closing quote. It is at mark, if
// there is one, else where the region ends; before that, the closing brackets of
// what is open are no part of the string.
func (r *reader) unended(s *extent, mark int, in place) {
	end, open := r.end, r.open
	if mark >= 0 {
		end, open = mark, false
	}
	s.to, s.next = end, end
	if colon := strings.IndexByte(r.text[s.from:end], ':'); in == inKey && colon >= 0 {
		s.to, s.next = s.from+colon, s.from+colon
		return
	}
	if trimmed := strings.TrimRight(r.text[s.from:end], blanks); open && strings.HasSuffix(trimmed, "```") {
		fence := s.from + len(trimmed) - 3
		if _, count := r.brackets(s.from, fence); count > 0 {
			end, open = fence, false
		}
	}
	if at, count := r.brackets(s.from, end); count > 0 {
		s.to, s.next = r.withoutQuote(s.from, r.trimmed(s.from, at)), at
		r.cut = r.cut || open
		return
	}
	s.unfinished = true
	r.cut = true
}

// brackets returns where the closing brackets begin that text[from:end] ends
// with and that close what is open, from the innermost out, and how many there
// are.
func (r *reader) brackets(from, end int) (at, count int) {
	open := r.stack[r.outside:]
	for count := min(len(open), mostBrackets); count > 0; count-- {
		i := end
		for _, f := range open[len(open)-count:] {
			i = r.trimmed(from, i)
			if i == from || r.text[i-1] != closers[f.kind] {
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

// quoted returns text as a JSON string, mostly without an allocation.
func (r *reader) quoted(text string) string {
	if jsontext.PlainEnd(text, 0) == len(text) {
		return r.join(`"`, text, `"`)
	}
	return jsontext.Quote(strings.ToValidUTF8(text, "\ufffd"))
}

// encoded is as quoted, but text may have escapes.
func (r *reader) encoded(text string) string {
	if strings.IndexByte(text, '\\') < 0 {
		return r.quoted(text)
	}
	return encode(text)
}
