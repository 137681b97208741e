package scan

import (
	"strings"
)

// A Source is a text with methods that look ahead from any position in it. They are cheap, because they examine only
// nearby bytes or cached results.
type Source struct {
	Text string
	End  int    // end of the input
	Mark string // if not empty, its first occurrence outside of strings ends the input, such as the end of a fence

	quotes [quoteClasses]lookaheadResult
	marks  map[string]lookaheadResult
	Steps  int // number of examined bytes
}

// ByteAt returns the byte at i, or 0 at the end of the input.
func (s *Source) ByteAt(i int) byte {
	if i >= s.End {
		return 0
	}
	return s.Text[i]
}

// TrimEnd returns the end of text[from:to] without the blanks at its end.
func (s *Source) TrimEnd(from, to int) int {
	for to > from && IsBlank(s.Text[to-1]) {
		to--
	}
	return to
}

// StopsAt reports whether a mark that can only follow a value is at i: the end of a fence, a closing tag, a special
// token such as <|end|>, or s.Mark.
func (s *Source) StopsAt(i int) bool {
	return classes[s.Text[i]]&classStop != 0 && s.isStop(i) || s.Mark != "" && strings.HasPrefix(s.Text[i:s.End], s.Mark)
}

// EndsAt reports whether the end of the input or a mark that can only follow a value is at i.
func (s *Source) EndsAt(i int) bool { return i >= s.End || s.StopsAt(i) }

// IsMarkAt reports whether s.Mark is at i.
func (s *Source) IsMarkAt(i int) bool {
	return s.Mark != "" && s.Text[i] == s.Mark[0] && strings.HasPrefix(s.Text[i:s.End], s.Mark)
}

func (s *Source) isStop(i int) bool {
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

// lookaheadResult is the cached result of a search that began at the position from. The next match is at the
// position at; a negative at means that there is none.
type lookaheadResult struct{ from, at int }

// isValidFor reports whether the result is also that of a search that begins at position i.
func (k lookaheadResult) isValidFor(i int) bool {
	return k.from > 0 && k.from <= i && (i <= k.at || k.at < 0)
}

// Index returns the position of the next mark at or after i, or the end of the text if there is none.
func (s *Source) Index(mark string, i int) int {
	k := s.marks[mark]
	if !k.isValidFor(i + 1) {
		k = lookaheadResult{i + 1, strings.Index(s.Text[i:s.End], mark)}
		if k.at >= 0 {
			s.Steps += k.at
			k.at += i + 1
		} else {
			s.Steps += s.End - i
		}
		if s.marks == nil {
			s.marks = map[string]lookaheadResult{}
		}
		s.marks[mark] = k
	}
	if k.at < 0 {
		return s.End
	}
	return k.at - 1
}
