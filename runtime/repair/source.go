package repair

import (
	"strings"
)

// A source is a text as far as it is to be read, to be looked at in any place: what
// is there is told by what is near it, and costs no more than that.
type source struct {
	text string
	end  int    // of what is to be read
	mark string // what comes at end, or nearer: the end of a fence or a tag

	lastLine int // where the last line of what is to be read begins
	quotes   [quoteClasses]known
	marks    map[string]known
	steps    int // bytes that were looked at, for tests
}

func newSource(text string, from, to int) source {
	return source{text: text, end: to, lastLine: from + strings.LastIndexByte(text[from:to], '\n') + 1}
}

// byteAt returns the byte at i, or 0 at the end of what is to be read.
func (t *source) byteAt(i int) byte {
	if i >= t.end {
		return 0
	}
	return t.text[i]
}

// trimmed returns where text[from:to] ends without the blanks at its end.
func (t *source) trimmed(from, to int) int {
	for to > from && isBlank(t.text[to-1]) {
		to--
	}
	return to
}

// stopsAt tells whether what is at i can only come after a value, whatever is
// missing in it: the end of a fence, a closing tag, or a token that models end
// with.
func (t *source) stopsAt(i int) bool {
	return classes[t.text[i]]&classStop != 0 && t.stops(i) || t.mark != "" && strings.HasPrefix(t.text[i:t.end], t.mark)
}

func (t *source) stops(i int) bool {
	switch t.text[i] {
	case '`':
		return strings.HasPrefix(t.text[i:t.end], "```")
	case '~':
		return strings.HasPrefix(t.text[i:t.end], "~~~")
	case '<':
		rest := t.text[i+1 : t.end]
		return rest != "" && (rest[0] == '/' || rest[0] == '|' || strings.HasPrefix(rest, "｜"))
	case '[':
		rest := t.text[i+1 : t.end]
		return len(rest) > 1 && rest[0] == '/' && 'A' <= rest[1] && rest[1] <= 'Z'
	}
	return false
}

// known is what was found out by looking ahead: the next of something from a
// place on is at another, or, if that is negative, nowhere.
type known struct{ from, at int }

// holds tells whether what is known is so for place i, too.
func (k known) holds(i int) bool {
	return k.from > 0 && k.from <= i && (i <= k.at || k.at < 0)
}

// index returns the place of the next mark from i on; the end of the text if
// there is none.
func (t *source) index(mark string, i int) int {
	k := t.marks[mark]
	if !k.holds(i + 1) {
		k = known{i + 1, strings.Index(t.text[i:t.end], mark)}
		if k.at >= 0 {
			t.steps += k.at
			k.at += i + 1
		} else {
			t.steps += t.end - i
		}
		if t.marks == nil {
			t.marks = map[string]known{}
		}
		t.marks[mark] = k
	}
	if k.at < 0 {
		return t.end
	}
	return k.at - 1
}

// nextQuote returns the place of the first quote at or after i that can end a
// string of class c, and is not escaped; -1 if there is none. It remembers what
// it found, so that asking again and again costs no more than once.
func (t *source) nextQuote(c quoteClass, i int) int {
	k := &t.quotes[c]
	if k.holds(i) {
		return k.at
	}
	k.from, k.at = i, -1
	for ; i < t.end; i++ {
		t.steps++
		b := t.text[i]
		if b == '\\' {
			i++
			continue
		}
		if b > '`' && b < 0xc2 {
			continue
		}
		if q := t.quoteAt(i); q.size > 0 && c.closedBy(q.class) {
			k.at = i
			return i
		}
	}
	return -1
}
