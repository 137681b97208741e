package tape

import (
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// Broken says where a text stops to be JSON.
type Broken struct {
	At       int    // the byte
	Pointer  string // JSON Pointer of the value that would have been there
	Expected string
	Found    string
}

// Scan notes the values of a text, in which at most depth containers may be open at
// a time. It returns nil, or what is broken.
func (t *Tape) Scan(text string, depth int) *Broken {
	t.text, t.depth = text, depth
	i := t.scanValue(0, depth)
	if i < 0 {
		return t.bad
	}
	if _, i = next(text, i); i < len(text) {
		t.broken(i, "nothing after the JSON value")
	}
	return t.bad
}

// broken records that there is something else at the given place. It returns -1.
func (t *Tape) broken(at int, expected string) int {
	t.bad = &Broken{
		At: at, Pointer: t.Pointer(len(t.entries)),
		Expected: fmt.Sprintf("%s at byte %d", expected, at), Found: jsontext.Found(t.text, at),
	}
	return -1
}

// The methods that follow note what is at t.text[i], and return its end; if it is
// broken, they record that and return -1.

// scanValue notes the value after the white space at t.text[i]. At most depth
// containers may be open in it at a time.
func (t *Tape) scanValue(i, depth int) (end int) {
	c, i := next(t.text, i)
	switch c {
	case '"':
		return t.scanString(i)
	case '{':
		return t.scanObject(i, depth)
	case '[':
		return t.scanArray(i, depth)
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
		return t.broken(i, "a value")
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

func (t *Tape) scanObject(i, depth int) (end int) {
	at := t.open(i, Object, depth)
	if at < 0 {
		return -1
	}
	c, i := next(t.text, i+1)
	if c == '}' {
		return t.close(at, i+1, 0)
	}
	for count := int32(1); ; count++ {
		if c != '"' {
			return t.broken(i, "a key in double quotes")
		}
		if i = t.scanString(i); i < 0 {
			return -1
		}
		if c, i = next(t.text, i); c != ':' {
			return t.broken(i, "a colon")
		}
		if i = t.scanValue(i+1, depth-1); i < 0 {
			return -1
		}
		switch c, i = next(t.text, i); c {
		case ',':
			c, i = next(t.text, i+1)
		case '}':
			return t.close(at, i+1, count)
		default:
			return t.broken(i, "a comma or a closing brace")
		}
	}
}

func (t *Tape) scanArray(i, depth int) (end int) {
	at := t.open(i, Array, depth)
	if at < 0 {
		return -1
	}
	c, i := next(t.text, i+1)
	if c == ']' {
		return t.close(at, i+1, 0)
	}
	for count := int32(1); ; count++ {
		if i = t.scanValue(i, depth-1); i < 0 {
			return -1
		}
		switch c, i = next(t.text, i); c {
		case ',':
			i++
		case ']':
			return t.close(at, i+1, count)
		default:
			return t.broken(i, "a comma or a closing bracket")
		}
	}
}

// open notes the beginning of a container, and returns its index on the tape.
func (t *Tape) open(i int, k Kind, depth int) (at int) {
	if depth <= 0 {
		return t.broken(i, fmt.Sprintf("at most %d levels of nesting", t.depth))
	}
	t.entries = append(t.entries, Entry{start: int32(i), Kind: k})
	return len(t.entries) - 1
}

// close notes the end of the container that was opened as entry at.
func (t *Tape) close(at, end int, count int32) int {
	e := &t.entries[at]
	e.end, e.Next, e.Count = int32(end), int32(len(t.entries)), count
	return end
}

// note puts a scalar on the tape. (The fields are set in place: to copy a whole
// entry takes three times as long.)
func (t *Tape) note(k Kind, start, end int, escaped bool) int {
	t.entries = append(t.entries, Entry{})
	e := &t.entries[len(t.entries)-1]
	e.start, e.end, e.Next, e.Kind, e.escaped = int32(start), int32(end), int32(len(t.entries)), k, escaped
	return end
}

func (t *Tape) scanWord(i int, word string, k Kind) (end int) {
	if !strings.HasPrefix(t.text[i:], word) {
		return t.broken(i, "a value")
	}
	return t.note(k, i, i+len(word), false)
}

func (t *Tape) scanNumber(i int) (end int) {
	end, ok := jsontext.NumberEnd(t.text, i)
	if !ok {
		return t.broken(end, "a digit")
	}
	return t.note(Number, i, end, false)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// scanString notes a string. Most have plain characters only.
func (t *Tape) scanString(i int) (end int) {
	end = jsontext.PlainEnd(t.text, i+1)
	if end < len(t.text) && t.text[end] == '"' {
		return t.note(String, i, end+1, false)
	}
	end, expected := jsontext.StringEnd(t.text, i)
	if expected != "" {
		return t.broken(end, expected)
	}
	return t.note(String, i, end, strings.IndexByte(t.text[i:end], '\\') >= 0)
}
