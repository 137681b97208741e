package scan

import (
	"strings"

	"github.com/aiongen/aiongen/runtime/repair/internal/literal"
)

// KeyEnd returns the place behind the string at i, which is a name, taken by
// its quotes alone; -1 if it does not end. Quotes may be doubled.
func (s *Source) KeyEnd(i int) int {
	q := s.QuoteAt(i)
	end := s.NextQuote(q.Class, i+q.Size)
	if end < 0 {
		return -1
	}
	end += s.QuoteAt(end).Size
	if end == i+2*q.Size && end < s.End && IsWord(s.Text[end]) {
		if end = s.NextQuote(q.Class, end); end < 0 {
			return -1
		}
		end += s.QuoteAt(end).Size
		end += s.QuoteAt(end).Size
	}
	return end
}

// OpensKey tells whether a name in quotes and a colon are at i.
func (s *Source) OpensKey(i int) bool {
	if s.QuoteAt(i).Size == 0 {
		return false
	}
	end := s.KeyEnd(i)
	return end >= 0 && s.After(end) == ':'
}

// OpensBareKey tells whether a name without quotes and a colon are at i. What
// follows a colon in an address or a time does not count.
func (s *Source) OpensBareKey(i int) bool {
	end := s.WordEnd(i)
	if end == i {
		return false
	}
	end = s.Blank(end + s.QuoteAt(end).Size)
	return end < s.End && s.Text[end] == ':' && !strings.HasPrefix(s.Text[end:s.End], "://") &&
		(IsLetter(s.Text[i]) || end+1 < s.End && IsBlank(s.Text[end+1]))
}

// WordEnd returns where the name without quotes at i ends.
func (s *Source) WordEnd(i int) int {
	end := i
	for end < s.End && (IsWord(s.Text[end]) || s.Text[end] == '-') {
		end++
	}
	s.Steps += end - i
	return end
}

// OpensElement tells whether the string at j, taken by its quotes alone, is a
// whole element of a list, for the separator behind it or, in a list without
// separators, the next element.
func (s *Source) OpensElement(j int, separated bool) bool {
	q := s.QuoteAt(j)
	end := s.NextQuote(q.Class, j+q.Size)
	if end < 0 {
		return true
	}
	end += s.QuoteAt(end).Size
	next := s.Blank(end)
	switch s.After(end) {
	case 0, ',', ']', '}':
		return true
	}
	return !separated && next > end && (s.QuoteAt(next).Size > 0 || s.WordAt(next))
}

// BareElement tells whether the text at j can be an element of a list without
// quotes. What has only a closing quote may belong to the string before, if that
// has had an odd number of quotes.
func (s *Source) BareElement(j int, odd bool) bool {
	words := false
	for i := j; i < s.End; i++ {
		s.Steps++
		switch c := s.Text[i]; {
		case c == ',' || c == ']' || c == '\n':
			return true
		case c == ' ':
			words = true
		case s.QuoteAt(i).Size > 0 && c != '\'':
			return !words || !odd
		}
	}
	return true
}

// OpensArgument tells whether a name and an equals sign are at j, or a colon.
func (s *Source) OpensArgument(j int) bool {
	end := s.WordEnd(j)
	c := s.After(end)
	return end > j && (c == ':' && IsLetter(s.Text[j]) || c == '=' && !strings.HasPrefix(s.Text[s.Blank(end):s.End], "=="))
}

// WordAt tells whether a number or a word that stands for a value is at j.
func (s *Source) WordAt(j int) bool {
	end := j
	for end < s.End && end < j+literal.Longest && (IsWord(s.Text[end]) || s.Text[end] == '+' || s.Text[end] == '-' || s.Text[end] == '.') {
		end++
	}
	s.Steps += end - j
	_, _, ok := literal.Word(s.Text[j:end])
	return ok
}

// LacksValue tells whether a name in quotes is at i, and no value.
func (s *Source) LacksValue(i int) bool {
	if i = s.Blank(i); s.QuoteAt(i).Size == 0 {
		return false
	}
	end := s.KeyEnd(i)
	return end >= 0 && EndsValue(s.After(end))
}

func IsEllipsis(text string) bool {
	return strings.HasPrefix(text, "...") || strings.HasPrefix(text, "…")
}

// EndsWithColon tells whether text[from:to] ends with a colon, and perhaps
// opening brackets.
func (s *Source) EndsWithColon(from, to int) bool {
	for to = s.Trimmed(from, to); to > from && IsOpener(s.Text[to-1]); {
		to = s.Trimmed(from, to-1)
	}
	return to > from && s.Text[to-1] == ':'
}

// EndsWithComma tells whether text[from:to] ends with a comma.
func (s *Source) EndsWithComma(from, to int) bool {
	to = s.Trimmed(from, max(from, to))
	return to > from && s.Text[to-1] == ','
}

// WithoutQuote returns where text[from:to] ends without the quote at its end, if
// that is the only one of its kind: it is escaped by the backslash of a path, as in
// "C:\new\", or curly.
func (s *Source) WithoutQuote(from, to int) int {
	text := s.Text[from:to]
	for _, end := range []string{`\"`, "”"} {
		if strings.HasSuffix(text, end) && strings.Count(text, end) == 1 && !strings.Contains(text, "“") {
			return to - len(end) + strings.Count(end, `\`)
		}
	}
	return to
}

// MemberFollows tells whether a comma and a member are at i.
func (s *Source) MemberFollows(i int) bool {
	return s.After(i) == ',' && s.OpensKey(s.Blank(s.Blank(i)+1))
}

// After returns the byte that follows the blanks at i, or 0 if that is the end
// of what is to be read.
func (s *Source) After(i int) byte {
	if i = s.Blank(i); i < s.End && !s.StopsAt(i) {
		return s.Text[i]
	}
	return 0
}

// OpensString tells whether a string is at i, perhaps with a prefix.
func (s *Source) OpensString(i int) bool {
	return s.QuoteAt(i).Size > 0 || i < s.End && s.Prefix(i) > 0
}

// Prefix returns the size of the letters that Python puts before a string, as in
// r'C:\new', at i.
func (s *Source) Prefix(i int) int {
	if !IsLetter(s.Text[i]) {
		return 0
	}
	end := i
	for end < s.End && end < i+2 && strings.IndexByte("rRbBuUfF", s.Text[end]) >= 0 {
		end++
	}
	if end == i || end+1 >= s.End || s.Text[end] != '\'' && s.Text[end] != '"' {
		return 0
	}
	if c := s.After(end + 1); EndsValue(c) || c == ':' {
		return 0 // the quote ends something
	}
	return end - i
}
