package repair

import (
	"strings"
	"unicode/utf8"
)

// blank returns the place of what follows the blanks at i.
func (t *source) blank(i int) int {
	t.steps++
	if i < t.end && t.text[i]-'!' < utf8.RuneSelf-'!' { // most of all bytes
		return i
	}
	return t.blanks(i)
}

func (t *source) blanks(i int) int {
	start := i
	for i < t.end {
		size := 1
		if c := t.text[i]; c >= utf8.RuneSelf {
			size = oddBlank(t.text[i:t.end])
		} else if !isBlank(c) {
			break
		}
		if size == 0 {
			break
		}
		i += size
	}
	t.steps += i - start
	return i
}

// after returns the byte that follows the blanks at i, or 0 if that is the end
// of what is to be read.
func (t *source) after(i int) byte {
	if i = t.blank(i); i < t.end && !t.stopsAt(i) {
		return t.text[i]
	}
	return 0
}

// oddBlank returns the size of the blank at the beginning of text that is none
// in JSON: another of Unicode, or a byte order mark.
func oddBlank(text string) int {
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

// comment returns the size of the comment at i. One to the end of the line ends
// before a closing bracket if there is no other line.
func (t *source) comment(i int) int {
	rest := t.text[i:t.end]
	switch {
	case strings.HasPrefix(rest, "/*"):
		return blockSize(rest, 2, "*/")
	case strings.HasPrefix(rest, "<!--"):
		return blockSize(rest, 4, "-->")
	case rest[0] == '#' || strings.HasPrefix(rest, "//"):
		end := strings.IndexByte(rest, '\n')
		if i >= t.lastLine {
			end = strings.IndexAny(rest, closers)
		}
		if end < 0 {
			return len(rest)
		}
		return end
	}
	return 0
}

// blockSize returns the size of the comment at the beginning of text, which its
// end, or that of the text, ends.
func blockSize(text string, opening int, closing string) int {
	if i := strings.Index(text[opening:], closing); i >= 0 {
		return opening + i + len(closing)
	}
	return len(text)
}

func (t *source) opensComment(j int) bool {
	rest := t.text[j:t.end]
	return rest[0] == '#' || strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "/*") || strings.HasPrefix(rest, "<!--")
}
