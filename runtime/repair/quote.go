package repair

import (
	"strings"
	"unicode/utf8"
)

// A quote is a mark that begins or ends a string, by its class and its size in
// bytes; there is none if that is 0.
type quote struct {
	class quoteClass
	size  int
}

type quoteClass uint8

const (
	double  quoteClass = iota // "
	single                    // '
	back                      // ` ´
	curly                     // “ ” „ ‟ ＂
	curlet                    // ‘ ’ ‚ ‛
	angular                   // « » ‹ ›
	quoteClasses
)

// closedBy tells whether a string that begins with a quote of class c may end
// with one of class d.
func (c quoteClass) closedBy(d quoteClass) bool {
	return c == d || c == curly && d == double || (c == curlet || c == back) && d == single
}

// quoteAt returns the quote at i.
func (t *source) quoteAt(i int) quote {
	if i < t.end && classes[t.text[i]]&classQuote != 0 {
		return t.quote(i)
	}
	return quote{}
}

func (t *source) quote(i int) quote {
	c, size := utf8.DecodeRuneInString(t.text[i:t.end])
	switch c {
	case '"':
		return quote{double, size}
	case '\'':
		return quote{single, size}
	case '`', '´':
		return quote{back, size}
	case '“', '”', '„', '‟', '＂':
		return quote{curly, size}
	case '‘', '’', '‚', '‛':
		return quote{curlet, size}
	case '«', '»', '‹', '›':
		return quote{angular, size}
	}
	return quote{}
}

// isApostrophe tells whether the quote at i, which is not at the beginning of the
// text, is within a word.
func (t *source) isApostrophe(i int, q quote) bool {
	return q.class != double && q.class != curly && isWord(t.text[i-1]) && i+q.size < t.end && isWord(t.text[i+q.size])
}

// opensString tells whether a string is at i, perhaps with a prefix.
func (t *source) opensString(i int) bool {
	return t.quoteAt(i).size > 0 || i < t.end && t.prefix(i) > 0
}

// prefix returns the size of the letters that Python puts before a string, as in
// r'C:\new', at i.
func (t *source) prefix(i int) int {
	if !isLetter(t.text[i]) {
		return 0
	}
	end := i
	for end < t.end && end < i+2 && strings.IndexByte("rRbBuUfF", t.text[end]) >= 0 {
		end++
	}
	if end == i || end+1 >= t.end || t.text[end] != '\'' && t.text[end] != '"' {
		return 0
	}
	if c := t.after(end + 1); endsValue(c) || c == ':' {
		return 0 // the quote ends something
	}
	return end - i
}
