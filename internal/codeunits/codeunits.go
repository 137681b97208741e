// Package codeunits counts UTF-16 code units of texts, as editors count columns.
package codeunits

import (
	"unicode/utf16"
	"unicode/utf8"
)

// A Counter counts the code units before offsets of a text. A count does not take longer in a long text.
type Counter struct {
	text  []byte
	marks []mark // the mark with index i is the first character whose offset is at least i * distance
}

// A mark is the start of a character in a text.
type mark struct {
	offset int
	units  int // number of code units before the mark
}

// distance is the distance between two marks of a text, in bytes.
const distance = 1 << 10

// New returns a counter for a text, which must not change.
func New(text []byte) *Counter {
	c := &Counter{text: text}
	units := 0
	for i := 0; i < len(text); {
		if i >= len(c.marks)*distance {
			c.marks = append(c.marks, mark{i, units})
		}
		r, size := utf8.DecodeRune(text[i:])
		units += utf16.RuneLen(r)
		i += size
	}
	return c
}

// Before returns the number of code units before an offset. A byte that is not part of a whole character before the
// offset counts as one.
func (c *Counter) Before(offset int) int {
	m := c.markBefore(offset)
	units := m.units
	for _, r := range string(c.text[m.offset:offset]) {
		units += utf16.RuneLen(r)
	}
	return units
}

// markBefore returns the last mark at or before an offset.
func (c *Counter) markBefore(offset int) mark {
	i := min(offset/distance, len(c.marks)-1)
	if i >= 0 && c.marks[i].offset > offset {
		i--
	}
	if i < 0 {
		return mark{}
	}
	return c.marks[i]
}
