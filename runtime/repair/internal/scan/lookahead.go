package scan

import (
	"strings"

	"github.com/aiongen/aiongen/runtime/repair/internal/literal"
)

// KeyEnd returns the place behind the string at i, which is a name, taken by
// its quotes alone; -1 if it does not end. Quotes may be doubled.
func (t *Source) KeyEnd(i int) int {
	q := t.QuoteAt(i)
	end := t.NextQuote(q.Class, i+q.Size)
	if end < 0 {
		return -1
	}
	end += t.QuoteAt(end).Size
	if end == i+2*q.Size && end < t.End && IsWord(t.Text[end]) {
		if end = t.NextQuote(q.Class, end); end < 0 {
			return -1
		}
		end += t.QuoteAt(end).Size
		end += t.QuoteAt(end).Size
	}
	return end
}

// OpensKey tells whether a name in quotes and a colon are at i.
func (t *Source) OpensKey(i int) bool {
	if t.QuoteAt(i).Size == 0 {
		return false
	}
	end := t.KeyEnd(i)
	return end >= 0 && t.After(end) == ':'
}

// OpensBareKey tells whether a name without quotes and a colon are at i. What
// follows a colon in an address or a time does not count.
func (t *Source) OpensBareKey(i int) bool {
	end := t.WordEnd(i)
	if end == i {
		return false
	}
	end = t.Blank(end + t.QuoteAt(end).Size)
	return end < t.End && t.Text[end] == ':' && !strings.HasPrefix(t.Text[end:t.End], "://") &&
		(IsLetter(t.Text[i]) || end+1 < t.End && IsBlank(t.Text[end+1]))
}

// WordEnd returns where the name without quotes at i ends.
func (t *Source) WordEnd(i int) int {
	end := i
	for end < t.End && (IsWord(t.Text[end]) || t.Text[end] == '-') {
		end++
	}
	t.Steps += end - i
	return end
}

// OpensElement tells whether the string at j, taken by its quotes alone, is a
// whole element of a list, for the separator behind it or, in a list without
// separators, the next element.
func (t *Source) OpensElement(j int, separated bool) bool {
	q := t.QuoteAt(j)
	end := t.NextQuote(q.Class, j+q.Size)
	if end < 0 {
		return true
	}
	end += t.QuoteAt(end).Size
	next := t.Blank(end)
	switch t.After(end) {
	case 0, ',', ']', '}':
		return true
	}
	return !separated && next > end && (t.QuoteAt(next).Size > 0 || t.WordAt(next))
}

// BareElement tells whether the text at j can be an element of a list without
// quotes. What has only a closing quote may belong to the string before, if that
// has had an odd number of quotes.
func (t *Source) BareElement(j int, odd bool) bool {
	words := false
	for i := j; i < t.End; i++ {
		t.Steps++
		switch c := t.Text[i]; {
		case c == ',' || c == ']' || c == '\n':
			return true
		case c == ' ':
			words = true
		case t.QuoteAt(i).Size > 0 && c != '\'':
			return !words || !odd
		}
	}
	return true
}

// OpensArgument tells whether a name and an equals sign are at j, or a colon.
func (t *Source) OpensArgument(j int) bool {
	end := t.WordEnd(j)
	c := t.After(end)
	return end > j && (c == ':' && IsLetter(t.Text[j]) || c == '=' && !strings.HasPrefix(t.Text[t.Blank(end):t.End], "=="))
}

// WordAt tells whether a number or a word that stands for a value is at j.
func (t *Source) WordAt(j int) bool {
	end := j
	for end < t.End && end < j+literal.Longest && (IsWord(t.Text[end]) || t.Text[end] == '+' || t.Text[end] == '-' || t.Text[end] == '.') {
		end++
	}
	t.Steps += end - j
	_, _, ok := literal.Word(t.Text[j:end])
	return ok
}

// LacksValue tells whether a name in quotes is at i, and no value.
func (t *Source) LacksValue(i int) bool {
	if i = t.Blank(i); t.QuoteAt(i).Size == 0 {
		return false
	}
	end := t.KeyEnd(i)
	return end >= 0 && EndsValue(t.After(end))
}

func IsEllipsis(text string) bool {
	return strings.HasPrefix(text, "...") || strings.HasPrefix(text, "…")
}

// EndsWithColon tells whether text[from:to] ends with a colon, and perhaps
// opening brackets.
func (t *Source) EndsWithColon(from, to int) bool {
	for to = t.Trimmed(from, to); to > from && IsOpener(t.Text[to-1]); {
		to = t.Trimmed(from, to-1)
	}
	return to > from && t.Text[to-1] == ':'
}

// WithoutQuote returns where text[from:to] ends without the quote at its end, if
// that is the only one of its kind: it is escaped by the backslash of a path, as in
// "C:\new\", or curly.
func (t *Source) WithoutQuote(from, to int) int {
	text := t.Text[from:to]
	for _, end := range []string{`\"`, "”"} {
		if strings.HasSuffix(text, end) && strings.Count(text, end) == 1 && !strings.Contains(text, "“") {
			return to - len(end) + strings.Count(end, `\`)
		}
	}
	return to
}

// MemberFollows tells whether a comma and a member are at i.
func (t *Source) MemberFollows(i int) bool {
	return t.After(i) == ',' && t.OpensKey(t.Blank(t.Blank(i)+1))
}

// After returns the byte that follows the blanks at i, or 0 if that is the end
// of what is to be read.
func (t *Source) After(i int) byte {
	if i = t.Blank(i); i < t.End && !t.StopsAt(i) {
		return t.Text[i]
	}
	return 0
}

// OpensString tells whether a string is at i, perhaps with a prefix.
func (t *Source) OpensString(i int) bool {
	return t.QuoteAt(i).Size > 0 || i < t.End && t.Prefix(i) > 0
}

// Prefix returns the size of the letters that Python puts before a string, as in
// r'C:\new', at i.
func (t *Source) Prefix(i int) int {
	if !IsLetter(t.Text[i]) {
		return 0
	}
	end := i
	for end < t.End && end < i+2 && strings.IndexByte("rRbBuUfF", t.Text[end]) >= 0 {
		end++
	}
	if end == i || end+1 >= t.End || t.Text[end] != '\'' && t.Text[end] != '"' {
		return 0
	}
	if c := t.After(end + 1); EndsValue(c) || c == ':' {
		return 0 // the quote ends something
	}
	return end - i
}
