package scan

import (
	"strings"
)

// A Source is a text as far as it is to be read, to be looked at in any place: what
// is there is told by what is near it, and costs no more than that.
type Source struct {
	Text string
	End  int    // of what is to be read
	Mark string // what comes at end, or nearer: the end of a fence or a tag

	quotes [quoteClasses]known
	marks  map[string]known
	Steps  int // bytes that were looked at, for tests
}

// ByteAt returns the byte at i, or 0 at the end of what is to be read.
func (s *Source) ByteAt(i int) byte {
	if i >= s.End {
		return 0
	}
	return s.Text[i]
}

// Trimmed returns where text[from:to] ends without the blanks at its end.
func (s *Source) Trimmed(from, to int) int {
	for to > from && IsBlank(s.Text[to-1]) {
		to--
	}
	return to
}

// StopsAt tells whether what is at i can only come after a value, whatever is
// missing in it: the end of a fence, a closing tag, or a token that models end
// with.
func (s *Source) StopsAt(i int) bool {
	return classes[s.Text[i]]&classStop != 0 && s.stops(i) || s.Mark != "" && strings.HasPrefix(s.Text[i:s.End], s.Mark)
}

func (s *Source) stops(i int) bool {
	switch s.Text[i] {
	case '`':
		return strings.HasPrefix(s.Text[i:s.End], "```")
	case '~':
		return strings.HasPrefix(s.Text[i:s.End], "~~~")
	case '<':
		rest := s.Text[i+1 : s.End]
		return rest != "" && (rest[0] == '/' || rest[0] == '|' || strings.HasPrefix(rest, "｜"))
	case '[':
		rest := s.Text[i+1 : s.End]
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

// Index returns the place of the next mark from i on; the end of the text if
// there is none.
func (s *Source) Index(mark string, i int) int {
	k := s.marks[mark]
	if !k.holds(i + 1) {
		k = known{i + 1, strings.Index(s.Text[i:s.End], mark)}
		if k.at >= 0 {
			s.Steps += k.at
			k.at += i + 1
		} else {
			s.Steps += s.End - i
		}
		if s.marks == nil {
			s.marks = map[string]known{}
		}
		s.marks[mark] = k
	}
	if k.at < 0 {
		return s.End
	}
	return k.at - 1
}
