package repair

import (
	"strings"
	"unicode/utf8"
)

// space skips blanks and comments.
func (r *reader) space() {
	for r.pos < r.end {
		c := r.text[r.pos]
		if '0' <= c && c <= '}' && c != '<' { // most of all bytes
			return
		}
		if isBlank(c) {
			r.pos++
			r.steps++
			continue
		}
		size := 0
		switch {
		case c == '/' || c == '#' || c == '<':
			size = r.comment(r.pos)
			if size > 0 {
				r.edit(editComment, r.pos, r.pos+size, "")
			}
		case c >= utf8.RuneSelf || c == '\v' || c == '\f':
			size = oddBlank(r.text[r.pos:r.end])
			if size > 0 {
				r.edit(editSpace, r.pos, r.pos+size, "")
			}
		}
		if size == 0 {
			return
		}
		r.pos += size
		r.steps += size
	}
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
func (r *reader) comment(i int) int {
	rest := r.text[i:r.end]
	switch {
	case strings.HasPrefix(rest, "/*"):
		return blockSize(rest, 2, "*/")
	case strings.HasPrefix(rest, "<!--"):
		return blockSize(rest, 4, "-->")
	case rest[0] == '#' || strings.HasPrefix(rest, "//"):
		end := strings.IndexByte(rest, '\n')
		if i >= r.lastLine {
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

// blank returns the place of what follows the blanks at i.
func (r *reader) blank(i int) int {
	r.steps++
	if i < r.end && r.text[i]-'!' < utf8.RuneSelf-'!' { // most of all bytes
		return i
	}
	return r.blanks(i)
}

func (r *reader) blanks(i int) int {
	start := i
	for i < r.end {
		size := 1
		if c := r.text[i]; c >= utf8.RuneSelf {
			size = oddBlank(r.text[i:r.end])
		} else if !isBlank(c) {
			break
		}
		if size == 0 {
			break
		}
		i += size
	}
	r.steps += i - start
	return i
}

// after returns the byte that follows the blanks at i, or 0 if that is the end
// of what is to be read.
func (r *reader) after(i int) byte {
	if i = r.blank(i); i < r.end && !r.stopsAt(i) {
		return r.text[i]
	}
	return 0
}

// stopsAt tells whether what is at i can only come after a value, whatever is
// missing in it: the end of a fence, a closing tag, or a token that models end
// with.
func (r *reader) stopsAt(i int) bool {
	c := r.text[i]
	return classes[c]&(classStop|classMark) != 0 && r.stops(i)
}

func (r *reader) stops(i int) bool {
	switch r.text[i] {
	case '`':
		return strings.HasPrefix(r.text[i:r.end], "```")
	case '~':
		return strings.HasPrefix(r.text[i:r.end], "~~~")
	case '<':
		rest := r.text[i+1 : r.end]
		return rest != "" && (rest[0] == '/' || rest[0] == '|' || strings.HasPrefix(rest, "｜"))
	case '[':
		rest := r.text[i+1 : r.end]
		return len(rest) > 1 && rest[0] == '/' && 'A' <= rest[1] && rest[1] <= 'Z'
	}
	return r.mark != "" && strings.HasPrefix(r.text[i:r.end], r.mark)
}
