package jsontape

import (
	"strconv"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// LongestKey limits the keys and other quoted texts in the message of a fault, in bytes. It is long enough
// for a model to recognize what it wrote.
const LongestKey = 256

// Pointer returns the JSON Pointer of the value at an index. For an index after the last entry, it returns
// the pointer of the value that was expected next. If the text is `[5,`, that is /1.
func (t *Tape) Pointer(index int) string {
	var b []byte
	for i := 0; i < index && t.EndOf(i) > index; {
		switch t.entries[i].Kind {
		case Object:
			key := i + 1
			for key < index && t.EndOf(key+1) <= index {
				key = t.EndOf(key + 1)
			}
			if key >= index {
				return string(b) // a key is missing or invalid, so the pointer is that of the object
			}
			b = AppendToken(b, t.Str(&t.entries[key]))
			i = key + 1
		case Array:
			element := 0
			for i++; i < index && t.EndOf(i) <= index; i = t.EndOf(i) {
				element++
			}
			b = strconv.AppendInt(append(b, '/'), int64(element), 10)
		}
	}
	return string(b)
}

// AppendToken appends a key to a JSON Pointer. It shortens a long key.
func AppendToken(b []byte, key string) []byte {
	return append(append(b, '/'), jsontext.Token(words.Cut(key, LongestKey))...)
}

// DescribeValue describes the value at an index for an error message, such as "an object" or a short literal.
func (t *Tape) DescribeValue(index int) string {
	e := &t.entries[index]
	switch e.Kind {
	case Object:
		return "an object"
	case Array:
		return "an array"
	}
	return jsontext.Describe(t.text[e.start:e.end])
}

// QuotedString returns the JSON text of the string e, including its quotes. It shortens a long string.
func (t *Tape) QuotedString(e *Entry) string {
	return jsontext.CutLiteral(t.text[e.start:e.end], jsontext.LongestShown)
}
