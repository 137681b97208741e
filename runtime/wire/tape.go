package wire

import (
	"math"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

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
	kindReference // to a variable; the scanner knows only strings, see [Decoder.resolve]
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

// str returns the text of the string e.
func (d *Decoder) str(e *entry) string {
	s := d.text[e.start+1 : e.end-1]
	if e.escaped {
		return string(jsontext.AppendUnquoted(nil, s))
	}
	return d.own(s)
}

// own returns s, a part of the text, to be kept by the caller.
func (d *Decoder) own(s string) string {
	if len(d.text) < shareBelow {
		return s
	}
	return strings.Clone(s)
}

// reads tells whether the string e has the text s.
func (d *Decoder) reads(e *entry, s string) bool {
	return d.text[e.start+1:e.end-1] == s || e.escaped && d.unquotes(e, s)
}

// unquotes tells whether the string e, which has escapes, has the text s. An
// escape is at most six bytes for each that it stands for, so that the answer
// costs no more than s is long.
func (d *Decoder) unquotes(e *entry, s string) bool {
	quoted := d.text[e.start+1 : e.end-1]
	if len(quoted) > 6*len(s) {
		return false
	}
	var room [128]byte
	return string(jsontext.AppendUnquoted(room[:0], quoted)) == s
}

// ends returns the index behind the value at the given one. A value that is
// open, or yet to come, ends behind everything.
func (d *Decoder) ends(at int) int {
	if at < len(d.tape) && d.tape[at].next != 0 {
		return int(d.tape[at].next)
	}
	return math.MaxInt
}
