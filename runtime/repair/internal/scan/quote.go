package scan

import (
	"unicode/utf8"
)

// A Quote is a mark that begins or ends a string, by its class and its size in
// bytes; there is none if that is 0.
type Quote struct {
	Class QuoteClass
	Size  int
}

type QuoteClass uint8

const (
	Double  QuoteClass = iota // "
	Single                    // '
	back                      // ` ´
	curly                     // “ ” „ ‟ ＂
	curlet                    // ‘ ’ ‚ ‛
	angular                   // « » ‹ ›
	quoteClasses
)

// ClosedBy tells whether a string that begins with a quote of class c may end
// with one of class d.
func (c QuoteClass) ClosedBy(d QuoteClass) bool {
	return c == d || c == curly && d == Double || (c == curlet || c == back) && d == Single
}

// QuoteAt returns the quote at i.
func (s *Source) QuoteAt(i int) Quote {
	if i < s.End && classes[s.Text[i]]&classQuote != 0 {
		return s.quote(i)
	}
	return Quote{}
}

func (s *Source) quote(i int) Quote {
	c, size := utf8.DecodeRuneInString(s.Text[i:s.End])
	switch c {
	case '"':
		return Quote{Double, size}
	case '\'':
		return Quote{Single, size}
	case '`', '´':
		return Quote{back, size}
	case '“', '”', '„', '‟', '＂':
		return Quote{curly, size}
	case '‘', '’', '‚', '‛':
		return Quote{curlet, size}
	case '«', '»', '‹', '›':
		return Quote{angular, size}
	}
	return Quote{}
}

// IsApostrophe tells whether the quote at i, which is not at the beginning of the
// text, is within a word.
func (s *Source) IsApostrophe(i int, q Quote) bool {
	return q.Class != Double && q.Class != curly && IsWord(s.Text[i-1]) && i+q.Size < s.End && IsWord(s.Text[i+q.Size])
}

// NextQuote returns the place of the first quote at or after i that can end a
// string of class c, and is not escaped; -1 if there is none. It remembers what
// it found, so that asking again and again costs no more than once.
func (s *Source) NextQuote(c QuoteClass, i int) int {
	k := &s.quotes[c]
	if k.holds(i) {
		return k.at
	}
	k.from, k.at = i, -1
	for ; i < s.End; i++ {
		s.Steps++
		b := s.Text[i]
		if b == '\\' {
			i++
			continue
		}
		if b > '`' && b < 0xc2 {
			continue
		}
		if q := s.QuoteAt(i); q.Size > 0 && c.ClosedBy(q.Class) {
			k.at = i
			return i
		}
	}
	return -1
}
