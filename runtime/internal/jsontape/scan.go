package jsontape

import (
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// ScanFault describes where and why a text is not JSON.
type ScanFault struct {
	At       int    // offset of the fault in the text, in bytes
	Pointer  string // JSON Pointer of the value that was expected at this offset
	Expected string
	Found    string
}

// Scan records the values of a JSON text whose arrays and objects are nested at most depth levels deep. It
// returns the first fault, or nil.
func (t *Tape) Scan(text string, depth int) *ScanFault {
	t.text, t.depth = text, depth
	i := t.scanValue(0, depth)
	if i < 0 {
		return t.fault
	}
	if _, i = nextByte(text, i); i < len(text) {
		t.recordFault(i, "nothing after the JSON value")
	}
	return t.fault
}

// recordFault records what was expected at an offset, and what was found. It returns -1.
func (t *Tape) recordFault(offset int, expected string) int {
	t.fault = &ScanFault{
		At: offset, Pointer: t.Pointer(len(t.entries)),
		Expected: fmt.Sprintf("%s at byte %d", expected, offset), Found: jsontext.DescribeAt(t.text, offset),
	}
	return -1
}

// The scan methods below record the value that begins at t.text[i] and return the offset of its end. On an
// error, they record the fault and return -1.

// scanValue skips white space at t.text[i] and records the value after it, which may be nested at most depth
// levels deep.
func (t *Tape) scanValue(i, depth int) (end int) {
	c, i := nextByte(t.text, i)
	switch c {
	case '"':
		return t.scanString(i)
	case '{':
		return t.scanContainer(i, Object, '}', depth)
	case '[':
		return t.scanContainer(i, Array, ']', depth)
	case 't':
		return t.scanWord(i, "true", True)
	case 'f':
		return t.scanWord(i, "false", False)
	case 'n':
		return t.scanWord(i, "null", Null)
	default:
		if c == '-' || isDigit(c) {
			return t.scanNumber(i)
		}
		return t.recordFault(i, "a value")
	}
}

// nextByte returns the first byte at or after text[i] that is not white space, and its offset. At the end of
// the text, the byte is 0.
func nextByte(text string, i int) (c byte, pos int) {
	for ; i < len(text); i++ {
		if c := text[i]; c > ' ' || c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return c, i
		}
	}
	return 0, i
}

// scanContainer scans an object or an array, which ends with closer.
func (t *Tape) scanContainer(i int, k Kind, closer byte, depth int) (end int) {
	index := t.openContainer(i, k, depth)
	if index < 0 {
		return -1
	}
	c, i := nextByte(t.text, i+1)
	if c == closer {
		return t.closeContainer(index, i+1, 0)
	}
	for count := int32(1); ; count++ {
		if k == Object {
			if i = t.scanKey(c, i); i < 0 {
				return -1
			}
		}
		if i = t.scanValue(i, depth-1); i < 0 {
			return -1
		}
		switch c, i = nextByte(t.text, i); {
		case c == ',':
			c, i = nextByte(t.text, i+1)
		case c == closer:
			return t.closeContainer(index, i+1, count)
		case k == Object:
			return t.recordFault(i, "a comma or a closing brace")
		default:
			return t.recordFault(i, "a comma or a closing bracket")
		}
	}
}

// scanKey scans a key, which begins with the byte c, and the colon after it.
func (t *Tape) scanKey(c byte, i int) (end int) {
	if c != '"' {
		return t.recordFault(i, "a key in double quotes")
	}
	if i = t.scanString(i); i < 0 {
		return -1
	}
	if c, i = nextByte(t.text, i); c != ':' {
		return t.recordFault(i, "a colon")
	}
	return i + 1
}

// openContainer records the beginning of an array or object and returns its index on the tape.
func (t *Tape) openContainer(i int, k Kind, depth int) (index int) {
	if depth <= 0 {
		return t.recordFault(i, fmt.Sprintf("at most %d levels of nesting", t.depth))
	}
	t.entries = append(t.entries, Entry{start: int32(i), Kind: k})
	return len(t.entries) - 1
}

// closeContainer records the end of the array or object at an index.
func (t *Tape) closeContainer(index, end int, count int32) int {
	e := &t.entries[index]
	e.end, e.Next, e.Count = int32(end), int32(len(t.entries)), count
	return end
}

// addScalar appends a scalar to the tape. It sets the fields in place, because copying a whole entry takes
// three times as long.
func (t *Tape) addScalar(k Kind, start, end int, escaped bool) int {
	t.entries = append(t.entries, Entry{})
	e := &t.entries[len(t.entries)-1]
	e.start, e.end, e.Next, e.Kind, e.escaped = int32(start), int32(end), int32(len(t.entries)), k, escaped
	return end
}

func (t *Tape) scanWord(i int, word string, k Kind) (end int) {
	if !strings.HasPrefix(t.text[i:], word) {
		return t.recordFault(i, "a value")
	}
	return t.addScalar(k, i, i+len(word), false)
}

func (t *Tape) scanNumber(i int) (end int) {
	end, ok := jsontext.NumberEnd(t.text, i)
	if !ok {
		return t.recordFault(end, "a digit")
	}
	return t.addScalar(Number, i, end, false)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// scanString records a string. Most strings have no escapes, so it first looks for the closing quote.
func (t *Tape) scanString(i int) (end int) {
	end = jsontext.PlainEnd(t.text, i+1)
	if end < len(t.text) && t.text[end] == '"' {
		return t.addScalar(String, i, end+1, false)
	}
	end, expected := jsontext.StringEnd(t.text, i)
	if expected != "" {
		return t.recordFault(end, expected)
	}
	return t.addScalar(String, i, end, strings.IndexByte(t.text[i:end], '\\') >= 0)
}
