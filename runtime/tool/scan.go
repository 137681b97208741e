package tool

import (
	"fmt"
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Arguments are read in two steps. The scanner in this file goes over the text
// once, checks that it is JSON, and notes every value on a tape. The readers in
// value.go then take from the tape what they are asked for, in any order.

// kind is the JSON type of a value on the tape.
type kind uint8

const (
	kindNull kind = iota
	kindFalse
	kindTrue
	kindNumber
	kindString
	kindArray
	kindObject
	kindReference // to a variable; the scanner knows only strings, see [decoder.resolve]
)

// entry is one value on the tape. The elements of an array follow its entry; so
// do the members of an object, each as a string, its key, and a value.
type entry struct {
	start, end int32 // the text of the value, quotes and brackets included
	next       int32 // index behind the value and all that is in it; 0 while it is open
	count      int32 // elements or members
	kind       kind
	escaped    bool // a string with a backslash in it
	taken      bool // a key that was asked for
	replaced   bool // it stands for another text than that of the arguments
}

// scan notes the values of d.text on the tape. If the text is no JSON, it
// records that as the one fault and returns false.
func (d *decoder) scan() bool {
	i := d.scanValue(0, d.maxDepth)
	if i < 0 {
		return false
	}
	if _, i = next(d.text, i); i < len(d.text) {
		d.broken(i, "nothing after the JSON value")
		return false
	}
	return true
}

// The methods that follow note what is at d.text[i], and return its end; if it is
// broken, they record that and return -1.

// scanValue notes the value after the white space at d.text[i]. At most depth
// containers may be open in it at a time.
func (d *decoder) scanValue(i, depth int) (end int) {
	c, i := next(d.text, i)
	switch c {
	case '"':
		return d.scanString(i)
	case '{':
		return d.scanObject(i, depth)
	case '[':
		return d.scanArray(i, depth)
	case 't':
		return d.scanWord(i, "true", kindTrue)
	case 'f':
		return d.scanWord(i, "false", kindFalse)
	case 'n':
		return d.scanWord(i, "null", kindNull)
	default:
		if c == '-' || isDigit(c) {
			return d.scanNumber(i)
		}
		return d.broken(i, "a value")
	}
}

// next returns the first byte from text[i] on that is no white space, and its
// place; 0 at the end.
func next(text string, i int) (c byte, at int) {
	for ; i < len(text); i++ {
		if c := text[i]; c > ' ' || c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return c, i
		}
	}
	return 0, i
}

func (d *decoder) scanObject(i, depth int) (end int) {
	at := d.open(i, kindObject, depth)
	if at < 0 {
		return -1
	}
	c, i := next(d.text, i+1)
	if c == '}' {
		return d.close(at, i+1, 0)
	}
	for count := int32(1); ; count++ {
		if c != '"' {
			return d.broken(i, "a key in double quotes")
		}
		if i = d.scanString(i); i < 0 {
			return -1
		}
		if c, i = next(d.text, i); c != ':' {
			return d.broken(i, "a colon")
		}
		if i = d.scanValue(i+1, depth-1); i < 0 {
			return -1
		}
		switch c, i = next(d.text, i); c {
		case ',':
			c, i = next(d.text, i+1)
		case '}':
			return d.close(at, i+1, count)
		default:
			return d.broken(i, "a comma or a closing brace")
		}
	}
}

func (d *decoder) scanArray(i, depth int) (end int) {
	at := d.open(i, kindArray, depth)
	if at < 0 {
		return -1
	}
	c, i := next(d.text, i+1)
	if c == ']' {
		return d.close(at, i+1, 0)
	}
	for count := int32(1); ; count++ {
		if i = d.scanValue(i, depth-1); i < 0 {
			return -1
		}
		switch c, i = next(d.text, i); c {
		case ',':
			i++
		case ']':
			return d.close(at, i+1, count)
		default:
			return d.broken(i, "a comma or a closing bracket")
		}
	}
}

// open notes the beginning of a container, and returns its index on the tape.
func (d *decoder) open(i int, k kind, depth int) (at int) {
	if depth <= 0 {
		return d.broken(i, fmt.Sprintf("at most %d levels of nesting", d.maxDepth))
	}
	d.tape = append(d.tape, entry{start: int32(i), kind: k})
	return len(d.tape) - 1
}

// close notes the end of the container that was opened as entry at.
func (d *decoder) close(at, end int, count int32) int {
	e := &d.tape[at]
	e.end, e.next, e.count = int32(end), int32(len(d.tape)), count
	return end
}

// note puts a scalar on the tape. (The fields are set in place: to copy a whole
// entry takes three times as long.)
func (d *decoder) note(k kind, start, end int, escaped bool) int {
	d.tape = append(d.tape, entry{})
	e := &d.tape[len(d.tape)-1]
	e.start, e.end, e.next, e.kind, e.escaped = int32(start), int32(end), int32(len(d.tape)), k, escaped
	return end
}

func (d *decoder) scanWord(i int, word string, k kind) (end int) {
	if !strings.HasPrefix(d.text[i:], word) {
		return d.broken(i, "a value")
	}
	return d.note(k, i, i+len(word), false)
}

func (d *decoder) scanNumber(i int) (end int) {
	end, ok := numberEnd(d.text, i)
	if !ok {
		return d.broken(end, "a digit")
	}
	return d.note(kindNumber, i, end, false)
}

// numberEnd returns the end of the JSON number at text[i]; if it is broken, the
// place where there should be a digit.
func numberEnd(text string, i int) (end int, ok bool) {
	if i < len(text) && text[i] == '-' {
		i++
	}
	if i < len(text) && text[i] == '0' {
		i++
	} else if i, ok = digitsEnd(text, i); !ok {
		return i, false
	}
	if i < len(text) && text[i] == '.' {
		if i, ok = digitsEnd(text, i+1); !ok {
			return i, false
		}
	}
	if i < len(text) && (text[i] == 'e' || text[i] == 'E') {
		i++
		if i < len(text) && (text[i] == '+' || text[i] == '-') {
			i++
		}
		return digitsEnd(text, i)
	}
	return i, true
}

// digitsEnd returns the end of the digits at text[i], and whether there are any.
func digitsEnd(text string, i int) (end int, ok bool) {
	for end = i; end < len(text) && isDigit(text[end]); end++ {
	}
	return end, end > i
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// scanString notes a string. Most have plain characters only.
func (d *decoder) scanString(i int) (end int) {
	end = plainEnd(d.text, i+1)
	if end < len(d.text) && d.text[end] == '"' {
		return d.note(kindString, i, end+1, false)
	}
	return d.scanCharacters(i, end)
}

// plainEnd returns the end of the plain characters at text[i]. It looks at eight
// bytes at a time while there are as many: to take something from each sets the
// highest bit of the first that is less, and of others only behind it.
func plainEnd(text string, i int) int {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	for ; len(text)-i >= 8; i += 8 {
		s := text[i : i+8]
		x := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		quote, backslash := x^ones*'"', x^ones*'\\'
		special := (x | (x - ones*' ') | (quote - ones) | (backslash - ones)) & high
		if special != 0 {
			return i + bits.TrailingZeros64(special)/8
		}
	}
	for i < len(text) && isPlain(text[i]) {
		i++
	}
	return i
}

// scanCharacters notes the string at d.text[start], whose plain beginning ends at
// d.text[i].
func (d *decoder) scanCharacters(start, i int) (end int) {
	text, escaped := d.text, false
	for {
		i = plainEnd(text, i)
		switch {
		case i == len(text):
			return d.broken(i, "a closing quote")
		case text[i] == '"':
			return d.note(kindString, start, i+1, escaped)
		case text[i] == '\\':
			_, size := unescape(text[i:])
			if size == 0 {
				return d.broken(i, `an escape such as \n or \u00e9, surrogates in pairs`)
			}
			escaped = true
			i += size
		case text[i] < ' ':
			return d.broken(i, "control characters to be escaped")
		default:
			r, size := utf8.DecodeRuneInString(text[i:])
			if r == utf8.RuneError && size == 1 {
				return d.broken(i, "valid UTF-8")
			}
			i += size
		}
	}
}

// isPlain tells whether a byte is a whole character that stands for itself in a
// JSON string.
func isPlain(c byte) bool { return plain[c] }

var plain = func() (table [256]bool) {
	for c := range utf8.RuneSelf {
		table[c] = c >= ' ' && c != '"' && c != '\\'
	}
	return table
}()

// unescape reads the escape sequence at the beginning of s, a surrogate pair as
// one. Its size is 0 if it is broken, or half of a pair.
func unescape(s string) (r rune, size int) {
	if len(s) < 2 {
		return 0, 0
	}
	switch s[1] {
	case '"', '\\', '/':
		return rune(s[1]), 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		return unescapeUnicode(s)
	}
	return 0, 0
}

func unescapeUnicode(s string) (r rune, size int) {
	r = hexadecimal(s)
	if r < 0 {
		return 0, 0
	}
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if r = utf16.DecodeRune(r, hexadecimal(s[6:])); r == unicode.ReplacementChar {
		return 0, 0
	}
	return r, 12
}

// hexadecimal returns the code unit that s begins with as \uXXXX, or -1.
func hexadecimal(s string) (r rune) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return -1
	}
	for _, c := range []byte(s[2:6]) {
		switch {
		case isDigit(c):
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}

// unquote returns the text that s, a scanned string without its quotes, stands
// for, appended to b.
func unquote(b []byte, s string) []byte {
	for {
		i := strings.IndexByte(s, '\\')
		if i < 0 {
			return append(b, s...)
		}
		r, size := unescape(s[i:])
		b = utf8.AppendRune(append(b, s[:i]...), r)
		s = s[i+size:]
	}
}
