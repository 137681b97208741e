package jsontape

import (
	"strconv"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// LongestKey limits keys and foreign messages in the text of a fault, in bytes. A model should recognize what
// it wrote, not read all of it again.
const LongestKey = 256

// Pointer returns the JSON Pointer of the value at an index. An index after the end stands for the value that
// was expected next.
func (t *Tape) Pointer(at int) string {
	var b []byte
	for i := 0; i < at && t.EndOf(i) > at; {
		switch t.entries[i].Kind {
		case Object:
			key := i + 1
			for key < at && t.EndOf(key+1) <= at {
				key = t.EndOf(key + 1)
			}
			if key >= at {
				return string(b) // the fault is about the object, not about one of its values
			}
			b = AppendToken(b, t.Str(&t.entries[key]))
			i = key + 1
		case Array:
			index := 0
			for i++; i < at && t.EndOf(i) <= at; i = t.EndOf(i) {
				index++
			}
			b = strconv.AppendInt(append(b, '/'), int64(index), 10)
		}
	}
	return string(b)
}

// IndexAt returns the index of the innermost value at an offset of the text, and whether the offset is in its key. The
// text must have no references.
func (t *Tape) IndexAt(offset int) (at int, inKey bool) {
	for {
		inner := t.partAt(at, offset)
		switch {
		case inner == at:
			return at, false
		case t.entries[at].Kind == Object && t.contains(inner-1, inner-1, offset):
			return inner, true
		}
		at = inner
	}
}

// partAt returns the index of the element or member of a value at an offset, or the index of the value if there is
// none.
func (t *Tape) partAt(at, offset int) int {
	switch e := &t.entries[at]; e.Kind {
	case Array:
		for i := at + 1; i < int(e.Next); i = t.EndOf(i) {
			if t.contains(i, i, offset) {
				return i
			}
		}
	case Object:
		for key := range t.Keys(at) {
			if t.contains(key, key+1, offset) {
				return key + 1
			}
		}
	}
	return at
}

// contains reports whether an offset is in the text from one value to another.
func (t *Tape) contains(first, last, offset int) bool {
	return int(t.entries[first].start) <= offset && offset < int(t.entries[last].end)
}

// AppendToken appends a key, cut where long, to a JSON Pointer.
func AppendToken(b []byte, key string) []byte {
	return append(append(b, '/'), jsontext.Token(words.Cut(key, LongestKey))...)
}

// DescribeValue describes the value at an index.
func (t *Tape) DescribeValue(at int) string {
	e := &t.entries[at]
	switch e.Kind {
	case Object:
		return "an object"
	case Array:
		return "an array"
	}
	return jsontext.Describe(t.text[e.start:e.end])
}

// QuotedString returns the string e in quotes, as it was written, cut where long.
func (t *Tape) QuotedString(e *Entry) string {
	return jsontext.CutLiteral(t.text[e.start:e.end], jsontext.LongestShown)
}
