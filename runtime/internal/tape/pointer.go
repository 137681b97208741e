package tape

import (
	"strconv"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// LongestKey bounds, in bytes, what is told of a key, or of words of others: a model
// shall see what it wrote, not read all of it again.
const LongestKey = 256

// Pointer returns the JSON Pointer of the value at an index. One behind the end
// stands for what would have come next.
func (t *Tape) Pointer(at int) string {
	var b []byte
	for i := 0; i < at && t.End(i) > at; {
		switch t.entries[i].Kind {
		case Object:
			key := i + 1
			for key < at && t.End(key+1) <= at {
				key = t.End(key + 1)
			}
			if key >= at {
				return string(b) // the fault is in the object, at none of its values
			}
			b = AppendToken(b, t.Str(&t.entries[key]))
			i = key + 1
		case Array:
			index := 0
			for i++; i < at && t.End(i) <= at; i = t.End(i) {
				index++
			}
			b = strconv.AppendInt(append(b, '/'), int64(index), 10)
		}
	}
	return string(b)
}

// AppendToken appends a key, cut where long, to a JSON Pointer.
func AppendToken(b []byte, key string) []byte {
	return append(append(b, '/'), jsontext.Token(words.Cut(key, LongestKey))...)
}

// Found says in words what the value at an index is.
func (t *Tape) Found(at int) string {
	e := &t.entries[at]
	switch e.Kind {
	case Object:
		return "an object"
	case Array:
		return "an array"
	}
	return jsontext.Describe(t.text[e.start:e.end])
}

// Quoted returns the string e in quotes, as it was written but cut.
func (t *Tape) Quoted(e *Entry) string {
	return jsontext.CutLiteral(t.text[e.start:e.end], jsontext.LongestShown)
}
