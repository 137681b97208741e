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
	if !d.scanValue(d.maxDepth) {
		return false
	}
	if d.peek(); d.pos < len(d.text) {
		return d.broken(d.pos, "nothing after the JSON value")
	}
	return true
}

// scanValue notes the value after the white space at d.pos. At most depth
// containers may be open in it at a time.
func (d *decoder) scanValue(depth int) bool {
	switch c := d.peek(); c {
	case '"':
		return d.scanString()
	case '{':
		return d.scanObject(depth)
	case '[':
		return d.scanArray(depth)
	case 't':
		return d.scanWord("true", kindTrue)
	case 'f':
		return d.scanWord("false", kindFalse)
	case 'n':
		return d.scanWord("null", kindNull)
	default:
		if c == '-' || isDigit(c) {
			return d.scanNumber()
		}
		return d.broken(d.pos, "a value")
	}
}

// peek moves d.pos over white space and returns the byte there, 0 at the end.
func (d *decoder) peek() byte {
	for d.pos < len(d.text) {
		switch c := d.text[d.pos]; c {
		case ' ', '\n', '\t', '\r':
			d.pos++
		default:
			return c
		}
	}
	return 0
}

func (d *decoder) scanObject(depth int) bool {
	at, ok := d.open(kindObject, depth)
	if !ok {
		return false
	}
	if d.peek() == '}' {
		return d.close(at, 0)
	}
	for count := int32(1); ; count++ {
		if d.peek() != '"' {
			return d.broken(d.pos, "a key in double quotes")
		}
		if !d.scanString() {
			return false
		}
		if d.peek() != ':' {
			return d.broken(d.pos, "a colon")
		}
		d.pos++
		if !d.scanValue(depth - 1) {
			return false
		}
		switch d.peek() {
		case ',':
			d.pos++
		case '}':
			return d.close(at, count)
		default:
			return d.broken(d.pos, "a comma or a closing brace")
		}
	}
}

func (d *decoder) scanArray(depth int) bool {
	at, ok := d.open(kindArray, depth)
	if !ok {
		return false
	}
	if d.peek() == ']' {
		return d.close(at, 0)
	}
	for count := int32(1); ; count++ {
		if !d.scanValue(depth - 1) {
			return false
		}
		switch d.peek() {
		case ',':
			d.pos++
		case ']':
			return d.close(at, count)
		default:
			return d.broken(d.pos, "a comma or a closing bracket")
		}
	}
}

// open notes the beginning of a container at d.pos.
func (d *decoder) open(k kind, depth int) (at int, ok bool) {
	if depth <= 0 {
		return 0, d.broken(d.pos, fmt.Sprintf("at most %d levels of nesting", d.maxDepth))
	}
	at = len(d.tape)
	d.tape = append(d.tape, entry{start: int32(d.pos), kind: k})
	d.pos++
	return at, true
}

// close notes the end of the container that was opened as entry at.
func (d *decoder) close(at int, count int32) bool {
	d.pos++
	e := &d.tape[at]
	e.end, e.next, e.count = int32(d.pos), int32(len(d.tape)), count
	return true
}

// note puts the scalar that reaches from d.pos to end on the tape. (The fields
// are set in place: to copy a whole entry takes three times as long.)
func (d *decoder) note(k kind, end int, escaped bool) bool {
	d.tape = append(d.tape, entry{})
	e := &d.tape[len(d.tape)-1]
	e.start, e.end, e.next, e.kind, e.escaped = int32(d.pos), int32(end), int32(len(d.tape)), k, escaped
	d.pos = end
	return true
}

func (d *decoder) scanWord(word string, k kind) bool {
	if !strings.HasPrefix(d.text[d.pos:], word) {
		return d.broken(d.pos, "a value")
	}
	return d.note(k, d.pos+len(word), false)
}

func (d *decoder) scanNumber() bool {
	end, ok := numberEnd(d.text, d.pos)
	if !ok {
		return d.broken(end, "a digit")
	}
	return d.note(kindNumber, end, false)
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
func (d *decoder) scanString() bool {
	i := plainEnd(d.text, d.pos+1)
	if i < len(d.text) && d.text[i] == '"' {
		return d.note(kindString, i+1, false)
	}
	return d.scanCharacters(i)
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

// scanCharacters scans a string from text[i] on, where its plain beginning ends.
func (d *decoder) scanCharacters(i int) bool {
	text, escaped := d.text, false
	for {
		i = plainEnd(text, i)
		switch {
		case i == len(text):
			return d.broken(i, "a closing quote")
		case text[i] == '"':
			return d.note(kindString, i+1, escaped)
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
