package scan

import (
	"strings"
)

// KeyEnd returns the position after the quoted name at i, whose quotes may be doubled, as in ""a"". It looks only
// for the closing quote, not for a colon, and returns -1 if there is no such quote.
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

// OpensKey reports whether a quoted name and a colon are at i.
func (s *Source) OpensKey(i int) bool {
	if s.QuoteAt(i).Size == 0 {
		return false
	}
	end := s.KeyEnd(i)
	return end >= 0 && s.ByteAfterBlanks(end) == ':'
}

// OpensBareKey reports whether an unquoted name and a colon are at i. Colons in addresses and times do not
// count.
func (s *Source) OpensBareKey(i int) bool {
	end := s.WordEnd(i)
	if end == i {
		return false
	}
	end = s.SkipBlanks(end + s.QuoteAt(end).Size)
	return end < s.End && s.Text[end] == ':' && !strings.HasPrefix(s.Text[end:s.End], "://") &&
		(IsLetter(s.Text[i]) || end+1 < s.End && IsBlank(s.Text[end+1]))
}

// WordEnd returns the end of the unquoted name at i.
func (s *Source) WordEnd(i int) int {
	end := i
	for end < s.End && (IsWord(s.Text[end]) || s.Text[end] == '-') {
		end++
	}
	s.Steps += end - i
	return end
}

// OpensElement reports whether the string at j can be a complete list element. It takes the next quote for the
// end of the string. A comma, a closing bracket or the end of the input must follow or, if separated is false,
// the next element. A string without a closing quote counts, too.
func (s *Source) OpensElement(j int, separated bool) bool {
	q := s.QuoteAt(j)
	end := s.NextQuote(q.Class, j+q.Size)
	if end < 0 {
		return true
	}
	end += s.QuoteAt(end).Size
	next := s.SkipBlanks(end)
	switch s.ByteAfterBlanks(end) {
	case 0, ',', ']', '}':
		return true
	}
	return !separated && next > end && (s.QuoteAt(next).Size > 0 || s.WordAt(next))
}

// BareElement reports whether the text at j can be an unquoted list element. odd states that the string before it
// contains an odd number of quotes. Then several words and a closing quote may belong to that string, and
// BareElement returns false for them.
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

// OpensArgument reports whether a name and an equals sign or a colon are at j.
func (s *Source) OpensArgument(j int) bool {
	end := s.WordEnd(j)
	c := s.ByteAfterBlanks(end)
	return end > j && (c == ':' && IsLetter(s.Text[j]) || c == '=' && !strings.HasPrefix(s.Text[s.SkipBlanks(end):s.End], "=="))
}

// WordAt reports whether a number or a word for a value, such as None, is at j.
func (s *Source) WordAt(j int) bool {
	end := j
	for end < s.End && end < j+Longest && (IsWord(s.Text[end]) || s.Text[end] == '+' || s.Text[end] == '-' || s.Text[end] == '.') {
		end++
	}
	s.Steps += end - j
	_, _, ok := ParseWord(s.Text[j:end])
	return ok
}

// LacksValue reports whether a quoted name without a value is at i.
func (s *Source) LacksValue(i int) bool {
	if i = s.SkipBlanks(i); s.QuoteAt(i).Size == 0 {
		return false
	}
	end := s.KeyEnd(i)
	return end >= 0 && EndsValue(s.ByteAfterBlanks(end))
}

// IsEllipsis reports whether a text begins with an ellipsis.
func IsEllipsis(text string) bool {
	return strings.HasPrefix(text, "...") || strings.HasPrefix(text, "…")
}

// EndsWithColon reports whether text[from:to] ends with a colon, possibly followed by opening brackets.
func (s *Source) EndsWithColon(from, to int) bool {
	for to = s.TrimEnd(from, to); to > from && IsOpener(s.Text[to-1]); {
		to = s.TrimEnd(from, to-1)
	}
	return to > from && s.Text[to-1] == ':'
}

// EndsWithComma reports whether text[from:to] ends with a comma.
func (s *Source) EndsWithComma(from, to int) bool {
	to = s.TrimEnd(from, max(from, to))
	return to > from && s.Text[to-1] == ','
}

// WithoutQuote returns the end of text[from:to] without a final quote. A curly quote counts, as in a”, and so
// does a quote after the backslash of a path, as in C:\new\". It must be the only quote of its kind. Otherwise,
// WithoutQuote returns to.
func (s *Source) WithoutQuote(from, to int) int {
	text := s.Text[from:to]
	for _, end := range []string{`\"`, "”"} {
		if strings.HasSuffix(text, end) && strings.Count(text, end) == 1 && !strings.Contains(text, "“") {
			return to - len(end) + strings.Count(end, `\`)
		}
	}
	return to
}

// MemberFollows reports whether a comma and a member are at i.
func (s *Source) MemberFollows(i int) bool {
	return s.ByteAfterBlanks(i) == ',' && s.OpensKey(s.SkipBlanks(s.SkipBlanks(i)+1))
}

// ByteAfterBlanks returns the byte after the blanks at i, or 0 at the end of the input.
func (s *Source) ByteAfterBlanks(i int) byte {
	if i = s.SkipBlanks(i); i < s.End && !s.StopsAt(i) {
		return s.Text[i]
	}
	return 0
}

// OpensString reports whether a string is at i, possibly with a prefix.
func (s *Source) OpensString(i int) bool {
	return s.QuoteAt(i).Size > 0 || i < s.End && s.StringPrefix(i) > 0
}

// StringPrefix returns the size of the Python string prefix at i, as in r'C:\new'.
func (s *Source) StringPrefix(i int) int {
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
	if c := s.ByteAfterBlanks(end + 1); EndsValue(c) || c == ':' {
		return 0 // the quote closes another string
	}
	return end - i
}

// MemberFits reports whether a member of an object may be at j, after a comma that may be part of a string. odd
// states that this string contains an odd number of quotes so far.
func (s *Source) MemberFits(j int, odd bool) bool {
	inside := j + s.QuoteAt(j).Size
	if inside == j {
		c := s.Text[j]
		return c == ':' || !odd && (c == '{' || c == '[' || s.OpensBareKey(j)) || s.OpensKey(s.SkipBlanks(s.WordEnd(j)))
	}
	if odd && EndsValue(s.ByteAfterBlanks(inside)) {
		return false // the quote ends the string
	}
	end := s.KeyEnd(j)
	if end < 0 {
		return true // the text was cut off in the name
	}
	switch s.ByteAfterBlanks(end) {
	case 0, ':', '=', '{', '[':
		return true
	case '"':
		return !odd || s.ByteAt(end) != '"' || s.OpensBareKey(inside)
	}
	return s.OpensBareKey(inside) || s.WordAt(s.SkipBlanks(end))
}

// IsLookup reports whether the text between start and the bracket at i, and that bracket, are code such as
// os.environ["HOME"].
func (s *Source) IsLookup(start, i int) bool {
	return s.Text[i] != '{' && i > start && IsWord(s.Text[i-1]) && s.QuoteAt(s.SkipBlanks(i+1)).Size > 0
}
