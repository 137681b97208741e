package scan

import (
	"strings"
	"unicode/utf8"
)

// SkipBlanks returns the position after the blanks at i.
func (s *Source) SkipBlanks(i int) int {
	s.Steps++
	if i < s.End && s.Text[i]-'!' < utf8.RuneSelf-'!' { // most bytes
		return i
	}
	return s.skipBlanks(i)
}

func (s *Source) skipBlanks(i int) int {
	start := i
	for i < s.End {
		size := 1
		if c := s.Text[i]; c >= utf8.RuneSelf {
			size = OddBlankSize(s.Text[i:s.End])
		} else if !IsBlank(c) {
			break
		}
		if size == 0 {
			break
		}
		i += size
	}
	s.Steps += i - start
	return i
}

// OddBlankSize returns the size of a blank at the beginning of text that JSON does not allow, such as a Unicode
// space or a byte order mark; 0 if there is none.
func OddBlankSize(text string) int {
	c, size := utf8.DecodeRuneInString(text)
	switch c {
	case '\v', '\f', '\u0085', '\u00a0', '\u1680', '\u2028', '\u2029', '\u202f', '\u205f', '\u3000', '\ufeff':
		return size
	}
	if '\u2000' <= c && c <= '\u200b' {
		return size
	}
	return 0
}

// CommentSize returns the size of the comment at i; 0 if there is none. A line comment in the last line ends
// before a closing bracket.
func (s *Source) CommentSize(i int) int {
	rest := s.Text[i:s.End]
	switch {
	case strings.HasPrefix(rest, "/*"):
		return min(s.End, s.Index("*/", i+2)+2) - i
	case strings.HasPrefix(rest, "<!--"):
		return min(s.End, s.Index("-->", i+4)+3) - i
	case rest[0] == '#' || strings.HasPrefix(rest, "//"):
		if end := s.Index("\n", i); end < s.End {
			return end - i
		}
		if end := strings.IndexAny(rest, Closers); end >= 0 {
			return end
		}
		return len(rest)
	}
	return 0
}

// OpensComment reports whether a comment is at j, which must be before the end.
func (s *Source) OpensComment(j int) bool {
	rest := s.Text[j:s.End]
	return rest[0] == '#' || strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "/*") || strings.HasPrefix(rest, "<!--")
}
