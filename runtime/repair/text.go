package repair

import (
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// concatenation reads the string at r.pos, and those that a plus adds to it, and
// returns it as JSON.
func (r *reader) concatenation(in place) string {
	start := r.pos
	lit := r.string(in)
	var b strings.Builder
	for {
		plus := r.blank(r.pos)
		next := r.blank(plus + 1)
		if plus >= r.end || r.text[plus] != '+' || !r.opensString(next) {
			break
		}
		b.WriteString(lit[:len(lit)-1])
		r.pos = next
		lit = r.string(in)[1:]
	}
	if b.Len() == 0 {
		return lit
	}
	b.WriteString(lit)
	r.edit(editLiteral, start, r.pos, b.String())
	return b.String()
}

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
	n.Text = r.encode(r.text[from:to], false)
	r.track(from, to, true)
	r.pos = to + len(`\"`)
	r.edit(editEscape, int(n.Start), r.pos, n.Text)
	return n
}

// string reads the string at r.pos and returns it as JSON.
func (r *reader) string(in place) string {
	start := r.pos
	prefix := r.prefix(start)
	r.pos += prefix
	q := r.quoteAt(r.pos)
	s, tripled := r.tripled(q)
	if !tripled {
		s = r.extent(r.pos+q.size, q.class, in)
	}
	r.pos = s.next
	r.track(s.from, s.to, tripled || s.closed && s.inner == 0)
	if !tripled && (!s.closed || s.split) {
		r.doubts++
	}
	written, content := r.text[start:s.next], r.text[s.from:s.to]
	if s.unfinished {
		content = wholeCharacters(content)
	}
	if strings.ContainsAny(written[:prefix], "fF") && strings.Contains(content, "{") {
		r.code(start, "that completes a string")
	}
	raw := prefix > 0 && strings.ContainsAny(written[:prefix], "rR")
	right := (!s.rough || !raw && isEncoded(content)) && utf8.ValidString(content)
	raw = raw || !right && isPath(content)
	if right && q.class == double && s.closed && s.inner == 0 && s.from == start+1 {
		return written
	}
	kind, lit := editQuotes, r.encode(content, raw)
	if !right && s.closed && s.inner == 0 && q.class == double {
		kind = editEscape
	}
	r.edit(kind, start, s.next, lit)
	return lit
}

// track keeps the place of a string.
func (r *reader) track(from, to int, certain bool) {
	switch {
	case !r.tracked:
	case certain:
		r.literals = append(r.literals, span{from, to})
	default:
		r.doubtful = append(r.doubtful, span{from, to})
	}
}

// opensString tells whether a string is at i, perhaps with a prefix.
func (r *reader) opensString(i int) bool {
	return r.quoteAt(i).size > 0 || i < r.end && r.prefix(i) > 0
}

// prefix returns the size of the letters that Python puts before a string, as in
// r'C:\new', at i.
func (r *reader) prefix(i int) int {
	if !isLetter(r.text[i]) {
		return 0
	}
	end := i
	for end < r.end && end < i+2 && strings.IndexByte("rRbBuUfF", r.text[end]) >= 0 {
		end++
	}
	if end == i || end+1 >= r.end || r.text[end] != '\'' && r.text[end] != '"' {
		return 0
	}
	if c := r.after(end + 1); endsValue(c) || c == ':' {
		return 0 // the quote ends something
	}
	return end - i
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
	first := s.inner == 0 && !s.doubled
	if r.missedEnd(s, i, in) || first && r.nested(s, i, c) {
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

// nested reads the value that is in the string s, if the quotes in it, of which
// the first is at i, lack their backslashes.
func (r *reader) nested(s *extent, i int, c quoteClass) bool {
	head := strings.Trim(r.text[s.from:i], blanks)
	if r.levels == mostLevels || head == "" || strings.Trim(head, "[{"+blanks) != "" || !r.opensKey(i) && !(strings.HasSuffix(head, "[") && r.opensElement(i, true)) {
		return false
	}
	edits, outside := len(r.edits), r.outside
	r.outside = len(r.stack)
	r.pos = r.blank(s.from)
	r.levels++
	r.value(inText, nil)
	r.levels--
	r.edits, r.outside = r.edits[:edits], outside
	s.to, s.next = r.pos, r.pos
	s.rough, s.inner = true, 1
	end := r.blank(r.pos)
	if q := r.quoteAt(end); q.size > 0 && c.closedBy(q.class) {
		s.to, s.next = end, end+q.size
	}
	return true
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
