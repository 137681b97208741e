package wire

import (
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// Arguments are read in two steps. The scanner in this file goes over the text
// once, checks that it is JSON, and notes every value on a tape. The readers in
// value.go then take from the tape what they are asked for, in any order.

// scan notes the values of d.text on the tape. If the text is no JSON, it
// records that as the one fault and returns false.
func (d *Decoder) scan() bool {
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
func (d *Decoder) scanValue(i, depth int) (end int) {
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

func (d *Decoder) scanObject(i, depth int) (end int) {
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

func (d *Decoder) scanArray(i, depth int) (end int) {
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
func (d *Decoder) open(i int, k kind, depth int) (at int) {
	if depth <= 0 {
		return d.broken(i, fmt.Sprintf("at most %d levels of nesting", d.maxDepth))
	}
	d.tape = append(d.tape, entry{start: int32(i), kind: k})
	return len(d.tape) - 1
}

// close notes the end of the container that was opened as entry at.
func (d *Decoder) close(at, end int, count int32) int {
	e := &d.tape[at]
	e.end, e.next, e.count = int32(end), int32(len(d.tape)), count
	return end
}

// note puts a scalar on the tape. (The fields are set in place: to copy a whole
// entry takes three times as long.)
func (d *Decoder) note(k kind, start, end int, escaped bool) int {
	d.tape = append(d.tape, entry{})
	e := &d.tape[len(d.tape)-1]
	e.start, e.end, e.next, e.kind, e.escaped = int32(start), int32(end), int32(len(d.tape)), k, escaped
	return end
}

func (d *Decoder) scanWord(i int, word string, k kind) (end int) {
	if !strings.HasPrefix(d.text[i:], word) {
		return d.broken(i, "a value")
	}
	return d.note(k, i, i+len(word), false)
}

func (d *Decoder) scanNumber(i int) (end int) {
	end, ok := jsontext.NumberEnd(d.text, i)
	if !ok {
		return d.broken(end, "a digit")
	}
	return d.note(kindNumber, i, end, false)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// scanString notes a string. Most have plain characters only.
func (d *Decoder) scanString(i int) (end int) {
	end = jsontext.PlainEnd(d.text, i+1)
	if end < len(d.text) && d.text[end] == '"' {
		return d.note(kindString, i, end+1, false)
	}
	end, expected := jsontext.StringEnd(d.text, i)
	if expected != "" {
		return d.broken(end, expected)
	}
	return d.note(kindString, i, end, strings.IndexByte(d.text[i:end], '\\') >= 0)
}
