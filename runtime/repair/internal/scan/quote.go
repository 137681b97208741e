package scan

import (
	"unicode/utf8"
)

// A Quote is a mark that begins or ends a string, with its class and its size in bytes. The size is 0 if
// there is no quote.
type Quote struct {
	Class QuoteClass
	Size  int
}

// QuoteClass is a class of quotes that look alike. The zero value is Double.
type QuoteClass uint8

// These are the classes of quotes.
const (
	Double      QuoteClass = iota // "
	Single                        // '
	back                          // ` ´
	curlyDouble                   // “ ” „ ‟ ＂
	curlySingle                   // ‘ ’ ‚ ‛
	angular                       // « » ‹ ›
	quoteClasses
)

// ClosedBy reports whether a string that begins with a quote of class c may end with one of class d.
func (c QuoteClass) ClosedBy(d QuoteClass) bool {
	return c == d || c == curlyDouble && d == Double || (c == curlySingle || c == back) && d == Single
}

// QuoteAt returns the quote at i.
func (s *Source) QuoteAt(i int) Quote {
	if i < s.End && classes[s.Text[i]]&classQuote != 0 {
		return s.decodeQuote(i)
	}
	return Quote{}
}

func (s *Source) decodeQuote(i int) Quote {
	c, size := utf8.DecodeRuneInString(s.Text[i:s.End])
	switch c {
	case '"':
		return Quote{Double, size}
	case '\'':
		return Quote{Single, size}
	case '`', '´':
		return Quote{back, size}
	case '“', '”', '„', '‟', '＂':
		return Quote{curlyDouble, size}
	case '‘', '’', '‚', '‛':
		return Quote{curlySingle, size}
	case '«', '»', '‹', '›':
		return Quote{angular, size}
	}
	return Quote{}
}

// IsApostrophe reports whether the quote at i is inside a word, as in don't. i must not be 0.
func (s *Source) IsApostrophe(i int, q Quote) bool {
	return q.Class != Double && q.Class != curlyDouble && IsWord(s.Text[i-1]) && i+q.Size < s.End && IsWord(s.Text[i+q.Size])
}

// NextQuote returns the position of the first unescaped quote at or after i that matches an opening quote of
// class c; -1 if there is none. It caches the result, so that repeated calls are cheap.
func (s *Source) NextQuote(c QuoteClass, i int) int {
	k := &s.quotes[c]
	if k.isValidFor(i) {
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
