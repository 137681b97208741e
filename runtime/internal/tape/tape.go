package tape

import (
	"iter"
	"math"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// Kind is the JSON type of a value.
type Kind uint8

const (
	Null Kind = iota
	False
	True
	Number
	String
	Array
	Object
	Reference // to a variable; in a text there are only strings, see [Tape.Resolve]
)

// Entry is one value on a tape. The elements of an array follow its entry; so do
// the members of an object, each as a string, its key, and a value.
type Entry struct {
	start, end int32 // the text of the value, quotes and brackets included
	Next       int32 // index behind the value and all that is in it; 0 while it is open
	Count      int32 // elements or members
	Kind       Kind
	escaped    bool // a string with a backslash in it
	Taken      bool // a key that was asked for; for the reader to set
	Replaced   bool // it stands for another text than that which was read
}

// Tape holds the values of one text. The zero Tape is ready for [Tape.Scan], and so
// is one after [Tape.Reset].
type Tape struct {
	text    string
	depth   int // of containers, at most
	entries []Entry
	bad     *Broken // where the text is no JSON

	more      []byte         // of the text, that was put in for references
	variables map[int]string // the names of those that were, by their places
}

// kept is the length from which on a tape is not kept for the next text.
const kept = 1024 // values

// Reset forgets the text.
func (t *Tape) Reset() {
	if cap(t.entries) > kept {
		t.entries = nil
	}
	t.text, t.entries = "", t.entries[:0]
	if t.bad != nil || t.more != nil {
		t.bad, t.more, t.variables = nil, nil, nil
	}
}

// At returns the value at an index.
func (t *Tape) At(i int) *Entry { return &t.entries[i] }

// End returns the index behind the value at the given one. A value that is open, or
// yet to come, ends behind everything.
func (t *Tape) End(at int) int {
	if at < len(t.entries) && t.entries[at].Next != 0 {
		return int(t.entries[at].Next)
	}
	return math.MaxInt
}

// Keys returns the indices of the keys of an object. A value is behind its key.
func (t *Tape) Keys(object int) iter.Seq[int] {
	return func(yield func(int) bool) {
		key, end := object+1, t.End(object)
		for key < end && yield(key) {
			key = t.End(key + 1)
		}
	}
}

// Repeats reports whether an object has a key before another that says the same.
func (t *Tape) Repeats(object, key int) bool {
	name := t.Str(t.At(key))
	for before := range t.Keys(object) {
		if before == key {
			break
		}
		if t.Reads(t.At(before), name) {
			return true
		}
	}
	return false
}

// Find returns the index of the key of a name in an object, or -1. It begins to look at
// a key, the cursor.
func (t *Tape) Find(object, cursor int, name string) (key int) {
	for range t.entries[object].Count {
		if t.Reads(&t.entries[cursor], name) {
			return cursor
		}
		cursor = t.Behind(object, cursor)
	}
	return -1
}

// Behind returns the index of the key behind another in an object, round and round:
// models write members in the order of the schema, and generated code reads them in that
// order.
func (t *Tape) Behind(object, key int) int {
	if next := t.entries[key+1].Next; next != t.entries[object].Next {
		return int(next)
	}
	return object + 1
}

// Text returns the value e as it is written.
func (t *Tape) Text(e *Entry) string { return t.text[e.start:e.end] }

// shareBelow is the size of a text, in bytes, below which strings that are read
// from it share its memory. A short string must not keep a long text alive.
const shareBelow = 4 << 10

// Str returns the text of the string e.
func (t *Tape) Str(e *Entry) string {
	s := t.text[e.start+1 : e.end-1]
	if e.escaped {
		return string(jsontext.AppendUnquoted(nil, s))
	}
	return t.Own(s)
}

// Own returns s, a part of the text, to be kept by the caller.
func (t *Tape) Own(s string) string {
	if len(t.text) < shareBelow {
		return s
	}
	return strings.Clone(s)
}

// Reads tells whether the string e has the text s.
func (t *Tape) Reads(e *Entry, s string) bool {
	if e.escaped {
		return t.unquotes(e, s)
	}
	return t.text[e.start+1:e.end-1] == s
}

// unquotes tells whether the string e, which has escapes, has the text s. An
// escape is at most six bytes for each that it stands for, so that the answer
// costs no more than s is long.
func (t *Tape) unquotes(e *Entry, s string) bool {
	quoted := t.text[e.start+1 : e.end-1]
	if len(quoted) > 6*len(s) {
		return false
	}
	var room [128]byte
	return string(jsontext.AppendUnquoted(room[:0], quoted)) == s
}
