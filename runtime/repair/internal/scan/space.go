package scan

import (
	"strings"
	"unicode/utf8"
)

// Blank returns the place of what follows the blanks at i.
func (s *Source) Blank(i int) int {
	s.Steps++
	if i < s.End && s.Text[i]-'!' < utf8.RuneSelf-'!' { // most of all bytes
		return i
	}
	return s.blanks(i)
}

func (s *Source) blanks(i int) int {
	start := i
	for i < s.End {
		size := 1
		if c := s.Text[i]; c >= utf8.RuneSelf {
			size = OddBlank(s.Text[i:s.End])
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

// OddBlank returns the size of the blank at the beginning of text that is none
// in JSON: another of Unicode, or a byte order mark.
func OddBlank(text string) int {
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

// Comment returns the size of the comment at i. One to the end of the line ends
// before a closing bracket if there is no other line.
func (s *Source) Comment(i int) int {
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

func (s *Source) OpensComment(j int) bool {
	rest := s.Text[j:s.End]
	return rest[0] == '#' || strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "/*") || strings.HasPrefix(rest, "<!--")
}
